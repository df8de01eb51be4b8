package stat

import (
	"math"
	"testing"
)

func TestStudentVectors(t *testing.T) {
	var v struct {
		Quantiles []struct{ Df, Level, P, Q float64 }
		Tail      []struct {
			Df, T, CDF float64
			TwoSided   float64 `json:"two_sided_p"`
			Log        float64 `json:"log_two_sided_p"`
		}
		Normal []struct{ Level, Z float64 }
		Stein  []struct {
			FirstStage float64 `json:"first_stage"`
			Level, T   float64
		}
	}
	loadVectors(t, "studentt.json", &v)
	if len(v.Quantiles) < 400 || len(v.Tail) < 100 || len(v.Normal) == 0 || len(v.Stein) == 0 {
		t.Fatal("vectors are missing")
	}
	worst, worstTail := 0.0, 0.0
	for _, c := range v.Quantiles {
		got := StudentQuantile(c.P, c.Df)
		worst = max(worst, math.Abs(got/c.Q-1))
		if !nearRelative(got, c.Q, 1e-10) {
			t.Errorf("quantile df %g p %g: got %.17g want %.17g", c.Df, c.P, got, c.Q)
		}
	}
	for _, c := range v.Tail {
		got := StudentTwoSidedP(c.T, c.Df)
		if c.TwoSided > 0 {
			worstTail = max(worstTail, math.Abs(got/c.TwoSided-1))
		}
		if !nearRelative(got, c.TwoSided, 1e-10) {
			t.Errorf("tail df %g t %g: got %.17g want %.17g", c.Df, c.T, got, c.TwoSided)
		}
		if got := StudentCDF(c.T, c.Df); !nearRelative(got, c.CDF, 1e-10) {
			t.Errorf("cdf df %g t %g: got %.17g want %.17g", c.Df, c.T, got, c.CDF)
		}
	}
	for _, c := range v.Normal {
		if got := NormalQuantile((1 + c.Level) / 2); !nearRelative(got, c.Z, 1e-10) {
			t.Errorf("normal quantile of level %g: got %.17g want %.17g", c.Level, got, c.Z)
		}
	}
	for _, c := range v.Stein {
		if got := StudentQuantile((1+c.Level)/2, c.FirstStage-1); !nearRelative(got, c.T, 1e-10) {
			t.Errorf("first stage %g: got t %.17g want %.17g", c.FirstStage, got, c.T)
		}
	}
	t.Logf("largest relative error: quantile %.2g, tail %.2g", worst, worstTail)
}

func TestStudentQuantileInvertsTail(t *testing.T) {
	for _, df := range []float64{0.3, 0.7, 1, 1.0001, 2, 2.5, 3, 4.99, 9, 100, 999.5, 1000, 5000, 1e5, 1e6, 1e7, math.Inf(1)} {
		for _, tail := range []float64{0.4999, 0.45, 0.3, 0.2, 0.1, 0.025, 1e-4, 1e-9, 1e-30} {
			q := StudentQuantile(tail, df)
			back := StudentTwoSidedP(q, df) / 2
			// A tail below 1e-6 of t amplifies the error of t, as does a large t.
			if !nearRelative(back, tail, 1e-11) {
				t.Errorf("df %g tail %g: t %g has tail %g", df, tail, q, back)
			}
			if up := StudentQuantile(1-tail, df); tail > 0.01 && !nearRelative(up, -q, 1e-9) {
				t.Errorf("df %g tail %g: %g and %g are no mirror images", df, tail, q, up)
			}
		}
	}
}

func TestStudentExtremes(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ got, want float64 }{
		{StudentQuantile(0, 3), -inf}, {StudentQuantile(1, 3), inf}, {StudentQuantile(0.5, 3), 0},
		{StudentQuantile(-0.1, 3), nan}, {StudentQuantile(0.9, 0), nan}, {StudentQuantile(0.9, nan), nan},
		{StudentCDF(inf, 3), 1}, {StudentCDF(-inf, 3), 0}, {StudentCDF(nan, 3), nan}, {StudentCDF(1, -1), nan},
		{StudentTwoSidedP(0, 3), 1}, {StudentTwoSidedP(-inf, 3), 0},
		{NormalQuantile(0), -inf}, {NormalQuantile(1), inf}, {NormalQuantile(2), nan},
	} {
		if !near(c.got, c.want, 0) {
			t.Errorf("got %g want %g", c.got, c.want)
		}
	}
	// A Cauchy tail is 2/(pi t), even where t squared overflows.
	for _, at := range []float64{1e100, 1e149, 1e151, 1e200, 1e300} {
		if got := StudentTwoSidedP(at, 1); !nearRelative(got, 2/math.Pi/at, 1e-12) {
			t.Errorf("tail beyond %g: %g", at, got)
		}
	}
}

