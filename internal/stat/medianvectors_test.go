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
