package stat

import "math"

// BinomialAtLeast returns the probability of k or more successes in n
// independent trials that each succeed with probability p. It equals
// I_p(k, n-k+1), the regularised beta function. The result is NaN when n is
// negative or above 1e9 or p is outside 0 to 1; otherwise k <= 0 gives 1 and
// k > n gives 0.
func BinomialAtLeast(n, k int, p float64) float64 {
	switch {
	case n < 0 || n > largestShape || !(p >= 0 && p <= 1):
		return math.NaN()
	case k <= 0:
		return 1
	case k > n:
		return 0
	}
	return regularizedBeta(float64(k), float64(n-k)+1, p, 1-p)
}
