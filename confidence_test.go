package rtcompare

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

// ascending are the values 1 to n, times a factor.
func ascending(n int, factor float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = factor * float64(i+1)
	}
	return x
}

func TestConfidencesAreSortedDistinctAndFalling(t *testing.T) {
	r := NewDPRNG(1)
	a, b := noisySeries(&r, 31, 80, 0.1), noisySeries(&r, 41, 100, 0.1)
	thresholds := []float64{0.5, 0.2, -0.1, 0.2, 0, 0.2, 5, math.Inf(-1), math.Inf(1), -3}
	keep := slices.Clone(thresholds)
	got, err := CompareSamples(a, b, thresholds, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(thresholds, keep) {
		t.Errorf("the caller's thresholds became %v", thresholds)
	}
	want := []float64{math.Inf(-1), -3, -0.1, 0, 0.2, 0.5, 5, math.Inf(1)}
	if len(got) != len(want) {
		t.Fatalf("entries %v", got)
	}
	last := 1.0
	for i, entry := range got {
		if entry.Threshold != want[i] || entry.Confidence < 0 || entry.Confidence > last {
			t.Errorf("entry %d is %v after %v", i, entry, last)
		}
		last = entry.Confidence
	}
	if got[0].Confidence != 1 || got[len(got)-1].Confidence != 0 || got[6].Confidence != 0 {
		t.Errorf("at the ends %v and %v", got[0], got[len(got)-1])
	}
}

func TestConfidenceOfSeparatedSamples(t *testing.T) {
	fast, slow := constant(12, 10), constant(12, 20)
	tests := []struct {
		name      string
		a, b      []float64
		threshold float64
		want      float64
	}{
		{"certainly half", fast, slow, 0.5, 1},
		{"certainly not more", fast, slow, 0.5001, 0},
		{"F2T of two is the same question", fast, slow, F2T(2), 1},
		{"twice as slow is tolerated", slow, fast, -1, 1},
		{"less is not", slow, fast, -0.9, 0},
		{"ties count for A at zero", fast, fast, 0, 1},
		{"a tie saves nothing", fast, fast, 1e-9, 0},
		{"nothing saves everything", constant(12, 0), fast, 1, 1},
		{"nothing saves more than everything", constant(12, 0), fast, 1.01, 0},
		{"no time against no time", constant(12, 0), constant(12, 0), 0, 1},
		{"time against no time", fast, constant(12, 0), -1e9, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, paired := range []bool{false, true} {
				got, err := ConfidencesFor(tt.a, tt.b, []float64{tt.threshold}, EstimateOptions{Paired: paired})
				if err != nil || len(got) != 1 || !near(got[0].Confidence, tt.want, 1e-12) {
					t.Errorf("paired %v: %v, error %v", paired, got, err)
				}
			}
		})
	}
}

func TestNoThresholdAsksAboutZero(t *testing.T) {
	got, err := CompareSamples(ascending(11, 1), ascending(11, 1), nil, 100)
	if err != nil || len(got) != 1 || got[0].Threshold != 0 || !(got[0].Confidence > 0.5 && got[0].Confidence < 1) {
		t.Errorf("%v, error %v", got, err)
	}
	if got := BootstrapConfidence(ascending(11, 1), ascending(11, 1), nil, 100, 1); len(got) != 0 {
		t.Errorf("BootstrapConfidence without thresholds gives %v", got)
	}
}

func TestConfidenceErrors(t *testing.T) {
	good := constant(11, 1)
	tests := []struct {
		name       string
		a, b       []float64
		thresholds []float64
		opt        EstimateOptions
		want       string
	}{
		{"too few", constant(10, 1), good, nil, EstimateOptions{}, "10 measurements of A"},
		{"NaN", good, append(constant(11, 1), math.NaN()), nil, EstimateOptions{}, "B[11] is NaN"},
		{"negative", append(constant(11, 1), -2), good, nil, EstimateOptions{}, "A[11] is -2"},
		{"threshold, by the caller's index", good, good, []float64{0.5, 0.1, math.NaN()}, EstimateOptions{}, "threshold 2 is NaN"},
		{"pairs of unequal length", good, constant(12, 1), nil, EstimateOptions{Paired: true}, "Paired"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ConfidencesFor(tt.a, tt.b, tt.thresholds, tt.opt)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v does not say %q", err, tt.want)
			}
			if !tt.opt.Paired {
				if _, err := CompareSamples(tt.a, tt.b, tt.thresholds, 10); err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("CompareSamples: error %v does not say %q", err, tt.want)
				}
			}
		})
	}
	// The level belongs to intervals.
	if _, err := ConfidencesFor(good, good, nil, EstimateOptions{Level: 7}); err != nil {
		t.Errorf("error %v for a level that is not used", err)
	}
}

// Confidence and interval come from one distribution.
func TestConfidencesAgreeWithTheInterval(t *testing.T) {
	r := NewDPRNG(6)
	for _, opt := range []EstimateOptions{{}, {Paired: true}, {BlockLength: 4}, {Paired: true, BlockLength: 4}} {
		a, b := noisySeries(&r, 51, 80, 0.05), noisySeries(&r, 51, 100, 0.05)
		e, err := EstimateDifference(a, b, opt)
		if err != nil {
			t.Fatal(err)
		}
		c, err := ConfidencesFor(a, b, []float64{e.Low, e.BootstrapMedian, e.High, e.High + 0.2}, opt)
		if err != nil {
			t.Fatal(err)
		}
		if c[0].Confidence < 0.97 || c[1].Confidence < 0.5 || c[2].Confidence < 0.02 || c[2].Confidence > 0.2 || c[3].Confidence > 0.02 {
			t.Errorf("%+v: %v at %v", opt, c, e)
		}
	}
}

