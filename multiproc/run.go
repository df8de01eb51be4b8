package multiproc

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// Run runs the suite in as many fresh processes as the wanted precision takes,
// and pools what they record. In the parent the suite itself never runs.
//
// In a child, Run runs the suite if this is the call that started the child, and
// returns with Child set and the suite's error. Any other call runs nothing and
// returns at once with Child and Skipped set and no error. A program with several
// calls goes on to the next one where Skipped is set, and ends where only Child
// is.
//
// An error comes with what is known so far. It names the process, its seed and
// the cause: a suite's error, or two processes of the first stage that failed in
// the same way. Any other process that fails costs only itself: up to a tenth of
// them, and at least one, are replaced; see Results.Replaced and Results.Lost.
// Interrupted by a signal, the run ends within a second, without its processes,
// and with an error that is [ErrInterrupted].
func Run(opt Options, suite func(*Process) error) (Results, error) {
	return start(context.Background(), opt, suite, caller())
}

// RunContext is Run and ends when ctx is done, with an error that wraps ctx's.
func RunContext(ctx context.Context, opt Options, suite func(*Process) error) (Results, error) {
	return start(ctx, opt, suite, caller())
}

// place is what start knows about the call beside its options.
type place struct {
	// at identifies it together with the names of the comparisons.
	at    string
	names []string
	// dir is the directory of the source that called, where it is known.
	dir string
	// first is set for the first call of the process.
	first bool
	// test is set for a call from a test, whose children are test binaries.
	test *testCall
}

// start is every call of this package.
func start(ctx context.Context, opt Options, suite func(*Process) error, from place) (Results, error) {
	call, first := calls.begin(from.at, from.names)
	from.first = first
	if self != nil {
		if !self.begin(call, first) {
			return self.skip(call)
		}
		if suite == nil {
			return Results{Child: true}, errNoSuite
		}
		return self.run(suite)
	}
	if suite == nil {
		return Results{}, errNoSuite
	}
	if err := opt.check(); err != nil {
		return Results{}, err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	r, err := runParent(ctx, opt.withDefaults(), call, from)
	if err == nil {
		calls.finish(call, r)
	}
	return r, err
}

var errNoSuite = errors.New("the suite is nil and has to compare something")

// runParent runs the processes of one call.
func runParent(ctx context.Context, opt Options, call callID, from place) (Results, error) {
	p, err := newParent(opt, call, from)
	if err != nil {
		return Results{}, err
	}
	defer p.close()
	if err := p.prepare(ctx); err != nil {
		return Results{}, err
	}
	return p.run(ctx)
}

// temporary makes the directory for what parent and children hand each other.
func temporary() (string, error) {
	dir, err := os.MkdirTemp("", "rtcompare-multiproc-*")
	if err != nil {
		return "", fmt.Errorf("making a directory for the processes' results: %w", err)
	}
	return dir, nil
}
