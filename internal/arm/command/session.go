package command

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

const (
	// mostOutput is how much of each stream is kept for Extract.
	mostOutput = 16 << 20
	// tailBytes holds the last lines of standard error.
	tailBytes = 16 << 10
)

// session is one instance of a command.
type session struct {
	*arm
	env     []string
	cpus    []int
	offsets *rand.Rand
	// counts are what happened since the last report.
	counts map[string]int64
}

// Do runs the command Lead times untimed and then N times for every batch asked
// for. The sample holds the sum of the times, and of everything else the mean of
// a run.
func (s *session) Do(ctx context.Context, request engine.Request, sample *engine.Sample) error {
	for range request.Lead {
		if ctx.Err() != nil {
			return engine.Stopped(ctx)
		}
		if _, err := s.once(ctx, true); err != nil {
			return err
		}
	}
	var total total
	for range request.N * int64(max(1, request.Batches)) {
		if ctx.Err() != nil {
			return engine.Stopped(ctx)
		}
		exit, err := s.once(ctx, request.Warming)
		if err != nil {
			return err
		}
		extracted, err := s.extract(exit)
		if err != nil {
			return err
		}
		total.add(&s.Spec, exit, extracted)
	}
	total.store(&s.Spec, sample)
	return nil
}

// once runs the command once, with the steps around it, and says whether that
// was a failure.
//
// Runs of all instances are numbered together: to a script there is one command.
func (s *session) once(ctx context.Context, untimed bool) (spawn.Exit, error) {
	counter := &s.timed
	if untimed {
		counter = &s.untimed
	}
	number := iteration(int(counter.Add(1)-1), untimed)
	more := variables(number, s.offsets.IntN(mostOffset))
	if err := runSteps(ctx, s.runner, s.Prepare, more); err != nil {
		return spawn.Exit{}, fmt.Errorf("candidate %q: %w", s.Name, err)
	}
	exit, err := s.runner.Run(ctx, s.command(more))
	err = s.judge(number, exit, err)
	if ctx.Err() != nil {
		return exit, err
	}
	if after := runSteps(ctx, s.runner, s.Conclude, more); after != nil && err == nil {
		err = fmt.Errorf("candidate %q: %w", s.Name, after)
	}
	return exit, err
}

// command is one run as the runner sees it.
func (s *session) command(more []string) spawn.Command {
	c := spawn.Command{
		Argv: s.argv(), Env: with(s.env, more), Dir: s.Dir, Stdin: s.Stdin, Stdout: s.Output, Stderr: errorOutput(s.Output),
		CPUs: s.cpus, Timeout: s.Timeout, Grace: s.Grace,
	}
	if s.Extract != nil {
		c.Stdout = spawn.Output{Kind: spawn.Head, Limit: mostOutput}
		c.Stderr = c.Stdout
	}
	return c
}

// errorOutput is where standard error goes, given where standard output does.
func errorOutput(stdout spawn.Output) spawn.Output {
	if stdout.Kind == spawn.Inherit {
		return stdout
	}
	return spawn.Output{Kind: spawn.Tail, Limit: tailBytes}
}

// judge counts how a run ended, and returns an error if that was a failure.
func (s *session) judge(number string, exit spawn.Exit, err error) error {
	var start *spawn.StartError
	switch {
	case errors.As(err, &start):
		return &Failure{Arm: s.Name, Command: s.String(), Run: number, Exit: exit, Err: err}
	case err != nil:
		return fmt.Errorf("candidate %q: %w", s.Name, err)
	}
	if exit.LeftBehind > 0 {
		s.count(LeftBehind, int64(exit.LeftBehind))
	}
	if exit.Usage.AtFloor() {
		s.count(MemoryAtFloor, 1)
	}
	accepted := s.Accept.holds(exit.Code)
	switch {
	case exit.TimedOut:
		s.count(TimedOut, 1)
		accepted = s.AcceptTimeout
	case exit.Code != 0:
		s.count(ExitPrefix+strconv.Itoa(exit.Code), 1)
	}
	if accepted {
		return nil
	}
	return &Failure{Arm: s.Name, Command: s.String(), Run: number, Exit: exit, Stderr: lastLines(exit.Stderr, tailLines)}
}

// extract finds metrics in what a run has printed.
func (s *session) extract(exit spawn.Exit) ([]engine.Extra, error) {
	if s.Extract == nil || exit.TimedOut {
		return nil, nil
	}
	if exit.StdoutCut || exit.StderrCut {
		return nil, &MetricError{Arm: s.Name, Command: s.String(), Err: fmt.Errorf("it printed more than %d MiB, too much to look for metrics in; print less, or ask for no metrics of the output", mostOutput>>20)}
	}
	extracted, err := s.Extract(exit.Stdout, exit.Stderr)
	if err != nil {
		return nil, &MetricError{Arm: s.Name, Command: s.String(), Err: err}
	}
	return extracted, nil
}

func (s *session) count(what string, n int64) {
	if s.counts == nil {
		s.counts = map[string]int64{}
	}
	s.counts[what] += n
}

// Report adds what happened since the last report to the cell's counts.
func (s *session) Report(cell *record.Cell) error {
	if len(s.counts) == 0 {
		return nil
	}
	if cell.Counts == nil {
		cell.Counts = map[string]int64{}
	}
	for what, n := range maps.All(s.counts) {
		cell.Counts[what] += n
	}
	s.counts = nil
	return nil
}

// Settle has nothing to do: no run leaves anything running.
func (s *session) Settle(context.Context) error { return nil }

// Close has nothing to release.
func (s *session) Close() error { return nil }
