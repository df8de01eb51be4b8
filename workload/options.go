package workload

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rtcompare/rtcompare"
)

const (
	// BuildRepeats is the number of builds of each structure that are timed,
	// where the Build options ask for none.
	BuildRepeats = 31
	// BuildValidationRuns is the number of runs of identical code for the build
	// comparison, where the Build options ask for none.
	BuildValidationRuns = 10
)

// Options configures [Compare], [CompareAll] and [Suite]. The zero value
// compares steady state and build under the stream of the zero [Config].
type Options struct {
	// Config describes the stream.
	Config Config
	// SteadyState holds the options of the steady-state comparison.
	SteadyState rtcompare.CompareOptions
	// Build holds those of the build comparison, in which an operation is one
	// whole build. Repeats and ValidationRuns default to [BuildRepeats] and
	// [BuildValidationRuns] where neither Budget nor Precision is set; where
	// builds are so long that this would take more than about a minute, or in a
	// suite some seconds per process, to as many as fit, but at least
	// rtcompare.MinimumDataPoints and 2. Garbage is always collected between
	// builds.
	Build rtcompare.CompareOptions
	// SkipBuild leaves the build comparison out.
	SkipBuild bool

	// FreshInstances builds new instances for every run of identical code and
	// every unit of the steady-state comparison, instead of one of each
	// structure for all. Two instances of the same structure differ through
	// their place in memory; with this that difference is in the interval. It
	// takes a build, and a cycle to prime it, each time, and holds two
	// instances of every structure at once.
	FreshInstances bool
	// MemoryBuilds is how often each structure is built to find its memory per
	// element; zero leaves that out. Five are usually enough, and one in each
	// process of a suite.
	MemoryBuilds int
	// KindTime is how long to measure what each kind of operation costs, all
	// structures together and builds included; zero leaves that out. It should
	// be enough for a few dozen builds, or in each process of a suite for one of
	// every structure. See [KindCost].
	KindTime time.Duration
	// Goroutines is how many goroutines work on one structure at the same time,
	// each with a stream of [CycleParts] or [BuildParts] of its own; zero and
	// one mean that there is none but the caller's. The structures have to be
	// safe for that. Times are then elapsed time divided by the operations of
	// all goroutines, and a batch lasts at least a millisecond, since starting
	// the goroutines costs some microseconds each time. The elements of one
	// goroutine are no other's, but with Sequential and Clustered keys they are
	// neighbours of the others'.
	Goroutines int
	// Readers is how many further goroutines only read, with a stream of
	// [Reads]. They run in the steady state only.
	Readers int
	// VaryStreams makes a [Suite] use another stream in each process, drawn from
	// Config.Seed and the process's own seed. The interval then covers the
	// choice of the stream, too.
	VaryStreams bool

	// processRuns is how many runs of identical code for the build comparison
	// fall to this process of a suite; zero outside of one.
	processRuns int
}

// parts is how many goroutines insert and delete.
func (o Options) parts() int { return max(1, o.Goroutines) }

func (o Options) concurrent() bool { return o.parts()+o.Readers > 1 }

func (o Options) check() error {
	switch {
	case o.MemoryBuilds < 0:
		return fmt.Errorf("option MemoryBuilds is %d and must not be negative; zero leaves memory out", o.MemoryBuilds)
	case o.KindTime < 0:
		return fmt.Errorf("option KindTime is %v and must not be negative; zero leaves the kinds out", o.KindTime)
	case o.Goroutines < 0:
		return fmt.Errorf("option Goroutines is %d and must not be negative; zero means one", o.Goroutines)
	case o.Readers < 0:
		return fmt.Errorf("option Readers is %d and must not be negative; zero means none", o.Readers)
	}
	if err := checkCompareOptions(o.SteadyState); err != nil {
		return fmt.Errorf("steady-state comparison: %w", err)
	}
	if !o.SkipBuild {
		if err := checkCompareOptions(o.build()); err != nil {
			return fmt.Errorf("build comparison: %w", err)
		}
	}
	return nil
}

// build is the Build options with their own defaults.
func (o Options) build() rtcompare.CompareOptions {
	b := o.Build
	b.Collect.GCBetween = true
	if b.Budget != 0 || b.Precision != 0 {
		return b
	}
	setDefault(&b.Collect.Repeats, BuildRepeats)
	setDefault(&b.ValidationRuns, o.processRuns)
	setDefault(&b.ValidationRuns, BuildValidationRuns)
	return b
}

// checkCompareOptions finds a bad option before structures are built, which may
// take long: with a context that is done the comparison checks and ends.
func checkCompareOptions(o rtcompare.CompareOptions) error {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	idle := rtcompare.Candidate{Batch: func(uint64) {}}
	_, err := rtcompare.CompareAll(ctx, []rtcompare.Candidate{idle, idle}, o)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
