package comparison

import (
	"context"
	"errors"
	"time"

	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/host"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
)

// Arm is one side: what the record says about it, and what can be measured.
type Arm struct {
	record.Arm
	Engine engine.Arm
}

// Plan is a comparison that has not run yet.
type Plan struct {
	Settings Settings
	// Kind is "commands", "servers" or "mixed".
	Kind    string
	Tool    string
	Arms    []Arm
	Metrics []record.Metric
	// Settled tells from the pilot's rounds whether the warm-up may end; nil
	// means after one round.
	Settled func(pilot record.Unit) bool
	// Earlier holds the units of a run that is continued.
	Earlier []record.Unit
}

// Environment is what a run needs of the outside world. The zero value of a
// field means the machine's own.
type Environment struct {
	Now   func() time.Duration
	Time  func() time.Time
	Facts func() host.Facts
	Load  func() host.Load
	// Asleep is how long the machine slept since the run began.
	Asleep func() time.Duration
	// Keep gets every line of the record at once.
	Keep Keeper
	// Watch is told how the run goes.
	Watch func(Progress)
}

// Keeper writes a record as it grows. [record.Writer] is one.
type Keeper interface {
	Unit(record.Unit) error
	Judgement(record.Judgement) error
	End(record.End) error
}

// Progress is the state of a run after a stage or unit.
type Progress struct {
	Stage engine.Stage
	// Units is the number of units measured, Planned the number there will be
	// where that is known, Runs the number of visits of every arm.
	Units, Planned, Runs int
	// Judgements are those of the pairs with the reference, as far as known.
	Judgements []record.Judgement
	// Values are what the units hold so far.
	Values        []record.Unit
	Elapsed, Left time.Duration
}

// How a run ended.
const (
	StoppedClear       = "clear"
	StoppedPrecise     = "precise"
	StoppedTime        = "time"
	StoppedRuns        = "runs"
	StoppedInterrupted = "interrupted"
	StoppedFailed      = "failed"
)

// CodeSuspended says that the machine slept in the middle of the run.
const CodeSuspended = "suspended"

// longestSleep is how far the clocks may be apart without a suspension.
const longestSleep = time.Second

func (e Environment) withDefaults() Environment {
	if e.Now == nil {
		e.Now = clock.Now
	}
	if e.Time == nil {
		e.Time = time.Now
	}
	if e.Facts == nil {
		e.Facts = host.Open("/").Facts
	}
	if e.Load == nil {
		e.Load = host.Open("/").Load
	}
	if e.Asleep == nil {
		watch := clock.Clocks{}.Start()
		e.Asleep = func() time.Duration { return watch.Gap(longestSleep) }
	}
	return e
}

// Head is the first line of the plan's record.
func (p Plan) Head(e Environment) (record.Head, error) {
	e = e.withDefaults()
	plan, err := p.Settings.plan()
	if err != nil {
		return record.Head{}, err
	}
	head := record.Head{Schema: record.Schema, Tool: p.Tool, Kind: p.Kind, Started: e.Time(), Seed: p.Settings.Seed, Plan: plan, Host: e.Facts(), Metrics: p.Metrics}
	for _, arm := range p.Arms {
		head.Arms = append(head.Arms, arm.Arm)
	}
	return head, nil
}

// run is the state of one comparison.
type run struct {
	plan   Plan
	env    Environment
	start  time.Duration
	record record.Record
	judged []record.Judgement
	before host.Load
	// shown is the last progress that was told.
	shown Progress
}

// Run carries out a plan and returns its record, judged and closed. A failing
// arm and a full disk are errors; what was measured before is in the record all
// the same. The end of ctx is no error: the record says so.
func Run(ctx context.Context, plan Plan, head record.Head, env Environment) (record.Record, error) {
	r := &run{plan: plan, env: env.withDefaults()}
	r.start, r.before = r.env.Now(), r.env.Load()
	r.record.Head = head
	r.record.Units = append(r.record.Units, plan.Earlier...)
	arms := make([]engine.Arm, len(plan.Arms))
	for i, arm := range plan.Arms {
		arms[i] = arm.Engine
	}
	outcome, err := engine.Outside(ctx, arms, r.design(), engine.Clock(r.env.Now), engine.Hooks{Look: r.look, Keep: r.keep, Stage: r.stage, Visited: r.visited})
	stopped := r.stopped(outcome, err)
	if stopped == StoppedInterrupted {
		err = nil
	}
	return r.record, r.close(stopped, err)
}

