package stat

import (
	"math"
	"slices"
	"strconv"
	"testing"
)

// medianVectors is the layout of medianboot.json.
type medianVectors struct {
	Ranks struct {
		Table []struct {
			N   int
			L90 rankPair `json:"0.9"`
			L95 rankPair `json:"0.95"`
			L99 rankPair `json:"0.99"`
		}
	} `json:"rank_intervals"`
	Odd    map[string][]float64 `json:"index_pmf_odd"`
	Twelve []struct {
		I, J int
		P    float64
	} `json:"index_pmf_n12"`
	Cases []medianCase
}

type rankPair struct {
	Lo, Hi       int
	SignLo       int     `json:"signtest_lo"`
	SignHi       int     `json:"signtest_hi"`
	Coverage     float64 `json:"exact_coverage"`
	SignCoverage float64 `json:"signtest_coverage"`
}

type medianCase struct {
	Kind           string
	A, B           []float64
	MedianInterval map[string][2]float64 `json:"median_A_interval"`
	Delta          float64
	Interval       map[string][2]float64 `json:"unpaired_interval"`
	BootMedian     float64               `json:"unpaired_boot_median"`
	Confidence     map[string]float64    `json:"unpaired_confidence"`
	Zero           float64               `json:"unpaired_p_zero"`
	Mean           float64               `json:"unpaired_mean"`
	SD             float64               `json:"unpaired_sd"`
	Paired         *struct {
		Delta      float64
		Interval   map[string][2]float64
		BootMedian float64 `json:"boot_median"`
		Confidence map[string]float64
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// ascending returns 1, 2, ..., n: values that are their own ranks.
func ascending(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i + 1)
	}
	return x
}

func TestRankProbabilitiesOddVectors(t *testing.T) {
	var v medianVectors
	loadVectors(t, "medianboot.json", &v)
	if len(v.Odd) == 0 {
		t.Fatal("vectors are missing")
	}
	for key, want := range v.Odd {
		d := BootstrapMedianSorted(ascending(int(number(t, key))))
		for i, p := range want {
			if got := d.Mass(float64(i + 1)); !near(got, p, 1e-14) {
				t.Errorf("n=%s rank %d: got %.17g want %.17g", key, i+1, got, p)
			}
		}
	}
}

func TestRankProbabilitiesTwelveVectors(t *testing.T) {
	var v medianVectors
	loadVectors(t, "medianboot.json", &v)
	// Powers of three make the mean of every pair of ranks different.
	x := make([]float64, 12)
	for i := range x {
		x[i] = math.Pow(3, float64(i))
	}
	d := BootstrapMedianSorted(x)
	sum := 0.0
	for _, c := range v.Twelve {
		got := d.Mass((x[c.I-1] + x[c.J-1]) / 2)
		sum += got
		if !near(got, c.P, 1e-14) {
			t.Errorf("ranks %d and %d: got %.17g want %.17g", c.I, c.J, got, c.P)
		}
	}
	if len(v.Twelve) != 78 || !near(sum, 1, 1e-14) {
		t.Errorf("%d pairs with total %.17g", len(v.Twelve), sum)
	}
}

func TestIntervalRanksVectors(t *testing.T) {
	var v medianVectors
	loadVectors(t, "medianboot.json", &v)
	for _, row := range v.Ranks.Table {
		d := BootstrapMedianSorted(ascending(row.N))
		for level, want := range map[float64]rankPair{0.9: row.L90, 0.95: row.L95, 0.99: row.L99} {
			if lo, hi := d.Interval(level); int(lo) != want.Lo || int(hi) != want.Hi {
				t.Errorf("n=%d level %g: got %g..%g want %d..%d", row.N, level, lo, hi, want.Lo, want.Hi)
			}
			if lo, hi := SignTestRanks(row.N, level); lo != want.SignLo || hi != want.SignHi {
				t.Errorf("n=%d level %g: sign test %d..%d want %d..%d", row.N, level, lo, hi, want.SignLo, want.SignHi)
			}
			coverage := BinomialAtLeast(row.N, want.Lo, 0.5) - BinomialAtLeast(row.N, want.Hi, 0.5)
			if !near(coverage, want.Coverage, 1e-13) {
				t.Errorf("n=%d level %g: coverage %.17g want %.17g", row.N, level, coverage, want.Coverage)
			}
		}
	}
}

