package workload

import (
	"context"
	"fmt"
)

// fillChunk is how many operations one structure takes before the next one's
// turn while several are filled.
const fillChunk = 256

// open makes the given structures and fills them in turns, so that what they
// allocate lies mixed in memory and none is the one that was built last.
func (t *trial) open(ctx context.Context, which []int) ([]instance, error) {
	instances := make([]instance, len(t.subjects))
	for _, i := range which {
		if err := t.guard(i, "New", func() { instances[i] = t.fixtures[i].open() }); err != nil {
			return nil, err
		}
	}
	for stream, ops := range t.streams.builds() {
		apply := make([]func([]Op), len(instances))
		for _, i := range which {
			apply[i] = instances[i].apply(stream)
		}
		for len(ops) > 0 {
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("stopped while building: %w", err)
			}
			run := ops[:min(fillChunk, len(ops))]
			ops = ops[len(run):]
			for _, i := range which {
				if err := t.guard(i, "Apply", func() { apply[i](run) }); err != nil {
					return nil, err
				}
			}
		}
	}
	return instances, nil
}

// guard names the structure whose code panics.
func (t *trial) guard(i int, where string, call func()) error {
	return guard(where+" of "+subjectLabel(t.subjects[i], i), call)
}
