package stat

import "math"

// AutoBlockLength returns the usual length, in samples, of the blocks of a
// moving-block bootstrap for n samples: the cube root of n, rounded (the rate
// is that of Hall, Horowitz and Jing 1995). It is at least 1 and at most n,
// except that n <= 0 also gives 1.
func AutoBlockLength(n int) int {
	if n <= 1 {
		return 1
	}
	return min(n, max(1, int(math.Round(math.Cbrt(float64(n))))))
}
