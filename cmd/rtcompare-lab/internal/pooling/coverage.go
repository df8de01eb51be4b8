package pooling

import (
	"fmt"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
)

// truth is the true ln(B/A) of the simulated processes.
const truth = 0.05

// Pooled tests the pooled interval with reports made by hand.
func Pooled(s simulation.Setup) ([]*sheet.Sheet, error) {
	coverage, err := coverageTable(s)
	if err != nil {
		return nil, err
	}
	layouts, err := layoutTable(s)
	if err != nil {
		return nil, err
	}
	floor, err := floorTable(s)
	if err != nil {
		return nil, err
	}
	return []*sheet.Sheet{coverage, layouts, floor, mirrorTable(s)}, nil
}

// pooledTrial says of one set of processes which intervals hold the truth, and
// how wide that of Combine is. There are many, so they keep nothing else.
type pooledTrial struct {
	held, fixed, random bool
	half                float64
	err                 error
}

// poolTrials pools sets of processes. effect draws how far the true difference
// in one process is from the truth.
func poolTrials(s simulation.Setup, name string, processes int, effect func(r *rand.Rand) float64) ([]pooledTrial, error) {
	seen := trial.Run(s.Plan, name, s.Trials, func(r *rand.Rand) pooledTrial {
		values, errors := make([]float64, processes), make([]float64, processes)
		reports := make([]rtcompare.Report, processes)
		for i := range reports {
			errors[i] = drawError(r)
			values[i] = truth + effect(r) + errors[i]*r.NormFloat64()
			reports[i] = reported(values[i], errors[i])
		}
		pooled, err := rtcompare.Combine(reports, level)
		d := pooled.Decision
		return pooledTrial{
			held: holds(d.Low, d.High, truth), fixed: fixedEffect(values, errors).holds(truth), random: randomEffects(values, errors).holds(truth),
			half: (d.High - d.Low) / 2, err: err,
		}
	})
	for _, t := range seen {
		if t.err != nil {
			return nil, fmt.Errorf("pooling %s: %w", name, t.err)
		}
	}
	return seen, nil
}

func covered(t pooledTrial) bool { return t.held }

func coverageTable(s simulation.Setup) (*sheet.Sheet, error) {
	table := &sheet.Sheet{
		Title:   "pooled: the 95% interval of Combine holds the truth; own standard errors differ by a factor of 2.7",
		Nominal: "nominal 95%", Trials: s.Trials, ErrorAt: 1 - level,
		Columns: []string{"processes", "between/own", "Combine", "half-width", "fixed effect", "DerSimonian-Laird"},
		Notes: []string{
			"between/own is the spread of the true differences from process to process, in typical standard errors of one process.",
			"half-widths are means, in points of the log ratio; the last two columns show what other ways to pool would cover.",
		},
	}
	var three, others []float64
	for _, processes := range []int{3, 5, 10} {
		for _, between := range []float64{0, 1, 4} {
			seen, err := poolTrials(s, fmt.Sprintf("pooled, %d, %g", processes, between), processes, func(r *rand.Rand) float64 {
				return between * typicalError * r.NormFloat64()
			})
			if err != nil {
				return nil, err
			}
			rate := trial.Share(seen, covered)
			if processes == 3 && between == 0 {
				three = append(three, rate)
			} else {
				others = append(others, rate)
			}
			table.Add(processes, between, sheet.Percent(rate), sheet.Percent(trial.Mean(seen, func(t pooledTrial) float64 { return t.half })),
				sheet.Percent(trial.Share(seen, func(t pooledTrial) bool { return t.fixed })),
				sheet.Percent(trial.Share(seen, func(t pooledTrial) bool { return t.random })))
		}
	}
	table.Bars = append(coverageBars("coverage of the pooled interval", others, highestCoverage, s.Trials),
		coverageBars("coverage with 3 processes that differ in nothing", three, highestOfThree, s.Trials)...)
	return table, nil
}

// layoutGap is how far apart two kinds of memory layout are, in typical
// standard errors of one process.
const layoutGap = 10

func layoutTable(s simulation.Setup) (*sheet.Sheet, error) {
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("pooled: memory layouts of two kinds, %d standard errors apart; coverage of Combine", layoutGap),
		Nominal: "nominal 95%; no bar: a few processes cannot show what most of them do not have", Trials: s.Trials, ErrorAt: 1 - level,
		Columns: []string{"layouts", "5 processes", "10", "20"},
	}
	for _, layout := range []struct {
		name  string
		share float64
	}{{"half of each kind", 0.5}, {"15% bad ones", 0.15}} {
		row := []any{layout.name}
		for _, processes := range []int{5, 10, 20} {
			seen, err := poolTrials(s, fmt.Sprintf("%s, %d", layout.name, processes), processes, func(r *rand.Rand) float64 {
				kind := 0.0
				if r.Float64() < layout.share {
					kind = 1
				}
				return layoutGap * typicalError * (kind - layout.share)
			})
			if err != nil {
				return nil, err
			}
			row = append(row, sheet.Percent(trial.Share(seen, covered)))
		}
		table.Rows = append(table.Rows, row)
	}
	return table, nil
}
