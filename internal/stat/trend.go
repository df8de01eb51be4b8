package stat

import "math"

// Lag1 returns the correlation of a series with itself one step later: the sum
// of the products of neighbouring deviations from the mean over the sum of the
// squared deviations (Box and Jenkins 1970). x is in time order. Independent
// values give about -1/n. The result is 0 for fewer than two values and for a
// constant series, and NaN when a value is NaN or infinite.
func Lag1(x []float64) float64 {
	n := len(x)
	if n < 2 || isConstant(x) {
		return 0
	}
	mean, _ := MeanAndSD(x)
	var products, squares float64
	previous := x[0] - mean
	squares = previous * previous
	for _, v := range x[1:] {
		d := v - mean
		products += previous * d
		squares += d * d
		previous = d
	}
	if squares == 0 {
		return 0 // The deviations are too small for their squares.
	}
	return products / squares
}

// isConstant reports whether all values of x are equal. The sum of squared
// deviations cannot tell, because the mean of equal values may be rounded.
func isConstant(x []float64) bool {
	for _, v := range x {
		if v != x[0] {
			return false
		}
	}
	return true
}

// SpearmanTrend tests whether a series rises or falls over time. rho is the
// rank correlation of y with its position (Spearman 1904), with shared ranks
// for ties. z is rho*sqrt(n-1), which is close to standard normal when the
// values are independent and have no trend. p is the two-sided probability of
// a z at least this large. A constant series and fewer than two values give
// 0, 0 and 1. A NaN in y gives NaN for all three.
func SpearmanTrend(y []float64) (rho, z, p float64) {
	n := len(y)
	if hasNaN(y) {
		return math.NaN(), math.NaN(), math.NaN()
	}
	if n < 2 || isConstant(y) {
		return 0, 0, 1
	}
	ranks := Midranks(y)
	center := float64(n+1) / 2
	var products, rankSquares, placeSquares float64
	for i, r := range ranks {
		dr, dp := r-center, float64(i+1)-center
		products += dr * dp
		rankSquares += dr * dr
		placeSquares += dp * dp
	}
	rho = products / math.Sqrt(rankSquares*placeSquares)
	rho = max(-1, min(1, rho))
	z = rho * math.Sqrt(float64(n-1))
	return rho, z, math.Erfc(math.Abs(z) / math.Sqrt2)
}
