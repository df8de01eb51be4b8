package stat

import "math"

// RegularizedBeta returns I_x(a,b), the probability that a beta(a,b) value is
// at most x. It is evaluated by its continued fraction (DiDonato and Morris
// 1992 give the theory) with Lentz's method as changed by Thompson and Barnett
// (1986). The factor in front uses Loader's deviance form (2000), so no
// accuracy is lost when a and b are large: at 1e6 the error is still below
// 1e-9. The result is NaN unless a and b are positive and at most 1e9 and x
// lies in 0 to 1.
func RegularizedBeta(x, a, b float64) float64 {
	if !(x >= 0 && x <= 1) {
		return math.NaN()
	}
	return regularizedBeta(a, b, x, 1-x)
}

// largestShape bounds a and b, because the cost grows with their square root.
const largestShape = 1e9

// regularizedBeta is RegularizedBeta with y = 1-x given by a caller who knows
// it better than the subtraction would.
func regularizedBeta(a, b, x, y float64) float64 {
	if !(a > 0 && a <= largestShape && b > 0 && b <= largestShape) {
		return math.NaN()
	}
	if x <= 0 {
		return 0
	}
	if y <= 0 {
		return 1
	}
	return betaFromFactor(a, b, x, y, betaFactor(a, b, x, y, betaCorrection(a, b)))
}

// betaFromFactor finishes I_x(a,b) when x^a y^b / B(a,b) is known.
func betaFromFactor(a, b, x, y, factor float64) float64 {
	// The fraction converges fast on the side of the mean where x is small.
	if x < (a+1)/(a+b+2) {
		return min(1, factor*betaFraction(a, b, x)/a)
	}
	return max(0, 1-factor*betaFraction(b, a, y)/b)
}

// betaFactor is x^a y^b / B(a,b), with correction = betaCorrection(a,b).
func betaFactor(a, b, x, y, correction float64) float64 {
	total := a + b
	exponent := correction - deviance(a, total*x) - deviance(b, total*y)
	return math.Sqrt(a/total*b/(2*math.Pi)) * math.Exp(exponent)
}

// betaCorrection is the part of the factor's exponent that does not depend on
// x: what Stirling's formula leaves out of the three gamma functions.
func betaCorrection(a, b float64) float64 {
	return stirlingError(a+b) - stirlingError(a) - stirlingError(b)
}

// stirlingError is ln Gamma(a) minus Stirling's approximation
// (a-1/2) ln a - a + ln(2 pi)/2.
func stirlingError(a float64) float64 {
	if a < 15 {
		logGamma, _ := math.Lgamma(a)
		return logGamma - (a-0.5)*math.Log(a) + a - 0.5*math.Log(2*math.Pi)
	}
	s := 1 / (a * a)
	return (1.0/12 - s*(1.0/360-s*(1.0/1260-s*(1.0/1680-s*(1.0/1188-s*(691.0/360360)))))) / a
}

// deviance is k ln(k/m) + m - k, accurate also when k and m nearly agree
// (Loader 2000).
func deviance(k, m float64) float64 {
	difference := k - m
	if math.Abs(difference) > 0.1*(k+m) {
		return k*math.Log(k/m) - difference
	}
	v := difference / (k + m)
	sum := difference * v
	term := 2 * k * v
	for j := 3; ; j += 2 {
		term *= v * v
		next := sum + term/float64(j)
		if next == sum {
			return sum
		}
		sum = next
	}
}

// betaFraction evaluates the continued fraction of the incomplete beta
// function. The number of steps near the mean grows like sqrt(max(a,b)).
func betaFraction(a, b, x float64) float64 {
	const tiny = 1e-300
	awayFromZero := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	steps := 500 + int(20*math.Sqrt(max(a, b)))
	c := 1.0
	d := 1 / awayFromZero(1-(a+b)*x/(a+1))
	value := d
	for i := 1; i <= steps; i++ {
		m := float64(i)
		even := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / awayFromZero(1+even*d)
		c = awayFromZero(1 + even/c)
		value *= d * c
		odd := -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / awayFromZero(1+odd*d)
		c = awayFromZero(1 + odd/c)
		change := d * c
		value *= change
		if math.Abs(change-1) < 4e-16 {
			break
		}
	}
	return value
}
