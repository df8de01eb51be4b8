package bench

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/arm/gobench"
	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// probe finds out for every row how it can be run and how long an operation
// takes.
func (r *run) probe(ctx context.Context) error {
	for i, row := range r.rows {
		r.watch(StageProbing, row.Name, i, len(r.rows))
		err := r.probeRow(ctx, row)
		if err == nil {
			err = r.timeStart(ctx, row)
		}
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			row.Failed = err
		}
		r.result.Rows = append(r.result.Rows, row.Row)
	}
	return nil
}

// timeStart notes what starting and ending the processes of a row takes.
func (r *run) timeStart(ctx context.Context, row *rowRun) error {
	began := r.env.Now()
	for _, b := range row.sides {
		session, err := b.Open(ctx, engine.Slot{Seed: r.options.Seed})
		if err != nil {
			return err
		}
		var sample engine.Sample
		err = session.Do(ctx, engine.Request{N: row.n}, &sample)
		if closeErr := session.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return err
		}
	}
	row.starting = r.env.Now() - began
	if row.Driver == gobuild.Processes {
		// Every sample is a process that runs its operations.
		row.starting += time.Duration(2 * float64(row.n) * max(row.nsPerOp[base], row.nsPerOp[changed]))
	}
	return nil
}

func (r *run) probeRow(ctx context.Context, row *rowRun) error {
	row.Screened = math.NaN()
	var probes [2]gobench.Probe
	for side, b := range row.sides {
		found, err := b.Probe(ctx, gobench.Trial{Batch: r.options.Batch, BenchTime: r.options.BenchTime})
		if err != nil {
			return err
		}
		probes[side] = found
		row.Leaked[side], row.nsPerOp[side] = found.Leaked, found.NsPerOp
	}
	// Both sides are run in the same way and with the same number of operations.
	row.Driver, row.Reason = gobuild.Pausing, ""
	for _, p := range probes {
		if p.Driver == gobuild.Processes {
			row.Driver, row.Reason = p.Driver, p.Reason
		}
		row.n = max(row.n, p.N)
	}
	separate := probes[base].SeparateMetrics || probes[changed].SeparateMetrics
	for side, b := range row.sides {
		b.Driver, b.Metrics, b.SeparateMetrics = row.Driver, probes[side].Metrics, separate
		if row.Driver == gobuild.Processes && probes[side].Driver == gobuild.Pausing {
			again, err := b.Probe(ctx, gobench.Trial{Batch: r.options.Batch, BenchTime: r.options.BenchTime})
			if err != nil {
				return err
			}
			row.n = max(row.n, again.N)
		}
	}
	return nil
}

// visit measures a row on one pair of layouts for a time. A row that fails batch
// by batch is tried once more with a process per sample: some depend on clocks
// that go on while they are paused.
func (r *run) visit(ctx context.Context, row *rowRun, stage, index int, limit time.Duration) error {
	err := r.onLayouts(ctx, row, stage, index, limit)
	var failure *gobench.Failure
	if row.Driver == gobuild.Processes || ctx.Err() != nil || !errors.As(err, &failure) {
		return err
	}
	for _, b := range row.sides {
		b.Driver = gobuild.Processes
		found, err := b.Probe(ctx, gobench.Trial{BenchTime: r.options.BenchTime})
		if err != nil {
			return err
		}
		row.n = max(row.n, found.N)
	}
	row.Driver, row.Reason = gobuild.Processes, "batch by batch it "+failure.Reason
	row.stretch, row.Collections = 0, false
	return r.onLayouts(ctx, row, stage, index, limit)
}

// onLayouts measures a row on one pair of layouts for a time.
func (r *run) onLayouts(ctx context.Context, row *rowRun, stage, index int, limit time.Duration) error {
	began := r.env.Now()
	loop := engine.Loop{Slots: order.Plain(2), Order: r.order}
	defer func() { _ = loop.Close() }()
	for side, b := range row.sides {
		session, err := b.Open(ctx, engine.Slot{Stage: stage, Layout: r.layout(side, stage, index), Process: index, Seed: r.options.Seed})
		if err != nil {
			return err
		}
		loop.Sessions = append(loop.Sessions, session)
	}
	// Starting the processes is a part of the time.
	return r.measure(ctx, row, loop, stage, index, max(shortestScreen, limit-(r.env.Now()-began)))
}

// warmShare is the part of the time on a layout that is not measured.
const warmShare = 0.1

