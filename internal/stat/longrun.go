package stat

import "math"

// LongRunVarianceOfSigns estimates how much autocorrelation inflates the
// variance of the number of values above the median. lambda is 1 for
// independent values and larger for values that stick together; degrees says
// how many independent cosine sums it averages. x is in time order. The signs
// of x around its median, with their mean removed, are projected on the first
// floor(0.4 n^(2/3)), at least 2, cosines; lambda is the mean of the squared
// projections (the equal-weighted cosine estimator of Lazarus, Lewis, Stock
// and Watson 2018). Fewer than two values, or a NaN, give NaN and 0.
func LongRunVarianceOfSigns(x []float64) (lambda float64, degrees int) {
	n := len(x)
	if n < 2 || hasNaN(x) {
		return math.NaN(), 0
	}
	return cosineVariance(centeredSigns(x, Median(x))), cosineDegrees(n)
}

// cosineDegrees is the number of cosines for n values. More than n-1 do not
// exist.
func cosineDegrees(n int) int {
	root := math.Cbrt(float64(n))
	// The small addition keeps a whole number from being rounded down.
	return min(n-1, max(2, int(0.4*root*root+1e-9)))
}

// centeredSigns returns -1, 0 or 1 for values below, at and above the center,
// with the mean of all of them removed.
func centeredSigns(x []float64, center float64) []float64 {
	signs := make([]float64, len(x))
	sum := 0.0
	for i, v := range x {
		if v > center {
			signs[i] = 1
		} else if v < center {
			signs[i] = -1
		}
		sum += signs[i]
	}
	mean := sum / float64(len(x))
	for i := range signs {
		signs[i] -= mean
	}
	return signs
}

// cosineVariance is the mean over j of (sqrt(2/n) sum of u_i cos(pi j (i-1/2)/n))
// squared, for i = 1..n and j up to cosineDegrees.
func cosineVariance(u []float64) float64 {
	n := len(u)
	degrees := cosineDegrees(n)
	// Around the middle of the series an even cosine is symmetric and an odd
	// one antisymmetric, so half of the terms suffice.
	half := (n + 1) / 2
	sums := make([]float64, half)
	differences := make([]float64, half)
	for i := range half {
		first, last := u[i], u[n-1-i]
		sums[i], differences[i] = first+last, first-last
	}
	if n%2 == 1 {
		sums[half-1] = u[half-1]
	}
	total := 0.0
	for j := 1; j <= degrees; j++ {
		folded := sums
		if j%2 == 1 {
			folded = differences
		}
		projection := cosineSum(folded, math.Pi*float64(j)/float64(n))
		total += projection * projection
	}
	return 2 / float64(n) * total / float64(degrees)
}

// cosineSum is the sum of v_i cos(angle (i-1/2)) for i = 1, 2, ... The cosines
// come from rotating a point on the circle; a fresh start every so often keeps
// the rounding errors small.
func cosineSum(v []float64, angle float64) float64 {
	const stretch = 256
	turnSin, turnCos := math.Sincos(angle)
	total := 0.0
	for start := 0; start < len(v); start += stretch {
		y, x := math.Sincos(angle * (float64(start) + 0.5))
		for _, value := range v[start:min(start+stretch, len(v))] {
			total += value * x
			x, y = x*turnCos-y*turnSin, y*turnCos+x*turnSin
		}
	}
	return total
}

// autoregressiveVariance is lambda for signs of a normal series in which every
// value remembers a fixed share of the one before. r is the correlation of
// neighbouring signs of that series. The correlation of the values is
// sin(pi r/2), and signs k steps apart correlate by (2/pi) asin of its k-th
// power (Sheppard 1899).
func autoregressiveVariance(r float64) float64 {
	rho := math.Sin(math.Pi * r / 2)
	sum, power := 0.0, rho
	for power > 0.05 {
		sum += math.Asin(power)
		power *= rho
	}
	// The series of the arcsine turns the rest into geometric sums.
	coefficient := 1.0
	for k := 1; k <= 11; k += 2 {
		odd := math.Pow(power, float64(k))
		sum += coefficient / float64(k) * odd / (1 - math.Pow(rho, float64(k)))
		coefficient *= float64(k) / float64(k+1)
	}
	return 1 + 4/math.Pi*sum
}

// signCorrelation is the correlation of neighbouring signs, with the bias of a
// short series removed and kept between 0 and 0.95.
func signCorrelation(signs []float64) float64 {
	n := float64(len(signs))
	raw := Lag1(signs)
	return max(0, min(0.95, raw+(1+3*raw)/n))
}
