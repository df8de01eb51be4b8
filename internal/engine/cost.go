package engine

import (
	"context"
	"slices"
	"time"

	"github.com/rtcompare/rtcompare/internal/record"
)

// Count is what one arm allocates.
type Count struct {
	// BytesPerOp and AllocsPerOp are unrounded: totals over operations. Both
	// are -1 where they were not read.
	BytesPerOp, AllocsPerOp float64
	// CPUPerOp is processor time per operation in nanoseconds, -1 if unknown.
	CPUPerOp float64
	// Allocates is set when the arm allocates fast enough for garbage
	// collections to be a part of its cost.
	Allocates bool
}

// CostPlan says how the cost of collections is measured.
type CostPlan struct {
	// Batches is the number of batches in a stretch; 0 where no stretches are
	// run.
	Batches int
	// Unknown is set when an arm allocates but its collections did not come in
	// the time that could be spent on waiting for them.
	Unknown bool
}

const (
	// negligibleRate is the rate of allocation, in bytes per second, below
	// which collections are too rare to matter: at the runtime's smallest heap
	// of 4 MiB one collection in more than a second.
	negligibleRate = 4 << 20
	// strayBytes are what the runtime and other goroutines may allocate
	// meanwhile; a total below it counts as none.
	strayBytes = 4096
	// collectionsPerStretch makes the share of collections that a stretch
	// happens to catch a matter of a tenth or less.
	collectionsPerStretch = 10
	// probeShare is the part of the budget that waiting for collections may
	// take, per arm.
	probeShare = 10
	// countStretch is how long allocations and processor time are counted.
	countStretch = 10 * time.Millisecond
)

// count finds out what the arms allocate and plans the stretches that show the
// cost of collecting it.
func (r *run) count(ctx context.Context) error {
	counts, unit, err := CountArms(ctx, r.plain(), r.outcome.N, r.nsPerOp)
	r.outcome.Counts = counts
	if err != nil {
		return err
	}
	if err := r.keep(unit); err != nil {
		return err
	}
	if r.design.NoCosts {
		return nil
	}
	r.outcome.Costs, err = PlanCosts(ctx, r.plain(), r.outcome.N, counts, r.now, r.design.Budget/probeShare)
	return err
}

// CountArms counts allocations and processor time per operation, over batches
// of about ten milliseconds together: memory of structures that grow comes in
// bursts, and processor time in ticks. All arms run the same batches and stay
// in step.
func CountArms(ctx context.Context, loop Loop, n int64, nsPerOp []float64) ([]Count, record.Unit, error) {
	counts := make([]Count, len(loop.Sessions))
	unit := record.Unit{Purpose: record.Count}
	slowest := max(slices.Max(nsPerOp), 1/float64(n))
	stretch := max(1, int(float64(countStretch)/(slowest*float64(n))))
	for i, session := range loop.Sessions {
		if ctx.Err() != nil {
			return counts, unit, Stopped(ctx)
		}
		operations := float64(n) * float64(stretch)
		cell := record.Cell{Arm: loop.Slots[i].Arm, N: n * int64(stretch)}
		counted := notRead
		if err := session.Do(ctx, Request{N: n, Batches: stretch, Allocations: true}, &counted); err != nil {
			return counts, unit, err
		}
		add(&cell, counted)
		counts[i] = Count{BytesPerOp: perOp(counted.Bytes, operations), AllocsPerOp: perOp(counted.Allocs, operations), CPUPerOp: -1}
		if counted.Bytes >= 0 && counted.Bytes < strayBytes {
			counts[i].BytesPerOp, counts[i].AllocsPerOp = 0, 0
		}
		counts[i].Allocates = nsPerOp[i] > 0 && counts[i].BytesPerOp/nsPerOp[i]*1e9 > negligibleRate
		timed := notRead
		if err := session.Do(ctx, Request{N: n, Batches: stretch, Counters: true}, &timed); err != nil {
			return counts, unit, err
		}
		if timed.CPU > 0 {
			counts[i].CPUPerOp = float64(timed.CPU) / operations
		}
		unit.Cells = append(unit.Cells, cell)
	}
	return counts, unit, nil
}

// perOp divides a total among operations; -1 stands for one that was not read.
func perOp(total int64, operations float64) float64 {
	if total < 0 {
		return -1
	}
	return float64(total) / operations
}

// PlanCosts finds how many batches make a stretch of ten collections for the
// arm that collects most often. limit bounds the wait per arm. Afterwards all
// arms have run the same number of batches.
func PlanCosts(ctx context.Context, loop Loop, n int64, counts []Count, now Clock, limit time.Duration) (CostPlan, error) {
	var plan CostPlan
	ran := make([]int, len(counts))
	most := 0
	for i, count := range counts {
		if !count.Allocates {
			continue
		}
		batches, found, err := probe(ctx, loop.Sessions[i], n, now, limit)
		if err != nil {
			return plan, err
		}
		ran[i], most = batches, max(most, batches)
		switch {
		case !found:
			plan.Unknown = plan.Batches == 0
		case plan.Batches == 0 || batches < plan.Batches:
			plan.Batches, plan.Unknown = batches, false
		}
	}
	for i, session := range loop.Sessions {
		if behind := most - ran[i]; behind > 0 {
			sample := notRead
			if err := session.Do(ctx, Request{N: n, Batches: behind}, &sample); err != nil {
				return plan, err
			}
		}
	}
	return plan, nil
}

// probe runs an arm until it has collected often enough and returns the number
// of batches that took.
func probe(ctx context.Context, session Session, n int64, now Clock, limit time.Duration) (batches int, found bool, err error) {
	collections := int64(0)
	size := 1
	for start := now(); collections < collectionsPerStretch; {
		if now()-start > limit {
			return batches, false, nil
		}
		sample := notRead
		if err := session.Do(ctx, Request{N: n, Batches: size, Counters: true}, &sample); err != nil {
			return batches, false, err
		}
		if sample.Collections < 0 {
			return batches, false, nil
		}
		collections += sample.Collections
		batches += size
		if collections == 0 {
			size *= 2
		}
	}
	return batches, true, nil
}

// costUnit runs one stretch per slot, whole stretches of one arm at a time.
func (r *run) costUnit(ctx context.Context) (record.Unit, error) {
	request := Request{Lead: r.outcome.Lead, N: r.outcome.N, Batches: r.outcome.Costs.Batches, Counters: true}
	return CostUnit(ctx, r.loop, request)
}

// CostUnit measures one stretch per slot. Every session settles before its
// stretch, so that none pays for the garbage of the one before.
func CostUnit(ctx context.Context, loop Loop, request Request) (record.Unit, error) {
	settled := Loop{Slots: loop.Slots, Order: loop.Order, Sessions: make([]Session, len(loop.Sessions))}
	for i, session := range loop.Sessions {
		settled.Sessions[i] = settling{session}
	}
	return settled.Measure(ctx, request, 1, record.Cost)
}

// settling is a session that settles before it measures.
type settling struct{ Session }

func (s settling) Do(ctx context.Context, request Request, sample *Sample) error {
	if err := s.Settle(ctx); err != nil {
		return err
	}
	return s.Session.Do(ctx, request, sample)
}
