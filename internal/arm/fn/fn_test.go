package fn

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
)

// journal is a candidate that writes down what it is asked to do. Its clock
// moves only inside the candidate's own functions.
type journal struct {
	lines []string
	clock time.Duration
	// panics makes one of the functions panic with the value.
	panics map[string]any
	// counters that the batch moves.
	switches, thread, collections int64
	unknown                       bool
	cpu                           time.Duration
}

func (j *journal) step(name string, took time.Duration) {
	j.lines = append(j.lines, name)
	j.clock += took
	if value := j.panics[name]; value != nil {
		panic(value)
	}
}

func (j *journal) text() string { return strings.Join(j.lines, " ") }

// function is a candidate of which a batch lasts 7 ns an operation, set-up 100
// and teardown 1000 ns.
func (j *journal) function() *Function {
	return &Function{
		Label:    `candidate A ("x")`,
		Setup:    func() { j.step("setup", 100) },
		Batch:    func(n uint64) { j.step("batch", time.Duration(7*n)) },
		Teardown: func() { j.step("teardown", 1000) },
		Instruments: Instruments{
			Now:         func() time.Duration { return j.clock },
			Switches:    func() (int64, int64, bool) { return j.switches, j.thread, !j.unknown },
			CPU:         func() (time.Duration, bool) { return j.cpu, true },
			Collections: func() int64 { return j.collections },
		},
	}
}

// unread is a sample before anything was read.
func unread() engine.Sample {
	return engine.Sample{CPU: -1, Bytes: -1, Allocs: -1, Collections: -1, Preempted: -1}
}

func open(t *testing.T, f *Function) engine.Session {
	t.Helper()
	s, err := f.Open(context.Background(), engine.Slot{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func do(t *testing.T, f *Function, request engine.Request) engine.Sample {
	t.Helper()
	sample := unread()
	if err := open(t, f).Do(context.Background(), request, &sample); err != nil {
		t.Fatal(err)
	}
	return sample
}

func TestBatchesAndLeadInsRunBetweenSetupAndTeardown(t *testing.T) {
	const once = "setup batch teardown"
	tests := []struct {
		name    string
		request engine.Request
		want    string
		wall    int64
	}{
		{"one batch", engine.Request{N: 10}, once, 70},
		{"a lead-in is a batch of its own", engine.Request{N: 10, Lead: 1000}, once + " " + once, 70},
		{"several batches add up", engine.Request{N: 10, Batches: 3}, once + " " + once + " " + once, 210},
		{"a lead-in comes once", engine.Request{N: 10, Lead: 5, Batches: 2}, once + " " + once + " " + once, 140},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := &journal{}
			sample := do(t, j.function(), tt.request)
			if j.text() != tt.want {
				t.Errorf("ran %s, want %s", j.text(), tt.want)
			}
			if sample.Wall != tt.wall {
				t.Errorf("%d ns, want %d: only the batches are timed", sample.Wall, tt.wall)
			}
			if sample.CPU != -1 || sample.Bytes != -1 || sample.Allocs != -1 || sample.Collections != -1 {
				t.Errorf("counts were read unasked: %+v", sample)
			}
		})
	}
}

func TestSetupAndTeardownMayBeNil(t *testing.T) {
	j := &journal{}
	f := j.function()
	f.Setup, f.Teardown = nil, nil
	if sample := do(t, f, engine.Request{N: 3}); sample.Wall != 21 || j.text() != "batch" {
		t.Errorf("%d ns, ran %s", sample.Wall, j.text())
	}
}

func TestTheBatchGetsItsOwnCount(t *testing.T) {
	j := &journal{}
	var counts []uint64
	f := j.function()
	f.Batch = func(n uint64) { counts = append(counts, n) }
	do(t, f, engine.Request{N: 12, Lead: 34, Batches: 2})
	if len(counts) != 3 || counts[0] != 34 || counts[1] != 12 || counts[2] != 12 {
		t.Errorf("ran batches of %v", counts)
	}
}

func TestCounters(t *testing.T) {
	j := &journal{cpu: 50, collections: 4}
	f := j.function()
	bytes := int64(5)
	f.Batch = func(n uint64) {
		j.cpu += time.Duration(2 * n)
		j.collections++
		bytes += 64 * int64(n)
	}
	f.Instruments.Allocated = func() (int64, int64) { return bytes, bytes / 32 }
	got := do(t, f, engine.Request{N: 10, Lead: 99, Batches: 3, Counters: true, Allocations: true})
	// The lead-in moved the counters, too, and belongs to none of them.
	if got.CPU != 60 || got.Collections != 3 {
		t.Errorf("sample %+v", got)
	}
	if got.Bytes != 30*64 || got.Allocs != 60 {
		t.Errorf("%d bytes in %d allocations", got.Bytes, got.Allocs)
	}
}

func TestPreemption(t *testing.T) {
	tests := []struct {
		name  string
		batch func(j *journal)
		want  int
	}{
		{"undisturbed", func(*journal) {}, 0},
		{"the processor was taken away", func(j *journal) { j.switches += 2 }, 1},
		{"another thread: no telling", func(j *journal) { j.thread++; j.switches += 2 }, -1},
		{"not known on this system", func(j *journal) { j.unknown = true }, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := &journal{}
			f := j.function()
			f.Batch = func(uint64) { tt.batch(j) }
			if got := do(t, f, engine.Request{N: 1, Batches: 2}); got.Preempted != tt.want {
				t.Errorf("preempted %d, want %d", got.Preempted, tt.want)
			}
		})
	}
}

func TestOnlyTheClockIsRequired(t *testing.T) {
	j := &journal{}
	f := j.function()
	f.Instruments = Instruments{Now: f.Instruments.Now}
	got := do(t, f, engine.Request{N: 1, Counters: true})
	if got.Wall != 7 || got.Preempted != -1 {
		t.Errorf("sample %+v", got)
	}
}

func TestTheContextIsLookedAtBetweenBatches(t *testing.T) {
	tests := []struct {
		name string
		stop int // the batch that ends the context, the lead-in included
		ran  int
	}{
		{"during the lead-in", 1, 1},
		{"during the first batch", 2, 2},
		{"during the second batch", 3, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			j := &journal{}
			f := j.function()
			ran := 0
			f.Batch = func(uint64) {
				if ran++; ran == tt.stop {
					cancel()
				}
			}
			sample := unread()
			err := open(t, f).Do(ctx, engine.Request{N: 1, Lead: 1, Batches: 50}, &sample)
			if !errors.Is(err, context.Canceled) || ran != tt.ran {
				t.Errorf("%d batches, error %v", ran, err)
			}
		})
	}
}

func TestCollectBefore(t *testing.T) {
	collections := func() uint32 {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.NumGC
	}
	j := &journal{}
	f := j.function()
	f.CollectBefore = true
	var atSetup, atBatch uint32
	f.Setup = func() { atSetup = collections() }
	f.Batch = func(uint64) { atBatch = collections() }
	do(t, f, engine.Request{N: 1})
	if atBatch == atSetup {
		t.Error("no collection between set-up and batch")
	}
}
