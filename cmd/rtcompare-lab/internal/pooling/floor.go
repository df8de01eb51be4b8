package pooling

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/stat"
)

const (
	// What identical code shows in the simulated processes: each of them
	// favours one instance a little, and so do all, and runs scatter.
	floorBias, floorBetween, floorWithin = 0.004, 0.002, 0.005
	// floorProcesses and floorRuns are the first stage of a run, and its share
	// of the runs of identical code for each candidate.
	floorProcesses, floorRuns = 6, 7
	// floorTrials is the largest number of trials per row: each draws a hundred
	// runs.
	floorTrials = 4000
	// mostVetoes is the bar.
	mostVetoes = 0.01
)

// floorTable tests what disturbed runs of identical code do to the noise floor:
// how often it vetoes a difference whose interval excludes zero, both ways
// round, and how often it exceeds what repeats in all processes.
func floorTable(s simulation.Setup) (*sheet.Sheet, error) {
	s.Trials = min(s.Trials, floorTrials)
	table := &sheet.Sheet{
		Title: fmt.Sprintf("pooled: the noise floor with disturbed runs of identical code, %d processes with %d runs of each candidate; identical code differs by %.1f%% everywhere",
			floorProcesses, floorRuns, 100*floorBias),
		Nominal: "vetoes nominal 0%, bias held nominal 97.5% or more", Trials: s.Trials, ErrorAt: 0.025,
		Columns: []string{"runs disturbed", "B/A", "vetoes, Combine", "vetoes by means", "floor", "floor by means", "bias held"},
		Notes: []string{
			"in a disturbed run one of the two instances takes 1.2 to 5.5 times as long; vetoes count differences whose interval excludes zero.",
			"by means is the rule of rtcompare v0.8.1: the mean over the processes of the mean of their Deltas, with its t interval. Floors are medians.",
		},
	}
	var vetoes, held []float64
	for _, share := range []float64{0, 0.05, 0.10} {
		for _, ratio := range []float64{1.05, 1 / 1.05, 2, 0.5} {
			seen, err := floorTrialsOf(s, share, ratio)
			if err != nil {
				return nil, err
			}
			rate := trial.Share(seen, func(t floorTrial) bool { return t.vetoed })
			holding := trial.Share(seen, func(t floorTrial) bool { return t.held })
			vetoes, held = append(vetoes, rate), append(held, holding)
			table.Add(sheet.Percent(share), fmt.Sprintf("%.3g", ratio), sheet.Percent(rate), sheet.Percent(trial.Share(seen, func(t floorTrial) bool { return t.meanVetoes })),
				sheet.Percent(median(seen, func(t floorTrial) float64 { return t.floor })), sheet.Percent(median(seen, func(t floorTrial) float64 { return t.meanFloor })),
				sheet.Percent(holding))
		}
	}
	table.Bars = []sheet.Bar{
		{Name: "vetoes by disturbed runs of identical code", Limit: mostVetoes, Measured: sheet.Worst(vetoes, false), Trials: s.Trials, Full: floorTrials, Binding: true},
		{Name: "bias of identical code inside the noise floor", Limit: 0.96, AtLeast: true, Measured: sheet.Worst(held, true), Trials: s.Trials, Full: floorTrials, Binding: true},
	}
	return table, nil
}

// floorTrial is one pooled result and its floor, and the one by means.
type floorTrial struct {
	vetoed, meanVetoes, held bool
	floor, meanFloor         float64
	err                      error
}

func floorTrialsOf(s simulation.Setup, share, ratio float64) ([]floorTrial, error) {
	seen := trial.Run(s.Plan, fmt.Sprintf("floor, %g, %g", share, ratio), s.Trials, func(r *rand.Rand) floorTrial {
		reports := make([]rtcompare.Report, floorProcesses)
		for i := range reports {
			reports[i] = reported(math.Log(ratio)+floorWithin*r.NormFloat64(), floorWithin)
			reports[i].Validated = true
			reports[i].ValidationA.Deltas, reports[i].ValidationB.Deltas = identicalDeltas(r, share)
		}
		p, err := rtcompare.Combine(reports, level)
		mean := meanFloor(reports)
		named := p.Decision.Low > 0 || p.Decision.High < 0
		return floorTrial{
			vetoed: named && !p.Resolved, meanVetoes: named && math.Abs(p.Delta) <= mean,
			held: p.NoiseFloor >= math.Abs(math.Expm1(-math.Copysign(floorBias, p.Delta))), floor: p.NoiseFloor, meanFloor: mean, err: err,
		}
	})
	for _, t := range seen {
		if t.err != nil {
			return nil, fmt.Errorf("pooling for the noise floor: %w", t.err)
		}
	}
	return seen, nil
}

// identicalDeltas are what both candidates' identical code shows in a process.
func identicalDeltas(r *rand.Rand, share float64) (a, b []float64) {
	center := floorBias + floorBetween*r.NormFloat64()
	draw := func() float64 {
		x := center + floorWithin*r.NormFloat64()
		if r.Float64() < share {
			x += (0.2 + 1.5*r.Float64()) * float64(1-2*r.IntN(2))
		}
		return -math.Expm1(-x)
	}
	for range floorRuns {
		a, b = append(a, draw()), append(b, draw())
	}
	return a, b
}

// meanFloor is the rule that the table compares with.
func meanFloor(reports []rtcompare.Report) float64 {
	means := make([]float64, len(reports))
	for i, r := range reports {
		means[i], _ = stat.MeanAndSD(append(append([]float64(nil), r.ValidationA.Deltas...), r.ValidationB.Deltas...))
	}
	mean, _, high := stat.MeanInterval(means, level)
	return math.Abs(mean) + high - mean
}

func median[T any](seen []T, of func(T) float64) float64 {
	values := make([]float64, len(seen))
	for i, t := range seen {
		values[i] = of(t)
	}
	return stat.Median(values)
}
