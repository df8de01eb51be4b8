package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
)

// Design is the plan of a sequential comparison: short batches in pairs, units
// of a length that is fixed before the first of them is judged, and an end that
// a stopping rule or the budget decides.
type Design struct {
	Order order.Kind
	Coin  order.Coin
	// Batch is the shortest acceptable batch. N fixes the batch size instead.
	Batch time.Duration
	N     int64
	MaxN  int64
	// Warmup runs before anything is measured.
	Warmup Warmup
	// Identical adds a second replica of every arm to every round, so that
	// each unit also compares each arm with itself.
	Identical bool
	// Rebuild opens fresh instances for every unit, in alternating order.
	Rebuild bool
	// Unit is the shortest unit and UnitPairs the smallest number of pairs in
	// it; a unit meets both unless the budget cannot hold enough such units.
	Unit      time.Duration
	UnitPairs int
	// NoCosts leaves out the stretches that show the cost of collections.
	NoCosts bool
	// FirstLook is the number of units before which there is no verdict. A
	// budget that cannot hold so many of the shortest possible units is an
	// error.
	FirstLook int
	// Budget is the time for the whole comparison.
	Budget time.Duration
	Seed   uint64
}

// Clock is the engine's own time. It decides about warm-up, unit length and
// budget, never about a measured value.
type Clock func() time.Duration

// Hooks are how a caller takes part in a run.
type Hooks struct {
	// Look is asked after every unit whether the comparison may end.
	Look func(units []record.Unit) (done bool)
	// Keep gets every unit as soon as it is complete. An error ends the run.
	Keep func(record.Unit) error
	// Stage is told which part of the run begins or how far it is.
	Stage func(stage Stage, done, total int)
	// Visited is called after every visit of an arm outside this process.
	Visited func()
}

// Stage is a part of a run.
type Stage string

// The stages of a sequential run, in order.
const (
	StageCalibrating Stage = "calibrating"
	StageWarming     Stage = "warming"
	StagePiloting    Stage = "piloting"
	StageMeasuring   Stage = "measuring"
)

// Outcome is what a sequential run produced.
type Outcome struct {
	Units []record.Unit
	// N is the batch size, Lead the lead-in in operations, LeadTime about how
	// long that is, Rounds the number of rounds in a unit.
	N, Lead  int64
	LeadTime time.Duration
	Rounds   int
	// Decided is set when the stopping rule ended the run, not the budget.
	Decided bool
	// ShortUnits is set when the budget forced units below the planned size.
	ShortUnits bool
	// Costs tells what is known about the arms' garbage collections.
	Costs  CostPlan
	Counts []Count
	Spent  time.Duration
}

// fewestUnits is how many units a budget has to hold for a fair chance of a
// verdict; units shrink to make room for so many.
const fewestUnits = 10

// run is the state of one sequential comparison.
type run struct {
	arms     []Arm
	design   Design
	now      Clock
	hooks    Hooks
	start    time.Duration
	sequence *order.Sequence
	loop     Loop
	nsPerOp  []float64
	outcome  Outcome
}

// Sequential runs a whole comparison by the design. It returns what was
// measured also when it ends with an error.
func Sequential(ctx context.Context, arms []Arm, design Design, now Clock, hooks Hooks) (Outcome, error) {
	r := &run{arms: arms, design: design, now: now, hooks: hooks, start: now(), sequence: order.New(design.Order, design.Coin)}
	err := r.all(ctx)
	if closeErr := r.loop.Close(); err == nil {
		err = closeErr
	}
	r.outcome.Spent = now() - r.start
	return r.outcome, err
}

func (r *run) all(ctx context.Context) error {
	if err := r.open(ctx, false); err != nil {
		return err
	}
	if err := r.calibrate(ctx); err != nil {
		return err
	}
	if needed := r.shortestRun(); needed > r.design.Budget && r.design.FirstLook > 0 {
		return fmt.Errorf("%w: it is %v, and with operations this long %d units take %v at least", ErrBudget, r.design.Budget, r.design.FirstLook, readable(needed))
	}
	r.stage(StageWarming, 0, 1)
	warmup := r.design.Warmup
	warmup.Duration = min(warmup.Duration, r.design.Budget/10)
	if err := r.loop.Warm(ctx, Request{N: r.outcome.N}, warmup, r.now); err != nil {
		return err
	}
	r.stage(StagePiloting, 0, 1)
	if err := r.count(ctx); err != nil {
		return err
	}
	if err := r.pilot(ctx); err != nil {
		return err
	}
	if err := r.size(ctx); err != nil {
		return err
	}
	return r.measure(ctx)
}

func (r *run) stage(s Stage, done, total int) {
	if r.hooks.Stage != nil {
		r.hooks.Stage(s, done, total)
	}
}

func (r *run) left() time.Duration { return r.design.Budget - (r.now() - r.start) }

// slots are the places of a round: every arm once, or twice where identical
// code is compared too.
func (r *run) slots() []order.Slot {
	if r.design.Identical {
		return order.Nested(len(r.arms))
	}
	return order.Plain(len(r.arms))
}

func (r *run) open(ctx context.Context, reverse bool) error {
	loop, err := Open(ctx, r.arms, r.slots(), Slot{Seed: r.design.Seed}, reverse, r.sequence)
	if err == nil {
		r.loop = loop
	}
	return err
}

// plain is a loop over the first replica of every arm.
func (r *run) plain() Loop {
	count := len(r.arms)
	return Loop{Slots: r.loop.Slots[:count], Sessions: r.loop.Sessions[:count], Order: r.sequence}
}

// calibrate finds one batch size for all arms, or measures at the given one.
func (r *run) calibrate(ctx context.Context) error {
	r.stage(StageCalibrating, 0, 1)
	sessions := r.plain().Sessions
	shortest := make([]time.Duration, len(sessions))
	if r.outcome.N = r.design.N; r.outcome.N == 0 {
		found, err := CalibrateAll(ctx, sessions, CalibrationPlan{Target: r.design.Batch, MaxN: r.design.MaxN})
		if err != nil {
			return err
		}
		for i, c := range found {
			r.outcome.N, shortest[i] = c.N, c.Shortest
		}
	} else {
		var err error
		if shortest, err = shortestBatches(ctx, sessions, r.outcome.N); err != nil {
			return err
		}
	}
	r.nsPerOp = make([]float64, len(sessions))
	for i := range shortest {
		r.nsPerOp[i] = max(float64(shortest[i]), 1) / float64(r.outcome.N)
	}
	return nil
}

// ErrBudget says that a budget cannot hold a comparison.
var ErrBudget = errors.New("the budget is too short")

// shortestRun is the time that the smallest number of the smallest units takes.
func (r *run) shortestRun() time.Duration {
	return time.Duration(r.design.FirstLook*2) * r.roundTime(0)
}

// readable rounds a duration up to three digits.
func readable(d time.Duration) time.Duration {
	step := time.Duration(1)
	for d/step >= 1000 {
		step *= 10
	}
	return (d + step - 1) / step * step
}

// roundTime is about how long one round of the final loop takes.
func (r *run) roundTime(lead int64) time.Duration {
	total := 0.0
	for _, slot := range r.slots() {
		total += r.nsPerOp[slot.Arm] * float64(lead+r.outcome.N)
	}
	return time.Duration(total)
}
