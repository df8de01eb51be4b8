package rtcompare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// noisySeries are n values around a centre with relative scatter.
func noisySeries(r *DPRNG, n int, centre, scatter float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = centre * math.Exp(scatter*normal(r))
	}
	return x
}

func constant(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

func TestEstimateDifferenceErrors(t *testing.T) {
	good, short := constant(11, 1), constant(10, 1)
	bad := func(v float64) []float64 {
		x := constant(12, 1)
		x[7] = v
		return x
	}
	tests := []struct {
		name string
		a, b []float64
		opt  EstimateOptions
		want string
	}{
		{"too few of A", short, good, EstimateOptions{}, "10 measurements of A are too few, at least 11"},
		{"too few of B", good, short, EstimateOptions{}, "10 measurements of B"},
		{"none", nil, nil, EstimateOptions{}, "0 measurements of A"},
		{"NaN", bad(math.NaN()), good, EstimateOptions{}, "A[7] is NaN"},
		{"infinite", good, bad(math.Inf(1)), EstimateOptions{}, "B[7] is +Inf"},
		{"negative", good, bad(-1), EstimateOptions{}, "B[7] is -1"},
		{"pairs of unequal length", good, constant(12, 1), EstimateOptions{Paired: true}, "Paired"},
		{"negative level", good, good, EstimateOptions{Level: -0.1}, "Level is -0.1"},
		{"level of one", good, good, EstimateOptions{Level: 1}, "Level is 1"},
		{"level of 1.5", good, good, EstimateOptions{Level: 1.5}, "Level is 1.5"},
		{"level NaN", good, good, EstimateOptions{Level: math.NaN()}, "Level is NaN"},
		{"everything without time", constant(11, 0), append(constant(5, 0), constant(6, 1)...), EstimateOptions{}, ""},
		{"B without time", good, constant(11, 0), EstimateOptions{Paired: true}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := EstimateDifference(tt.a, tt.b, tt.opt)
			if tt.want == "" {
				// Times of zero are measurements; what they give is defined or an error.
				if err == nil && (math.IsNaN(e.Delta) || math.IsNaN(e.Low) || math.IsNaN(e.High)) {
					t.Errorf("%+v", e)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v does not say %q", err, tt.want)
			}
		})
	}
}

func TestEstimateDifferenceOfConstants(t *testing.T) {
	for _, paired := range []bool{false, true} {
		e, err := EstimateDifference(constant(11, 10), constant(11, 20), EstimateOptions{Paired: paired})
		want := Estimate{Delta: 0.5, Low: 0.5, High: 0.5, Level: DefaultConfidenceLevel, Resamples: DefaultResamples, BootstrapMedian: 0.5}
		if err != nil || e != want {
			t.Errorf("paired %v: %+v, error %v", paired, e, err)
		}
	}
	// Zeros are equal to each other.
	e, err := EstimateDifference(constant(11, 0), constant(11, 0), EstimateOptions{Paired: true})
	if err != nil || e.Delta != 0 || e.Low != 0 || e.High != 0 {
		t.Errorf("%+v, error %v", e, err)
	}
}

func TestEstimateDifferenceLeavesItsInputAlone(t *testing.T) {
	r := NewDPRNG(1)
	a, b := noisySeries(&r, 51, 80, 0.02), noisySeries(&r, 60, 100, 0.02)
	keepA, keepB := slices.Clone(a), slices.Clone(b)
	for _, opt := range []EstimateOptions{{}, {BlockLength: 4}} {
		if _, err := EstimateDifference(a, b, opt); err != nil {
			t.Fatal(err)
		}
		if _, err := ConfidencesFor(a, b, []float64{0.1, 0}, opt); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(a, keepA) || !slices.Equal(b, keepB) {
		t.Error("the measurements were changed")
	}
}

func TestEstimateDifferenceWidens(t *testing.T) {
	r := NewDPRNG(2)
	a, b := noisySeries(&r, 51, 80, 0.02), noisySeries(&r, 51, 100, 0.02)
	for _, opt := range []EstimateOptions{{}, {Paired: true}, {BlockLength: 5}, {Paired: true, BlockLength: 3}} {
		width := -1.0
		for _, opt.Level = range []float64{0.5, 0.8, 0.95, 0.99, 0.999} {
			e, err := EstimateDifference(a, b, opt)
			if err != nil || e.High-e.Low < width || !(e.Low <= e.Delta && e.Delta <= e.High) || e.Level != opt.Level {
				t.Errorf("%+v: %+v is narrower than %v, error %v", opt, e, width, err)
			}
			width = e.High - e.Low
		}
		if !near((width), width, 0) || width > 0.06 {
			t.Errorf("%+v: width %v", opt, width)
		}
	}
}

func TestEstimatesDoNotDependOnTheSeed(t *testing.T) {
	r := NewDPRNG(3)
	a, b := noisySeries(&r, 40, 80, 0.02), noisySeries(&r, 40, 100, 0.02)
	first, _ := EstimateDifference(a, b, EstimateOptions{Seed: 1, Resamples: 10})
	second, _ := EstimateDifference(a, b, EstimateOptions{Seed: 2, Resamples: 20})
	if second.Resamples = 10; first != second {
		t.Errorf("%+v and %+v", first, second)
	}
}

// Nominal 95 % intervals hold the truth about as often as they say, and pairs
// pay where both members suffer the same disturbance.
func TestEstimateDifferenceCovers(t *testing.T) {
	const trials, n, truth = 400, 51, 0.2
	r := NewDPRNG(4)
	covered := map[bool]int{}
	width := map[bool]float64{}
	for range trials {
		a, b := noisySeries(&r, n, 80, 0.02), noisySeries(&r, n, 100, 0.02)
		for i := range a {
			common := math.Exp(0.05 * normal(&r))
			a[i], b[i] = a[i]*common, b[i]*common
		}
		for _, paired := range []bool{false, true} {
			e, err := EstimateDifference(a, b, EstimateOptions{Paired: paired})
			if err != nil {
				t.Fatal(err)
			}
			if e.Low <= truth && truth <= e.High {
				covered[paired]++
			}
			width[paired] += (e.High - e.Low) / trials
			if paired && !near(e.Delta, 1-Median(pairRatios(a, b)), 1e-15) || !near(e.Delta, truth, 0.08) {
				t.Errorf("difference %v", e.Delta)
			}
		}
	}
	for paired, count := range covered {
		// Unpaired intervals also hold what the pairs cancel.
		if share := float64(count) / trials; share < 0.92 || (paired && share > 0.98) {
			t.Errorf("paired %v: %.1f %% of the intervals hold the truth", paired, 100*share)
		}
	}
	if width[true] > width[false]*0.6 {
		t.Errorf("pairs gave intervals of %v, unpaired measurements of %v", width[true], width[false])
	}
}

func TestExcludes(t *testing.T) {
	e := Estimate{Delta: 0.2, Low: 0.1, High: 0.3}
	for value, want := range map[float64]bool{0: true, 0.1: false, 0.2: false, 0.3: false, 0.31: true} {
		if got := e.Excludes(value); got != want {
			t.Errorf("[0.1, 0.3] excludes %v: %v", value, got)
		}
	}
	if (Estimate{Low: -0.1, High: 0.1}).Excludes(0) || (Estimate{Low: 0, High: 0}).Excludes(0) || (Estimate{Low: math.NaN(), High: 1}).Excludes(0) {
		t.Error("an interval excludes what it holds")
	}
	if !(Estimate{Low: -0.3, High: -0.1}).Excludes(0) {
		t.Error("a slow-down does not exclude zero")
	}
}

func TestRatio(t *testing.T) {
	ratio, low, high := Estimate{Delta: 0.5, Low: 0.2, High: 0.75}.Ratio()
	if !near(ratio, 2, 1e-12) || !near(low, 1.25, 1e-12) || !near(high, 4, 1e-12) {
		t.Errorf("%v [%v, %v]", ratio, low, high)
	}
	if ratio, _, _ := (Estimate{Delta: -1}).Ratio(); !near(ratio, 0.5, 1e-12) {
		t.Errorf("twice as slow is a ratio of %v", ratio)
	}
}

func TestEstimateString(t *testing.T) {
	e := Estimate{Delta: 0.2, Low: 0.1, High: 0.25, Level: 0.95}
	if got, want := e.String(), "+20.00% [+10.00%, +25.00%] at 95% (B/A 1.250 [1.111, 1.333])"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Blocks keep neighbours together: where they resemble each other the interval
// gets wider.
func TestBlocksWidenTheIntervalOfCorrelatedValues(t *testing.T) {
	r := NewDPRNG(5)
	a, b := make([]float64, 101), constant(101, 100)
	state := 0.0
	for i := range a {
		state = 0.8*state + 0.6*normal(&r)
		a[i] = 100 * math.Exp(0.02*state)
	}
	plain, err := EstimateDifference(a, b, EstimateOptions{Paired: true})
	blocks, err2 := EstimateDifference(a, b, EstimateOptions{Paired: true, BlockLength: 8})
	if err != nil || err2 != nil || blocks.High-blocks.Low < 1.3*(plain.High-plain.Low) || plain.Delta != blocks.Delta {
		t.Errorf("%v and %v", plain, blocks)
	}
	for _, length := range []int{-3, 0, 1} {
		if e, err := EstimateDifference(a, b, EstimateOptions{Paired: true, BlockLength: length}); err != nil || e != plain {
			t.Errorf("block length %d: %v", length, e)
		}
	}
	// Longer than half the series is half the series.
	half, _ := EstimateDifference(a, b, EstimateOptions{Paired: true, BlockLength: 50})
	if all, err := EstimateDifference(a, b, EstimateOptions{Paired: true, BlockLength: 5000}); err != nil || all != half {
		t.Errorf("%v and %v", all, half)
	}
}

func TestPairRatios(t *testing.T) {
	got := pairRatios([]float64{1, 0, 3, 0, 9}, []float64{2, 0, 0, 4})
	if len(got) != 4 || got[0] != 0.5 || got[1] != 1 || !math.IsInf(got[2], 1) || got[3] != 0 {
		t.Errorf("ratios %v", got)
	}
}

func TestDecisionDelta(t *testing.T) {
	for _, x := range []float64{0, 0.3, -0.3, 1e-12, math.Inf(1), math.Inf(-1)} {
		d := Decision{LogRatio: x, Low: x, High: x}
		delta, low, high := d.Delta()
		if want := 1 - math.Exp(-x); !near(delta, want, 1e-15) || low != delta || high != delta {
			t.Errorf("ln(B/A) of %v is a share of %v, want %v", x, delta, want)
		}
	}
	if fmt.Sprint(Decision{}.Verdict) != "not judged" {
		t.Errorf("the zero decision is %v", Decision{}.Verdict)
	}
}
