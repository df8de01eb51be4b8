package stat

import "math"

// RankInterval returns the values at the ranks (n+1)/2 - halfRank and
// (n+1)/2 + halfRank, from values in ascending order, with linear interpolation
// between neighbours. Ranks beyond the ends give the end values. Both are NaN
// when sorted is empty or starts or ends with NaN, and when halfRank is NaN or
// negative.
func RankInterval(sorted []float64, halfRank float64) (lo, hi float64) {
	n := len(sorted)
	if n == 0 || !(halfRank >= 0) || math.IsNaN(sorted[0]) || math.IsNaN(sorted[n-1]) {
		return math.NaN(), math.NaN()
	}
	middle := float64(n-1) / 2
	return valueAtPosition(sorted, middle-halfRank), valueAtPosition(sorted, middle+halfRank)
}

// CosineRankInterval returns an interval for the median of values that may be
// autocorrelated. x is in time order. Its half-width in ranks is
// t*sqrt(n*lambda)/2 with lambda and the degrees of freedom of t from
// [LongRunVarianceOfSigns] (Lazarus, Lewis, Stock and Watson 2018). It never
// reaches beyond the smallest and largest value. It needs about 80 values to be
// useful. Both bounds are NaN for fewer than two values, a NaN in x, or a level
// outside 0 to 1.
func CosineRankInterval(x []float64, level float64) (lo, hi float64) {
	return PrepareRankIntervals(x).Cosine(level)
}

// AutoregressiveRankInterval is like [CosineRankInterval] but assumes that the
// memory of the series fades by the same factor at every step. That makes it
// useful from about 11 values on. lambda comes from the correlation r of
// neighbouring signs around the median, and t has n/lambda - 1 degrees of
// freedom, at least 1. The plug-in idea is that of Andrews (1991), the link
// between signs and values that of Sheppard (1899).
func AutoregressiveRankInterval(x []float64, level float64) (lo, hi float64) {
	return PrepareRankIntervals(x).Autoregressive(level)
}

// RankIntervals holds what the rank intervals of one series share, so that
// intervals at many levels cost little. Make it with [PrepareRankIntervals].
type RankIntervals struct {
	sorted  []float64
	lambda  float64
	degrees int
	// memory is lambda under the autoregressive assumption.
	memory float64
}

// PrepareRankIntervals sorts a copy of x and estimates its long-run variance
// both ways. x is in time order.
func PrepareRankIntervals(x []float64) RankIntervals {
	r := RankIntervals{sorted: sortedCopy(x), lambda: math.NaN(), memory: math.NaN()}
	if len(x) < 2 || math.IsNaN(r.sorted[0]) {
		return r
	}
	signs := centeredSigns(x, MedianSorted(r.sorted))
	r.lambda, r.degrees = cosineVariance(signs), cosineDegrees(len(x))
	r.memory = autoregressiveVariance(signCorrelation(signs))
	return r
}

// SignTest returns the interval of [SignTestInterval], which assumes
// independent values.
func (r RankIntervals) SignTest(level float64) (lo, hi float64) {
	return SignTestInterval(r.sorted, level)
}

// Cosine returns the interval of [CosineRankInterval].
func (r RankIntervals) Cosine(level float64) (lo, hi float64) {
	return r.interval(level, r.lambda, float64(r.degrees))
}

// Autoregressive returns the interval of [AutoregressiveRankInterval].
func (r RankIntervals) Autoregressive(level float64) (lo, hi float64) {
	return r.interval(level, r.memory, max(1, float64(len(r.sorted))/r.memory-1))
}

func (r RankIntervals) interval(level, lambda, degrees float64) (lo, hi float64) {
	if !(level >= 0 && level <= 1) {
		return math.NaN(), math.NaN()
	}
	spread := math.Sqrt(float64(len(r.sorted))*lambda) / 2
	if spread == 0 {
		return RankInterval(r.sorted, 0)
	}
	return RankInterval(r.sorted, spread*StudentQuantile((1+level)/2, degrees))
}
