// Package gobench is the arm for Go benchmarks of a test binary.
//
// With the pausing driver a session is one process, in which the benchmark is
// stopped and continued inside its own loop, so that short batches of two
// versions can alternate. Without it a session starts a process for every
// sample and reads the line that it prints.
//
// The package starts binaries and speaks with them. How they were built is
// told to it; what the numbers mean is somebody else's business.
package gobench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
)

// Benchmark is one benchmark of one version.
type Benchmark struct {
	// Name is the full name without the number of processors, such as
	// "BenchmarkEncode/digits".
	Name string
	// Version names the version in errors.
	Version string
	// Driver is how it is run; Probe says what suits it.
	Driver gobuild.Driver
	// Binary returns the test binary of a layout for a driver.
	Binary func(ctx context.Context, layout int, driver gobuild.Driver) (gobuild.Binary, error)
	// Env is the environment of the processes.
	Env []string
	// Processors is GOMAXPROCS, which is told to the processes: a runtime that
	// is moved to one processor would choose 1 by itself. 0 means that of this
	// process. It takes the place of -cpu, which is not for Args.
	Processors int
	// Args are further flags for the binary.
	Args []string
	// Placement chooses where the processes run. All arms of a comparison share
	// one. Nil leaves them where the system puts them.
	Placement *Placement
	// Timeout bounds the wait for one answer; 0 means 10 minutes.
	Timeout time.Duration
	// Metrics are the names of the metrics that the benchmark reports by itself,
	// as Probe found them.
	Metrics []string
	// SeparateMetrics is set where they are known only when the loop has ended.
	// A session then ends the loop with every unit, and enters it anew.
	SeparateMetrics bool
}

// defaultTimeout is as long as go test waits.
const defaultTimeout = 10 * time.Minute

func (b *Benchmark) timeout() time.Duration {
	if b.Timeout > 0 {
		return b.Timeout
	}
	return defaultTimeout
}

// Open starts the benchmark of a slot's layout.
func (b *Benchmark) Open(ctx context.Context, slot engine.Slot) (engine.Session, error) {
	binary, err := b.Binary(ctx, slot.Layout, b.Driver)
	if err != nil {
		return nil, err
	}
	if b.Driver == gobuild.Pausing {
		return b.openPaused(ctx, binary, slot)
	}
	return &runs{Benchmark: b, binary: binary, place: b.Placement.add(slot.CPUs)}, nil
}

// arguments are the flags that select the benchmark, with those of the user.
func (b *Benchmark) arguments(more ...string) []string {
	args := []string{"-test.run=^$", "-test.bench=" + gobuild.ExactPattern(b.Name), "-test.count=1", "-test.timeout=0", "-test.paniconexit0"}
	return slices.Concat(args, more, b.Args)
}

func (b *Benchmark) environment(binary gobuild.Binary, more ...string) []string {
	return append(binary.Environment(b.Env, b.Processors), more...)
}

// failure is an error of this benchmark.
func (b *Benchmark) failure(reason string, output string) *Failure {
	return &Failure{Benchmark: b.Name, Version: b.Version, Reason: reason, Output: gobuild.LastLines(output, shownLines)}
}

// Failure is a benchmark that could not be measured.
type Failure struct {
	Benchmark, Version string
	// Reason says what happened, such as "panicked" or "did not answer within
	// 10m0s".
	Reason string
	// Output is the end of what it printed.
	Output string
}

// shownLines is how much of a benchmark's output an error shows.
const shownLines = 30

func (e *Failure) Error() string {
	text := fmt.Sprintf("%s at %s %s", e.Benchmark, e.Version, e.Reason)
	if e.Output != "" {
		text += "\n" + e.Output
	}
	return text
}
