package perfctr

import "math"

// Reading is what was counted at one moment, a value for each event.
type Reading []Value

// Value is the count of one event.
type Value struct {
	Event Event
	// Missing says in plain words why the event could not be counted; it is
	// empty where it was.
	Missing string

	tally tally
}

// Count is how often the event happened, scaled up to the whole time where it
// was counted for a part of it only: count × enabled / running, as
// perf_event_open(2) says, which assumes that events came evenly. TaskClock is
// in nanoseconds. It is NaN where nothing was counted.
func (v Value) Count() float64 {
	switch {
	case v.Missing != "" || (v.tally.running == 0 && v.tally.enabled > 0):
		return math.NaN()
	case v.tally.running == v.tally.enabled:
		return float64(v.tally.count)
	}
	return float64(v.tally.count) * float64(v.tally.enabled) / float64(v.tally.running)
}

// Share is the part of the time, from 0 to 1, during which the event was really
// counted. It is 1 where the time is unknown because nothing ran.
func (v Value) Share() float64 {
	if v.tally.enabled == 0 {
		return 1
	}
	return min(1, float64(v.tally.running)/float64(v.tally.enabled))
}

// multiplexedBelow leaves room for the moments between starting the members of
// a group, which are no turns.
const multiplexedBelow = 0.999

// Multiplexed tells whether the event took turns with others on the same
// counters, so that Count is an estimate. Small differences of such counts mean
// nothing.
func (v Value) Multiplexed() bool { return v.Missing == "" && v.Share() < multiplexedBelow }

// Find returns the value of an event; ok is false where it was not asked for or
// has no count.
func (r Reading) Find(e Event) (v Value, ok bool) {
	for _, v := range r {
		if v.Event == e {
			return v, !math.IsNaN(v.Count())
		}
	}
	return Value{}, false
}

// Since returns what was counted after an earlier reading of the same counters.
// The scaling is that of the stretch between the two, not of the whole time.
func (r Reading) Since(before Reading) Reading {
	difference := make(Reading, 0, len(r))
	for _, v := range r {
		for _, b := range before {
			if b.Event == v.Event {
				v.tally = tally{
					later(v.tally.count, b.tally.count), later(v.tally.enabled, b.tally.enabled), later(v.tally.running, b.tally.running),
				}
				break
			}
		}
		difference = append(difference, v)
	}
	return difference
}

// later is a difference of counters, and 0 where the second is not the earlier.
func later(now, before uint64) uint64 {
	if now < before {
		return 0
	}
	return now - before
}

// ratio divides the counts of two events; it is NaN without either.
func (r Reading) ratio(of, by Event) float64 {
	above, ok := r.Find(of)
	below, found := r.Find(by)
	if !ok || !found || below.Count() == 0 {
		return math.NaN()
	}
	return above.Count() / below.Count()
}

// InstructionsPerCycle tells how much the processor got done per clock cycle
// (IPC); NaN where it is unknown.
func (r Reading) InstructionsPerCycle() float64 { return r.ratio(Instructions, Cycles) }

// CyclesPerSecond is the clock speed while the program ran in user space, in
// hertz; NaN where it is unknown. It is too low where much of the time was spent
// in the kernel, since TaskClock counts that too.
func (r Reading) CyclesPerSecond() float64 { return 1e9 * r.ratio(Cycles, TaskClock) }

// BranchMissShare is the share of branches that were predicted wrongly; NaN where
// it is unknown.
func (r Reading) BranchMissShare() float64 { return r.ratio(BranchMisses, Branches) }

// MissesPerInstruction is how often one instruction, on average, caused the
// event: CacheMisses, Level1Misses or BranchMisses. It is NaN where it is
// unknown.
func (r Reading) MissesPerInstruction(misses Event) float64 { return r.ratio(misses, Instructions) }
