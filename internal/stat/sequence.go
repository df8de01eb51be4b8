package stat

import "math"

// ConfidenceSequenceFactor returns the half-width, in standard errors sd/sqrt(n),
// of an interval for a mean that stays valid however often it is looked at
// while n grows. The error over all looks together is at most alpha. g is the
// prior variance of the standardised effect: 1 suits most comparisons, a larger
// g reaches a verdict sooner when effects are large. The values must be
// independent and roughly normal. The interval inverts the t-test e-value of
// [ConfidenceSequenceLogE]: the mixture over effects is that of Robbins (1970),
// the treatment of the unknown scale that of Lai (1976), the closed form that
// of Wang and Ramdas (2025). While the interval is still unbounded the factor
// is +Inf. It is NaN unless n is positive, g is positive and finite, and alpha
// lies between 0 and 1.
func ConfidenceSequenceFactor(n int, g, alpha float64) float64 {
	if n < 1 || !(g > 0) || math.IsInf(g, 0) || !(alpha > 0 && alpha < 1) {
		return math.NaN()
	}
	count := float64(n)
	growth := math.Log1p(count * g)
	logC := (growth - 2*math.Log(alpha)) / count
	if n < 2 || logC >= growth {
		return math.Inf(1)
	}
	// c-1 and 1-c/k by expm1: for a large n both c and 1 nearly agree.
	return math.Sqrt((count - 1) * math.Expm1(logC) / -math.Expm1(logC-growth))
}

// ConfidenceSequenceLogE returns the natural logarithm of the e-value of a
// t statistic from n values against a mean of zero: how many times more likely
// the data are when the standardised effect is normal with variance g than when
// it is zero, with the right-Haar prior on the standard deviation. A value of
// ln(1/alpha) or more rejects a zero mean at level alpha, at any look. The
// result is NaN for n < 2, a NaN t, and unless g is positive and finite.
func ConfidenceSequenceLogE(t float64, n int, g float64) float64 {
	if n < 2 || math.IsNaN(t) || !(g > 0) || math.IsInf(g, 0) {
		return math.NaN()
	}
	count := float64(n)
	growth := math.Log1p(count * g)
	// t2 is t^2/df. Beyond 1e150 the logarithms differ by exactly the growth.
	gain := growth
	if scaled := math.Abs(t) / math.Sqrt(count-1); scaled < 1e150 {
		t2 := scaled * scaled
		gain = math.Log1p(t2) - math.Log1p(t2/(1+count*g))
	}
	return -growth/2 + count/2*gain
}
