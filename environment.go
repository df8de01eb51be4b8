package rtcompare

import (
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/rtcompare/rtcompare/internal/arm/fn"
	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/host"
)

// environment is everything a comparison reads from outside: clocks and
// counters. Tests put scripted ones in.
type environment struct {
	instruments fn.Instruments
	// now is the clock of warm-ups and budgets.
	now sinceStart
	// reading is the step and the cost of the measuring clock.
	reading func() clock.Reading
	// watch starts a watch that notices when the machine sleeps.
	watch func() clock.Stopwatch
	load  func() host.Load
	facts func() host.Facts
}

// realEnvironment measures with this machine's clocks.
func realEnvironment() environment {
	machine := host.Open("/")
	return environment{
		instruments: fn.Instruments{
			Now:         clock.Now,
			Switches:    host.ThreadSwitches,
			CPU:         host.ProcessCPU,
			Collections: finishedCollections,
			Allocated:   allocated,
		},
		now:     clock.Now,
		reading: clock.Precision,
		watch:   func() clock.Stopwatch { return clock.Clocks{}.Start() },
		load:    machine.Load,
		facts:   machine.Facts,
	}
}

func finishedCollections() int64 {
	sample := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(sample[0].Value.Uint64())
}

// allocated stops the world for some microseconds, for which the runtime counts
// exactly what was allocated so far.
func allocated() (bytes, objects int64) {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.TotalAlloc), int64(stats.Mallocs)
}

// tickNanoseconds is the step of the clock, at least one nanosecond.
func (env environment) tickNanoseconds() float64 {
	return max(1, float64(env.reading().Tick/time.Nanosecond))
}

// GetSampleTimePrecision returns the step of the clock in nanoseconds: the
// smallest difference that two of its readings can have, at least 1.
//
// It is found on first use, in a few milliseconds, and kept for the life of the
// process. What a reading of the clock costs is a different number and often a
// larger one; it is the same for both candidates and part of no error.
func GetSampleTimePrecision() int64 {
	return max(1, int64(clock.Precision().Tick/time.Nanosecond))
}