func TestNormalPair(t *testing.T) {
	for _, p := range []float64{1e-300, 1e-100, 1e-20, 1e-5, 0.01, 0.3, 0.499999} {
		z := NormalQuantile(p)
		if back := NormalCDF(z); !nearRelative(back, p, 1e-12) {
			t.Errorf("p %g: z %g gives %g", p, z, back)
		}
	}
	if got := NormalCDF(1.959963984540054); !near(got, 0.975, 1e-15) {
		t.Errorf("NormalCDF(1.96) = %.17g", got)
	}
}

func TestRegularizedBeta(t *testing.T) {
	for _, x := range []float64{0, 1e-12, 0.1, 0.5, 0.9, 1} {
		if got := RegularizedBeta(x, 1, 1); !near(got, x, 1e-15) {
			t.Errorf("uniform law at %g: %g", x, got)
		}
		if got, want := RegularizedBeta(x, 3, 1), x*x*x; !nearRelative(got, want, 1e-13) {
			t.Errorf("cube at %g: %g want %g", x, got, want)
		}
		if got, want := RegularizedBeta(x, 2.5, 40), 1-RegularizedBeta(1-x, 40, 2.5); !near(got, want, 1e-14) {
			t.Errorf("mirror at %g: %g want %g", x, got, want)
		}
	}
	for _, a := range []float64{1, 10, 1e3, 1e5, 1e6} {
		if got := RegularizedBeta(0.5, a, a); !near(got, 0.5, 1e-12) {
			t.Errorf("middle of beta(%g, %g): %.17g", a, a, got)
		}
	}
	for _, bad := range [][3]float64{{-0.1, 1, 1}, {1.1, 1, 1}, {0.5, 0, 1}, {0.5, 1, math.NaN()}, {math.NaN(), 1, 1}, {0.5, math.Inf(1), 1}} {
		if !math.IsNaN(RegularizedBeta(bad[0], bad[1], bad[2])) {
			t.Errorf("%v must give NaN", bad)
		}
	}
}

// plainBinomial adds the probabilities one by one.
func plainBinomial(n, k int, p float64) float64 {
	total := 0.0
	for j := k; j <= n; j++ {
		top, _ := math.Lgamma(float64(n + 1))
		left, _ := math.Lgamma(float64(j + 1))
		right, _ := math.Lgamma(float64(n - j + 1))
		total += math.Exp(top - left - right + float64(j)*math.Log(p) + float64(n-j)*math.Log1p(-p))
	}
	return total
}

// relativeBinomial adds ratios of neighbouring probabilities away from the mean,
// which needs no gamma function.
func relativeBinomial(n, k int, p float64) float64 {
	mean := int(float64(n) * p)
	reach := int(20 * math.Sqrt(float64(n)*p*(1-p)))
	odds, all, tail := p/(1-p), 0.0, 0.0
	add := func(j int, term float64) {
		all += term
		if j >= k {
			tail += term
		}
	}
	term := 1.0
	for j := mean; j <= min(n, mean+reach); j++ {
		add(j, term)
		term *= float64(n-j) / float64(j+1) * odds
	}
	term = 1.0
	for j := mean; j > max(0, mean-reach); j-- {
		term *= float64(j) / float64(n-j+1) / odds
		add(j-1, term)
	}
	return tail / all
}

func TestBinomialAtLeast(t *testing.T) {
	for _, n := range []int{1, 2, 11, 101, 500} {
		for _, p := range []float64{0.01, 0.3, 0.5, 0.8} {
			for k := 1; k <= n; k += 1 + n/7 {
				if got, want := BinomialAtLeast(n, k, p), plainBinomial(n, k, p); !nearRelative(got, want, 1e-10) {
					t.Errorf("n=%d k=%d p=%g: got %.17g want %.17g", n, k, p, got, want)
				}
			}
		}
	}
	for _, k := range []int{299_000, 300_000, 301_000, 303_000} {
		if got, want := BinomialAtLeast(1_000_000, k, 0.3), relativeBinomial(1_000_000, k, 0.3); !nearRelative(got, want, 1e-10) {
			t.Errorf("a million trials, k=%d: got %.17g want %.17g", k, got, want)
		}
	}
	if BinomialAtLeast(5, 0, 0.3) != 1 || BinomialAtLeast(5, 6, 0.3) != 0 || !math.IsNaN(BinomialAtLeast(5, 2, 1.5)) {
		t.Error("ends of the binomial law")
	}
	if BinomialAtLeast(5, 1, 0) != 0 || BinomialAtLeast(5, 5, 1) != 1 || !math.IsNaN(BinomialAtLeast(-1, 0, 0.5)) {
		t.Error("certain outcomes")
	}
}
