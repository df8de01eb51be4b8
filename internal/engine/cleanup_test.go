package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// brief is a comparison with all its parts in few calls: a pilot, stretches
// with collections, and units on rebuilt sessions.
func brief() (Design, []script) {
	design := small()
	design.Unit, design.UnitPairs, design.Budget = 0, 2, 20*time.Millisecond
	design.Identical, design.Rebuild = true, true
	design.Warmup = Warmup{Rounds: 1}
	return design, []script{allocating(64, 64_000, 1), noisy(100, 2)}
}

// callsOf counts the calls of an undisturbed run.
func callsOf(t *testing.T, design Design, scripts func() []script) int {
	t.Helper()
	w := &world{}
	w.sequential(t, design, Hooks{}, scripts()...)
	return w.calls
}

// Whatever call fails, the run ends at once with that error and every session
// that was opened is closed exactly once.
func TestEveryFailureEndsTheRunAndClosesEverything(t *testing.T) {
	design, _ := brief()
	scripts := func() []script { _, s := brief(); return s }
	calls := callsOf(t, design, scripts)
	kinds := map[string]int{}
	for failing := 1; failing <= calls; failing += 1 + calls/400 {
		w := &world{}
		later := 0
		w.at = func(call int, e event) error {
			if call == failing {
				kinds[e.what]++
				return fmt.Errorf("call %d: %w", call, errFake)
			}
			if call > failing && e.what != "close" {
				later++
			}
			return nil
		}
		_, err := Sequential(context.Background(), w.arms(scripts()...), design, w.now, Hooks{})
		if !errors.Is(err, errFake) {
			t.Fatalf("call %d of %d failed, and the run ended with %v", failing, calls, err)
		}
		if bad := w.leftOpen(); len(bad) > 0 {
			t.Fatalf("call %d of %d failed: %v", failing, calls, bad)
		}
		if later > 0 {
			t.Fatalf("%d calls after call %d of %d had failed", later, failing, calls)
		}
	}
	for _, kind := range []string{"open", "do", "settle", "close"} {
		if kinds[kind] == 0 {
			t.Errorf("no %s was made to fail", kind)
		}
	}
}

// The same for a context that ends: at most the batch that runs is finished.
func TestEveryCancellationEndsTheRunAndClosesEverything(t *testing.T) {
	design, _ := brief()
	scripts := func() []script { _, s := brief(); return s }
	calls := callsOf(t, design, scripts)
	for cancelled := 1; cancelled <= calls; cancelled += 1 + calls/400 {
		ctx, cancel := context.WithCancel(context.Background())
		w := &world{}
		last, batches := false, 0
		w.at = func(call int, e event) error {
			if call > cancelled && e.what == "do" {
				batches++
			}
			if call == cancelled {
				cancel()
				last = call == calls // the closing of the last session
			}
			return nil
		}
		_, err := Sequential(ctx, w.arms(scripts()...), design, w.now, Hooks{})
		cancel()
		if !errors.Is(err, context.Canceled) && !last && w.calls < calls {
			t.Fatalf("cancelled at call %d of %d: error %v", cancelled, calls, err)
		}
		if batches > 0 {
			t.Fatalf("%d batches began after the end at call %d", batches, cancelled)
		}
		if bad := w.leftOpen(); len(bad) > 0 {
			t.Fatalf("cancelled at call %d of %d: %v", cancelled, calls, bad)
		}
	}
}

func TestACancelledContextMeasuresNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w := &world{}
	_, err := Sequential(ctx, w.arms(steady(1), steady(1)), small(), w.now, Hooks{})
	if !errors.Is(err, context.Canceled) || w.calls != 0 {
		t.Errorf("%d calls, error %v", w.calls, err)
	}
}

// What was measured before an error belongs to the caller.
func TestAnErrorLeavesTheUnitsBeforeIt(t *testing.T) {
	w := &world{}
	units := 0
	hooks := w.hooks()
	w.at = func(_ int, _ event) error {
		if units >= 2 {
			return errFake
		}
		return nil
	}
	stage := hooks.Stage
	hooks.Stage = func(s Stage, done, total int) {
		stage(s, done, total)
		if s == StageMeasuring {
			units = done
		}
	}
	outcome, err := Sequential(context.Background(), w.arms(noisy(100, 1), noisy(100, 2)), small(), w.now, hooks)
	if !errors.Is(err, errFake) {
		t.Fatalf("error %v", err)
	}
	main := 0
	for _, u := range outcome.Units {
		if u.Purpose == "main" {
			main++
		}
	}
	if main != 2 || outcome.Spent != w.now() {
		t.Errorf("%d units in %v", main, outcome.Spent)
	}
}
