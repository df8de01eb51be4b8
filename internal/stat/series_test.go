package stat

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestMedianMatchesSorting(t *testing.T) {
	r := random(40)
	shapes := map[string]func(i, n int) float64{
		"random":   func(int, int) float64 { return r.NormFloat64() },
		"ties":     func(int, int) float64 { return float64(r.IntN(3)) },
		"equal":    func(int, int) float64 { return 7 },
		"rising":   func(i, _ int) float64 { return float64(i) },
		"falling":  func(i, _ int) float64 { return float64(-i) },
		"organ":    func(i, n int) float64 { return float64(min(i, n-i)) },
		"infinite": func(i, _ int) float64 { return math.Inf(i%3 - 1) },
	}
	for name, shape := range shapes {
		for _, n := range []int{1, 2, 3, 5, 16, 17, 18, 99, 100, 101, 500, 1001} {
			x := make([]float64, n)
			for i := range x {
				x[i] = shape(i, n)
			}
			before := slices.Clone(x)
			want := MedianSorted(sortedCopy(x))
			if got := Median(x); !near(got, want, 0) {
				t.Errorf("%s n=%d: got %g want %g", name, n, got, want)
			}
			if !slices.Equal(x, before) {
				t.Fatalf("%s n=%d: the caller's slice was changed", name, n)
			}
			if got := MedianInPlace(x); !near(got, want, 0) {
				t.Errorf("%s n=%d in place: got %g want %g", name, n, got, want)
			}
			slices.Sort(x)
			slices.Sort(before)
			if !slices.Equal(x, before) {
				t.Fatalf("%s n=%d: values were lost", name, n)
			}
		}
	}
}

func TestMedianEdges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{nil, nan}, {[]float64{nan}, nan}, {[]float64{1, nan, 2}, nan}, {[]float64{inf, inf}, inf},
		{[]float64{-inf, inf}, nan}, {[]float64{-inf, 3, inf}, 3}, {[]float64{1, 2}, 1.5},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, math.MaxFloat64},
		{[]float64{math.MaxFloat64, math.MaxFloat64 / 2}, math.MaxFloat64 * 0.75},
	} {
		if got := Median(c.x); !near(got, c.want, 0) {
			t.Errorf("Median(%v) = %g, want %g", c.x, got, c.want)
		}
		if got := MedianSorted(sortedCopy(c.x)); !near(got, c.want, 0) {
			t.Errorf("MedianSorted(%v) = %g, want %g", c.x, got, c.want)
		}
	}
}

// TestMedianCostIsNotQuadratic compares series that make a naive selection
// quadratic with a random series of the same length. Quadratic cost would be
// thousands of times more.
func TestMedianCostIsNotQuadratic(t *testing.T) {
	const n = 50_000
	r := random(41)
	cost := func(at func(i int) float64) time.Duration {
		best := time.Hour
		for range 3 {
			x := make([]float64, n)
			for i := range x {
				x[i] = at(i)
			}
			start := time.Now()
			MedianInPlace(x)
			best = min(best, time.Since(start))
		}
		return best
	}
	usual := cost(func(int) float64 { return r.NormFloat64() })
	for name, at := range map[string]func(int) float64{
		"equal":       func(int) float64 { return 1 },
		"two values":  func(i int) float64 { return float64(i % 2) },
		"rising":      func(i int) float64 { return float64(i) },
		"falling":     func(i int) float64 { return float64(-i) },
		"organ pipe":  func(i int) float64 { return float64(min(i, n-i)) },
		"interleaved": func(i int) float64 { return float64((i%2)*n + i) },
	} {
		if ratio := float64(cost(at)) / float64(usual); ratio > 50 {
			t.Errorf("%s: %.0f times the cost of a random series", name, ratio)
		}
	}
}

func TestQuantileVectors(t *testing.T) {
	var v struct {
		Quantiles []struct {
			X, P, Type7 []float64
			SD          []*float64
		}
	}
	loadVectors(t, "cochran.json", &v)
	if len(v.Quantiles) == 0 {
		t.Fatal("vectors are missing")
	}
	for _, c := range v.Quantiles {
		sorted := sortedCopy(c.X)
		for i, p := range c.P {
			if got := Quantile(sorted, p); !nearRelative(got, c.Type7[i], 1e-9) {
				t.Errorf("quantile %g of %d values: got %.17g want %.17g", p, len(c.X), got, c.Type7[i])
			}
		}
		if _, sd := MeanAndSD(c.X); c.SD[0] != nil && !nearRelative(sd, *c.SD[0], 1e-9) {
			t.Errorf("sd of %d values: got %.17g want %.17g", len(c.X), sd, *c.SD[0])
		}
	}
	for _, p := range []float64{-0.1, 1.1, math.NaN()} {
		if !math.IsNaN(Quantile([]float64{1, 2}, p)) {
			t.Errorf("p = %g must give NaN", p)
		}
	}
	if !math.IsNaN(Quantile(nil, 0.5)) {
		t.Error("an empty series must give NaN")
	}
	if got := Quantile([]float64{1, math.Inf(1)}, 0); got != 1 {
		t.Errorf("lower end %g", got)
	}
	if got := Quantile([]float64{-math.MaxFloat64, math.MaxFloat64}, 0.5); got != 0 {
		t.Errorf("middle of the largest numbers %g", got)
	}
}

