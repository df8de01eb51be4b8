package httparm

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/load"
)

// session is one set of connections to the server.
type session struct {
	spec      Spec
	generator *load.Generator
	server    server

	// What was gathered for the unit so far.
	tally        load.Tally
	retries      int64
	used         time.Duration // processor time of the generator
	elapsed      time.Duration
	usedIsKnown  bool
	anythingDone bool
}

// Do sends request.N requests per batch, after a lead. In the closed loop at
// least as many requests as there are connections lead in, so that all of them
// are busy when the clock starts; at a fixed rate it is at least a tenth of the
// slice. Whole runs have no lead but the one asked for.
//
// Processor time, the server's and the generator's, is read around the whole
// visit and counted in proportion to the timed requests.
func (s *session) Do(ctx context.Context, request engine.Request, sample *engine.Sample) error {
	n := request.N * int64(max(1, request.Batches))
	serverBefore, known := s.server.cpu()
	result, err := s.generator.Run(ctx, s.lead(request.Lead, n), n)
	serverAfter, stillKnown := s.server.cpu()
	if err != nil {
		if ctx.Err() != nil {
			return engine.Stopped(ctx)
		}
		return fmt.Errorf("%s: %w", s.spec.label(), err)
	}
	s.gather(result)
	if failure := s.failure(result); failure != nil && !s.spec.IgnoreFailure {
		return failure
	}
	share := float64(result.Counted.Requests) / float64(result.Counted.Requests+result.Outside.Requests)
	sample.Wall = int64(result.Wall)
	sample.CPU = -1
	if known && stillKnown {
		sample.CPU = int64(math.Round(float64(serverAfter-serverBefore) * share))
	}
	clientCPU := math.NaN()
	if result.CPU >= 0 {
		clientCPU = math.Round(float64(result.CPU) * share)
	}
	sample.Extra = append(sample.Extra[:0],
		engine.Extra{Metric: ClientCPU, Value: clientCPU},
		engine.Extra{Metric: Failed, Value: float64(result.Counted.Failed)},
		engine.Extra{Metric: Received, Value: float64(result.Counted.Received)},
		engine.Extra{Metric: Connections, Value: float64(result.Opened)},
	)
	if s.spec.Options.Rate > 0 {
		sample.Extra = append(sample.Extra, engine.Extra{Metric: Rate, Value: result.Rate})
	}
	return nil
}

// lead is the number of untimed requests before n timed ones.
func (s *session) lead(asked, n int64) int64 {
	switch {
	case s.spec.Options.Whole:
		return asked
	case s.spec.Options.Rate > 0:
		return max(asked, (n+8)/9)
	}
	return max(asked, int64(s.generator.Concurrency()))
}

// gather adds a visit to the unit.
func (s *session) gather(result load.Result) {
	s.tally.Add(result.Counted)
	s.retries += result.Retries
	s.elapsed += result.Elapsed
	s.used += result.CPU
	s.usedIsKnown = result.CPU >= 0 && (s.usedIsKnown || !s.anythingDone)
	s.anythingDone = true
}

// failure says which requests of a visit failed, the lead's too, or nil.
func (s *session) failure(result load.Result) error {
	all := result.Counted
	if all.Failed+result.Outside.Failed == 0 {
		return nil
	}
	var both load.Tally
	both.Add(result.Counted)
	both.Add(result.Outside)
	return &Failure{Arm: s.spec.label(), URLs: s.spec.Target.URLs, Tally: both}
}

// Settle has nothing to do: every visit ends with all answers read.
func (s *session) Settle(context.Context) error { return nil }

// Close closes the connections.
func (s *session) Close() error { return s.generator.Close() }
