package pooling

import (
	"math"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
)

const (
	mirrorSets      = 1000
	mirrorTolerance = 1e-12
)

// mirrorTable checks that swapping A and B in every report mirrors the pooled
// result, on random sets of reports.
func mirrorTable(s simulation.Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "pooled: swapping A and B in every report mirrors mean, bounds, p-value, verdict and noise floor to 1e-12",
		Nominal: "no violation", Trials: mirrorSets,
		Columns: []string{"reports", "violations", "largest distance"},
	}
	violations := 0
	for _, kind := range []struct {
		name   string
		judged bool
	}{{"with a decision", true}, {"with an estimate only", false}} {
		seen := trial.Run(s.Plan, "mirror, "+kind.name, mirrorSets, func(r *rand.Rand) float64 { return mirrorDistance(r, kind.judged) })
		largest, bad := 0.0, 0
		for _, d := range seen {
			largest = max(largest, d)
			if !(d <= mirrorTolerance) {
				bad++
			}
		}
		violations += bad
		table.Add(kind.name, bad, largest)
	}
	table.Bars = []sheet.Bar{{
		Name: "violations of the symmetry of pooling under a swap", Kind: sheet.Number, Measured: float64(violations), Trials: 2 * mirrorSets, Binding: true,
	}}
	return table
}

// mirrorDistance is how far a pooled result is from the mirror image of the
// swapped one; infinite where the verdicts do not mirror.
func mirrorDistance(r *rand.Rand, judged bool) float64 {
	center, spread := 0.05*r.NormFloat64(), 0.05*r.Float64()
	reports, swapped := make([]rtcompare.Report, 3+r.IntN(20)), []rtcompare.Report(nil)
	for i := range reports {
		x, e := center+spread*r.NormFloat64(), drawError(r)
		reports[i] = reported(x, e)
		other := reported(-x, e)
		if !judged {
			reports[i], other = estimated(reports[i]), estimated(other)
		} else {
			a, b := identicalDeltas(r, 0.05)
			reports[i].Validated, reports[i].ValidationA.Deltas, reports[i].ValidationB.Deltas = true, a, b
			other.Validated, other.ValidationA.Deltas, other.ValidationB.Deltas = true, b, a
		}
		swapped = append(swapped, other)
	}
	first := 0
	if r.IntN(2) == 0 {
		first = 3 + r.IntN(len(reports)-2)
	}
	forward, err := pool(reports, first)
	backward, problem := pool(swapped, first)
	if err != nil || problem != nil {
		return math.Inf(1)
	}
	return apart(forward, backward)
}

// estimated is the same report without a decision, as older ones are: the
// difference is given as a share of B's time.
func estimated(r rtcompare.Report) rtcompare.Report {
	var e rtcompare.Estimate
	e.Delta, e.Low, e.High = r.Decision.Delta()
	e.Level = level
	return rtcompare.Report{Estimate: e}
}

// pool is Combine, or CombineStaged where there is a first stage.
func pool(reports []rtcompare.Report, first int) (rtcompare.Pooled, error) {
	if first == 0 {
		return rtcompare.Combine(reports, level)
	}
	return rtcompare.CombineStaged(reports, first, level)
}

func apart(p, q rtcompare.Pooled) float64 {
	a, b := p.Decision, q.Decision
	want := a.Verdict
	switch want {
	case rtcompare.AFaster:
		want = rtcompare.BFaster
	case rtcompare.BFaster:
		want = rtcompare.AFaster
	}
	if b.Verdict != want || a.WithinMargin != b.WithinMargin || p.Resolved != q.Resolved {
		return math.Inf(1)
	}
	far := 0.0
	for _, pair := range [][2]float64{
		{a.LogRatio, -b.LogRatio}, {a.Low, -b.High}, {a.High, -b.Low}, {a.PValue, b.PValue}, {a.SmallestDifference, b.SmallestDifference},
		// A share of B's time mirrors as the logarithm of what is left.
		{math.Log1p(-p.Delta), -math.Log1p(-q.Delta)}, {math.Log1p(-p.Low), -math.Log1p(-q.High)}, {math.Log1p(-p.High), -math.Log1p(-q.Low)},
		{math.Log1p(-math.Copysign(p.NoiseFloor, p.Delta)), -math.Log1p(-math.Copysign(q.NoiseFloor, q.Delta))},
	} {
		far = max(far, math.Abs(pair[0]-pair[1]))
	}
	return far
}
