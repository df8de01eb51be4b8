package bayes

import "math"

// LogBayesFactor returns ln BF10: the logarithm of how many times more likely a
// one-sample t statistic from n values is when the standardised effect has a
// Cauchy(0, scale) prior than when it is zero. The standard deviation has the
// prior 1/sigma under both. The logarithm is finite for every finite t, also
// where the factor itself overflows. It is even in t and does not fall as |t|
// grows. It is NaN for n < 2, a NaN t, and unless scale is positive and finite;
// an infinite t gives +Inf.
//
// The formula is that of Rouder et al. (2009), an integral over the variance g
// of the effect:
//
//	(1+ng)^(-1/2) [(1+t²/v) / (1+t²/(v(1+ng)))]^((v+1)/2) InverseGamma(g; 1/2, scale²/2)   v = n-1
//
// With g = e^u the integrand is smooth and vanishes at both ends, so the plain
// trapezoid sum is exact to about 1e-14. The whole range that contributes is
// summed: over a window of a fixed width the factor of two values would stop
// growing near 7, although it grows without bound, like ln |t|.
func LogBayesFactor(t float64, n int, scale float64) float64 {
	if n < 2 || math.IsNaN(t) || !(scale > 0) || math.IsInf(scale, 0) {
		return math.NaN()
	}
	if math.IsInf(t, 0) {
		return math.Inf(1)
	}
	f := newIntegrand(t, n, scale)
	low, high := f.support()
	count := int(math.Ceil((high-low)/step)) + 1
	largest := math.Inf(-1)
	logs := make([]float64, count)
	for i := range logs {
		logs[i] = f.log(low + float64(i)*step)
		largest = max(largest, logs[i])
	}
	sum := 0.0
	for _, v := range logs {
		sum += math.Exp(v - largest)
	}
	return largest + math.Log(sum*step)
}

// step is the distance of the trapezoid's points on the scale of u = ln g.
const step = 0.2

// integrand is the JZS integrand, without what does not depend on g.
type integrand struct {
	count, power float64
	// ratio is t²/v; logRatio its logarithm, which is finite where ratio is not.
	ratio, logRatio float64
	scale           float64
	constant        float64
}

func newIntegrand(t float64, n int, scale float64) integrand {
	degrees := float64(n - 1)
	f := integrand{count: float64(n), power: float64(n) / 2, scale: scale}
	f.logRatio = 2*math.Log(math.Abs(t)) - math.Log(degrees)
	f.ratio = math.Exp(f.logRatio)
	f.constant = f.power*log1pOf(f.ratio, f.logRatio) + math.Log(scale) - math.Log(2*math.Pi)/2
	return f
}

// log1pOf is ln(1+x), also where x overflowed and only its logarithm is known.
func log1pOf(x, logX float64) float64 {
	if math.IsInf(x, 1) {
		return logX
	}
	return math.Log1p(x)
}

// log is the logarithm of the integrand times dg/du at u = ln g.
func (f integrand) log(u float64) float64 {
	g := math.Exp(u)
	growth := math.Log1p(f.count * g)
	shrunk := log1pOf(math.Exp(f.logRatio-growth), f.logRatio-growth)
	return f.constant - growth/2 - f.power*shrunk - u/2 - f.scale*f.scale/(2*g)
}

// support is the range of u outside of which the integrand adds nothing. Below
// it, the prior is smaller than e^-100. Above it, the likelihood has reached
// its limit, and what is left falls like 1/g.
func (f integrand) support() (low, high float64) {
	const belowPrior, beyondLimit = 5.3, 36
	logVariance := 2 * math.Log(f.scale)
	limit := max(logVariance, f.logRatio, -math.Log(f.count))
	return logVariance - belowPrior, limit + beyondLimit
}
