package load

import (
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// ticket is the right to send one request.
type ticket struct {
	// index is the request's place in a run with a fixed number of them.
	index int64
	// planned is the time from which the latency counts.
	planned time.Duration
}

// run is the state of one call of [Generator.Run], shared by all who send.
type run struct {
	lead, n int64
	// fixed runs send a known number of requests: those of the open loop and
	// whole runs. The others go on until the last counted answer is there.
	fixed    bool
	schedule *schedule // of the open loop, else nil

	claimed, done atomic.Int64
	begin, end    atomic.Int64 // in nanoseconds of the clock
	stop          atomic.Bool  // nothing new is sent
	cancelled     atomic.Bool
}

// wakeUp is how long after the start of a run the first planned time is, so that
// all who send are awake by then.
const wakeUp = time.Millisecond

// newRun makes the state of a run. number tells the runs of one generator apart,
// so that drawn schedules differ between them.
func newRun(options Options, lead, n int64, number uint64, now time.Duration) *run {
	r := &run{lead: lead, n: n, fixed: options.Whole || options.Rate > 0}
	if options.Rate > 0 {
		r.schedule = newSchedule(options.Rate, now+wakeUp)
		if options.Poisson {
			r.schedule.draw = rand.New(rand.NewPCG(options.Seed, number))
		}
	}
	return r
}

// claim asks for a request to send now, or in the open loop at its planned
// time. No means that nothing is left to send.
func (r *run) claim(now time.Duration) (ticket, bool) {
	if r.stop.Load() {
		return ticket{}, false
	}
	if r.lead == 0 && r.schedule == nil && r.begin.Load() == 0 {
		r.begin.CompareAndSwap(0, int64(now)) // the first request starts the clock
	}
	if !r.fixed {
		return ticket{planned: now}, true
	}
	if r.schedule != nil {
		index, planned := r.schedule.next()
		return ticket{index: index, planned: planned}, index < r.lead+r.n
	}
	index := r.claimed.Add(1) - 1
	return ticket{index: index, planned: now}, index < r.lead+r.n
}

// finish notes that a request has ended and reports whether it counts. With
// the answer after which the clock starts, and that at which it ends, it keeps
// the time.
func (r *run) finish(t ticket, now time.Duration) (counted bool) {
	done := r.done.Add(1)
	if r.fixed {
		if r.schedule != nil && t.index == r.lead {
			r.begin.Store(int64(t.planned))
		}
		if done == r.lead+r.n {
			r.stop.Store(true)
		}
		if counted = t.index >= r.lead; counted {
			r.reach(now)
		}
		return counted
	}
	if done == r.lead {
		r.begin.Store(int64(now))
	}
	if done == r.lead+r.n {
		r.stop.Store(true)
		r.end.Store(int64(now))
	}
	return done > r.lead && done <= r.lead+r.n
}

// reach moves the end of the run to now, unless it is later already.
func (r *run) reach(now time.Duration) {
	for {
		end := r.end.Load()
		if end >= int64(now) || r.end.CompareAndSwap(end, int64(now)) {
			return
		}
	}
}

// wall is how long the counted part took.
func (r *run) wall() time.Duration {
	return time.Duration(max(0, r.end.Load()-r.begin.Load()))
}
