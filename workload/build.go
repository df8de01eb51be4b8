package workload

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/internal/clock"
)

// build compares how long it takes to make and fill a structure.
func (t *trial) build(ctx context.Context) (rtcompare.Reports, error) {
	candidates := make([]rtcompare.Candidate, len(t.subjects))
	for i, s := range t.subjects {
		candidates[i] = t.buildCandidate(s.name, t.fixtures[i])
	}
	opt, err := t.sizedBuild()
	if err != nil {
		return rtcompare.Reports{}, err
	}
	return rtcompare.CompareAll(ctx, candidates, opt)
}

const (
	// buildTime is about how long a build comparison may take whose length the
	// options leave open, and suiteBuildTime the same in one process of many:
	// the processes of a usual first stage share it.
	buildTime      = 45 * time.Second
	suiteBuildTime = buildTime / 6
	// fewestRuns is the smallest number of runs of identical code.
	fewestRuns = 2
)

// sizedBuild are the options of the build comparison. Where they leave its
// length open, one build of each structure says how many there is time for.
func (t *trial) sizedBuild() (rtcompare.CompareOptions, error) {
	opt, given := t.opt.build(), t.opt.Build
	if opt.Budget != 0 || opt.Precision != 0 || (given.Collect.Repeats != 0 && given.ValidationRuns != 0) {
		return opt, nil
	}
	round := time.Duration(0)
	for i, f := range t.fixtures {
		runtime.GC() // before the clock: what lies around belongs to no structure
		start := clock.Now()
		if err := t.guard(i, "New or Apply", func() { t.buildOnce(f) }); err != nil {
			return opt, err
		}
		runtime.GC() // as before each build
		round += clock.Now() - start
	}
	limit := buildTime
	if t.opt.processRuns > 0 {
		limit = suiteBuildTime
	}
	return shortened(opt, given, limit, round), nil
}

// shortened cuts a build comparison down to a time, if one build of each
// structure takes a round: first the repeats, then the runs of identical code,
// each only if the given options leave it open, and no further than an answer
// needs.
func shortened(opt, given rtcompare.CompareOptions, limit, round time.Duration) rtcompare.CompareOptions {
	repeats, runs := &opt.Collect.Repeats, &opt.ValidationRuns
	tooLong := func() bool {
		rounds := *repeats
		if !opt.SkipValidation {
			rounds *= 1 + 2**runs
		}
		return time.Duration(rounds)*round > limit
	}
	for given.Collect.Repeats == 0 && *repeats > rtcompare.MinimumDataPoints && tooLong() {
		*repeats -= 2
	}
	for given.ValidationRuns == 0 && *runs > fewestRuns && tooLong() {
		*runs--
	}
	return opt
}

func (t *trial) buildCandidate(name string, f fixture) rtcompare.Candidate {
	return rtcompare.Candidate{Name: name, Batch: func(n uint64) {
		for range n {
			t.buildOnce(f)
		}
	}}
}

func (t *trial) buildOnce(f fixture) {
	if t.streams.parts > 1 {
		t.buildTogether(f)
		return
	}
	f.build(0)
}

// buildTogether fills one structure by several goroutines.
func (t *trial) buildTogether(f fixture) {
	i := f.open()
	defer i.keep()
	failed := make([]error, t.streams.parts)
	var all sync.WaitGroup
	for stream, ops := range t.streams.builds() {
		apply := i.apply(stream)
		all.Go(func() { failed[stream] = guard("Apply", func() { apply(ops) }) })
	}
	all.Wait()
	for _, err := range failed {
		if err != nil {
			panic(err) // in the goroutine that measures, which returns it as an error
		}
	}
}
