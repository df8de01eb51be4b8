package stat

import "math"

// StudentCDF returns the probability that a Student t value with df degrees of
// freedom (Student 1908) is at most t. df may be fractional; +Inf is the normal
// law. The result is NaN unless df is positive.
func StudentCDF(t, df float64) float64 {
	tail := StudentTwoSidedP(t, df) / 2
	if t > 0 {
		return 1 - tail
	}
	return tail
}

// StudentTwoSidedP returns the probability that a Student t value with df
// degrees of freedom is at least |t| away from zero. It keeps its relative
// accuracy in the far tail. The result is NaN unless df is positive.
func StudentTwoSidedP(t, df float64) float64 {
	if math.IsNaN(t) || !(df > 0) {
		return math.NaN()
	}
	t = math.Abs(t)
	switch {
	case t == 0:
		return 1
	case math.IsInf(t, 0):
		return 0
	case math.IsInf(df, 0):
		return math.Erfc(t / math.Sqrt2)
	case df >= manyDegrees:
		return math.Erfc(normalEquivalent(t, df) / math.Sqrt2)
	}
	return newStudentTail(df).at(t).probability
}

// manyDegrees is where the expansion of normalEquivalent has all digits, while
// the beta function starts to lose some.
const manyDegrees = 1e5

// normalEquivalent is the z that a normal value exceeds as often as a Student
// t value exceeds a positive t (Hill 1970).
func normalEquivalent(t, df float64) float64 {
	a := df - 0.5
	b := 48 * a * a
	ratio := t / math.Sqrt(df)
	w := a * math.Log1p(ratio*ratio)
	correction := (((-0.4*w-3.3)*w-24)*w - 85.5) / (0.8*w*w + 100 + b)
	return ((correction+w+3)/b + 1) * math.Sqrt(w)
}

// studentTail evaluates the two-sided tail for one df. It keeps what does not
// depend on t, because a quantile needs several evaluations.
type studentTail struct {
	df, correction float64
}

func newStudentTail(df float64) studentTail {
	return studentTail{df, betaCorrection(df/2, 0.5)}
}

// tailPoint is the law of |T| at one t: the probability beyond t, the
// probability below t, and t times the density of |T|. Both probabilities are
// accurate relative to themselves.
type tailPoint struct {
	probability, central, slope float64
}

// at evaluates the law of |T| at a positive, finite t.
func (s studentTail) at(t float64) tailPoint {
	a := s.df / 2
	if t > 1e150 {
		// t squared would overflow; the leading term of the tail is enough.
		logTail := s.df*(math.Log(s.df)/2-math.Log(t)) + s.logScale()
		tail := math.Exp(logTail)
		return tailPoint{tail, 1 - tail, s.df * tail}
	}
	square := t * t
	x, y := s.df/(s.df+square), square/(s.df+square)
	factor := betaFactor(a, 0.5, x, y, s.correction)
	if x < (a+1)/(a+2.5) {
		tail := min(1, factor*betaFraction(a, 0.5, x)/a)
		return tailPoint{tail, 1 - tail, 2 * factor}
	}
	central := min(1, factor*betaFraction(0.5, a, y)*2)
	return tailPoint{1 - central, central, 2 * factor}
}

// logScale is -ln(a B(a,1/2)) with a = df/2: the constant of the tail's leading
// term.
func (s studentTail) logScale() float64 {
	a := s.df / 2
	// x^a y^(1/2) / B at x = a/(a+1/2) is the factor without its deviances.
	total := a + 0.5
	logFactor := s.correction + 0.5*math.Log(a*0.5/total/(2*math.Pi))
	return logFactor - a*math.Log(a/total) - 0.5*math.Log(0.5/total) - math.Log(a)
}
