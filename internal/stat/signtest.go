package stat

import "math"

// SignTestRanks returns the ranks, counted from 1, of the two values that bound
// the median at the level whatever the distribution of the independent values
// (Thompson 1936): the narrowest symmetric pair whose two-sided sign test error
// is at most 1-level. lo = 0 and hi = n+1 mean that the interval is unbounded:
// n is too small for the level, or n or the level makes no sense.
func SignTestRanks(n int, level float64) (lo, hi int) {
	n = max(0, min(n, math.MaxInt-1)) // n+1 must exist.
	if !(level >= 0 && level < 1) {
		return 0, n + 1
	}
	// The slack lets a level that is reached exactly count as reached.
	allowed := (1-level)/2 + quantileSlack*(1-level)
	fits := func(rank int) bool { return belowHalf(n, rank) <= allowed }
	highest := n/2 + n%2
	z := -NormalQuantile((1 - level) / 2)
	lo = int(math.Floor(float64(n+1)/2 - z*math.Sqrt(float64(n))/2))
	lo = max(0, min(lo, highest))
	if n > largestShape {
		return lo, n - lo + 1 // So many values need no check.
	}
	for lo > 0 && !fits(lo) {
		lo--
	}
	for lo < highest && fits(lo+1) {
		lo++
	}
	return lo, n + 1 - lo
}

// belowHalf is the probability of fewer than k heads in n throws of a fair coin.
func belowHalf(n, k int) float64 {
	return BinomialAtLeast(n, n-k+1, 0.5)
}

// SignTestInterval returns the two values that [SignTestRanks] names, from
// values in ascending order. An unbounded side is -Inf or +Inf. Both are NaN
// when sorted starts or ends with NaN or the level is outside 0 to 1.
func SignTestInterval(sorted []float64, level float64) (lo, hi float64) {
	n := len(sorted)
	if !(level >= 0 && level <= 1) || (n > 0 && (math.IsNaN(sorted[0]) || math.IsNaN(sorted[n-1]))) {
		return math.NaN(), math.NaN()
	}
	low, high := SignTestRanks(n, level)
	if low < 1 {
		return math.Inf(-1), math.Inf(1)
	}
	return sorted[low-1], sorted[high-1]
}
