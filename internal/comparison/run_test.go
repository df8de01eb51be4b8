package comparison

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/host"
	"github.com/rtcompare/rtcompare/internal/record"
)

// fakeClock is moved by the runs of fake commands only.
type fakeClock struct{ time time.Duration }

// fakeArm is a command that takes about so long.
type fakeArm struct {
	clock *fakeClock
	mean  time.Duration
	noise float64
	coin  *rand.Rand
	runs  int
	// fail is asked before every run.
	fail func(run int) error
}

func (a *fakeArm) Open(context.Context, engine.Slot) (engine.Session, error) { return a, nil }
func (a *fakeArm) Settle(context.Context) error                              { return nil }
func (a *fakeArm) Close() error                                              { return nil }
func (a *fakeArm) Do(_ context.Context, request engine.Request, s *engine.Sample) error {
	a.runs++
	if a.fail != nil {
		if err := a.fail(a.runs); err != nil {
			return err
		}
	}
	s.Wall = int64(float64(request.N) * float64(a.mean) * math.Exp(a.noise*a.coin.NormFloat64()))
	s.CPU = s.Wall / 2
	s.Extra = []engine.Extra{{Metric: "memory", Value: float64(a.mean)}}
	a.clock.time += time.Duration(s.Wall)
	return nil
}

func fakePlan(clock *fakeClock, s Settings, means ...time.Duration) Plan {
	plan := Plan{Settings: s, Kind: "commands", Tool: "test", Metrics: []record.Metric{{Name: "memory", Unit: "B", Better: "lower"}}}
	for i, mean := range means {
		plan.Arms = append(plan.Arms, Arm{
			Arm:    record.Arm{Name: string(rune('a' + i))},
			Engine: &fakeArm{clock: clock, mean: mean, noise: 0.02, coin: rand.New(rand.NewPCG(uint64(i), 7))},
		})
	}
	return plan
}

func fakeEnvironment(clock *fakeClock) Environment {
	return Environment{
		Now: func() time.Duration { return clock.time }, Time: func() time.Time { return time.Unix(0, 0).UTC() },
		Facts: func() host.Facts { return host.Facts{OS: "test"} }, Load: func() host.Load { return host.Load{} },
		Asleep: func() time.Duration { return 0 },
	}
}

func anytime() Settings {
	return Settings{Method: Anytime, Metric: "wall", Others: []string{"cpu", "memory"}, ErrorRate: 0.01, Margin: 0.01, Budget: 20 * time.Second, Patient: true, Operations: 1, Seed: 5}
}

func runFake(t *testing.T, ctx context.Context, plan Plan, env Environment) (record.Record, error) {
	t.Helper()
	head, err := plan.Head(env)
	if err != nil {
		t.Fatal(err)
	}
	return Run(ctx, plan, head, env)
}

func TestRunStopsWhenTheAnswerIsClear(t *testing.T) {
	clock := &fakeClock{}
	got, err := runFake(t, context.Background(), fakePlan(clock, anytime(), 10*time.Millisecond, 12*time.Millisecond), fakeEnvironment(clock))
	if err != nil {
		t.Fatal(err)
	}
	if got.End.Stopped != StoppedClear || len(got.Judgements) != 3 {
		t.Fatalf("stopped %q with %d judgements, want clear with wall, cpu and memory", got.End.Stopped, len(got.Judgements))
	}
	j := got.Judgements[0]
	if j.Verdict != record.Slower || j.Low > math.Log(1.2) || j.High < math.Log(1.2) {
		t.Errorf("%s [%v %v], want slower around ln 1.2", j.Verdict, j.Low, j.High)
	}
	if clock.time > 4*time.Second {
		t.Errorf("it took %v, want five units of half a second and a little", clock.time)
	}
}

