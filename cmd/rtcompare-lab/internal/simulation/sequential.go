package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// Sequential counts how often a comparison with a Budget, looked at after
// every unit, ever calls one of two identical candidates faster.
func Sequential(s Setup, units int) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("sequential: identical code called faster or slower at any look, a look after each of %d units of %d pairs", units, trial.UnitPairs),
		Nominal: "nominal 1%", Trials: s.Trials, ErrorAt: sequentialErrorRate,
		Columns: []string{"noise", "at any look", "stopping at equivalent", "units alone", "growing batches"},
		Notes: []string{
			"stopping at equivalent: as the library does, the run ends with the first answer of any kind.",
			"units alone: the confidence sequence over the units, without what identical code showed in them.",
			"growing batches: the same confidence sequence over medians of batches that grow with the square root of all",
			"rounds so far, looked at every 12% more rounds up to 1,000.",
		},
	}
	models := s.models(noise.White(), noise.AR(0.2), noise.AR(0.46), noise.AR(0.7), noise.Wander(), noise.Regime())
	var rates []float64
	checked, disagreed := 0, 0
	for _, m := range models {
		seen := trial.Run(s.Plan, "sequential, "+m.Name, s.Trials, func(r *rand.Rand) path {
			return follow(trial.NewSequence(r, m, 0), units, false)
		})
		growing := trial.Run(s.Plan, "growing batches, "+m.Name, s.Trials, func(r *rand.Rand) bool { return growingBatches(m.New(r)) })
		rate := trial.Share(seen, func(p path) bool { return p.nameAt > 0 })
		rates = append(rates, rate)
		table.Add(m.Name, sheet.Percent(rate),
			sheet.Percent(trial.Share(seen, func(p path) bool { return named(p.first) })),
			sheet.Percent(trial.Share(seen, func(p path) bool { return p.alone })),
			sheet.Percent(trial.Share(growing, func(yes bool) bool { return yes })))
		for _, p := range seen {
			checked += p.checked
			disagreed += p.disagreed
		}
	}
	table.Notes = append(table.Notes, fmt.Sprintf("looks follow the judge's rule incrementally; the judge itself was asked at %d looks and disagreed at %d.", checked, disagreed))
	table.Bars = []sheet.Bar{
		rateBar(fmt.Sprintf("false verdicts at any of %d looks, worst noise, nominal 1%%", units), 0.015, false, rates, s.Trials),
		{Name: "looks at which the incremental rule disagrees with the judge", Kind: sheet.Number, Measured: float64(disagreed), Binding: true},
	}
	return table
}

const (
	growingRounds   = 1000
	growingGrowth   = 1.12
	smallestBatches = 4
)

// growingBatches reports whether the rule of growing batches ever excludes
// zero: a confidence sequence over the medians of all rounds so far, cut anew
// into batches at every look.
func growingBatches(p noise.Process) bool {
	ratios := make([]float64, growingRounds)
	for i := range ratios {
		first, second := p.Pair()
		ratios[i] = second - first
	}
	for n := judge.FirstLook * smallestBatches; n <= growingRounds; n = int(math.Ceil(growingGrowth * float64(n))) {
		size := max(smallestBatches, int(math.Sqrt(float64(n))))
		medians := make([]float64, n/size)
		for i := range medians {
			medians[i] = stat.Median(ratios[i*size : (i+1)*size])
		}
		mean, sd := stat.MeanAndSD(medians)
		count := len(medians)
		half := stat.ConfidenceSequenceFactor(count, judge.SequencePrior, sequentialErrorRate) * sd / math.Sqrt(float64(count))
		if math.Abs(mean) > half {
			return true
		}
	}
	return false
}

// Delay counts the units that a comparison with a Budget needs for the right
// answer.
func Delay(s Setup, units int) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("delay: units of %d pairs until the first verdict, at most %d", trial.UnitPairs, units),
		Nominal: "wrong direction at most 1%", Trials: s.Trials,
		Columns: []string{"noise", "truth", "right", "wrong direction", "equivalent", "undecided", "mean units until right"},
		Notes:   []string{fmt.Sprintf("the first look is after %d units. A truth of 1%% is exactly the margin, where equivalent is wrong, too.", judge.FirstLook)},
	}
	models := s.models(noise.White(), noise.AR(0.46), noise.Contaminated(0.1), noise.Wander(), noise.Regime())
	for _, m := range models {
		for _, truth := range []float64{0.01, 0.05, 0.20} {
			seen := trial.Run(s.Plan, fmt.Sprintf("delay, %s, %g", m.Name, truth), s.Trials, func(r *rand.Rand) path {
				return follow(trial.NewSequence(r, m, math.Log1p(truth)), units, true)
			})
			table.Rows = append(table.Rows, delayRow(m.Name, truth, seen))
		}
	}
	return table
}
