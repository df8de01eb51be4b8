package rtcompare

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// protocols are the two ways of comparing, in few batches but with every part.
func protocols() map[string]CompareOptions {
	fixed := short()
	fixed.Collect = CollectOptions{Repeats: MinimumDataPoints, Warmup: 2, WarmupDuration: time.Microsecond}
	fixed.ValidationRuns, fixed.SkipChecks = 2, false
	budget := CompareOptions{Budget: 10 * time.Millisecond, Collect: CollectOptions{Warmup: 2}}
	return map[string]CompareOptions{"fixed": fixed, "budget": budget}
}

// allocatingPair makes the machine's clock move so fast that garbage
// collections are part of every protocol.
func (m *machine) allocatingPair(opt CompareOptions) []Candidate {
	heap := int64(400_000) // few stretches, since each settles the real heap
	if opt.Budget > 0 {
		heap = 20_000
	}
	return []Candidate{
		m.candidate(work{name: "a", ns: 100, scatter: 0.005, seed: 1, bytes: 16, heap: heap}),
		m.candidate(work{name: "b", ns: 110, scatter: 0.005, seed: 2}),
	}
}

// watched cancels a context in the k-th batch and counts the batches and
// set-ups that begin afterwards.
func watched(m *machine, opt CompareOptions, k int, cancel func()) (candidates []Candidate, count, late *int) {
	count, late = new(int), new(int)
	candidates = m.allocatingPair(opt)
	for i := range candidates {
		batch := candidates[i].Batch
		note := func() {
			if *count >= k {
				*late++
			}
		}
		candidates[i].Setup = note
		candidates[i].Batch = func(n uint64) {
			note()
			batch(n)
			if *count++; *count == k {
				cancel()
			}
		}
	}
	return candidates, count, late
}

func TestCancellationEndsWithinOneBatch(t *testing.T) {
	for name, opt := range protocols() {
		t.Run(name, func(t *testing.T) {
			m := newMachine()
			candidates, total, _ := watched(m, opt, 1<<40, nil)
			if _, err := m.run(context.Background(), candidates, opt); err != nil {
				t.Fatal(err)
			}
			for k := 1; k < *total; k += 1 + *total/12 {
				ctx, cancel := context.WithCancel(context.Background())
				m := newMachine()
				candidates, count, late := watched(m, opt, k, cancel)
				reports, err := m.run(ctx, candidates, opt)
				cancel()
				if !errors.Is(err, context.Canceled) || reports != nil {
					t.Fatalf("cancelled in batch %d of %d: error %v", k, *total, err)
				}
				if !strings.Contains(err.Error(), "stopped") {
					t.Errorf("error %v", err)
				}
				if *late > 0 || *count != k {
					t.Fatalf("%d calls after the context ended in batch %d of %d", *late, k, *total)
				}
			}
		})
	}
}

// The stages tell where the end came, and no run begins after it.
func TestCancellationInEveryStage(t *testing.T) {
	for name, opt := range protocols() {
		for _, stage := range []string{StageCalibrating, StageValidating, StageMeasuring} {
			t.Run(name+" "+stage, func(t *testing.T) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				m := newMachine()
				after := 0
				opt := opt
				opt.Progress = func(p Progress) {
					if ctx.Err() != nil {
						after++
					}
					if p.Stage == stage && p.Done >= p.Total/2 {
						cancel()
					}
				}
				batches := -1
				candidates := m.allocatingPair(opt)
				for i := range candidates {
					batch := candidates[i].Batch
					candidates[i].Batch = func(n uint64) {
						if ctx.Err() != nil {
							batches++
						}
						batch(n)
					}
				}
				_, err := m.run(ctx, candidates, opt)
				if !errors.Is(err, context.Canceled) || after > 0 || batches >= 0 {
					t.Errorf("error %v, %d reports of progress and %d batches after the end", err, after, batches+1)
				}
			})
		}
	}
}

func TestCancelledBeforeTheStart(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("why")
	cancel(why)
	for name, opt := range protocols() {
		ran := 0
		a, b := counted("a", &ran), counted("b", &ran)
		_, err := CompareContext(ctx, a, b, opt)
		if !errors.Is(err, context.Canceled) || !errors.Is(err, why) || ran != 0 {
			t.Errorf("%s: %d calls, error %v", name, ran, err)
		}
		_, err = CompareAll(ctx, []Candidate{a, b}, opt)
		if !errors.Is(err, context.Canceled) || ran != 0 {
			t.Errorf("%s, CompareAll: %d calls, error %v", name, ran, err)
		}
	}
}

// With a real clock, too, a deadline ends what would take an hour.
func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	a, b := spinning(100), spinning(100)
	_, err := CompareContext(ctx, a, b, CompareOptions{Collect: CollectOptions{WarmupDuration: time.Hour}})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	_, err = CompareContext(ctx, a, b, CompareOptions{Budget: time.Hour})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with a budget: error %v", err)
	}
}
