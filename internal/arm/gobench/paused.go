//go:build unix

package gobench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
	"github.com/rtcompare/rtcompare/internal/record"
)

// paused is a benchmark that waits in its own loop between batches.
type paused struct {
	*Benchmark
	binary gobuild.Binary
	child  *child
	place  *place
	order  []byte
	// loops is set for b.Loop, whose function is called once, and not set for
	// b.N, whose function is called for every batch.
	loops bool
	// waiting is set while the function of a b.Loop benchmark is not running.
	waiting bool
	visited bool
	// begun is set from the first visit on.
	begun bool
	over  bool
	// parallel is set once the benchmark has called b.RunParallel.
	parallel bool
	// last are the metrics of the last run of the function.
	last ending
	// leaked is how many goroutines were left; -1 before the end.
	leaked int
}

// What an order asks to be read; the numbers are the driver's.
const (
	askCounters = 1 << iota
	askAllocations
)

// openPaused starts a process and waits until its benchmark is ready.
func (b *Benchmark) openPaused(ctx context.Context, binary gobuild.Binary, slot engine.Slot) (*paused, error) {
	child, err := startChild(binary, b.Name, b.arguments(), b.environment(binary))
	if err != nil {
		return nil, b.failure("could not be started: "+err.Error(), "")
	}
	s := &paused{Benchmark: b, binary: binary, child: child, leaked: -1, place: b.Placement.add(slot.CPUs)}
	answer, err := s.ask(ctx, nil, 'h')
	if err != nil {
		return nil, err
	}
	s.loops = strings.HasPrefix(answer, "L")
	return s, nil
}

// ask sends an order and returns the answer without its first letter, which has
// to be the one expected. When it fails the process is ended.
func (s *paused) ask(ctx context.Context, order []byte, expected byte) (string, error) {
	if s.over {
		return "", s.failure("has ended already", "")
	}
	answer, err := s.child.ask(ctx, order, s.timeout())
	switch {
	case err == nil && len(answer) > 0 && answer[0] == expected:
		return strings.TrimPrefix(string(answer[1:]), " "), nil
	case err == nil:
		err = s.failure(fmt.Sprintf("answered %q, which is not understood", answer), "")
		s.kill()
	case ctx.Err() != nil:
		s.kill()
		err = engine.Stopped(ctx)
	case errors.Is(err, errSilent):
		s.kill()
		err = s.failure(fmt.Sprintf("did not answer within %v and was ended", s.timeout()), s.child.output.String())
	case errors.Is(err, io.EOF):
		err = s.ended(ctx, expected == 'h')
	}
	return "", err
}

func (s *paused) kill() {
	s.over = true
	s.child.kill()
	s.child.close()
}

// ended explains why a process is gone that should have answered.
func (s *paused) ended(ctx context.Context, early bool) error {
	s.over = true
	s.child.wait(context.Background(), endGrace)
	s.child.close()
	return s.explain(ctx, s.binary, s.child.ending(), early)
}

// Do runs the lead-in and the timed batches.
func (s *paused) Do(ctx context.Context, request engine.Request, sample *engine.Sample) error {
	if err := s.place.follow(s.child.pid); err != nil {
		s.kill()
		return s.failure(err.Error(), "")
	}
	s.visited, s.waiting, s.begun = true, false, true
	flags := int64(0)
	if request.Counters {
		flags |= askCounters
	}
	if request.Allocations {
		flags |= askAllocations
	}
	s.order = append(s.order[:0], 'r')
	for _, value := range [...]int64{request.Lead, request.N, int64(max(1, request.Batches)), flags} {
		s.order = strconv.AppendInt(append(s.order, ' '), value, 10)
	}
	s.order = append(s.order, '\n')
	answer, err := s.ask(ctx, s.order, 'b')
	if err != nil {
		return err
	}
	if err := s.read(answer, sample); err != nil {
		s.kill()
		return s.failure(err.Error(), "")
	}
	return nil
}

// read takes an answer apart: wall and processor time, bytes, objects,
// collections, whether it was preempted, whether it runs in parallel; and for
// b.N what the benchmark has reported.
func (s *paused) read(answer string, sample *engine.Sample) error {
	var values [7]int64
	rest := answer
	for i := range values {
		var word string
		var err error
		word, rest, _ = strings.Cut(rest, " ")
		if values[i], err = strconv.ParseInt(word, 10, 64); err != nil {
			return fmt.Errorf("gave an answer that is not understood: %q", answer)
		}
	}
	sample.Wall, sample.CPU, sample.Bytes, sample.Allocs = values[0], values[1], values[2], values[3]
	sample.Collections, sample.Preempted = values[4], int(values[5])
	if values[6] != 0 {
		s.parallel = true
		s.place.in.Spread()
	}
	if s.loops || rest == "" {
		return nil
	}
	last, err := readEnding("0 0 " + rest)
	if err != nil {
		return err
	}
	s.last = last
	for _, name := range s.Metrics {
		sample.Extra = append(sample.Extra, engine.Extra{Metric: name, Value: last.metric(name)})
	}
	return nil
}

// Settle collects the garbage of the process.
func (s *paused) Settle(ctx context.Context) error {
	_, err := s.ask(ctx, []byte("g\n"), 'g')
	return err
}

// Report ends the loop of a benchmark that reports metrics behind it, and adds
// them to the cell of the unit. The next visit enters the loop anew. It also
// moves on to the next processor.
func (s *paused) Report(cell *record.Cell) error {
	if !s.visited {
		return nil
	}
	s.visited = false
	s.place.next()
	if !s.SeparateMetrics || !s.loops {
		return nil
	}
	if err := s.finish(context.Background()); err != nil {
		return err
	}
	if cell.Extra == nil {
		cell.Extra = map[string]record.Values{}
	}
	for _, name := range s.Metrics {
		cell.Extra[name] = record.Values{s.last.metric(name)}
	}
	return nil
}

// finish lets the function of the benchmark return.
func (s *paused) finish(ctx context.Context) error {
	if s.waiting {
		return nil
	}
	answer, err := s.ask(ctx, []byte("f\n"), 'm')
	if err != nil {
		return err
	}
	s.waiting = true
	s.last, err = readEnding(answer)
	return err
}

// Close lets the benchmark come to its end, with what stands behind its loop,
// and ends the process. What fails there is an error.
func (s *paused) Close() error {
	if s.over {
		return nil
	}
	if !s.begun {
		// A loop that was never entered has no end to come to.
		s.kill()
		return nil
	}
	if err := s.finish(context.Background()); err != nil {
		return err
	}
	answer, err := s.ask(context.Background(), []byte("e\n"), 'e')
	if err != nil {
		return err
	}
	s.over = true
	s.leaked, err = strconv.Atoi(answer)
	killed := s.child.wait(context.Background(), s.timeout())
	s.child.close()
	switch ended := s.child.ending(); {
	case killed:
		return s.failure(fmt.Sprintf("did not end within %v after its last batch and was ended", s.timeout()), ended.Output)
	case ended.Code != 0:
		return s.failure(gobuild.Reason(ended.Output, ended.Code, ended.Text, false), ended.Output)
	}
	return err
}
