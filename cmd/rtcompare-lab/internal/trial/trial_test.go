package trial

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

func TestRunDoesNotDependOnGoroutines(t *testing.T) {
	one := func(r *rand.Rand) uint64 { return r.Uint64() }
	alone := Run(Plan{Seed: 3, Parallel: 1}, "x", 200, one)
	if together := Run(Plan{Seed: 3, Parallel: 7}, "x", 200, one); !slices.Equal(alone, together) {
		t.Error("results depend on the number of goroutines")
	}
	distinct := slices.Concat(alone, Run(Plan{Seed: 4}, "x", 200, one), Run(Plan{Seed: 3}, "y", 200, one))
	slices.Sort(distinct)
	if len(slices.Compact(distinct)) != 600 {
		t.Error("trials share random numbers")
	}
}

// TestFixed checks the shape of a simulated comparison and that the truth is in
// it.
func TestFixed(t *testing.T) {
	c := Fixed{Noise: noise.White(), Truth: 0.5}.Simulate(rand.New(rand.NewPCG(1, 1)))
	if identical := len(record.Select(c.Units, record.AA)); identical != rtcompare.DefaultValidationRuns || len(c.Units) != identical+1 {
		t.Errorf("%d units, %d of identical code", len(c.Units), identical)
	}
	for _, u := range c.Units {
		if len(u.Order) != rtcompare.DefaultRepeats {
			t.Errorf("an order of %d rounds", len(u.Order))
		}
		for _, cell := range u.Cells {
			if len(cell.Wall) != rtcompare.DefaultRepeats {
				t.Errorf("a cell of %d values", len(cell.Wall))
			}
		}
	}
	if m := stat.Median(c.Ratios); math.Abs(m-0.5) > 0.02 {
		t.Errorf("the ratio is %g", m)
	}
	if c.Policy.BlockLength != 1 {
		t.Errorf("blocks of %d for white noise", c.Policy.BlockLength)
	}
	c = Fixed{Noise: noise.AR(0.6)}.Simulate(rand.New(rand.NewPCG(1, 1)))
	if c.Policy.BlockLength != 5 {
		t.Errorf("blocks of %d for noise with a memory", c.Policy.BlockLength)
	}
}

// TestPosition: the batch that runs second is slower, whichever it is.
func TestPosition(t *testing.T) {
	still := noise.Model{Position: 0.1, New: func(*rand.Rand) noise.Process { return silence{} }}
	c := Fixed{Noise: still, Pairs: 12, Runs: 2}.Simulate(rand.New(rand.NewPCG(1, 1)))
	for i, ratio := range c.Ratios {
		want := 0.1
		if i%2 == 1 {
			want = -0.1
		}
		if math.Abs(ratio-want) > 1e-6 {
			t.Errorf("pair %d has the ratio %g, want %g", i, ratio, want)
		}
	}
}

type silence struct{}

func (silence) Pair() (first, second float64) { return 0, 0 }

func TestUnitHasItsMedians(t *testing.T) {
	s := NewSequence(rand.New(rand.NewPCG(1, 1)), noise.White(), 0)
	m := Medians{Main: 0.012, Identical: [2]float64{0.003, -0.005}}
	got := MediansOf(s.Unit(m))
	for _, pair := range [][2]float64{{got.Main, m.Main}, {got.Identical[0], m.Identical[0]}, {got.Identical[1], m.Identical[1]}} {
		if math.Abs(pair[0]-pair[1]) > 1e-12 {
			t.Errorf("%g, want %g", pair[0], pair[1])
		}
	}
	if reflect.DeepEqual(s.Medians(), s.Medians()) {
		t.Error("two units are equal")
	}
}
