package gobench

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
	"github.com/rtcompare/rtcompare/internal/record"
)

// runs is a benchmark that gets a fresh process for every sample.
type runs struct {
	*Benchmark
	binary  gobuild.Binary
	place   *place
	visited bool
}

// Do runs a process for every batch. Package testing runs one operation before
// the timed ones; there is no other lead-in. Processor time is not known: that
// of the process holds its start and the benchmark's own setup.
func (s *runs) Do(ctx context.Context, request engine.Request, sample *engine.Sample) error {
	sample.Wall, s.visited = 0, true
	if request.Allocations {
		sample.Bytes, sample.Allocs = 0, 0
	}
	batches := max(1, request.Batches)
	metrics := make([]float64, len(s.Metrics))
	for range batches {
		if ctx.Err() != nil {
			return engine.Stopped(ctx)
		}
		result, err := s.once(ctx, strconv.FormatInt(request.N, 10)+"x")
		if err != nil {
			return err
		}
		ns, ok := result.Find("ns/op")
		if !ok {
			return s.failure("reports no time (ns/op)", "")
		}
		sample.Wall += int64(math.Round(ns * float64(result.N)))
		if request.Allocations {
			sample.Bytes += total(result, "B/op")
			sample.Allocs += total(result, "allocs/op")
		}
		for i, name := range s.Metrics {
			value, _ := result.Find(name)
			metrics[i] += value / float64(batches)
		}
	}
	for i, name := range s.Metrics {
		sample.Extra = append(sample.Extra, engine.Extra{Metric: name, Value: metrics[i]})
	}
	return nil
}

// total is a number per operation, over all operations.
func total(result gobuild.Result, unit string) int64 {
	value, ok := result.Find(unit)
	if !ok {
		return 0
	}
	return int64(math.Round(value * float64(result.N)))
}

// once runs one process and returns its result.
func (s *runs) once(ctx context.Context, benchtime string) (gobuild.Result, error) {
	args := s.arguments("-test.benchtime="+benchtime, "-test.benchmem")
	ended, err := runPlaced(ctx, s.binary, s.environment(s.binary), s.timeout(), args, s.place.follow)
	switch {
	case ctx.Err() != nil:
		return gobuild.Result{}, engine.Stopped(ctx)
	case err != nil:
		return gobuild.Result{}, s.failure("could not be run: "+err.Error(), "")
	case ended.TimedOut:
		return gobuild.Result{}, s.failure(fmt.Sprintf("did not end within %v and was ended", s.timeout()), ended.Output)
	}
	results := gobuild.ParseResults(ended.Output, s.Processors)
	if ended.Code != 0 || len(results) == 0 {
		return gobuild.Result{}, s.explain(ctx, s.binary, ended, len(results) == 0)
	}
	// A benchmark may print what looks like a result; the real one comes last.
	return results[len(results)-1], nil
}

// explain says why a process has ended without a result. One that is content
// with itself is asked once more, for what it says only when it is to say all.
func (b *Benchmark) explain(ctx context.Context, binary gobuild.Binary, ended gobuild.Ended, early bool) *Failure {
	if ended.Code == 0 && early {
		again, err := binary.Run(ctx, b.environment(binary), b.timeout(), b.arguments("-test.benchtime=1x", "-test.v")...)
		if err == nil && gobuild.Skipped(again.Output) {
			ended = again
		}
	}
	return b.failure(gobuild.Reason(ended.Output, ended.Code, ended.Text, early), ended.Output)
}

// Settle has nothing to do: no process is running.
func (s *runs) Settle(context.Context) error { return nil }

// Report moves on to the next processor with the next unit.
func (s *runs) Report(*record.Cell) error {
	if s.visited {
		s.visited = false
		s.place.next()
	}
	return nil
}

// Close has nothing to release.
func (s *runs) Close() error { return nil }
