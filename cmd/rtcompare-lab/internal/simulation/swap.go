package simulation

import (
	"math"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
)

// Swap checks that swapping the two candidates mirrors everything that is
// said, on random comparisons of all shapes.
func Swap(s Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "swap: judging B against A and A against B mirrors estimate, bounds, p-value and verdict to 1e-12",
		Nominal: "no violation", Trials: s.Trials,
		Columns: []string{"shape", "violations", "largest distance"},
	}
	violations := 0
	for _, shape := range []struct {
		name string
		make func(r *rand.Rand) trial.Comparison
	}{{"one series", randomSeries}, {"units", randomUnits}} {
		seen := trial.Run(s.Plan, "swap, "+shape.name, s.Trials, func(r *rand.Rand) float64 { return distance(shape.make(r)) })
		largest, bad := 0.0, 0
		for _, d := range seen {
			largest = max(largest, d)
			if !(d <= 1e-12) {
				bad++
			}
		}
		violations += bad
		table.Add(shape.name, bad, largest)
	}
	table.Bars = []sheet.Bar{{Name: "violations of the symmetry under a swap", Kind: sheet.Number, Measured: float64(violations), Trials: 2 * s.Trials, Binding: true}}
	return table
}

// distance is how far a judgement is from the mirror image of the swapped one;
// infinite where the verdicts do not mirror.
func distance(c trial.Comparison) float64 {
	forward, backward := c.Policy, c.Policy
	backward.Base, backward.Arm = forward.Arm, forward.Base
	j, k := judge.Judge(c.Units, forward), judge.Judge(c.Units, backward)
	mirrored := map[record.Verdict]record.Verdict{record.Faster: record.Slower, record.Slower: record.Faster}
	want, turned := mirrored[j.Verdict]
	if !turned {
		want = j.Verdict
	}
	if k.Verdict != want || k.WithinMargin != j.WithinMargin {
		return math.Inf(1)
	}
	far := 0.0
	for _, pair := range [][2]float64{
		{j.LogRatio, -k.LogRatio}, {j.Low, -k.High}, {j.High, -k.Low}, {j.EquivalenceLow, -k.EquivalenceHigh},
		{j.PValue, k.PValue}, {j.SmallestVisible, k.SmallestVisible}, {j.IdenticalSpread, k.IdenticalSpread},
	} {
		unknown := math.IsNaN(pair[0]) && math.IsNaN(pair[1])
		if pair[0] != pair[1] && !unknown { // infinities are equal, too
			far = max(far, math.Abs(pair[0]-pair[1]))
		}
	}
	return far
}

// randomSeries is a comparison by the fixed protocol, of any length, with ties
// or without, with runs of identical code or without.
func randomSeries(r *rand.Rand) trial.Comparison {
	models := noise.All()
	f := trial.Fixed{
		Noise: models[r.IntN(len(models))], Truth: 0.02 * r.NormFloat64(),
		Runs: 2 + r.IntN(12), Pairs: 11 + r.IntN(120),
	}
	c := f.Simulate(r)
	if r.IntN(4) == 0 {
		c.Units = c.Units[len(c.Units)-1:]
	}
	c.Policy.BlockLength = 1 + r.IntN(6)
	return c
}

// randomUnits is a comparison of several units.
func randomUnits(r *rand.Rand) trial.Comparison {
	models := noise.All()
	sequence := trial.NewSequence(r, models[r.IntN(len(models))], 0.01*r.NormFloat64())
	var c trial.Comparison
	for range 1 + r.IntN(20) {
		c.Units = append(c.Units, sequence.Whole(2+r.IntN(50)))
	}
	c.Policy = trial.SequentialPolicy()
	c.Policy.Sequential = r.IntN(2) == 0
	return c
}
