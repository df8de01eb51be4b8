//go:build unix

package gobench

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
)

// pausable is the workshop, where benchmarks can be paused.
func pausable(t *testing.T) workshop {
	t.Helper()
	w := theWorkshop(t)
	if !w.paused {
		t.Skipf("benchmarks cannot be paused here: %s", w.reason)
	}
	return w
}

func open(t *testing.T, b *Benchmark, slot engine.Slot) *paused {
	t.Helper()
	s, err := b.Open(t.Context(), slot)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s.(*paused)
}

func visit(t *testing.T, s engine.Session, request engine.Request) engine.Sample {
	t.Helper()
	sample := engine.Sample{CPU: -1, Bytes: -1, Allocs: -1, Collections: -1, Preempted: -1}
	if err := s.Do(t.Context(), request, &sample); err != nil {
		t.Fatal(err)
	}
	return sample
}

func TestSetupRunsOnceAndTheLoopGoesOn(t *testing.T) {
	w := pausable(t)
	s := open(t, w.benchmark("BenchmarkLoop", gobuild.Pausing), engine.Slot{})
	total := int64(0)
	for n := int64(1); n <= 50; n++ {
		sample := visit(t, s, engine.Request{Lead: 2, N: n, Batches: 3})
		total += 2 + 3*n
		if sample.Wall <= 0 || sample.CPU != -1 || sample.Bytes != -1 || sample.Allocs != -1 || sample.Collections != -1 {
			t.Fatalf("sample of %d is %+v", n, sample)
		}
	}
	if err := s.finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.last.n != total {
		t.Errorf("b.N is %d, want %d", s.last.n, total)
	}
	// The loop is entered anew.
	visit(t, s, engine.Request{N: 7})
	if err := s.finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.last.n != 7 {
		t.Errorf("b.N is %d in the second loop, want 7", s.last.n)
	}
}

func TestCountersAreThoseOfTheBatch(t *testing.T) {
	w := pausable(t)
	s := open(t, w.benchmark("BenchmarkAllocs", gobuild.Pausing), engine.Slot{})
	const n = 100_000
	sample := visit(t, s, engine.Request{Lead: 100, N: n, Counters: true, Allocations: true})
	if sample.Allocs < n || sample.Allocs > n+1000 || sample.Bytes < n*1024 || sample.Bytes > n*1100 {
		t.Errorf("%d allocations and %d bytes of %d operations", sample.Allocs, sample.Bytes, n)
	}
	// 100 MB with a small live heap: the runtime collects every 4 MB, if it keeps
	// up.
	if sample.Collections < 1 || sample.CPU <= 0 {
		t.Errorf("%d collections, %d ns of processor time", sample.Collections, sample.CPU)
	}
	s = open(t, w.benchmark("BenchmarkStopStart", gobuild.Pausing), engine.Slot{})
	sample = visit(t, s, engine.Request{N: 500, Counters: true})
	// Ten times as much work is not timed as is. Threads of the runtime may be
	// busy at the same time.
	if ratio := float64(sample.CPU) / float64(sample.Wall); ratio > 5 {
		t.Errorf("processor time is %.2f times the time between start and stop", ratio)
	}
}

func TestGoroutinesThatAreLeftAreCounted(t *testing.T) {
	w := pausable(t)
	for name, want := range map[string]int{"BenchmarkLeak": 3, "BenchmarkLoop": 0, "BenchmarkCount": 0, "BenchmarkParallel": 0} {
		s := open(t, w.benchmark(name, gobuild.Pausing), engine.Slot{})
		visit(t, s, engine.Request{N: 10})
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if s.leaked != want {
			t.Errorf("%s has left %d goroutines, want %d", name, s.leaked, want)
		}
	}
}

func TestFailuresNameTheBenchmarkAndTheReason(t *testing.T) {
	w := pausable(t)
	for name, want := range map[string][]string{
		"BenchmarkSkip":          {"was skipped", "not today"},
		"BenchmarkFail":          {"failed", "broken from the start"},
		"BenchmarkFailLate":      {"failed", "broken after a while"},
		"BenchmarkFailLateCount": {"failed", "too many for me"},
		"BenchmarkFailAfter":     {"failed", "the result is wrong"},
		"BenchmarkPanic":         {"panicked", "oh no"},
		"BenchmarkExit":          {"exit status 7"},
		"BenchmarkHang":          {"did not answer within 1s"},
		"BenchmarkNone":          {"no such benchmark"},
	} {
		t.Run(name, func(t *testing.T) {
			b := w.benchmark(name, gobuild.Pausing)
			b.Timeout = 20 * time.Second
			if name == "BenchmarkHang" {
				b.Timeout = time.Second
			}
			err := run(t.Context(), b, 500)
			var failed *Failure
			if !errors.As(err, &failed) || failed.Benchmark != name || failed.Version != b.Version {
				t.Fatalf("error is %v", err)
			}
			for _, part := range want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q is not in: %v", part, err)
				}
			}
		})
	}
}

// run opens, visits and closes a benchmark, and returns the first error.
func run(ctx context.Context, b *Benchmark, n int64) error {
	s, err := b.Open(ctx, engine.Slot{})
	if err != nil {
		return err
	}
	var sample engine.Sample
	if err := s.Do(ctx, engine.Request{N: n}, &sample); err != nil {
		_ = s.Close()
		return err
	}
	return s.Close()
}

func TestAStoppedRunEndsItsProcess(t *testing.T) {
	w := pausable(t)
	s := open(t, w.benchmark("BenchmarkHang", gobuild.Pausing), engine.Slot{})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	var sample engine.Sample
	if err := s.Do(ctx, engine.Request{N: 1000}, &sample); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	select {
	case <-s.child.ended:
	default:
		t.Error("the process is still there")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestLayoutsAreOtherBinaries(t *testing.T) {
	w := pausable(t)
	if !w.builder.Toolchain.Layouts {
		t.Skip("the linker has no layouts")
	}
	b := w.benchmark("BenchmarkLoop", gobuild.Pausing)
	paths := map[string]bool{}
	find := b.Binary
	b.Binary = func(ctx context.Context, layout int, driver gobuild.Driver) (gobuild.Binary, error) {
		binary, err := find(ctx, layout, driver)
		paths[binary.Hash] = true
		return binary, err
	}
	for layout := range 2 {
		visit(t, open(t, b, engine.Slot{Layout: layout}), engine.Request{N: 10})
	}
	if len(paths) != 2 {
		t.Errorf("%d binaries for 2 layouts", len(paths))
	}
}
