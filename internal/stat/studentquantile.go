package stat

import "math"

// StudentQuantile returns the t with StudentCDF(t, df) = p, with a relative
// error below 1e-10. df may be fractional and large. It is -Inf at p = 0 and
// +Inf at p = 1; the result is NaN for other p outside 0 to 1 and unless df is
// positive. The start is the expansion of Fisher and Cornish (1960); Newton's
// method does the rest.
func StudentQuantile(p, df float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || !(df > 0):
		return math.NaN()
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	case p == 0.5:
		return 0
	case p < 0.5:
		return -upperStudentQuantile(p, df)
	}
	return upperStudentQuantile(1-p, df) // 1-p is exact here.
}

// upperStudentQuantile returns the t that is exceeded with probability tail,
// for a tail between 0 and 0.5.
func upperStudentQuantile(tail, df float64) float64 {
	switch {
	case math.IsInf(df, 0):
		return -NormalQuantile(tail)
	case df == 1:
		if tail < 0.25 {
			return 1 / math.Tan(math.Pi*tail)
		}
		return math.Tan(math.Pi * (0.5 - tail))
	case df == 2:
		return (1 - 2*tail) / math.Sqrt(2*tail*(1-tail))
	}
	z := -NormalQuantile(tail)
	start := cornishFisher(z, df)
	if df >= 1000 && z*z < 0.004*df {
		return start // The next term of the expansion is below 1e-13.
	}
	s := newStudentTail(df)
	if tail > 0.4 {
		// The density is highest at 0, so this start is too small, and from
		// there Newton's method rises to the solution.
		return s.solveCentral((0.5-tail)/s.peak(), 1-2*tail)
	}
	if df < 5 {
		// With few degrees of freedom the tail is nearly a power of t.
		start = math.Exp(math.Log(df)/2 + (s.logScale()-math.Log(2*tail))/df)
	}
	return s.solveTail(start, 2*tail)
}

// peak is the density at 0.
func (s studentTail) peak() float64 {
	// Gamma((df+1)/2) / Gamma(df/2) / sqrt(df pi), by way of logScale, which is
	// -ln(a Gamma(a) Gamma(1/2) / Gamma(a+1/2)).
	return math.Exp(s.logScale()) * math.Sqrt(s.df) / 2
}

// solveTail finds t with P(|T| > t) = target by Newton's method on the
// logarithms of both. In these coordinates the curve is concave, so the method
// cannot run away.
func (s studentTail) solveTail(t, target float64) float64 {
	if math.IsInf(t, 0) {
		return t
	}
	logTarget := math.Log(target)
	for range 100 {
		point := s.at(t)
		if point.slope == 0 {
			break
		}
		step := (math.Log(point.probability) - logTarget) * point.probability / point.slope
		t *= math.Exp(step)
		if math.Abs(step) < 1e-9 || math.IsInf(t, 0) {
			break // Newton doubles the digits: this step made the rest good.
		}
	}
	return t
}

// solveCentral finds t with P(|T| < t) = target by Newton's method. The curve is
// concave in t.
func (s studentTail) solveCentral(t, target float64) float64 {
	for range 100 {
		point := s.at(t)
		if point.slope == 0 {
			break
		}
		step := (target - point.central) * t / point.slope
		t += step
		if math.Abs(step) < 1e-9*t {
			break
		}
	}
	return t
}

// cornishFisher expands Student's quantile around the normal quantile z, up to
// the fourth power of 1/df (Fisher and Cornish 1960; Abramowitz and Stegun 1964,
// 26.7.5).
func cornishFisher(z, df float64) float64 {
	w, r := z*z, 1/df
	first := (w + 1) / 4
	second := ((5*w+16)*w + 3) / 96
	third := (((3*w+19)*w+17)*w - 15) / 384
	fourth := ((((79*w+776)*w+1482)*w-1920)*w - 945) / 92160
	return z * (1 + r*(first+r*(second+r*(third+r*fourth))))
}
