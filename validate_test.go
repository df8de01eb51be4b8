package rtcompare

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/record"
)

// identicalRuns measures runs of identical code on the machine.
func (m *machine) identicalRuns(t *testing.T, candidates []Candidate, opt CollectOptions, runs int) []record.Unit {
	t.Helper()
	h := newHarness(candidates, opt, m.environment())
	if err := h.size(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	units, err := h.identical(context.Background(), runs, -1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return units
}

func TestValidationOrder(t *testing.T) {
	tests := []struct {
		name string
		opt  CollectOptions
		want string // of the first two rounds
	}{
		{"sequential", CollectOptions{Order: OrderSequential}, "abbaabba"},
		{"ABBA", CollectOptions{}, "abbaabba"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine()
			opt := tt.opt
			opt.Repeats, opt.InnerLoops, opt.SkipWarmup, opt.Seed = 12, 10, true, 3
			units := m.identicalRuns(t, m.pair(100, 200), opt, 3)
			if got := string(m.visits); !strings.HasPrefix(got, tt.want) || len(got) != 3*4*12 {
				t.Errorf("visited %s", got)
			}
			for i, u := range units {
				if u.Purpose != record.AA || u.Index != i || len(u.Cells) != 4 {
					t.Errorf("unit %d: %+v", i, u)
				}
				for arm, ns := range []int64{1000, 2000} {
					for replica := range 2 {
						if cell := u.Find(arm, replica); len(cell.Wall) != 12 || cell.N != 10 || math.Abs(float64(cell.Wall[5]-ns)) > float64(ns)/10 {
							t.Errorf("unit %d, arm %d, replica %d: %+v", i, arm, replica, cell)
						}
					}
				}
			}
		})
	}
}

// The whole warm-up comes before the first run, and only its count later.
func TestValidationWarmsUpOnce(t *testing.T) {
	m := newMachine()
	opt := CollectOptions{Repeats: 11, InnerLoops: 1000, Warmup: 2, WarmupDuration: 10 * time.Millisecond}
	m.identicalRuns(t, m.pair(100, 100), opt, 3)
	// A round of four batches takes 0.4 ms; 11 of them are measured per run.
	warm := len(m.visits)/4 - 3*11 - 2*2
	if warm < 25 || warm > 26 {
		t.Errorf("%d rounds of warm-up before the first run", warm)
	}
}

func TestSummaryOfIdenticalCode(t *testing.T) {
	m := newMachine()
	units := m.identicalRuns(t, m.pair(100, 200), CollectOptions{Repeats: 31, InnerLoops: 200, SkipWarmup: true, Seed: 4}, 20)
	for arm := range 2 {
		v := summarize(units, arm, 0.95)
		sizes := absolutes(v.Deltas)
		slices.Sort(sizes)
		if v.Runs != 20 || len(v.Deltas) != 20 || len(v.Confidences) != 20 || v.InnerLoops != 200 || v.Level != 0.95 {
			t.Errorf("%+v", v)
		}
		if v.MaxObservedNoise != sizes[19] || v.TypicalNoise != (sizes[9]+sizes[10])/2 || v.NoiseFloor > sizes[18] || v.NoiseFloor < sizes[17] || v.TypicalNoise > v.NoiseFloor {
			t.Errorf("noise floor %v, typical %v, worst %v of %v", v.NoiseFloor, v.TypicalNoise, v.MaxObservedNoise, sizes)
		}
		sum := 0.0
		for _, c := range v.Confidences {
			if c < 0 || c > 1 {
				t.Errorf("confidence %v", c)
			}
			sum += c / 20
		}
		if !near(v.MeanConfidence, sum, 1e-12) || v.MeanConfidence < 0.2 || v.MeanConfidence > 0.8 {
			t.Errorf("mean confidence %v", v.MeanConfidence)
		}
		for name, share := range map[string]float64{"ties": v.TieRate, "drifting": v.DriftRate, "signals": v.FalseSignalRate} {
			if share < 0 || share > 1 {
				t.Errorf("%s: %v", name, share)
			}
		}
		if !near(v.DriftRate*20, math.Round(v.DriftRate*20), 1e-9) || v.MedianDriftShift < 0 {
			t.Errorf("drift rate %v, shift %v", v.DriftRate, v.MedianDriftShift)
		}
	}
}

func TestSummaryOfNothing(t *testing.T) {
	if v := summarize(nil, 0, 0.95); v.Runs != 0 || v.NoiseFloor != 0 || v.Level != 0.95 {
		t.Errorf("%+v", v)
	}
}

// The confidence of a run splits ties between both halves.
func TestTiesAreSplit(t *testing.T) {
	tests := []struct {
		name                    string
		ratios                  []float64
		delta, confidence, tied float64
	}{
		{"all tied", constant(11, 1), 0, 0.5, 1},
		{"first is faster", constant(11, 0.5), 0.5, 1, 0},
		{"first is slower", constant(11, 2), -1, 0, 0},
		{"no time at all", constant(11, math.Inf(1)), 0, 0, 0},
	}
	for _, tt := range tests {
		delta, confidence, tied := splitConfidence(slices.Clone(tt.ratios))
		if delta != tt.delta || !near(confidence, tt.confidence, 1e-12) || !near(tied, tt.tied, 1e-12) {
			t.Errorf("%s: %v, %v, %v", tt.name, delta, confidence, tied)
		}
	}
	// Whatever the ties, a confidence and that of the mirror image make one.
	r := NewDPRNG(1)
	for range 50 {
		ratios, mirror := make([]float64, 31), make([]float64, 31)
		for i := range ratios {
			ratios[i] = 1 + math.Floor(4*r.Float64()-2)/100
			mirror[i] = 1 / ratios[i]
		}
		_, there, tied := splitConfidence(ratios)
		_, back, _ := splitConfidence(mirror)
		if !near(there+back, 1, 1e-9) || tied < 0 || tied > 1 {
			t.Errorf("confidences %v and %v", there, back)
		}
	}
}

func TestResolves(t *testing.T) {
	v := HarnessValidation{NoiseFloor: 0.02}
	for difference, want := range map[float64]bool{0.021: true, -0.021: true, 0.02: false, -0.02: false, 0: false} {
		if got := v.Resolves(difference); got != want {
			t.Errorf("a floor of 2 %% resolves %v: %v", difference, got)
		}
	}
}

func TestValidateForReal(t *testing.T) {
	opt := ValidationOptions{Runs: 8, Collect: CollectOptions{Repeats: 21, WarmupDuration: time.Millisecond}}
	a, b, err := ValidatePair(spinning(50), spinning(100), opt)
	if err != nil {
		t.Fatal(err)
	}
	single, err := ValidateHarness(spinning(50), opt)
	if err != nil {
		t.Fatal(err)
	}
	if a.InnerLoops != b.InnerLoops || a.InnerLoops == 0 || single.InnerLoops == 0 {
		t.Errorf("batches of %d, %d and %d", a.InnerLoops, b.InnerLoops, single.InnerLoops)
	}
	for name, v := range map[string]HarnessValidation{"a": a, "b": b, "single": single} {
		if v.Runs != 8 || v.Level != DefaultValidationLevel || v.NoiseFloor < 0 || v.TypicalNoise > v.NoiseFloor || len(v.Deltas) != 8 {
			t.Errorf("%s: %+v", name, v)
		}
		if lines := strings.Split(v.String(), "\n"); len(lines) != 8 {
			t.Errorf("%s:\n%s", name, v)
		}
	}
}