func TestMidranks(t *testing.T) {
	got := Midranks([]float64{3, 1, math.NaN(), 3, 2, 3})
	want := []float64{4, 1, math.NaN(), 4, 2, 4}
	for i := range want {
		if !near(got[i], want[i], 0) {
			t.Errorf("rank %d: got %g want %g", i, got[i], want[i])
		}
	}
	if len(Midranks(nil)) != 0 {
		t.Error("no values have no ranks")
	}
}

func TestMomentsAreStable(t *testing.T) {
	mean, sd := MeanAndSD([]float64{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16})
	if mean != 1e9+10 || !nearRelative(sd, math.Sqrt(30), 1e-14) {
		t.Errorf("mean %.17g sd %.17g", mean, sd)
	}
	if mean, sd := MeanAndSD([]float64{math.MaxFloat64, math.MaxFloat64}); mean != math.MaxFloat64 || sd != 0 {
		t.Errorf("largest numbers: mean %g sd %g", mean, sd)
	}
	if mean, sd := MeanAndSD([]float64{5}); mean != 5 || !math.IsNaN(sd) {
		t.Errorf("one value: mean %g sd %g", mean, sd)
	}
	if mean, sd := MeanAndSD([]float64{1, math.Inf(1)}); !math.IsInf(mean, 1) || !math.IsNaN(sd) {
		t.Errorf("infinity: mean %g sd %g", mean, sd)
	}
	if got := RootMeanSquare([]float64{3, -4}); !nearRelative(got, math.Sqrt(12.5), 1e-15) {
		t.Errorf("root mean square %g", got)
	}
	if got := RootMeanSquare([]float64{1e200, -1e200}); !nearRelative(got, 1e200, 1e-15) {
		t.Errorf("root mean square of large numbers %g", got)
	}
	if RootMeanSquare([]float64{0, 0}) != 0 || !math.IsNaN(RootMeanSquare(nil)) {
		t.Error("root mean square of nothing")
	}
}

func TestLag1Vectors(t *testing.T) {
	var v struct {
		Cases []struct {
			Name     string
			X        []float64
			Lag1     *float64
			RankLag1 *float64 `json:"rank_lag1"`
		}
	}
	loadVectors(t, "lag1.json", &v)
	if len(v.Cases) == 0 {
		t.Fatal("vectors are missing")
	}
	value := func(p *float64) float64 {
		if p == nil {
			return 0 // undefined there, 0 by our convention
		}
		return *p
	}
	for _, c := range v.Cases {
		if got := Lag1(c.X); !near(got, value(c.Lag1), 1e-10) {
			t.Errorf("%s: got %.17g want %.17g", c.Name, got, value(c.Lag1))
		}
		if got := Lag1(Midranks(c.X)); !near(got, value(c.RankLag1), 1e-10) {
			t.Errorf("%s: of ranks %.17g want %.17g", c.Name, got, value(c.RankLag1))
		}
	}
	if Lag1([]float64{0.1, 0.1, 0.1}) != 0 || Lag1([]float64{3}) != 0 || Lag1(nil) != 0 {
		t.Error("no variation must give 0")
	}
}

func TestSpearmanVectors(t *testing.T) {
	var v struct {
		Cases []struct {
			Name      string
			Y         []float64
			Rho, Z, P *float64
		}
	}
	loadVectors(t, "spearman.json", &v)
	if len(v.Cases) == 0 {
		t.Fatal("vectors are missing")
	}
	for _, c := range v.Cases {
		rho, z, p := SpearmanTrend(c.Y)
		if c.Rho == nil {
			if rho != 0 || z != 0 || p != 1 {
				t.Errorf("%s: got %g %g %g", c.Name, rho, z, p)
			}
			continue
		}
		if !near(rho, *c.Rho, 1e-10) || !near(z, *c.Z, 1e-10) || !near(p, *c.P, 1e-10) {
			t.Errorf("%s: got %.17g %.17g %.17g", c.Name, rho, z, p)
		}
		backwards := slices.Clone(c.Y)
		slices.Reverse(backwards)
		if r, _, _ := SpearmanTrend(backwards); !near(r, -rho, 1e-14) {
			t.Errorf("%s: backwards %g want %g", c.Name, r, -rho)
		}
	}
}
