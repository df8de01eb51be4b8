package engine

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
)

// OutsideDesign is the plan of a comparison of arms that run outside this
// process, such as commands and servers. Nothing is known of their heaps, and a
// visit is long enough to be its own lead-in, so there is no pilot for one.
type OutsideDesign struct {
	Order order.Kind
	Coin  order.Coin
	// N is the number of operations of a visit. 0 finds the smallest for which
	// every arm's visit lasts Batch, at least FewestN and at most MaxN.
	N             int64
	Batch         time.Duration
	FewestN, MaxN int64
	// Lead is the number of untimed operations before each visit.
	Lead int64
	// Once visits every arm once per round instead of twice, so that nothing is
	// compared with itself.
	Once bool
	// Warmup is the number of unmeasured rounds at the start.
	Warmup int
	// Settled is shown the rounds of the pilot, which runs until it says yes,
	// for at most a tenth of the budget. Nil means one round.
	Settled func(pilot record.Unit) bool
	// Pilotless leaves the pilot out; Rounds has to be given then.
	Pilotless bool
	// Unit is the shortest unit; a unit is at least one round.
	Unit time.Duration
	// Rounds fixes the number of rounds in a unit.
	Rounds int
	// Schedule, when not nil, holds the number of rounds of every unit. The run
	// then has no pilot, and neither budget nor stopping rule ends it. The
	// first replicas alone are visited once more in the last unit where Odd is
	// set.
	Schedule []int
	Odd      bool
	// AtLeast is the number of units that are measured whatever the budget
	// says, and AtMost, where not 0, ends the run.
	AtLeast, AtMost int
	// MostRounds, where not 0, is the largest number of rounds of all units.
	MostRounds int
	Budget     time.Duration
	Seed       uint64
	// CPUs are the processors that the arms may use; none means all.
	CPUs []int
	// Earlier are the units of a run that is continued, all of them counted.
	Earlier []record.Unit
}

// outside is the state of one run of outside arms.
type outside struct {
	arms     []Arm
	design   OutsideDesign
	now      Clock
	hooks    Hooks
	start    time.Duration
	sequence *order.Sequence
	loop     Loop
	pilot    record.Unit
	perRound time.Duration
	outcome  Outcome
}

// Outside runs a comparison of arms outside this process. It returns what was
// measured also when it ends with an error. A unit that was interrupted is not
// among it.
func Outside(ctx context.Context, arms []Arm, design OutsideDesign, now Clock, hooks Hooks) (Outcome, error) {
	r := &outside{arms: arms, design: design, now: now, hooks: hooks, start: now(), sequence: order.New(design.Order, design.Coin)}
	r.outcome.Units = append(r.outcome.Units, design.Earlier...)
	for _, unit := range design.Earlier {
		for range unit.Order {
			r.sequence.Next() // a run that is continued goes on in its order
		}
	}
	err := r.all(ctx)
	if closeErr := r.loop.Close(); err == nil {
		err = closeErr
	}
	r.outcome.Spent = now() - r.start
	return r.outcome, err
}

func (r *outside) all(ctx context.Context) (err error) {
	slots := order.Nested(len(r.arms))
	if r.design.Once {
		slots = order.Plain(len(r.arms))
	}
	if r.loop, err = Open(ctx, r.arms, slots, Slot{Seed: r.design.Seed, CPUs: r.design.CPUs}, false, r.sequence); err != nil {
		return err
	}
	r.loop.Visited = r.hooks.Visited
	if err := r.calibrate(ctx); err != nil {
		return err
	}
	r.stage(StageWarming, 0)
	warming := r.plain()
	warming.Order = order.New(order.Sequential, nil) // the measured order begins at its beginning
	if err := warming.Warm(ctx, r.request(), Warmup{Rounds: r.design.Warmup}, r.now); err != nil {
		return err
	}
	if r.design.Schedule == nil {
		if !r.design.Pilotless {
			if err := r.runPilot(ctx); err != nil {
				return err
			}
		}
		r.size()
	}
	return r.measure(ctx)
}

func (r *outside) stage(s Stage, done int) {
	if r.hooks.Stage != nil {
		r.hooks.Stage(s, done, max(len(r.design.Schedule), r.design.AtMost))
	}
}

func (r *outside) left() time.Duration { return r.design.Budget - (r.now() - r.start) }

func (r *outside) plain() Loop {
	return Loop{Slots: r.loop.Slots[:len(r.arms)], Sessions: r.loop.Sessions[:len(r.arms)], Order: r.sequence, Visited: r.hooks.Visited}
}

func (r *outside) request() Request { return Request{Lead: r.outcome.Lead, N: r.outcome.N} }