func (r *run) measure(ctx context.Context, row *rowRun, loop engine.Loop, stage, index int, limit time.Duration) error {
	request := engine.Request{N: row.n}
	start := r.env.Now()
	if row.Driver == gobuild.Processes {
		request.Allocations = true
		return r.units(ctx, row, loop, request, record.Main, stage, index, start+limit)
	}
	warm := time.Duration(warmShare * float64(limit))
	if err := loop.Warm(ctx, request, engine.Warmup{Rounds: 2, Duration: warm}, r.env.Now); err != nil {
		return err
	}
	if !row.counted {
		if err := r.count(ctx, row, loop, stage, index, limit); err != nil {
			return err
		}
	}
	if err := loop.Settle(ctx); err != nil {
		return err
	}
	purpose := record.Main
	if row.stretch > 0 {
		purpose, request.Batches, request.Counters = record.Cost, row.stretch, true
	}
	return r.units(ctx, row, loop, request, purpose, stage, index, start+limit)
}

// count finds out on the first layout what a row allocates, and how many batches
// hold enough collections. Other layouts allocate the same.
func (r *run) count(ctx context.Context, row *rowRun, loop engine.Loop, stage, index int, limit time.Duration) error {
	counts, unit, err := engine.CountArms(ctx, loop, row.n, row.nsPerOp[:])
	if err != nil {
		return err
	}
	if err := r.tagged(row, unit, record.Count, stage, index); err != nil {
		return err
	}
	plan, err := engine.PlanCosts(ctx, loop, row.n, counts, r.env.Now, max(limit/4, shortestProbe))
	row.counted, row.stretch, row.Collections = true, plan.Batches, plan.Batches > 0
	return err
}

// shortestProbe is how long collections are waited for at least.
const shortestProbe = 100 * time.Millisecond

// units measures rounds until the time is over, at least two, and keeps them as
// one unit.
func (r *run) units(ctx context.Context, row *rowRun, loop engine.Loop, request engine.Request, purpose record.Purpose, stage, index int, until time.Duration) error {
	more := func(done int) bool { return done < 2 || r.env.Now() < until }
	if row.Driver == gobuild.Processes {
		more = func(done int) bool { return done < 1 || r.env.Now() < until }
	}
	unit, err := loop.MeasureWhile(ctx, request, more, purpose, 256)
	if err != nil {
		return err
	}
	return r.tagged(row, unit, purpose, stage, index)
}

// tagged says in a unit what it belongs to, and keeps it.
func (r *run) tagged(row *rowRun, u record.Unit, purpose record.Purpose, stage, index int) error {
	u.Row, u.Purpose, u.Stage, u.Index = row.Key(), purpose, stage, index
	for i := range u.Cells {
		u.Cells[i].Layout, u.Cells[i].Process = r.layout(u.Cells[i].Arm, stage, index), index
	}
	return r.keep(u)
}

// stageUnits are the units of a row in a stage.
func (r *run) stageUnits(row *rowRun, stage int) []record.Unit {
	var units []record.Unit
	for _, u := range r.result.Units {
		if u.Row == row.Key() && u.Stage == stage {
			units = append(units, u)
		}
	}
	return units
}

// fill sets what a row's units say besides the verdict.
func (r *run) fill(row *rowRun) {
	purpose := record.Main
	if row.Collections {
		purpose = record.Cost
	}
	for side := range row.NsPerOp {
		var times []float64
		bytes, allocs, operations := int64(0), int64(0), int64(0)
		for _, u := range r.result.Units {
			cell := u.Find(side, 0)
			if u.Row != row.Key() || cell == nil {
				continue
			}
			if u.Purpose == purpose {
				for _, wall := range cell.Wall {
					times = append(times, float64(wall)/float64(max(1, cell.N)))
				}
			}
			if len(cell.Bytes) == len(cell.Wall) && len(cell.Allocs) == len(cell.Wall) {
				for i := range cell.Bytes {
					bytes, allocs, operations = bytes+cell.Bytes[i], allocs+cell.Allocs[i], operations+cell.N
				}
			}
		}
		if len(times) > 0 {
			row.NsPerOp[side] = stat.Median(times)
		}
		if operations > 0 {
			row.Bytes[side], row.Allocs[side] = float64(bytes)/float64(operations), float64(allocs)/float64(operations)
		}
	}
}

// failed notes a row that could not be measured, and reports whether the run
// may go on.
func (r *run) failed(ctx context.Context, row *rowRun, err error) error {
	var failure *gobench.Failure
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &failure):
		row.Failed = err
		return nil
	}
	return err
}
