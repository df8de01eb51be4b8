//go:build unix

package gobench

import (
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
	"github.com/rtcompare/rtcompare/internal/record"
)

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
			const n, batches, visits = 500, 2, 4
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
				for range visits - 1 {
					// The shortest was disturbed least; that is all that is asked here.
					again := visit(t, s, engine.Request{N: n, Batches: batches, Allocations: true})
					if again.Wall < measured[driver].Wall {
						measured[driver] = again
					}
				}
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