func TestSeveralArmsShareTheErrorRate(t *testing.T) {
	clock := &fakeClock{}
	s := anytime()
	s.Others = nil
	got, err := runFake(t, context.Background(), fakePlan(clock, s, 10*time.Millisecond, 12*time.Millisecond, 13*time.Millisecond), fakeEnvironment(clock))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Judgements) != 3 {
		t.Fatalf("%d judgements, want one per pair", len(got.Judgements))
	}
	for _, j := range got.Judgements {
		if math.Abs(j.ErrorRate-0.01/3) > 1e-12 {
			t.Errorf("error rate %v of a pair, want a third of 0.01", j.ErrorRate)
		}
	}
	if last := got.Judgements[2]; last.Base != 1 || last.Arm != 2 {
		t.Errorf("the last pair is %d and %d", last.Base, last.Arm)
	}
}

func TestExactNumberOfRuns(t *testing.T) {
	for _, runs := range []int{1, 2, 3, 10, 11, 50, 101} {
		clock := &fakeClock{}
		s := anytime()
		s.Method, s.Runs = Fixed, runs
		plan := fakePlan(clock, s, 10*time.Millisecond, 20*time.Millisecond)
		got, err := runFake(t, context.Background(), plan, fakeEnvironment(clock))
		if err != nil {
			t.Fatal(err)
		}
		for i, arm := range plan.Arms {
			if made := arm.Engine.(*fakeArm).runs; made != runs {
				t.Errorf("arm %d ran %d times, want %d", i, made, runs)
			}
		}
		if got.End.Stopped != StoppedRuns {
			t.Errorf("stopped %q", got.End.Stopped)
		}
		if runs >= 10 && got.Judgements[0].Verdict != record.Slower {
			t.Errorf("%d runs: twice the time is %s", runs, got.Judgements[0].Verdict)
		}
	}
}

func TestInterruptedRunIsJudgedAsFarAsItCame(t *testing.T) {
	clock := &fakeClock{}
	ctx, cancel := context.WithCancel(context.Background())
	s := anytime()
	s.Margin = 0 // nothing is ever clear
	plan := fakePlan(clock, s, 10*time.Millisecond, 10*time.Millisecond)
	plan.Arms[0].Engine.(*fakeArm).fail = func(run int) error {
		if run == 300 {
			cancel()
		}
		return nil
	}
	got, err := runFake(t, ctx, plan, fakeEnvironment(clock))
	if err != nil {
		t.Fatal(err)
	}
	if got.End.Stopped != StoppedInterrupted || len(got.Judgements) == 0 || len(record.Select(got.Units, record.Main)) == 0 {
		t.Errorf("stopped %q with %d judgements of %d units", got.End.Stopped, len(got.Judgements), len(got.Units))
	}
}

func TestFailureKeepsWhatWasMeasured(t *testing.T) {
	clock := &fakeClock{}
	failure := errors.New("exit status 3")
	plan := fakePlan(clock, anytime(), 10*time.Millisecond, 10*time.Millisecond)
	plan.Arms[1].Engine.(*fakeArm).fail = func(run int) error {
		if run == 200 {
			return failure
		}
		return nil
	}
	path := filepath.Join(t.TempDir(), "r.jsonl")
	env := fakeEnvironment(clock)
	head, err := plan.Head(env)
	if err != nil {
		t.Fatal(err)
	}
	journal, err := CreateJournal(path, head)
	if err != nil {
		t.Fatal(err)
	}
	env.Keep = journal
	got, err := Run(context.Background(), plan, head, env)
	if !errors.Is(err, failure) || got.End.Stopped != StoppedFailed {
		t.Errorf("error %v, stopped %q", err, got.End.Stopped)
	}
	journal.Close()
	kept, err := Open(path)
	if err != nil || len(kept.Units) != len(got.Units) || kept.End == nil {
		t.Errorf("the file holds %d units of %d: %v", len(kept.Units), len(got.Units), err)
	}
}

