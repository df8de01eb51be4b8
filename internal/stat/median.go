package stat

import (
	"math"
	"slices"
)

// Median returns the middle value of x, or the mean of the two middle values
// when x has an even length. The unit is that of x. The order of x does not
// matter and x is not changed. The result is NaN when x is empty, when x holds
// a NaN, and when the two middle values are -Inf and +Inf.
func Median(x []float64) float64 {
	return MedianInPlace(slices.Clone(x))
}

// MedianSorted is [Median] for values that are already in ascending order. It
// looks only at the two ends, for NaN, and at the middle.
func MedianSorted(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 || math.IsNaN(sorted[0]) || math.IsNaN(sorted[n-1]) {
		return math.NaN()
	}
	return midpoint(sorted[(n-1)/2], sorted[n/2])
}

// MedianInPlace is [Median] without the copy: it may reorder x. The cost grows
// with the length of x and not with its square, whatever the order of the
// values and however many of them are equal (Hoare 1961, with the depth limit
// of Musser 1997).
func MedianInPlace(x []float64) float64 {
	n := len(x)
	if n == 0 {
		return math.NaN()
	}
	for _, v := range x {
		if math.IsNaN(v) {
			return math.NaN()
		}
	}
	upper := n / 2
	placeOrderStatistic(x, upper)
	if n%2 == 1 {
		return x[upper]
	}
	return midpoint(slices.Max(x[:upper]), x[upper])
}

// midpoint is the mean of two values. Equal values, also equal infinities, give
// that value, and two large finite values do not overflow.
func midpoint(a, b float64) float64 {
	if a == b {
		return a
	}
	mean := (a + b) / 2
	if math.IsInf(mean, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) {
		return a/2 + b/2
	}
	return mean
}

// smallSeries is the length up to which sorting beats further partitioning.
const smallSeries = 16

// placeOrderStatistic reorders x so that x[k] is the value a full sort would put
// there, with nothing larger before it and nothing smaller after it. x must be
// free of NaN.
func placeOrderStatistic(x []float64, k int) {
	// Each good partition removes a fixed share. If that fails too often, a
	// sort bounds the cost.
	budget := 2 * bitLength(len(x))
	for len(x) > smallSeries {
		if budget == 0 {
			break
		}
		budget--
		below, notAbove := partition(x, pivot(x))
		switch {
		case k < below:
			x = x[:below]
		case k >= notAbove:
			x, k = x[notAbove:], k-notAbove
		default:
			return // x[k] equals the pivot, and ties need no more work.
		}
	}
	slices.Sort(x)
}

// bitLength is the number of binary digits of n.
func bitLength(n int) int {
	digits := 0
	for ; n > 0; n >>= 1 {
		digits++
	}
	return digits
}

// partition moves the values below p to the front and those above p to the end.
// x[:below] < p, x[below:notAbove] == p, x[notAbove:] > p. Keeping the equal
// values apart is what makes long runs of ties cheap (Dijkstra 1976).
func partition(x []float64, p float64) (below, notAbove int) {
	i, notAbove := 0, len(x)
	for i < notAbove {
		switch v := x[i]; {
		case v < p:
			x[below], x[i] = v, x[below]
			below++
			i++
		case v > p:
			notAbove--
			x[i], x[notAbove] = x[notAbove], v
		default:
			i++
		}
	}
	return below, notAbove
}

// pivot picks a value near the middle of x: the median of three for short
// series, the median of three such medians for longer ones (Bentley and
// McIlroy 1993).
func pivot(x []float64) float64 {
	n := len(x)
	middle := n / 2
	if n < 100 {
		return medianOfThree(x[0], x[middle], x[n-1])
	}
	step := n / 8
	return medianOfThree(
		medianOfThree(x[0], x[step], x[2*step]),
		medianOfThree(x[middle-step], x[middle], x[middle+step]),
		medianOfThree(x[n-1-2*step], x[n-1-step], x[n-1]),
	)
}

func medianOfThree(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}
