package workload

import (
	"context"
	"errors"
	"fmt"

	"github.com/rtcompare/rtcompare"
)

// Compare compares two structures under the same stream: how long an operation
// takes in the steady state, and how long a build takes.
//
// For the steady state both are built at the same time, in turns of 256
// operations, so that neither is the one built last. Each plays one cycle
// untimed; then batches of both alternate and play the same operations of the
// cycle, batch for batch. For the build an operation is the making of a
// structure and the whole [Build] stream.
//
// All options are checked first. An error says which comparison failed, or names
// the structure that lacks New or Apply or that panicked; what was complete by
// then is in the result.
func Compare[SA, SB any](target int, a Structure[SA], b Structure[SB], opt Options) (Result, error) {
	return CompareContext(context.Background(), target, a, b, opt)
}

// CompareContext is Compare and ends soon after ctx is done, with an error that
// wraps ctx's.
func CompareContext[SA, SB any](ctx context.Context, target int, a Structure[SA], b Structure[SB], opt Options) (Result, error) {
	return comparePair(ctx, target, Bind(a), Bind(b), opt, false)
}

func comparePair(ctx context.Context, target int, a, b Subject, opt Options, reversed bool) (Result, error) {
	all, err := compareSubjects(ctx, target, []Subject{a, b}, opt, reversed)
	return all.pair(), err
}

// CompareAll compares any number of structures, of different types, with the
// first one, all in the same rounds. It does what [Compare] does, and the error
// rate of each comparison holds for all its verdicts together. At least two
// structures are needed; make them with [Bind] and [BindTyped].
func CompareAll(ctx context.Context, target int, subjects []Subject, opt Options) (Results, error) {
	return compareSubjects(ctx, target, subjects, opt, false)
}

// trial is the state of one call.
type trial struct {
	opt      Options
	subjects []Subject
	streams  streams
	fixtures []fixture
	// reversed builds the last structure first.
	reversed bool
}

func compareSubjects(ctx context.Context, target int, subjects []Subject, opt Options, reversed bool) (Results, error) {
	if ctx == nil {
		return Results{}, errors.New("the context is nil; use context.Background()")
	}
	t, err := newTrial(target, subjects, opt, reversed)
	if err != nil {
		return Results{}, err
	}
	r := Results{Target: target, CycleOps: length(t.streams.cycles()), BuildOps: length(t.streams.builds())}
	for _, s := range subjects {
		r.Names = append(r.Names, s.name)
	}
	if r.SteadyState, err = t.steadyState(ctx); err != nil {
		return r, fmt.Errorf("steady-state comparison: %w", err)
	}
	if !opt.SkipBuild {
		if r.Build, err = t.build(ctx); err != nil {
			return r, fmt.Errorf("build comparison: %w", err)
		}
	}
	if opt.MemoryBuilds > 0 {
		if r.Memory, err = t.memory(ctx); err != nil {
			return r, fmt.Errorf("memory: %w", err)
		}
	}
	if opt.KindTime > 0 {
		if r.Kinds, err = t.kinds(ctx); err != nil {
			return r, fmt.Errorf("costs of the kinds: %w", err)
		}
	}
	return r, nil
}

func newTrial(target int, subjects []Subject, opt Options, reversed bool) (*trial, error) {
	if len(subjects) < 2 {
		return nil, fmt.Errorf("at least 2 structures are needed, and %d given", len(subjects))
	}
	if err := checkSubjects(subjects); err != nil {
		return nil, err
	}
	if err := opt.check(); err != nil {
		return nil, err
	}
	t := &trial{opt: opt, subjects: subjects, reversed: reversed}
	var err error
	if t.streams, err = newStreams(target, opt); err != nil {
		return nil, err
	}
	for i, s := range subjects {
		err := guard("Value of "+subjectLabel(s, i), func() { t.fixtures = append(t.fixtures, s.prepare(t.streams.all)) })
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// order lists the structures in the order in which they are built.
func (t *trial) order() []int {
	order := make([]int, len(t.subjects))
	for i := range order {
		order[i] = i
		if t.reversed {
			order[i] = len(order) - 1 - i
		}
	}
	return order
}

// calibrate returns the batch size that the most demanding candidate needs.
func calibrate(candidates []rtcompare.Candidate, opt rtcompare.CollectOptions, shortest float64) (uint64, error) {
	n := uint64(0)
	for _, c := range candidates {
		found, err := rtcompare.CalibrateInnerLoops(c, rtcompare.CalibrationOptions{
			MaxQuantizationError: opt.MaxQuantizationError, MaxInnerLoops: opt.MaxInnerLoops,
			GCBetween: opt.GCBetween, DisableGC: opt.DisableGC,
		})
		if err != nil {
			return 0, err
		}
		n = max(n, found.InnerLoops)
		if found.NsPerOp > 0 {
			n = max(n, uint64(shortest/found.NsPerOp))
		}
	}
	return n, nil
}
