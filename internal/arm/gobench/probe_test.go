//go:build unix

package gobench

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
)

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
