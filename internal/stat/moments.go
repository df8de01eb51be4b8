package stat

import "math"

// MeanAndSD returns the mean of x and its standard deviation with divisor n-1,
// both in the unit of x. The deviations are summed around the mean in a second
// pass, so a large common offset does no harm (Chan, Golub and LeVeque 1983).
// An empty x gives NaN for both; a single value has a standard deviation of
// NaN.
func MeanAndSD(x []float64) (mean, sd float64) {
	n := len(x)
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	for i, v := range x {
		// A running mean cannot overflow as a plain sum can.
		mean += (v - mean) / float64(i+1)
	}
	if math.IsNaN(mean) || math.IsInf(mean, 0) {
		return plainMean(x), math.NaN()
	}
	var squares, remainder float64
	for _, v := range x {
		d := v - mean
		squares += d * d
		remainder += d
	}
	count := float64(n)
	mean += remainder / count
	if n == 1 {
		return mean, math.NaN()
	}
	// The second term removes what the rounding of the mean added.
	squares -= remainder * remainder / count
	return mean, math.Sqrt(max(squares, 0) / (count - 1))
}

// plainMean is the mean of a series that holds an infinity or a NaN, for which
// the running mean gives NaN too early.
func plainMean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v / float64(len(x))
	}
	return sum
}

// RootMeanSquare returns the square root of the mean of the squares of x, in
// the unit of x. It is the standard deviation of values whose true mean is
// known to be zero, such as the differences seen when identical code is
// compared. It is NaN for an empty x and does not overflow.
func RootMeanSquare(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	if hasNaN(x) {
		return math.NaN()
	}
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 || math.IsInf(largest, 0) {
		return largest
	}
	sum := 0.0
	for _, v := range x {
		scaled := v / largest
		sum += scaled * scaled
	}
	return largest * math.Sqrt(sum/float64(len(x)))
}
