package workload

import (
	"context"
	"sync"

	"github.com/rtcompare/rtcompare"
)

// build compares how long it takes to make and fill a structure.
func (t *trial) build(ctx context.Context) (rtcompare.Reports, error) {
	candidates := make([]rtcompare.Candidate, len(t.subjects))
	for i, s := range t.subjects {
		candidates[i] = t.buildCandidate(s.name, t.fixtures[i])
	}
	return rtcompare.CompareAll(ctx, candidates, t.opt.build())
}

func (t *trial) buildCandidate(name string, f fixture) rtcompare.Candidate {
	one := func() { f.build(0) }
	if t.streams.parts > 1 {
		one = func() { t.buildTogether(f) }
	}
	return rtcompare.Candidate{Name: name, Batch: func(n uint64) {
		for range n {
			one()
		}
	}}
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
