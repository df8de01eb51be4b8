package multiproc

import (
	"context"
	"fmt"
	"sync"
)

// stage runs processes until the given number of them has finished or is lost.
// What the journal holds already is not run again.
func (p *parent) stage(ctx context.Context, target int) error {
	p.total = target
	for len(p.slots) < target {
		p.slots = append(p.slots, slot{})
	}
	for {
		pending := p.pending()
		if len(pending) == 0 {
			return nil
		}
		if err := stopped(ctx); err != nil {
			return err
		}
		if err := p.runWave(ctx, pending[:min(len(pending), p.opt.Parallel)]); err != nil {
			return err
		}
		if p.opt.Progress != nil && len(p.pending()) < len(pending) {
			p.opt.Progress(p.results())
		}
	}
}

// pending are the indexes whose processes have still to run.
func (p *parent) pending() []int {
	var indexes []int
	for i := range p.total {
		if p.slots[i].found == nil && !p.slots[i].lost {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// stopped is the error of a run whose context is done.
func stopped(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("the run was stopped: %w", context.Cause(ctx))
}

// runWave starts processes at the same time and waits for all of them. Once one
// of them says that the run has to end, the others are killed.
func (p *parent) runWave(ctx context.Context, indexes []int) error {
	wave, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex // one lock for what the processes print and what is kept
	errors := make([]error, len(indexes))
	attempts := make([]attempt, len(indexes))
	for k, index := range indexes {
		attempts[k] = p.next(index)
	}
	var running sync.WaitGroup
	for k, a := range attempts {
		running.Add(1)
		go func() {
			defer running.Done()
			p.try(wave, &a, &mu)
			mu.Lock()
			defer mu.Unlock()
			errors[k] = p.take(ctx, a)
			if errors[k] != nil {
				cancel()
			}
		}()
	}
	running.Wait()
	// Interruption comes before what it did to the processes, and the lowest
	// index before the others.
	if err := stopped(ctx); err != nil {
		return err
	}
	for _, err := range errors {
		if err != nil {
			return err
		}
	}
	return nil
}

// take keeps what an attempt found, or decides about its failure. Its error ends
// the run.
func (p *parent) take(ctx context.Context, a attempt) error {
	s := &p.slots[a.index]
	if a.failure == nil {
		s.found = a.found
		if err := p.journal.finished(a, p.layout(a.index)); err != nil {
			return fmt.Errorf("process %d (seed %d) finished, but the journal could not be written: %w", a.index, a.seed, err)
		}
		return nil
	}
	f := *a.failure
	if f.kind == killedByUs || ctx.Err() != nil {
		return nil
	}
	if f.kind == astray {
		p.reroute(f.passed)
		return nil
	}
	if ends, reason := p.ends(f); ends {
		return fmt.Errorf("%w%s", f.err(), reason)
	}
	f.replaced = p.mayReplace()
	p.failures = append(p.failures, f)
	p.settle(f)
	if err := p.journal.failed(f); err != nil {
		return fmt.Errorf("process %d (seed %d) failed, and the journal could not be written: %w", f.index, f.seed, err)
	}
	return nil
}

// reroute makes up for arguments that take children past fewer calls than the
// parent has made: to a single sub-test of a table, or through a test that the
// parent repeats. The calls then come in turns of as many as a child passes.
func (p *parent) reroute(passed int) {
	p.childCall.number = (p.call.number-1)%passed + 1
}

// settle gives the failed process another attempt or its place up.
func (p *parent) settle(f failure) {
	s := &p.slots[f.index]
	if f.replaced {
		s.attempt++
	} else {
		s.lost = true
	}
}

// mayReplace reports whether another process may be replaced: a tenth of them,
// at least one. More would hide that something is wrong.
func (p *parent) mayReplace() bool {
	replaced := 0
	for _, f := range p.failures {
		if f.replaced {
			replaced++
		}
	}
	return replaced < max(1, p.total/10)
}

// ends reports whether a failure ends the run, and why, as an addition to its
// error. A suite that says what is wrong would say it again;
// what happens twice in the same way during the first stage would go on
// happening; and where half of all processes fail, the others prove nothing.
func (p *parent) ends(f failure) (ends bool, reason string) {
	if f.kind == suiteFailed || f.kind == neverBegan {
		return true, ""
	}
	for _, earlier := range p.failures {
		if !p.staged && earlier.cause == f.cause {
			return true, fmt.Sprintf("\nprocess %d (seed %d) had failed in the same way", earlier.index, earlier.seed)
		}
	}
	if 2*(len(p.failures)+1) > p.total {
		return true, fmt.Sprintf("\nthat was failure %d of %d processes", len(p.failures)+1, p.total)
	}
	return false, ""
}
