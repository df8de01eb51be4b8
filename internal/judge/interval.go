package judge

import (
	"math"
	"slices"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// Interval is the judge's heart: the bounds of the log ratio at an error rate.
// It never narrows as alpha falls.
type Interval func(alpha float64) (low, high float64)

// part is one of the intervals whose hull is taken. center is the estimate,
// quantile the number of standard errors its half-width stands for.
type part struct {
	bounds   Interval
	quantile func(alpha float64) float64
}

// at returns the bounds. A part that has too little evidence for any sets none.
func (p part) at(alpha float64) (low, high float64) {
	low, high = p.bounds(alpha)
	if math.IsNaN(low) || math.IsNaN(high) {
		return math.Inf(-1), math.Inf(1)
	}
	return low, high
}

// hull is the smallest interval that holds every part's.
func hull(parts []part) Interval {
	return func(alpha float64) (low, high float64) {
		low, high = math.Inf(1), math.Inf(-1)
		for _, p := range parts {
			l, h := p.at(alpha)
			low, high = min(low, l), max(high, h)
		}
		return low, high
	}
}

// around is an interval of the given half-width about an estimate.
func around(estimate float64, half func(alpha float64) float64) Interval {
	return func(alpha float64) (low, high float64) {
		h := half(alpha)
		return estimate - h, estimate + h
	}
}

func normalQuantile(alpha float64) float64 { return stat.NormalQuantile(1 - alpha/2) }

func studentQuantile(degrees int) func(alpha float64) float64 {
	return func(alpha float64) float64 { return stat.StudentQuantile(1-alpha/2, float64(degrees)) }
}

// sequenceQuantile is the multiplier of the t confidence sequence over n units.
func sequenceQuantile(n int) func(alpha float64) float64 {
	// The factor is defined below an error rate of one only.
	return func(alpha float64) float64 {
		return stat.ConfidenceSequenceFactor(n, SequencePrior, min(alpha, math.Nextafter(1, 0)))
	}
}

// tickPart holds what rounding and the time around a batch can produce. It does
// not depend on alpha: no error rate makes a tick smaller.
func tickPart(estimate, resolution float64) part {
	return part{bounds: around(estimate, func(float64) float64 { return resolution })}
}

// seriesParts are the intervals of a single series of pairs: the exact rank
// interval of its median, the bootstrap interval of the median, and the spread
// of identical code where it was measured.
func seriesParts(e evidence, p Policy) []part {
	x := e.series[0]
	estimate := e.units[0]
	ranks := stat.PrepareRankIntervals(x)
	parts := []part{
		{func(alpha float64) (float64, float64) { return ranks.SignTest(1 - alpha) }, normalQuantile},
		{bootstrapInterval(x, p.BlockLength), normalQuantile},
		tickPart(estimate, e.resolution),
	}
	identical := e.identicalCount()
	if identical > 0 {
		// The A/A runs are replicates of exactly the statistic that is judged.
		spread := e.identicalSpread()
		quantile := studentQuantile(identical)
		parts = append(parts, part{around(estimate, func(alpha float64) float64 { return quantile(alpha) * spread }), quantile})
		return append(parts, part{around(estimate, e.identicalRank()), normalQuantile})
	}
	// Without them at least dependence within the series is allowed for.
	robust := ranks.Cosine
	if len(x) < fewestForCosine {
		robust = ranks.Autoregressive
	}
	return append(parts, part{func(alpha float64) (float64, float64) { return robust(1 - alpha) }, normalQuantile})
}

// identicalRank is the half-width that the differences of identical code give
// without any assumption about their distribution: if the judged difference
// were one more of them, it would exceed the one of rank (1-alpha)(K+1) with
// probability alpha at most (Vovk, Gammerman and Shafer 2005). The largest
// stands for all ranks beyond.
func (e evidence) identicalRank() func(alpha float64) float64 {
	sizes := make([]float64, 0, e.identicalCount())
	for _, series := range [][]float64{e.identicalBase, e.identicalArm} {
		for _, v := range series {
			sizes = append(sizes, math.Abs(v))
		}
	}
	slices.Sort(sizes)
	return func(alpha float64) float64 {
		rank := int(math.Ceil((1-alpha)*float64(len(sizes)+1) - 1e-9))
		if rank < 1 {
			return 0
		}
		return sizes[min(rank, len(sizes))-1]
	}
}

// fewestForCosine is the series length from which the cosine estimate of the
// long-run variance has enough degrees of freedom to be useful.
const fewestForCosine = 80

// bootstrapInterval is the exact percentile interval of the median. It is
// taken from the series and from its mirror image, so that a swap of the arms
// mirrors it even where a quantile falls between two values.
func bootstrapInterval(x []float64, blockLength int) Interval {
	mirrored := make([]float64, len(x))
	for i, v := range x {
		mirrored[i] = -v
	}
	law, mirror := stat.BootstrapMedian(x, blockLength), stat.BootstrapMedian(mirrored, blockLength)
	return func(alpha float64) (low, high float64) {
		low, high = law.Interval(1 - alpha)
		mirrorLow, mirrorHigh := mirror.Interval(1 - alpha)
		return min(low, -mirrorHigh), max(high, -mirrorLow)
	}
}

// unitParts are the intervals over several units: the mean of the units with a
// t interval, or with a confidence sequence where the run may stop at any
// unit; and the spread of identical code, scaled as the mean is.
func unitParts(e evidence, p Policy) []part {
	count := len(e.units)
	mean, deviation := stat.MeanAndSD(e.units)
	quantile := studentQuantile(count - 1)
	if p.Sequential {
		quantile = sequenceQuantile(count)
	}
	root := math.Sqrt(float64(count))
	parts := []part{
		{around(mean, func(alpha float64) float64 { return scaled(quantile(alpha), deviation/root) }), quantile},
		tickPart(mean, e.resolution),
	}
	if spread, bias, count := e.replicates(p); count > 1 {
		identicalQuantile := studentQuantile(count)
		if p.Sequential {
			identicalQuantile = sequenceQuantile(count)
		}
		parts = append(parts, part{around(mean, func(alpha float64) float64 { return scaled(identicalQuantile(alpha), spread/root) }), identicalQuantile})
		// A difference between identical arms that comes back in every unit
		// does not shrink with their number.
		parts = append(parts, part{bounds: around(mean, func(float64) float64 { return bias })})
	}
	return parts
}

// replicates returns the root mean square of what a unit's statistic is on
// identical code, its mean, and from how many values they come.
//
// A unit of short batches holds pairs of both replicas, and half the difference
// of the arms' log ratios with themselves, (x_arm - x_base) / 2, is built from
// the same batches in the same way as the unit's own median, with every true
// difference cancelled: an exact replicate under the null hypothesis. A unit of
// one pair of stretches has no such contrast; there the two arms' mean squares
// are pooled.
func (e evidence) replicates(p Policy) (spread, bias float64, count int) {
	if p.Purpose == record.Cost || len(e.identicalBase) != len(e.identicalArm) {
		return e.identicalSpread(), e.identicalBias(), e.identicalCount()
	}
	contrasts := make([]float64, len(e.identicalBase))
	for i := range contrasts {
		contrasts[i] = (e.identicalArm[i] - e.identicalBase[i]) / 2
	}
	if len(contrasts) == 0 {
		return 0, 0, 0
	}
	mean, _ := stat.MeanAndSD(contrasts)
	return stat.RootMeanSquare(contrasts), math.Abs(mean), len(contrasts)
}

// scaled multiplies a quantile with a standard error; an unbounded quantile
// stays unbounded even if the error is zero.
func scaled(quantile, standardError float64) float64 {
	if math.IsInf(quantile, 1) {
		return quantile
	}
	return quantile * standardError
}

func (e evidence) identicalCount() int { return len(e.identicalBase) + len(e.identicalArm) }

// identicalSpread pools the two arms' mean squares: the variance of a ratio of
// the two is the mean of the variances of each with itself.
func (e evidence) identicalSpread() float64 {
	if e.identicalCount() == 0 {
		return 0
	}
	base, arm := stat.RootMeanSquare(e.identicalBase), stat.RootMeanSquare(e.identicalArm)
	switch {
	case len(e.identicalBase) == 0:
		return arm
	case len(e.identicalArm) == 0:
		return base
	}
	return math.Sqrt((base*base + arm*arm) / 2)
}

func (e evidence) identicalBias() float64 {
	bias := 0.0
	for _, series := range [][]float64{e.identicalBase, e.identicalArm} {
		if len(series) > 0 {
			mean, _ := stat.MeanAndSD(series)
			bias = max(bias, math.Abs(mean))
		}
	}
	return bias
}

// pValue is the error rate at which the interval just touches the bound. It is
// found by bisection on a logarithmic scale; 0 stands for less than 1e-15.
func pValue(interval Interval, bound float64) float64 {
	holds := func(alpha float64) bool {
		low, high := interval(alpha)
		return low <= bound && bound <= high
	}
	if holds(1) {
		return 1
	}
	if !holds(smallestP) {
		return 0
	}
	low, high := math.Log(smallestP), 0.0
	for range 60 {
		middle := (low + high) / 2
		if holds(math.Exp(middle)) {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Exp((low + high) / 2)
}

const smallestP = 1e-15
