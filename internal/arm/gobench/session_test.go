//go:build unix

package gobench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
	"github.com/rtcompare/rtcompare/internal/record"
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

// kinds are benchmarks that have to give the same with both drivers: names of
// their metrics, and whether they call b.Loop.
var kinds = []struct {
	name    string
	loops   bool
	metrics []string
}{
	{"BenchmarkLoop", true, nil},
	{"BenchmarkLoopSetup", true, nil},
	{"BenchmarkCount", false, nil},
	{"BenchmarkTree/500/loop", true, nil},
	{"BenchmarkTree/1000/count_[N]", false, nil},
	{"BenchmarkParallel", false, nil},
	{"BenchmarkReset", false, nil},
	{"BenchmarkStopStart", true, nil},
	{"BenchmarkBytes", true, nil},
	{"BenchmarkAllocs", true, nil},
	{"BenchmarkAllocsCount", false, nil},
	{"BenchmarkMetricLoop", true, []string{"ops/s", "things/op"}},
	{"BenchmarkMetricCount", false, []string{"things/op"}},
	{"BenchmarkCleanup", true, nil},
	{"BenchmarkChatty", true, nil},
	{"BenchmarkLeak", true, nil},
	{"BenchmarkExternal", true, nil},
}

// parityFactor is generous: one process on a busy machine is no measurement.
const parityFactor = 8

func TestBothDriversAgree(t *testing.T) {
	w := pausable(t)
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			const n, batches = 1000, 2
			measured := map[gobuild.Driver]engine.Sample{}
			for _, driver := range []gobuild.Driver{gobuild.Pausing, gobuild.Processes} {
				b := w.benchmark(kind.name, driver)
				b.Metrics, b.SeparateMetrics = kind.metrics, kind.loops
				s, err := b.Open(t.Context(), engine.Slot{CPUs: w.cpus})
				if err != nil {
					t.Fatal(err)
				}
				if p, ok := s.(*paused); ok && p.loops != kind.loops {
					t.Errorf("loops is %v", p.loops)
				}
				if strings.Contains(kind.name, "Allocs") {
					visit(t, s, engine.Request{N: 20 * n}) // the heap takes its size
				}
				measured[driver] = visit(t, s, engine.Request{N: n, Batches: batches, Allocations: true})
				if err := s.Settle(t.Context()); err != nil {
					t.Error(err)
				}
				cell := record.Cell{Extra: map[string]record.Values{}}
				for _, extra := range measured[driver].Extra {
					cell.Extra[extra.Metric] = record.Values{extra.Value}
				}
				if reporter, ok := s.(engine.Reporter); ok {
					if err := reporter.Report(&cell); err != nil {
						t.Error(err)
					}
				}
				checkMetrics(t, driver, cell, kind.metrics)
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
			one, other := measured[gobuild.Pausing], measured[gobuild.Processes]
			if ratio := float64(one.Wall) / float64(other.Wall); !(ratio > 1.0/parityFactor && ratio < parityFactor) {
				t.Errorf("%d ns paused, %d ns in processes of their own", one.Wall, other.Wall)
			}
			// Rounded down to whole ones by package testing, and with what the
			// runtime allocates by itself.
			const strayBytes, strayAllocs = 64, 1
			perOp := func(total int64) float64 { return float64(total) / (n * batches) }
			if a, b := perOp(one.Bytes), perOp(other.Bytes); a < b-strayBytes || a > b+strayBytes {
				t.Errorf("%v bytes per operation paused, %v else", a, b)
			}
			if a, b := perOp(one.Allocs), perOp(other.Allocs); a < b-strayAllocs || a > b+strayAllocs {
				t.Errorf("%v allocations per operation paused, %v else", a, b)
			}
		})
	}
}