// levels in the vector files, by their text.
var levelTexts = map[string]float64{"0.9": 0.9, "0.95": 0.95, "0.99": 0.99}

func TestMedianBootstrapVectors(t *testing.T) {
	var v medianVectors
	loadVectors(t, "medianboot.json", &v)
	for _, c := range v.Cases {
		before := slices.Clone(c.A)
		d := BootstrapMedian(c.A, 1)
		if !slices.Equal(before, c.A) {
			t.Fatal("the caller's slice was changed")
		}
		for text, level := range levelTexts {
			if lo, hi := d.Interval(level); lo != c.MedianInterval[text][0] || hi != c.MedianInterval[text][1] {
				t.Errorf("%s n=%d level %s: got %v..%v want %v", c.Kind, len(c.A), text, lo, hi, c.MedianInterval[text])
			}
		}
		if c.Paired != nil {
			checkPaired(t, c)
		}
	}
}

func checkPaired(t *testing.T, c medianCase) {
	ratios := make([]float64, len(c.A))
	for i := range ratios {
		ratios[i] = c.A[i] / c.B[i]
	}
	d := BootstrapMedian(ratios, 1)
	if got := 1 - Median(ratios); got != c.Paired.Delta {
		t.Errorf("%s n=%d: paired delta %v want %v", c.Kind, len(ratios), got, c.Paired.Delta)
	}
	if got := 1 - d.Quantile(0.5); got != c.Paired.BootMedian {
		t.Errorf("%s n=%d: bootstrap median %v want %v", c.Kind, len(ratios), got, c.Paired.BootMedian)
	}
	for text, level := range levelTexts {
		lo, hi := d.Interval(level)
		if want := c.Paired.Interval[text]; 1-hi != want[0] || 1-lo != want[1] {
			t.Errorf("%s n=%d level %s: paired %v..%v want %v", c.Kind, len(ratios), text, 1-hi, 1-lo, want)
		}
	}
	// A ratio is compared with the constant 1 to get the same rounding.
	delta := MedianRatio{d, BootstrapMedianSorted([]float64{1})}
	for text, want := range c.Paired.Confidence {
		if got := delta.AtLeast(number(t, text)); !near(got, want, 1e-12) {
			t.Errorf("%s n=%d: paired P(delta >= %s) = %.17g want %.17g", c.Kind, len(ratios), text, got, want)
		}
	}
}

func TestMedianDistributionQueries(t *testing.T) {
	d := BootstrapMedian([]float64{3, 1, 2, 2, 5, math.NaN()}, 1)
	sum, previous := 0.0, math.Inf(-1)
	for i := range d.Len() {
		value, p := d.Atom(i)
		if value <= previous || p <= 0 {
			t.Errorf("atom %d: value %g after %g with probability %g", i, value, previous, p)
		}
		sum += p
		if got := d.AtMost(value); !near(got, sum, 1e-15) {
			t.Errorf("AtMost(%g) = %g, want %g", value, got, sum)
		}
		if got := d.Below(value); !near(got, sum-p, 1e-15) {
			t.Errorf("Below(%g) = %g, want %g", value, got, sum-p)
		}
		if got := d.Quantile(sum); got != value {
			t.Errorf("Quantile(%g) = %g, want %g", sum, got, value)
		}
		previous = value
	}
	if !near(sum, 1, 1e-15) || d.Len() != 4 {
		t.Errorf("%d values with total %g", d.Len(), sum)
	}
	if d.Mass(2.5) != 0 || d.AtMost(0) != 0 || d.AtMost(9) != 1 || d.Below(9) != 1 {
		t.Error("probabilities away from the values")
	}
	if d.AtMost(math.NaN()) != 0 || d.Mass(math.NaN()) != 0 {
		t.Error("a NaN must meet nothing")
	}
}

