package noise

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rtcompare/rtcompare/internal/stat"
)

func series(m Model, n int, seed uint64) []float64 {
	p := m.New(rand.New(rand.NewPCG(seed, 1)))
	x := make([]float64, n)
	for i := range x {
		first, second := p.Pair()
		x[i] = second - first
	}
	return x
}

// TestScatterAndMemory compares the models with their descriptions.
func TestScatterAndMemory(t *testing.T) {
	const n = 200_000
	tests := []struct {
		name       string
		sd         float64 // zero: not part of the description
		lag1       float64
		sdTolerant float64
	}{
		{"iid", SD, 0, 0.02},
		{"lognormal", SD, 0, 0.05},
		{"ar0.2", SD, 0.2, 0.02},
		{"ar0.46", SD, 0.46, 0.02},
		{"ar0.8", SD, 0.8, 0.03},
		{"wander", SD, 0.19, 0.02},
		{"regime", SD, 0.23, 0.02},
		{"slow-regime", SD, 0.25, 0.03},
		{"quantised", SD, 0, 0.02},
	}
	for _, test := range tests {
		models, err := Named(test.name)
		if err != nil {
			t.Fatal(err)
		}
		x := series(models[0], n, 1)
		_, sd := stat.MeanAndSD(x)
		if math.Abs(sd/test.sd-1) > test.sdTolerant {
			t.Errorf("%s: sd %.5f, want %.5f", test.name, sd, test.sd)
		}
		if lag1 := stat.Lag1(x); math.Abs(lag1-test.lag1) > 0.012 {
			t.Errorf("%s: lag-1 %.3f, want %.3f", test.name, lag1, test.lag1)
		}
	}
}

// TestMediansAreZero: identical code has no difference under any model. The
// medians of independent processes are averaged, because those of one with a
// long memory say little.
func TestMediansAreZero(t *testing.T) {
	for _, m := range All() {
		medians := make([]float64, 200)
		for i := range medians {
			medians[i] = stat.Median(series(m, 1001, uint64(i)))
		}
		mean, sd := stat.MeanAndSD(medians)
		if limit := 4 * sd / math.Sqrt(float64(len(medians))); math.Abs(mean) > limit {
			t.Errorf("%s: median %.5f is not zero within %.5f", m.Name, mean, limit)
		}
	}
}

func TestSameSeedSameNoise(t *testing.T) {
	for _, m := range All() {
		if !slices.Equal(series(m, 500, 7), series(m, 500, 7)) {
			t.Errorf("%s: two processes with one seed differ", m.Name)
		}
		if slices.Equal(series(m, 500, 7), series(m, 500, 8)) {
			t.Errorf("%s: two seeds give the same process", m.Name)
		}
	}
}

// TestBursts checks the share of slow batches and the length of spells.
func TestBursts(t *testing.T) {
	b := newBursts(rand.New(rand.NewPCG(3, 1))).(*bursts)
	slow, spells, previous := 0, 0, false
	const n = 200_000
	for range n {
		b.Pair()
		if b.slow[0] {
			slow++
			if !previous {
				spells++
			}
		}
		previous = b.slow[0]
	}
	if share := float64(slow) / n; math.Abs(share-burstShare) > 0.01 {
		t.Errorf("%.3f of the batches are slow", share)
	}
	if length := float64(slow) / float64(spells); math.Abs(length-burstLength) > 0.2 {
		t.Errorf("spells last %.2f batches", length)
	}
}

func TestNamed(t *testing.T) {
	if models, err := Named(""); err != nil || len(models) != len(All()) {
		t.Errorf("the empty list: %d models, %v", len(models), err)
	}
	models, err := Named("iid,ar0.46")
	if err != nil || len(models) != 2 || models[1].Name != "ar0.46" {
		t.Errorf("%v, %v", models, err)
	}
	for _, bad := range []string{"pink", "ar1.5", "iid,"} {
		if _, err := Named(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