// checkMetrics wants all metrics, and three things per operation.
func checkMetrics(t *testing.T, driver gobuild.Driver, cell record.Cell, want []string) {
	t.Helper()
	for _, name := range want {
		values := cell.Extra[name]
		if len(values) != 1 || !(values[0] > 0) || name == "things/op" && values[0] != 3 {
			t.Errorf("%v: metric %s is %v", driver, name, values)
		}
	}
	if len(cell.Extra) != len(want) {
		t.Errorf("%v: metrics are %v, want %v", driver, cell.Extra, want)
	}
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

func TestProcessesAreMovedTogether(t *testing.T) {
	w := pausable(t)
	if len(w.cpus) < 2 {
		t.Skip("there is one processor only")
	}
	placement := new(Placement)
	var sessions []*paused
	for range 2 {
		b := w.benchmark("BenchmarkLoop", gobuild.Pausing)
		b.Placement = placement
		sessions = append(sessions, open(t, b, engine.Slot{CPUs: w.cpus}))
	}
	for unit := range 3 {
		for _, s := range sessions {
			visit(t, s, engine.Request{N: 10})
			if s.place.at != w.cpus[unit%len(w.cpus)] {
				t.Errorf("unit %d runs on processor %d", unit, s.place.at)
			}
			if allowed := allowedProcessors(t, s.child.pid); allowed != "" && allowed != fmt.Sprint(s.place.at) {
				t.Errorf("unit %d may run on %s", unit, allowed)
			}
		}
		for _, s := range sessions {
			if err := s.Report(new(record.Cell)); err != nil {
				t.Error(err)
			}
		}
	}
	b := w.benchmark("BenchmarkParallel", gobuild.Pausing)
	b.Placement = placement
	s := open(t, b, engine.Slot{CPUs: w.cpus})
	visit(t, s, engine.Request{N: 10})
	visit(t, s, engine.Request{N: 10})
	if s.place.at != everywhere {
		t.Errorf("a parallel benchmark stays on processor %d", s.place.at)
	}
}

// allowedProcessors is what the system says about a process's threads, where it
// does.
func allowedProcessors(t *testing.T, pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "Cpus_allowed_list:"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
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

func TestProbesFindTheDriver(t *testing.T) {
	w := pausable(t)
	for _, kind := range append(slices.Clone(kinds), struct {
		name    string
		loops   bool
		metrics []string
	}{"BenchmarkOwnTime", false, []string{"ns/op"}}) {
		t.Run(kind.name, func(t *testing.T) {
			b := w.benchmark(kind.name, gobuild.Pausing)
			found, err := b.Probe(t.Context(), Trial{Slot: engine.Slot{CPUs: w.cpus}, BenchTime: "20ms"})
			if err != nil {
				t.Fatal(err)
			}
			if kind.loops && found.Driver != gobuild.Pausing {
				t.Errorf("driver is %v: %s", found.Driver, found.Reason)
			}
			if found.N < 2 || found.NsPerOp <= 0 || (found.Driver == gobuild.Pausing) != (found.Reason == "") {
				t.Errorf("found %+v", found)
			}
			if found.Driver == gobuild.Pausing && (!slices.Equal(found.Metrics, kind.metrics) || found.Loops != kind.loops || found.SeparateMetrics != (kind.loops && len(kind.metrics) > 0) || found.Parallel != (kind.name == "BenchmarkParallel")) {
				t.Errorf("found %+v", found)
			}
			if kind.name == "BenchmarkBytes" && found.Bytes != 4096 {
				t.Errorf("%d bytes", found.Bytes)
			}
		})
	}
}

func TestProbesTellWhyNot(t *testing.T) {
	w := pausable(t)
	for name, want := range map[string]string{
		"BenchmarkGrows":       "depends on their number",
		"BenchmarkOwnLoopTime": "reports its own ns/op",
		"BenchmarkAlone":       "batch by batch it failed",
	} {
		t.Run(name, func(t *testing.T) {
			if name == "BenchmarkAlone" && runtime.GOOS != "linux" {
				t.Skip("it looks into /proc")
			}
			b := w.benchmark(name, gobuild.Pausing)
			found, err := b.Probe(t.Context(), Trial{Slot: engine.Slot{CPUs: w.cpus}, BenchTime: "20ms"})
			if err != nil {
				t.Fatal(err)
			}
			if found.Driver != gobuild.Processes || !strings.Contains(found.Reason, want) || found.N < 1 {
				t.Errorf("found %+v", found)
			}
		})
	}
	_, err := w.benchmark("BenchmarkFail", gobuild.Pausing).Probe(t.Context(), Trial{})
	if err == nil || !strings.Contains(err.Error(), "broken from the start") {
		t.Errorf("error is %v", err)
	}
}

func TestAnswersAreRead(t *testing.T) {
	e, err := readEnding("10 200 3 a=b=1.5 x/op=NaN")
	if err != nil || e.n != 10 || e.nanoseconds != 200 || e.bytes != 3 || e.metric("a=b") != 1.5 || e.metric("none") == e.metric("none") {
		t.Errorf("read %+v, %v", e, err)
	}
	for _, wrong := range []string{"", "1 2", "1 2 x", "1 2 3 a", "1 2 3 =1", "1 2 3 a=x"} {
		if e, err := readEnding(wrong); err == nil {
			t.Errorf("%q is read as %+v", wrong, e)
		}
	}
}

func FuzzReadEnding(f *testing.F) {
	f.Add("10 200 3 a=1.5")
	f.Fuzz(func(t *testing.T, answer string) {
		if e, err := readEnding(answer); err == nil && e.metrics == nil {
			t.Errorf("%q is read as %+v", answer, e)
		}
	})
}
