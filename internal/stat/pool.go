package stat

import "math"

// Heterogeneity says how much results from several processes or machines
// differ beyond what their own standard errors explain.
type Heterogeneity struct {
	// Q is Cochran's statistic: about k-1 for k results that agree.
	Q float64
	// I2 is the share of Q above k-1, from 0 to 1.
	I2 float64
}

// Cochran measures the disagreement of results with known standard errors. Q is
// the sum of the squared distances from the inverse-variance mean, each in
// units of its own standard error (Cochran 1954). I2 is max(0, (Q-(k-1))/Q)
// (Higgins and Thompson 2002), and 0 when Q is 0. Both slices have one entry
// per result, in the same unit. Both numbers are NaN when the slices are empty
// or differ in length, and when a standard error is not positive.
func Cochran(values, standardErrors []float64) Heterogeneity {
	undefined := Heterogeneity{math.NaN(), math.NaN()}
	k := len(values)
	if k == 0 || k != len(standardErrors) {
		return undefined
	}
	smallest := math.Inf(1)
	for _, se := range standardErrors {
		if !(se > 0) {
			return undefined
		}
		smallest = min(smallest, se)
	}
	// Weights relative to the best result cannot overflow, and distances from
	// the first value make Q exactly 0 for equal values.
	var weights, weighted float64
	for i, v := range values {
		w := smallest / standardErrors[i]
		weights += w * w
		weighted += w * w * (v - values[0])
	}
	mean := values[0] + weighted/weights
	q := 0.0
	for i, v := range values {
		d := (v - mean) / standardErrors[i]
		q += d * d
	}
	if math.IsNaN(q) {
		return undefined
	}
	return Heterogeneity{q, excessShare(q, float64(k-1))}
}

// excessShare is the share of q that lies above what was expected.
func excessShare(q, expected float64) float64 {
	if q <= expected {
		return 0
	}
	if math.IsInf(q, 0) {
		return 1
	}
	return (q - expected) / q
}

// MeanInterval returns the mean of independent values and its Student t
// interval at the level, mean -+ t*sd/sqrt(n) with n-1 degrees of freedom
// (Student 1908). It assumes nothing about how noisy each value is by itself:
// the values' own spread says it all. The bounds are NaN for fewer than two
// values and for a level outside 0 to 1.
func MeanInterval(values []float64, level float64) (mean, lo, hi float64) {
	mean, sd := MeanAndSD(values)
	n := float64(len(values))
	if n < 2 || !(level > 0 && level < 1) {
		return mean, math.NaN(), math.NaN()
	}
	half := StudentQuantile((1+level)/2, n-1) * sd / math.Sqrt(n)
	return mean, mean - half, mean + half
}
