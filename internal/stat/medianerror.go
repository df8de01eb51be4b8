package stat

import "math"

// MedianError is the standard error of a median, estimated from the distance of
// the ranks half a square root of n away from the middle on either side
// (McKean and Schrader 1984). The values are ascending and independent; NaN for
// none.
func MedianError(ascending []float64) float64 {
	low, high := RankInterval(ascending, math.Sqrt(float64(len(ascending)))/2)
	return (high - low) / 2
}