func TestBootstrapConfidenceLeavesOutWhatItCannotAnswer(t *testing.T) {
	good := constant(12, 2)
	nan := math.NaN()
	if got := BootstrapConfidence(good, constant(12, 4), []float64{nan, 0.5, nan}, 10, 1); len(got) != 1 || got[0] != (ThresholdConfidence{0.5, 1}) {
		t.Errorf("%v", got)
	}
	undefined := map[string]Confidences{
		"no measurements":    BootstrapConfidence(nil, good, []float64{0}, 10, 1),
		"no others":          BootstrapConfidence(good, nil, []float64{0}, 10, 1),
		"NaN":                BootstrapConfidence(append(good[:11:11], nan), good, []float64{0}, 10, 1),
		"infinite":           BootstrapConfidence(good, append(good[:11:11], math.Inf(1)), []float64{0}, 10, 1),
		"negative":           BootstrapConfidence(append(good[:11:11], -1), good, []float64{0}, 10, 1),
		"no resamples":       BootstrapConfidence(good, good, []float64{0}, 0, 1),
		"no resamples block": BlockBootstrapConfidence(good, good, []float64{0}, 0, 3, 1),
	}
	for name, got := range undefined {
		if len(got) != 1 || !math.IsNaN(got[0].Confidence) {
			t.Errorf("%s: %v", name, got)
		}
	}
	// One measurement is a distribution, too.
	if got := BootstrapConfidence([]float64{1}, []float64{2}, []float64{0.5}, 10, 1); got[0].Confidence != 1 {
		t.Errorf("one measurement each: %v", got)
	}
}

func TestBlockBootstrapConfidence(t *testing.T) {
	r := NewDPRNG(7)
	a, b := noisySeries(&r, 27, 100, 0.05), noisySeries(&r, 27, 100, 0.05)
	at := func(length int) float64 {
		return BlockBootstrapConfidence(a, b, []float64{0}, 10, length, 1)[0].Confidence
	}
	if at(1) != BootstrapConfidence(a, b, []float64{0}, 10, 1)[0].Confidence {
		t.Error("blocks of one differ from single values")
	}
	if at(0) != at(3) || at(-1) != at(3) {
		t.Errorf("automatic blocks give %v, blocks of the cube root %v", at(0), at(3))
	}
	if at(13) != at(10000) {
		t.Error("blocks longer than half the input are not cut to half of it")
	}
	for _, length := range []int{1, 3, 13} {
		if c := at(length); c < 0.02 || c > 0.98 {
			t.Errorf("blocks of %d: confidence %v between equal series", length, c)
		}
	}
}

func TestConfidenceAt(t *testing.T) {
	c := Confidences{{-0.1, 0.9}, {0.15, 0.5}, {3, 0.1}, {math.Inf(1), 0}}
	tests := []struct {
		threshold, want float64
		ok              bool
	}{
		{0.15, 0.5, true}, {0.1 + 0.05, 0.5, true}, {-0.1, 0.9, true}, {3 + 1e-9, 0.1, true}, {math.Inf(1), 0, true},
		{0.1501, 0, false}, {3 + 1e-7, 0, false}, {math.Inf(-1), 0, false}, {math.NaN(), 0, false}, {0, 0, false},
	}
	for _, tt := range tests {
		if got, ok := c.At(tt.threshold); got != tt.want || ok != tt.ok {
			t.Errorf("At(%v) = %v, %v", tt.threshold, got, ok)
		}
	}
	if _, ok := Confidences(nil).At(0); ok {
		t.Error("an entry in nothing")
	}
}

func TestConfidenceAsJSON(t *testing.T) {
	got, err := json.Marshal(Confidences{{0.1, 0.5}})
	if err != nil || string(got) != `[{"threshold":0.1,"confidence":0.5}]` {
		t.Errorf("%s, error %v", got, err)
	}
}

func TestF2T(t *testing.T) {
	for factor, want := range map[float64]float64{1: 0, 2: 0.5, 4: 0.75, 0.5: -1, math.Inf(1): 1} {
		if got := F2T(factor); got != want {
			t.Errorf("F2T(%v) = %v, want %v", factor, got, want)
		}
	}
	for _, factor := range []float64{0, -1, math.Inf(-1), math.NaN()} {
		if got := F2T(factor); !math.IsNaN(got) {
			t.Errorf("F2T(%v) = %v", factor, got)
		}
	}
}

func TestMedianAndBlockLength(t *testing.T) {
	data := []float64{5, 1, 4}
	if Median(data) != 4 || data[0] != 5 || Median([]float64{4, 1, 2, 9}) != 3 || !math.IsNaN(Median(nil)) {
		t.Error("the median is not the middle")
	}
	for n, want := range map[int]int{-5: 1, 0: 1, 1: 1, 8: 2, 11: 2, 27: 3, 51: 4, 101: 5, 1000: 10} {
		if got := AutoBlockLength(n); got != want {
			t.Errorf("AutoBlockLength(%d) = %d, want %d", n, got, want)
		}
	}
}
