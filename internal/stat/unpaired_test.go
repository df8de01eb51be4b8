package stat

import (
	"math"
	"slices"
	"testing"
)

func TestUnpairedVectors(t *testing.T) {
	var v medianVectors
	loadVectors(t, "medianboot.json", &v)
	for _, c := range v.Cases {
		r := MedianRatio{BootstrapMedian(c.A, 1), BootstrapMedian(c.B, 1)}
		for text, level := range levelTexts {
			lo, hi := r.Quantile((1-level)/2), r.Quantile((1+level)/2)
			if want := c.Interval[text]; lo != want[0] || hi != want[1] {
				t.Errorf("%s n=%d level %s: got %v..%v want %v", c.Kind, len(c.A), text, lo, hi, want)
			}
		}
		if got := r.Quantile(0.5); got != c.BootMedian {
			t.Errorf("%s n=%d: median %v want %v", c.Kind, len(c.A), got, c.BootMedian)
		}
		for text, want := range c.Confidence {
			if got := r.AtLeast(number(t, text)); !near(got, want, 1e-12) {
				t.Errorf("%s n=%d: P(D >= %s) = %.17g want %.17g", c.Kind, len(c.A), text, got, want)
			}
		}
		if got := r.Mass(0); !near(got, c.Zero, 1e-12) {
			t.Errorf("%s n=%d: P(D = 0) = %.17g want %.17g", c.Kind, len(c.A), got, c.Zero)
		}
		if got := RelativeDelta(Median(c.A), Median(c.B)); got != c.Delta {
			t.Errorf("%s n=%d: delta %v want %v", c.Kind, len(c.A), got, c.Delta)
		}
		mean, sd := ratioMoments(r)
		if !near(mean, c.Mean, 1e-12) || !near(sd, c.SD, 1e-12) {
			t.Errorf("%s n=%d: mean %v sd %v want %v %v", c.Kind, len(c.A), mean, sd, c.Mean, c.SD)
		}
	}
}

// ratioValues lists all values of D that are numbers, with their probabilities.
func ratioValues(r MedianRatio) []atom {
	var list []atom
	for i := range r.A.Len() {
		for j := range r.B.Len() {
			a, pa := r.A.Atom(i)
			b, pb := r.B.Atom(j)
			if d := RelativeDelta(a, b); !math.IsNaN(d) {
				list = append(list, atom{d, pa * pb})
			}
		}
	}
	slices.SortFunc(list, func(x, y atom) int {
		if x.value < y.value {
			return -1
		}
		if x.value > y.value {
			return 1
		}
		return 0
	})
	return list
}

func ratioMoments(r MedianRatio) (mean, sd float64) {
	var square float64
	list := ratioValues(r)
	for _, a := range list {
		mean += a.probability * a.value
	}
	for _, a := range list {
		square += a.probability * (a.value - mean) * (a.value - mean)
	}
	return mean, math.Sqrt(square)
}

func TestRelativeDelta(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	negativeZero := math.Copysign(0, -1)
	for _, c := range []struct{ a, b, want float64 }{
		{1, 2, 0.5}, {2, 1, -1}, {3, 3, 0}, {0, 0, 0}, {0, negativeZero, 0}, {inf, inf, 0}, {-inf, -inf, 0},
		{1, 0, -inf}, {1, negativeZero, -inf}, {-1, 0, inf}, {inf, 0, -inf}, {-inf, 0, inf},
		{0, 5, 1}, {5, inf, 1}, {inf, 5, -inf}, {inf, -5, inf}, {inf, -inf, nan}, {-2, 1, 3}, {-2, -1, -1},
		{nan, 1, nan}, {1, nan, nan}, {nan, nan, nan}, {nan, 0, nan}, {0, nan, nan},
	} {
		if got := RelativeDelta(c.a, c.b); !near(got, c.want, 0) {
			t.Errorf("RelativeDelta(%g, %g) = %g, want %g", c.a, c.b, got, c.want)
		}
	}
}

