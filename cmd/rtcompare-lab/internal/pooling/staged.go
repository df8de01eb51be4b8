package pooling

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
)

// population is what the processes of a run are drawn from: the true share of
// B's time that A saves, and its standard deviation from process to process, in
// points.
type population struct{ delta, points float64 }

func (p population) String() string {
	return fmt.Sprintf("difference %g%%, scatter %g points", 100*p.delta, p.points)
}

// logRatio is the truth on the scale that is pooled, and spread the scatter
// there.
func (p population) logRatio() float64 { return -math.Log1p(-p.delta) }
func (p population) spread() float64   { return p.points / 100 / (1 - p.delta) }

func (p population) draw(r *rand.Rand) float64 { return p.logRatio() + p.spread()*r.NormFloat64() }

// populations are those that numbers are known for: of the second, some runs
// need more processes than are allowed, and in the third a tenth of the
// difference is precise enough.
var populations = []population{{0, 3}, {0, 5}, {0.30, 5}}

// meanGoal is the mean number of processes that a scatter of 3 points should
// take at most.
const meanGoal = 14

// Staged tests the size and the interval of runs that are sized by their own
// scatter. The bars are about the rule of package multiproc.
func Staged(s simulation.Setup) (*sheet.Sheet, error) {
	table := &sheet.Sheet{
		Title:   "staged: runs sized by their own scatter for a half-width of 2 points or a tenth, 6 to 40 processes; through Combine, ProcessesFor and CombineStaged",
		Nominal: "nominal 95%", Trials: s.Trials, ErrorAt: 1 - level,
		Columns: []string{"rule", "population", "coverage", "processes, mean", "narrow enough", "as many as asked for"},
	}
	two := multiprocSizing()
	two.share = 0
	var rates []float64
	for _, rule := range []struct {
		name string
		sizing
	}{{fmt.Sprintf("multiproc: three stages, again at %g", againAt), multiprocSizing()}, {"two stages", two}} {
		for _, from := range populations {
			seen, err := sizedTrials(s, rule.sizing, from)
			if err != nil {
				return nil, err
			}
			rate := trial.Share(seen, func(t sized) bool { return holds(t.pooled.Decision.Low, t.pooled.Decision.High, from.logRatio()) })
			mean := trial.Mean(seen, func(t sized) float64 { return float64(t.processes) })
			table.Add(rule.name, from.String(), sheet.Percent(rate), mean,
				sheet.Percent(trial.Share(seen, func(t sized) bool { return rule.narrow(t.pooled) })),
				sheet.Percent(trial.Share(seen, func(t sized) bool { return t.precise })))
			if rule.share == 0 {
				continue
			}
			rates = append(rates, rate)
			if from == populations[0] {
				table.Notes = append(table.Notes, goalNote(mean))
			}
		}
	}
	table.Bars = coverageBars("coverage of staged runs", rates, highestCoverage, s.Trials)
	return table, nil
}

func goalNote(mean float64) string {
	verdict := "met"
	if mean > meanGoal {
		verdict = "not met"
	}
	return fmt.Sprintf("the goal of at most %d processes at a scatter of 3 points is %s by multiproc's rule: %.1f.", meanGoal, verdict, mean)
}

// sizedTrials sizes runs by a rule. All rules get the same processes.
func sizedTrials(s simulation.Setup, rule sizing, from population) ([]sized, error) {
	seen := trial.Run(s.Plan, "staged, "+from.String(), s.Trials, func(r *rand.Rand) sized {
		return rule.run(func() (rtcompare.Report, error) { return reported(from.draw(r), smallestError), nil })
	})
	for _, t := range seen {
		if t.err != nil {
			return nil, t.err
		}
	}
	return seen, nil
}
