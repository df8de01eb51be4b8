package bayes

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"
)

// reference holds values that were computed with other software.
type reference struct {
	Cases []struct {
		T             float64
		N             int
		Rscale        float64
		Logbf10, Bf10 float64
	}
	N2Growth struct {
		Cases []struct {
			T      float64
			N      int
			Rscale float64
			Bf10   float64
		}
	} `json:"n2_growth"`
	RawScale struct {
		Cases []struct {
			Mean, SD   float64
			N          int
			T          float64
			Rscale     float64
			Bf10       float64
			PDifferent float64            `json:"p_different"`
			PFlat      map[string]float64 `json:"P_abs_mu_gt_flat_t"`
			PPractical map[string]float64 `json:"P_gt_min_effect_finefile_convention"`
			Quantiles  map[string]float64 `json:"mu_quantiles_flat_t"`
		}
	} `json:"posterior_raw_scale"`
	TNeeded struct {
		Cases []struct {
			N    int
			P, T float64
		}
	} `json:"t_needed"`
}

func loadReference(t *testing.T) reference {
	t.Helper()
	data, err := os.ReadFile("testdata/jzs.json")
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// near reports whether two numbers agree relative to the wanted one.
func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance*math.Abs(want) }

func TestLogBayesFactorAgainstReference(t *testing.T) {
	r := loadReference(t)
	if len(r.Cases) != 270 {
		t.Fatalf("%d cases, want 270", len(r.Cases))
	}
	for _, c := range r.Cases {
		got := LogBayesFactor(c.T, c.N, c.Rscale)
		// The factor's relative error is the absolute error of its logarithm.
		if math.Abs(got-c.Logbf10) > 1e-9 || c.Bf10 > 0 && !near(math.Exp(got), c.Bf10, 1e-9) {
			t.Errorf("t %g, n %d, scale %g: %v, want %v", c.T, c.N, c.Rscale, got, c.Logbf10)
		}
	}
	for _, c := range r.N2Growth.Cases {
		if got := math.Exp(LogBayesFactor(c.T, c.N, c.Rscale)); !near(got, c.Bf10, 1e-9) {
			t.Errorf("t %g, two values: %v, want %v", c.T, got, c.Bf10)
		}
	}
}

// TestLogBayesFactorOfPublishedTests are the values that finefile's own tests
// hold.
func TestLogBayesFactorOfPublishedTests(t *testing.T) {
	for _, c := range []struct {
		t    float64
		n    int
		want float64
	}{
		{2.5, 20, 2.7023}, {0, 20, 0.23236}, {1, 20, 0.36131}, {3.5, 20, 17.185}, {2, 10, 1.2824}, {5, 50, 2429.8},
	} {
		if got := math.Exp(LogBayesFactor(c.t, c.n, 0.707)); !near(got, c.want, 1e-4) {
			t.Errorf("t %g, n %d: %v, want %v", c.t, c.n, got, c.want)
		}
	}
	for _, n := range []int{3, 10, 100} {
		if got := LogBayesFactor(0, n, 0.707); !(got < 0) {
			t.Errorf("t 0, n %d: %v is not negative", n, got)
		}
	}
}

// TestNeededT: the smallest t at which a difference is 95 or 99 % probable.
func TestNeededT(t *testing.T) {
	for _, c := range loadReference(t).TNeeded.Cases {
		odds := c.P / (1 - c.P)
		if got := math.Exp(LogBayesFactor(c.T, c.N, math.Sqrt2/2)); !near(got, odds, 1e-7) {
			t.Errorf("n %d, t %g: the odds are %v, want %v", c.N, c.T, got, odds)
		}
	}
}

// TestLogBayesFactorProperties: even in t, never falling as |t| grows, and
// finite for any t.
func TestLogBayesFactorProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for range 400 {
		n := 2 + random.IntN(60)
		scale := math.Exp(2 * random.NormFloat64())
		size := math.Exp(6 * random.NormFloat64())
		small, large := LogBayesFactor(size, n, scale), LogBayesFactor(size*1.1, n, scale)
		if mirrored := LogBayesFactor(-size, n, scale); mirrored != small {
			t.Errorf("t %g, n %d, scale %g: %v, and %v for -t", size, n, scale, small, mirrored)
		}
		if !(large >= small-1e-12) {
			t.Errorf("n %d, scale %g: falls from %v to %v after t %g", n, scale, small, large, size)
		}
	}
	for _, size := range []float64{1e8, 1e150, 1e300, math.MaxFloat64, 5e-324} {
		for _, n := range []int{2, 3, 60, 1_000_000} {
			if got := LogBayesFactor(size, n, 0.707); math.IsInf(got, 0) || math.IsNaN(got) {
				t.Errorf("t %g, n %d: %v", size, n, got)
			}
		}
	}
}

func TestLogBayesFactorOfNonsense(t *testing.T) {
	nan, infinite := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		t     float64
		n     int
		scale float64
	}{{1, 1, 1}, {1, 0, 1}, {1, -4, 1}, {nan, 5, 1}, {1, 5, 0}, {1, 5, -1}, {1, 5, nan}, {1, 5, infinite}} {
		if got := LogBayesFactor(c.t, c.n, c.scale); !math.IsNaN(got) {
			t.Errorf("t %g, n %d, scale %g: %v, want NaN", c.t, c.n, c.scale, got)
		}
	}
	if got := LogBayesFactor(-infinite, 5, 1); got != infinite {
		t.Errorf("an infinite t: %v", got)
	}
}

func BenchmarkLogBayesFactor(b *testing.B) {
	for b.Loop() {
		LogBayesFactor(4.2, 14, 0.707)
	}
}
