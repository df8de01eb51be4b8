package stat

import "math"

// NormalCDF returns the probability that a standard normal value is at most z.
// It keeps its relative accuracy far into the lower tail.
func NormalCDF(z float64) float64 {
	return math.Erfc(-z/math.Sqrt2) / 2
}

// normalDensity is the density of the standard normal law at z.
func normalDensity(z float64) float64 {
	return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
}

// NormalQuantile returns the z with NormalCDF(z) = p. It is -Inf at 0, +Inf at
// 1 and NaN outside. The start is a rational approximation with an error below
// 4.5e-4 (Hastings 1955); Halley's method then reaches full precision.
func NormalQuantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1):
		return math.NaN()
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	case p == 0.5:
		return 0
	case p > 0.5:
		// 1-p is exact here, and the lower tail is the accurate one.
		return -lowerNormalQuantile(1 - p)
	}
	return lowerNormalQuantile(p)
}

// lowerNormalQuantile is NormalQuantile for p between 0 and 0.5.
func lowerNormalQuantile(p float64) float64 {
	t := math.Sqrt(-2 * math.Log(p))
	z := (2.515517+t*(0.802853+t*0.010328))/(1+t*(1.432788+t*(0.189269+t*0.001308))) - t
	for range 3 {
		density := normalDensity(z)
		if density == 0 {
			break // p is below every normal number; the start has to do.
		}
		step := (NormalCDF(z) - p) / density
		step /= 1 + z*step/2
		z -= step
		if math.Abs(step) < 1e-6*math.Abs(z) {
			break // The error falls with its third power.
		}
	}
	return z
}