func (r *run) keep(u record.Unit) error {
	r.record.Units = append(r.record.Units, u)
	if r.env.Keep == nil {
		return nil
	}
	return r.env.Keep.Unit(u)
}

// look judges what there is and reports whether it is enough.
func (r *run) look(units []record.Unit) bool {
	s := r.plan.Settings
	if s.Method == JZS {
		return r.lookBayes(units)
	}
	r.judged = judgeReference(units, s, len(r.plan.Arms), r.unfit())
	runs := visits(units)
	if len(units) < judge.FirstLook || runs < s.Fewest {
		return false
	}
	if len(r.plan.Arms) == 1 {
		return r.env.Now()-r.start >= singleTime && s.Precision == 0
	}
	return clear(r.judged, s)
}

// singleTime is how long a command is measured that is compared with nothing.
const singleTime = 3 * time.Second

// visits is how often every arm was measured.
func visits(units []record.Unit) int {
	count := 0
	for i := range units {
		for _, cell := range units[i].Cells {
			if cell.Arm == 0 {
				count += len(cell.Wall)
			}
		}
	}
	return count
}

func (r *run) unfit() string {
	if r.env.Asleep() > 0 {
		return CodeSuspended
	}
	return ""
}

func (r *run) stage(stage engine.Stage, done, total int) {
	if r.env.Watch == nil {
		return
	}
	main := record.Select(r.record.Units, record.Main)
	r.shown = Progress{Stage: stage, Units: done, Planned: total, Runs: visits(main), Judgements: r.judged, Values: main}
	r.visited()
}

// visited tells the time that has passed; units take long where runs do.
func (r *run) visited() {
	if r.env.Watch == nil {
		return
	}
	r.shown.Elapsed = r.env.Now() - r.start
	r.shown.Left = max(0, r.plan.Settings.Budget-r.shown.Elapsed)
	r.env.Watch(r.shown)
}

// stopped says why the run ended.
func (r *run) stopped(outcome engine.Outcome, err error) string {
	s := r.plan.Settings
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return StoppedInterrupted
	case err != nil:
		return StoppedFailed
	case s.Runs > 0 && s.Method != JZS, s.Most > 0 && !outcome.Decided && outcome.Spent < s.Budget:
		return StoppedRuns
	case outcome.Decided && s.Method == JZS && r.judged[0].Verdict == record.Inconclusive:
		return StoppedRuns
	case outcome.Decided && s.Precision > 0:
		return StoppedPrecise
	case outcome.Decided && len(r.plan.Arms) > 1:
		return StoppedClear
	}
	return StoppedTime
}

// close judges all pairs and writes the end of the record.
func (r *run) close(stopped string, err error) error {
	main := record.Select(r.record.Units, record.Main)
	if r.plan.Settings.Method == JZS {
		r.record.Judgements = r.judged
	} else if len(main) > 0 {
		r.record.Judgements = Judge(main, r.plan.Settings, len(r.plan.Arms), r.unfit())
	}
	facts, _ := r.record.Head.Host.(host.Facts)
	end := record.End{Stopped: stopped, Seconds: (r.env.Now() - r.start).Seconds()}
	for _, f := range host.Fitness(r.before, r.env.Load(), facts) {
		end.Machine = append(end.Machine, record.Finding{Code: f.Code, Text: f.Text, Value: f.Value})
	}
	r.record.End = &end
	if r.env.Keep == nil {
		return err
	}
	for _, j := range r.record.Judgements {
		if keepErr := r.env.Keep.Judgement(j); err == nil {
			err = keepErr
		}
	}
	if keepErr := r.env.Keep.End(end); err == nil {
		err = keepErr
	}
	return err
}
