package gobench

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
)

// Probe is what a short trial has found out about a benchmark.
type Probe struct {
	// Driver is how the benchmark can be run, and Reason why not batch by batch;
	// empty where it can.
	Driver gobuild.Driver
	Reason string
	// N is the number of operations to run it with: for the pausing driver one
	// that lasts about as long as was asked for, or longer where the first
	// operations of a batch are different; else the number that package
	// testing would choose. Both arms of a comparison need the same, such as the
	// larger of the two.
	N int64
	// NsPerOp is the time of an operation.
	NsPerOp float64
	// Loops is set for benchmarks with b.Loop, and Parallel for those with
	// b.RunParallel. Neither is known for benchmarks that cannot be paused.
	Loops, Parallel bool
	// Bytes is what b.SetBytes was told; 0 if nothing.
	Bytes int64
	// Metrics are the names of the metrics that it reports by itself, sorted, and
	// SeparateMetrics is set where they come only when the loop has ended.
	Metrics         []string
	SeparateMetrics bool
	// Leaked is the number of goroutines that it left running; -1 if not known.
	Leaked int
}

// Trial says how a benchmark is tried out.
type Trial struct {
	Slot engine.Slot
	// Batch is how long a batch is to last; 0 means 1 ms.
	Batch time.Duration
	// BenchTime is the value of -benchtime for benchmarks that get a process per
	// sample; empty means 1s.
	BenchTime string
}

const (
	defaultBatch     = time.Millisecond
	defaultBenchTime = "1s"
	// largestN is where package testing ends as well.
	largestN = 1_000_000_000
)

// Probe tries a benchmark out. One that cannot be run batch by batch is tried
// process by process; the error says why that cannot be done either. The
// Driver of the benchmark is the one that is tried first.
func (b *Benchmark) Probe(ctx context.Context, trial Trial) (Probe, error) {
	if trial.Batch <= 0 {
		trial.Batch = defaultBatch
	}
	if trial.BenchTime == "" {
		trial.BenchTime = defaultBenchTime
	}
	if b.Driver == gobuild.Processes {
		return b.probeRuns(ctx, trial, "")
	}
	found, err := b.probePaused(ctx, trial)
	switch {
	case err == nil && found.Reason == "":
		return found, nil
	case err == nil:
		runs, err := b.probeRuns(ctx, trial, found.Reason)
		runs.Leaked, runs.Loops, runs.Parallel = found.Leaked, found.Loops, found.Parallel
		return runs, err
	case ctx.Err() != nil:
		return found, err
	}
	var failed *Failure
	if !errors.As(err, &failed) {
		return found, err
	}
	runs, errRuns := b.probeRuns(ctx, trial, "batch by batch it "+failed.Reason)
	if errRuns != nil {
		return found, errRuns
	}
	return runs, nil
}

// probeRuns runs one process for as long as package testing would.
func (b *Benchmark) probeRuns(ctx context.Context, trial Trial, reason string) (Probe, error) {
	found := Probe{Driver: gobuild.Processes, Reason: reason, Leaked: -1}
	binary, err := b.Binary(ctx, trial.Slot.Layout, gobuild.Processes)
	if err != nil {
		return found, err
	}
	s := runs{Benchmark: b, binary: binary, place: b.Placement.add(trial.Slot.CPUs)}
	result, err := s.once(ctx, trial.BenchTime)
	if err != nil {
		return found, err
	}
	found.N = result.N
	ns, ok := result.Find("ns/op")
	if !ok {
		return found, b.failure("reports no time (ns/op)", "")
	}
	found.NsPerOp = ns
	for _, value := range result.Values {
		switch value.Unit {
		case "ns/op", "B/op", "allocs/op":
		case "MB/s":
			const bytesPerMegabyteNanosecond = 1e-3
			found.Bytes = int64(math.Round(value.Number * ns * bytesPerMegabyteNanosecond))
		default:
			found.Metrics = append(found.Metrics, value.Unit)
		}
	}
	slices.Sort(found.Metrics)
	return found, nil
}

// metricNames are the names of reported metrics, sorted.
func metricNames(metrics map[string]float64) []string {
	return slices.Sorted(maps.Keys(metrics))
}