// A killed run leaves a record with a torn line. It goes on from there, and its
// judgement rests on the units of both parts.
func TestKilledRunIsContinued(t *testing.T) {
	clock := &fakeClock{}
	s := anytime()
	s.Margin = 0
	s.Budget = 5 * time.Second
	path := filepath.Join(t.TempDir(), "r.jsonl")
	plan := fakePlan(clock, s, 10*time.Millisecond, 10*time.Millisecond)
	env := fakeEnvironment(clock)
	head, err := plan.Head(env)
	if err != nil {
		t.Fatal(err)
	}
	journal, err := CreateJournal(path, head)
	if err != nil {
		t.Fatal(err)
	}
	env.Keep = journal
	ctx, kill := context.WithCancel(context.Background())
	env.Watch = func(p Progress) {
		if p.Units == 3 {
			kill()
		}
	}
	before, err := engineOnly(ctx, plan, head, env)
	if err == nil {
		t.Fatal("the run was not killed")
	}
	journal.Write([]byte(`{"unit":{"purp`))
	journal.Close()

	journal, read, err := ContinueJournal(path)
	if err != nil || !read.Torn {
		t.Fatalf("torn %v, error %v", read.Torn, err)
	}
	settings, err := SettingsOf(read.Head)
	if err != nil || settings.Budget != s.Budget || settings.Method != Anytime || settings.Seed != 5 {
		t.Fatalf("settings %+v read back: %v", settings, err)
	}
	plan.Settings, plan.Earlier = settings, read.Units
	env.Keep, env.Watch = journal, nil
	after, err := Run(context.Background(), plan, read.Head, env)
	if err != nil {
		t.Fatal(err)
	}
	journal.Close()
	if main := record.Select(after.Units, record.Main); len(main) <= before || main[3].Index != 3 {
		t.Errorf("%d units after %d", len(main), before)
	}
	zipped, err := Compress(path)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := Open(zipped)
	if err != nil || len(kept.Units) != len(after.Units) || kept.End == nil || kept.Torn {
		t.Errorf("the file holds %d of %d units, torn %v: %v", len(kept.Units), len(after.Units), kept.Torn, err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("the plain record is still there beside the compressed one")
	}
}

// engineOnly measures without closing the record, as a killed process does.
func engineOnly(ctx context.Context, plan Plan, head record.Head, env Environment) (units int, err error) {
	r := &run{plan: plan, env: env.withDefaults()}
	r.record.Head = head
	outcome, err := engine.Outside(ctx, []engine.Arm{plan.Arms[0].Engine, plan.Arms[1].Engine}, r.design(), engine.Clock(env.Now), engine.Hooks{Look: r.look, Keep: r.keep, Stage: r.stage})
	return len(outcome.Units), err
}

func TestStoreNamesAndFindsRecords(t *testing.T) {
	store := Store{filepath.Join(t.TempDir(), "a", "b")}
	if _, err := store.Last(); err == nil {
		t.Error("an empty store has a last record")
	}
	var made []string
	for i := range 3 {
		path, err := store.NewPath(time.Unix(int64(i/2), 0), "x/../y z")
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Dir(path) != store.Directory {
			t.Errorf("%s lies outside of the store", path)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		made = append(made, path)
	}
	if last, err := store.Last(); err != nil || last != made[2] {
		t.Errorf("last is %s, want %s: %v", last, made[2], err)
	}
}

func TestNoMoreRunsThanAllowed(t *testing.T) {
	for _, most := range []int{1, 2, 3, 10, 11, 25, 1000} {
		clock := &fakeClock{}
		s := anytime()
		s.Most, s.Margin, s.Budget = most, 0, time.Minute
		plan := fakePlan(clock, s, 100*time.Millisecond, 100*time.Millisecond)
		got, err := runFake(t, context.Background(), plan, fakeEnvironment(clock))
		if err != nil {
			t.Fatal(err)
		}
		units := record.Select(got.Units, record.Main)
		if runs := visits(units); runs > most || runs == 0 {
			t.Errorf("%d runs of each, at most %d are allowed", runs, most)
		}
		if most < 100 && got.End.Stopped != StoppedRuns {
			t.Errorf("at most %d: stopped %q", most, got.End.Stopped)
		}
	}
}

func TestSchedule(t *testing.T) {
	for runs, want := range map[int][]int{
		1: {0}, 2: {1}, 3: {1}, 10: {1, 1, 1, 1, 1}, 20: {2, 2, 2, 2, 2}, 100: {10, 10, 10, 10, 10},
	} {
		if got := schedule(runs); !slices.Equal(got, want) {
			t.Errorf("%d runs: rounds %v, want %v", runs, got, want)
		}
	}
}
