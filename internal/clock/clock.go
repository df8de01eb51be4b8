// Package clock reads time and says how well it can be read.
//
// Two numbers describe a clock, and they are easily taken for one. The tick is
// the step in which its value advances. The read cost is what one call takes.
// A batch must be long against the tick, because a timing is wrong by up to one
// tick at each end; the read cost is part of every timing and is the same on
// both sides of a comparison.
//
// The package also notices when the machine slept: a [Stopwatch] compares the
// wall clock with one that stands still meanwhile.
package clock

import "time"

// Now returns the monotonic time since a base that is fixed when the process
// starts. It never goes back, costs one read of the operating system's finest
// clock, and does not allocate. Only differences between two values of the same
// process mean anything.
func Now() time.Duration { return now() }

// ticksToDuration converts a counter that advances frequency times per second.
// Whole seconds and the rest are converted separately: ticks times 1e9 leaves
// int64 after a quarter of an hour of uptime at 10 MHz. A frequency that is not
// positive gives 0.
func ticksToDuration(ticks, frequency int64) time.Duration {
	if frequency <= 0 {
		return 0
	}
	whole, rest := ticks/frequency, ticks%frequency
	return time.Duration(whole)*time.Second +
		time.Duration(rest*int64(time.Second)/frequency)
}
