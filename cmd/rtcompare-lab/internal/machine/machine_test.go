package machine

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare"
)

// TestMain lets the test binary play a busy neighbour.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == BusyCommand {
		Busy(os.Stdin)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestBusyEndsWithItsInput(t *testing.T) {
	done := make(chan struct{})
	go func() { Busy(strings.NewReader("")); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("it goes on")
	}
}

// TestLoadEnds: stop and a cancelled context both end the neighbours.
func TestLoadEnds(t *testing.T) {
	stop, err := Load(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	stop()
	ctx, cancel := context.WithCancel(t.Context())
	if stop, err = Load(ctx, 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	stop()
}

func TestCycleVisitsEverything(t *testing.T) {
	ring := cycle(rand.New(rand.NewPCG(1, 1)), 4<<10)
	seen, at := make([]bool, len(ring)), uint32(0)
	for range ring {
		if seen[at] {
			t.Fatal("a cycle closes early")
		}
		seen[at] = true
		at = ring[at]
	}
	if at != 0 {
		t.Error("the cycle does not close")
	}
}

// TestEveryBatchRuns: fixtures build, their batches take any n, and what they
// compute is kept.
func TestEveryBatchRuns(t *testing.T) {
	before := sink
	for _, w := range append(Workloads(), chases()...) {
		batches := w.Fixture(rand.New(rand.NewPCG(1, 1)))
		for _, n := range []uint64{0, 1, 7} {
			batches(normalSteps)(n)
		}
	}
	for _, p := range adversarial() {
		for _, side := range p.sides {
			side.build(rand.New(rand.NewPCG(1, 1)))(3)
		}
	}
	if sink == before {
		t.Error("nothing was computed")
	}
}

// TestStatisticsRun: each timed statistic has an answer.
func TestStatisticsRun(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, f := range (costSamples{a: lognormal(r, costPairs), b: lognormal(r, costPairs), r: r}).statistics() {
		before := kept
		if f.run(); kept == before || math.IsNaN(kept) {
			t.Errorf("%s gives %g", f.name, kept-before)
		}
	}
}

// TestInjectionsAreExact: the steps of B are whole numbers, so that the true
// ratio is known.
func TestInjectionsAreExact(t *testing.T) {
	want := map[string]float64{"none": 1, "5%": 1.05, "20%": 1.2, "factor 2": 2}
	for _, in := range injections(1) {
		if got := float64(in.steps) / normalSteps; got != want[in.name] {
			t.Errorf("%s is a factor of %g", in.name, got)
		}
	}
}

func TestTally(t *testing.T) {
	var seen tally
	for _, v := range []rtcompare.Verdict{rtcompare.AFaster, rtcompare.BFaster, rtcompare.BFaster, rtcompare.Equivalent, rtcompare.Inconclusive, rtcompare.Unmeasurable} {
		seen.add(rtcompare.Report{Decision: rtcompare.Decision{Verdict: v}})
	}
	if seen.runs() != 6 || seen.a != 1 || seen.b != 2 || seen.equivalent != 1 || seen.inconclusive != 1 || seen.unmeasurable != 1 {
		t.Errorf("%+v", seen)
	}
}

func TestTurns(t *testing.T) {
	var sides []int
	slices, err := turns(4*time.Second, time.Second, func(which, _ int) (float64, error) {
		sides = append(sides, which)
		return float64(1 + which), nil
	})
	if err != nil || len(sides) != 4 || sides[0] != 0 || sides[1] != 1 || sides[2] != 1 || sides[3] != 0 {
		t.Errorf("%v, %v", sides, err)
	}
	if slices.ratio() != 2 {
		t.Errorf("ratio %g", slices.ratio())
	}
	if ratio, low, high := slices.interval(); ratio != math.Ln2 || !math.IsInf(low, -1) || !math.IsInf(high, 1) {
		t.Errorf("two slices of each give %g from %g to %g", ratio, low, high)
	}
	stopped := errors.New("stopped")
	if _, err := turns(time.Second, time.Second, func(int, int) (float64, error) { return 0, stopped }); !errors.Is(err, stopped) {
		t.Errorf("%v", err)
	}
}

func TestUnitMedians(t *testing.T) {
	got := unitMedians([][]float64{{1, 2}, {3}, {}, {}, {5}, {7}, {9}}, 2)
	if len(got) != 2 || got[0] != 2 || got[1] != 6 {
		t.Errorf("%v", got)
	}
}