func TestMedianLawIsSymmetricUnderNegation(t *testing.T) {
	r := random(1)
	for _, n := range []int{1, 2, 3, 4, 7, 10, 31, 64, 101, 1000, 1001} {
		x := lognormalSeries(r, n)
		negative := make([]float64, n)
		for i, v := range x {
			negative[i] = -v
		}
		d, e := BootstrapMedian(x, 1), BootstrapMedian(negative, 1)
		for _, v := range x {
			if got, want := e.AtMost(-v), 1-d.Below(v); !near(got, want, 1e-12) {
				t.Fatalf("n=%d: P(-median <= %g) = %.17g want %.17g", n, -v, got, want)
			}
		}
	}
}

func TestEvenLawMatchesEnumeration(t *testing.T) {
	for n := 1; n <= 6; n++ {
		x := ascending(n)
		counts := map[float64]float64{}
		draw := make([]float64, n)
		total := math.Pow(float64(n), float64(n))
		for code := range int(total) {
			for i := range draw {
				draw[i], code = x[code%n], code/n
			}
			counts[Median(draw)]++
		}
		d := BootstrapMedian(x, 1)
		if d.Len() != len(counts) {
			t.Errorf("n=%d: %d values, want %d", n, d.Len(), len(counts))
		}
		for v, count := range counts {
			if got := d.Mass(v); !near(got, count/total, 1e-14) {
				t.Errorf("n=%d: P(median = %g) = %.17g want %.17g", n, v, got, count/total)
			}
		}
	}
}

func TestLargeMedianLaws(t *testing.T) {
	for _, n := range []int{5000, 10_001, 199_999, 200_000} {
		d := BootstrapMedianSorted(ascending(n))
		lo, hi := d.Interval(0.95)
		// The rank of a bootstrap median has standard deviation sqrt(n)/2.
		half := 1.959964 * math.Sqrt(float64(n)) / 2
		if math.Abs((hi-lo)/2-half) > 1.5 || math.Abs((hi+lo)/2-float64(n+1)/2) > 1 {
			t.Errorf("n=%d: interval %g..%g, want about %g around the middle", n, lo, hi, half)
		}
		if got := d.AtMost(float64(n) / 2); !near(got, 0.5, 2/math.Sqrt(float64(n))) {
			t.Errorf("n=%d: half of the law below the middle is %g", n, got)
		}
	}
}

func TestMedianLawsMatchBinomial(t *testing.T) {
	for _, n := range []int{17, 101, 999, 5001, 199_999} {
		d := BootstrapMedianSorted(ascending(n))
		for step := -40; step <= 40; step++ {
			k := (n+1)/2 + step*int(1+math.Sqrt(float64(n))/10)
			if k < 1 || k > n {
				continue
			}
			want := BinomialAtLeast(n, (n+1)/2, float64(k)/float64(n))
			if got := d.AtMost(float64(k)); !near(got, want, 1e-12) {
				t.Errorf("n=%d: P(median <= rank %d) = %.17g want %.17g", n, k, got, want)
			}
		}
	}
	for _, n := range []int{16, 100, 5000, 200_000} {
		pairs := newMiddlePairs(n)
		for i := 0; i < len(pairs.stay); i += 1 + len(pairs.stay)/50 {
			k := pairs.first + i
			want := BinomialAtLeast(n, n/2, float64(k)/float64(n)) - BinomialAtLeast(n, n/2, float64(k-1)/float64(n))
			if got := pairs.stay[i] + pairs.open[i]; !near(got, want, 1e-12) {
				t.Errorf("n=%d: P(lower middle rank = %d) = %.17g want %.17g", n, k, got, want)
			}
		}
	}
}

func TestMedianIntervalsGrowWithLevel(t *testing.T) {
	for n := 1; n < 60; n++ {
		d := BootstrapMedian(lognormalSeries(random(uint64(n)), n), 1)
		lastLo, lastHi := d.Interval(0)
		for _, level := range []float64{0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1} {
			lo, hi := d.Interval(level)
			if lo > lastLo || hi < lastHi || lo > hi {
				t.Fatalf("n=%d level %g: %g..%g after %g..%g", n, level, lo, hi, lastLo, lastHi)
			}
			lastLo, lastHi = lo, hi
		}
		if lo, hi := d.Interval(1.5); !math.IsNaN(lo) || !math.IsNaN(hi) {
			t.Fatal("a level above 1 must give NaN")
		}
	}
}
