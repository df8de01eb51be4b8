package comparison

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/record"
)

// tracing writes down which arm ran.
type tracing struct {
	*fakeArm
	name string
	log  *[]string
}

func (a tracing) Open(context.Context, engine.Slot) (engine.Session, error) { return a, nil }
func (a tracing) Do(ctx context.Context, request engine.Request, s *engine.Sample) error {
	*a.log = append(*a.log, a.name)
	return a.fakeArm.Do(ctx, request, s)
}

func bayesPlan(clock *fakeClock, log *[]string, means ...time.Duration) Plan {
	plan := fakePlan(clock, Settings{
		Method: JZS, Metric: "wall", Operations: 1, Budget: time.Hour, Warmup: 3, ErrorRate: 0.05, Seed: 1,
		Bayes: &BayesSettings{Certainty: 0.99, CredibleMass: 0.95, MinEffect: 0.01, PriorScale: 0.707, BatchRounds: 4, MinRounds: 16, MaxRounds: 200},
	}, means...)
	for i := range plan.Arms {
		plan.Arms[i].Engine = tracing{plan.Arms[i].Engine.(*fakeArm), plan.Arms[i].Name, log}
	}
	return plan
}

func TestBayesRoundsRunAsInFinefile(t *testing.T) {
	clock, log := &fakeClock{}, []string{}
	got, err := runFake(t, context.Background(), bayesPlan(clock, &log, 10*time.Millisecond, 12*time.Millisecond), fakeEnvironment(clock))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"a", "b", "b", "a", "a", "b"} // three pairs of warm-up
	want = append(want, "a", "b", "b", "a", "b", "a", "a", "b", "a", "b", "b", "a")
	if !slices.Equal(log[6:len(want)], want[6:]) {
		t.Errorf("ran %v, want %v", log[:len(want)], want)
	}
	units := record.Select(got.Units, record.Main)
	j := got.Judgements[0]
	if len(units) < 16 || len(units) > 40 || j.Verdict != record.Slower || got.End.Stopped != StoppedClear {
		t.Errorf("%s after %d rounds, stopped %q", j.Verdict, len(units), got.End.Stopped)
	}
	if j.Low > math.Log(1.2) || j.High < math.Log(1.2) {
		t.Errorf("interval [%v, %v] misses ln 1.2", j.Low, j.High)
	}
}

func TestBayesEndsAfterItsRounds(t *testing.T) {
	clock, log := &fakeClock{}, []string{}
	plan := bayesPlan(clock, &log, 10*time.Millisecond, 10100*time.Microsecond)
	plan.Settings.Bayes.MaxRounds, plan.Settings.Bayes.Alternate = 18, true
	got, err := runFake(t, context.Background(), plan, fakeEnvironment(clock))
	if err != nil {
		t.Fatal(err)
	}
	if units := record.Select(got.Units, record.Main); len(units) != 18 || len(units[0].Cells[0].Wall) != 1 {
		t.Errorf("%d rounds of %d runs", len(units), len(units[0].Cells[0].Wall))
	}
	if got.End.Stopped != StoppedRuns || got.Judgements[0].Verdict != record.Inconclusive {
		t.Errorf("stopped %q with %s", got.End.Stopped, got.Judgements[0].Verdict)
	}
}

// Sides may have different numbers of requests; what counts is requests per
// second.
func TestThroughputCountsOperations(t *testing.T) {
	unit := record.Unit{Cells: []record.Cell{{Arm: 0, N: 100, Wall: []int64{1e9, 1e9}}, {Arm: 1, N: 50, Wall: []int64{5e8, 5e8}}}}
	if d := LogThroughputDifferences([]record.Unit{unit}); len(d) != 1 || math.Abs(d[0]) > 1e-12 {
		t.Errorf("differences %v, want none", d)
	}
}