func (r *outside) calibrate(ctx context.Context) error {
	r.outcome.N, r.outcome.Lead = r.design.N, r.design.Lead
	if r.outcome.N > 0 {
		return nil
	}
	r.stage(StageCalibrating, 0)
	found, err := CalibrateAll(ctx, r.plain().Sessions, CalibrationPlan{Target: r.design.Batch, MaxN: r.design.MaxN})
	if errors.Is(err, ErrTooShort) {
		// More was not allowed: shorter visits are noisier, and not wrong.
		r.outcome.N = r.design.MaxN
		return nil
	}
	if err != nil {
		return err
	}
	slowest := 0.0
	for _, c := range found {
		slowest = max(slowest, float64(c.Shortest)/float64(c.N))
	}
	// Where one arm is many times as fast as another one, a visit that is long
	// enough for it takes too long for the other.
	affordable := int64(longestVisit * float64(r.design.Batch) / max(1, slowest))
	r.outcome.N = max(min(found[0].N, affordable), r.design.FewestN, 1)
	return nil
}

// longestVisit is how many times as long as planned a visit of the slowest arm
// may be.
const longestVisit = 10

// runPilot measures rounds of the first replicas until they have settled. They
// are kept in the record and take no part in the judgement.
func (r *outside) runPilot(ctx context.Context) error {
	r.stage(StagePiloting, 0)
	began := r.now()
	rounds := 0
	for rounds == 0 || (r.design.Settled != nil && !r.design.Settled(r.pilot) && r.now()-began < r.design.Budget/pilotShare) {
		request := r.request()
		request.Warming = true
		round, err := r.plain().Measure(ctx, request, 1, record.Pilot)
		if err != nil {
			return err
		}
		r.pilot = join(r.pilot, round)
		rounds++
	}
	r.perRound = max(1, (r.now()-began)/time.Duration(rounds)*time.Duration(len(r.loop.Slots)/len(r.arms)))
	if r.hooks.Keep != nil {
		return r.hooks.Keep(r.pilot)
	}
	return nil
}

// size fixes the number of rounds in a unit: the planned time, ten correlation
// times where the pilot is long enough to tell them, and no more than the
// budget holds a few of.
func (r *outside) size() {
	if r.outcome.Rounds = r.design.Rounds; r.outcome.Rounds > 0 {
		return
	}
	rounds := math.Ceil(float64(r.design.Unit) / float64(r.perRound))
	if len(r.pilot.Order) >= fewestForCorrelation {
		pairsPerRound := float64(len(r.loop.Slots) / len(r.arms))
		rounds = max(rounds, math.Ceil(correlationTimes*correlationPairs(r.pilot, len(r.arms))/pairsPerRound))
	}
	affordable := r.left() / (fewestUnits * r.perRound)
	if r.design.MostRounds > 0 {
		rounds = min(rounds, float64(r.design.MostRounds/max(1, r.design.AtLeast)))
	}
	r.outcome.Rounds = max(1, min(int(rounds), int(affordable)))
	if r.outcome.Rounds > 1 {
		r.outcome.Rounds -= r.outcome.Rounds % 2
	}
}

// fewestForCorrelation rounds tell something about how long they resemble each
// other.
const fewestForCorrelation = 20

// measure runs the units.
func (r *outside) measure(ctx context.Context) error {
	for index := len(r.outcome.Units); ; index++ {
		if r.over(index) {
			return nil
		}
		r.stage(StageMeasuring, index)
		unit, err := r.unit(ctx, index)
		if err != nil {
			return err
		}
		unit.Index = index
		r.outcome.Units = append(r.outcome.Units, unit)
		if r.hooks.Keep != nil {
			if err := r.hooks.Keep(unit); err != nil {
				return err
			}
		}
		if r.hooks.Look != nil && r.hooks.Look(r.outcome.Units) && r.design.Schedule == nil {
			r.outcome.Decided = true
			return nil
		}
	}
}

// over reports whether no further unit is to be measured after count of them.
func (r *outside) over(count int) bool {
	if r.design.Schedule != nil {
		return count >= len(r.design.Schedule)
	}
	if r.design.AtMost > 0 && count >= r.design.AtMost {
		return true
	}
	if r.design.MostRounds > 0 && (count+1)*r.outcome.Rounds > r.design.MostRounds {
		return true
	}
	return count >= r.design.AtLeast && count > 0 && r.left() <= 0
}

func (r *outside) unit(ctx context.Context, index int) (record.Unit, error) {
	if r.design.Schedule == nil {
		return r.loop.Measure(ctx, r.request(), r.outcome.Rounds, record.Main)
	}
	unit, err := r.loop.Measure(ctx, r.request(), r.design.Schedule[index], record.Main)
	if err != nil || !r.design.Odd || index < len(r.design.Schedule)-1 {
		return unit, err
	}
	last, err := r.plain().Measure(ctx, r.request(), 1, record.Main)
	if err != nil {
		return unit, err
	}
	for _, cell := range unit.Cells[len(last.Cells):] {
		last.Cells = append(last.Cells, record.Cell{Arm: cell.Arm, Replica: cell.Replica, N: cell.N, Lead: cell.Lead})
	}
	return join(unit, last), nil
}
