package gobench

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
)

func TestFailuresOfProcesses(t *testing.T) {
	w := theWorkshop(t)
	for name, want := range map[string][]string{
		"BenchmarkSkip":      {"was skipped", "not today"},
		"BenchmarkFailAfter": {"failed", "the result is wrong"},
		"BenchmarkPanic":     {"panicked", "oh no"},
		"BenchmarkExit":      {"exit status 7"},
		"BenchmarkHang":      {"did not end within 1s"},
		"BenchmarkNone":      {"no such benchmark"},
	} {
		t.Run(name, func(t *testing.T) {
			b := w.benchmark(name, gobuild.Processes)
			b.Timeout = 20 * time.Second
			if name == "BenchmarkHang" {
				b.Timeout = time.Second
			}
			s, err := b.Open(t.Context(), engine.Slot{})
			if err != nil {
				t.Fatal(err)
			}
			var sample engine.Sample
			err = s.Do(t.Context(), engine.Request{N: 500}, &sample)
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

func TestProcessesWithTheRaceDetector(t *testing.T) {
	w := theWorkshop(t)
	builder := &gobuild.Builder{Toolchain: w.builder.Toolchain, Cache: cache, Flags: []string{"-cover"}}
	driver, reason, err := builder.Driver(t.Context())
	if err != nil || driver != gobuild.Processes || !strings.Contains(reason, "-cover") {
		t.Fatalf("driver is %v, %q, %v", driver, reason, err)
	}
}
