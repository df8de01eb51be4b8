package gobench

import (
	"context"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
)

func TestFirst(t *testing.T) {
	w := theWorkshop(t)
	if !w.paused {
		t.Fatal(w.reason)
	}
	for _, name := range []string{"BenchmarkLoop", "BenchmarkCount", "BenchmarkTree/500/loop", "BenchmarkTree/1000/count_[N]", "BenchmarkParallel", "BenchmarkStopStart", "BenchmarkAllocs", "BenchmarkExternal", "BenchmarkMetricCount", "BenchmarkReset", "BenchmarkChatty", "BenchmarkLeak"} {
		b := w.benchmark(name, gobuild.Pausing)
		s, err := b.Open(context.Background(), engine.Slot{Layout: 1, CPUs: []int{0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			sample := engine.Sample{}
			if err := s.Do(context.Background(), engine.Request{Lead: 10, N: 1000, Batches: 2, Counters: true, Allocations: true}, &sample); err != nil {
				t.Fatal(err)
			}
			t.Logf("%s %+v per op %.1f", name, sample, float64(sample.Wall)/2000)
		}
		if err := s.Settle(context.Background()); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		t.Log(s.(*paused).last, s.(*paused).leaked)
	}
}

func TestProbes(t *testing.T) {
	w := theWorkshop(t)
	for _, name := range []string{"BenchmarkLoop", "BenchmarkCount", "BenchmarkTree/500/loop", "BenchmarkParallel", "BenchmarkStopStart", "BenchmarkAllocs", "BenchmarkAllocsCount", "BenchmarkMetricLoop", "BenchmarkMetricCount", "BenchmarkOwnTime", "BenchmarkReset", "BenchmarkLoopSetup", "BenchmarkBytes", "BenchmarkSetupGrows", "BenchmarkChatty", "BenchmarkLeak",
		"BenchmarkSkip", "BenchmarkFail", "BenchmarkFailLate", "BenchmarkFailLateCount", "BenchmarkFailAfter", "BenchmarkPanic", "BenchmarkExit", "BenchmarkHang", "BenchmarkNone"} {
		b := w.benchmark(name, gobuild.Pausing)
		if name == "BenchmarkHang" {
			b.Timeout = 2e9
		}
		start := time.Now()
		found, err := b.Probe(context.Background(), Trial{Slot: engine.Slot{CPUs: []int{0, 1}}, BenchTime: "100ms"})
		t.Logf("%s %v\n   %+v\n   %v", name, time.Since(start), found, err)
	}
}