// mixedSeries has zeros, both signs, ties and infinities.
func mixedSeries(seed uint64, n int) []float64 {
	r := random(seed)
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 1, -1, 1e-300, -1e300, 1e300}
	x := make([]float64, n)
	for i := range x {
		switch r.IntN(3) {
		case 0:
			x[i] = special[r.IntN(len(special))]
		case 1:
			x[i] = float64(r.IntN(7) - 3)
		default:
			x[i] = r.NormFloat64()
		}
	}
	return x
}

func TestRatioMatchesDoubleSum(t *testing.T) {
	for seed := range uint64(300) {
		n := 1 + int(seed%13)
		a, b := mixedSeries(2*seed, n), mixedSeries(2*seed+1, 3+n/2)
		if seed%3 == 0 {
			for i := range a {
				a[i] = math.Abs(a[i])
			}
			for i := range b {
				b[i] = math.Abs(b[i]) + 1e-3
			}
		}
		r := MedianRatio{BootstrapMedian(a, 1), BootstrapMedian(b, 1)}
		list := ratioValues(r)
		total := 0.0
		for _, v := range list {
			total += v.probability
		}
		if got := r.AtLeast(math.Inf(-1)); !near(got, total, 1e-12) {
			t.Fatalf("seed %d: total %g want %g", seed, got, total)
		}
		for _, threshold := range []float64{-1, 0, 0.5, 1, 2, math.Inf(1), list[len(list)/2].value} {
			atLeast, mass := 0.0, 0.0
			for _, v := range list {
				if v.value >= threshold {
					atLeast += v.probability
				}
				if v.value == threshold {
					mass += v.probability
				}
			}
			if got := r.AtLeast(threshold); !near(got, atLeast, 1e-12) {
				t.Fatalf("seed %d: P(D >= %g) = %g want %g", seed, threshold, got, atLeast)
			}
			if got := r.Mass(threshold); !near(got, mass, 1e-12) || (mass == 0 && got != 0) {
				t.Fatalf("seed %d: P(D = %g) = %g want %g", seed, threshold, got, mass)
			}
		}
		for _, p := range []float64{0, 0.01, 0.025, 0.3, 0.5, 0.9, 0.975, 1} {
			want, sum := list[len(list)-1].value, 0.0
			for _, v := range list {
				sum += v.probability
				if sum >= p*total-0.5e-12 {
					want = v.value
					break
				}
			}
			if p == 1 {
				want = list[len(list)-1].value
			}
			if got := r.Quantile(p); got != want {
				t.Fatalf("seed %d: quantile %g = %v want %v", seed, p, got, want)
			}
		}
	}
}

func TestRatioSwapSymmetry(t *testing.T) {
	r := random(5)
	a, b := lognormalSeries(r, 51), lognormalSeries(r, 40)
	forward := MedianRatio{BootstrapMedian(a, 1), BootstrapMedian(b, 1)}
	backward := MedianRatio{forward.B, forward.A}
	for _, d := range []float64{-0.02, -0.003, 0.001, 0.015} {
		// 1 - a/b >= d is the same as 1 - b/a <= 1 - 1/(1-d).
		swapped := 1 - 1/(1-d)
		got, want := forward.AtLeast(d), 1-backward.AtLeast(swapped)
		if !near(got, want, 1e-9) {
			t.Errorf("P(D >= %g) = %.15g, swapped %.15g", d, got, want)
		}
	}
}

func TestRatioOfMissingLaws(t *testing.T) {
	full := BootstrapMedian([]float64{1, 2, 3}, 1)
	for _, r := range []MedianRatio{{}, {A: full}, {B: full}} {
		if r.AtLeast(0) != 0 || r.Mass(0) != 0 || !math.IsNaN(r.Quantile(0.5)) {
			t.Error("a law without values must give 0 and NaN")
		}
	}
	r := MedianRatio{full, full}
	if r.AtLeast(math.NaN()) != 0 || !math.IsNaN(r.Quantile(math.NaN())) || !math.IsNaN(r.Quantile(1.1)) {
		t.Error("a NaN must meet nothing")
	}
}
