//go:build !linux

package spawn

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Serve has to be the first call in main. On this system the program starts
// commands itself, and Serve does nothing.
func Serve() {}

// Spawner starts commands, one at a time. Its methods may be called from any
// goroutine. Use [Start] to make one.
type Spawner struct {
	now  func() time.Duration
	turn chan struct{}
	// ending is closed by Close, which ends the command that runs.
	ending chan struct{}
	mu     sync.Mutex
	closed bool
	// kept are the groups of commands whose descendants were to stay.
	kept []processGroup
}

// Start makes a Spawner. On this system no process is begun, so that the memory
// of a command cannot be seen to be less than that of this process.
func Start(ctx context.Context, options Options) (*Spawner, error) {
	if ctx.Err() != nil {
		return nil, stopped(ctx)
	}
	now := options.Now
	if now == nil {
		base := time.Now()
		now = func() time.Duration { return time.Since(base) }
	}
	return &Spawner{now: now, turn: make(chan struct{}, 1), ending: make(chan struct{})}, nil
}

// Run runs a command to its end. An exit code other than 0 is no error. The
// error is a [*StartError] if the command could not be started, and wraps the
// context's error if ctx ended first, when the command and its process group
// are ended within a second.
func (s *Spawner) Run(ctx context.Context, c Command) (Exit, error) {
	env := c.Env
	if env == nil {
		env = os.Environ()
	}
	path, err := find(&c, env)
	if err != nil {
		return Exit{}, err
	}
	if len(c.CPUs) > 0 {
		return Exit{}, &StartError{Program: c.Argv[0], File: c.Argv[0], Reason: "this system cannot choose the processors of a command"}
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return Exit{}, stopped(ctx)
	}
	if s.isClosed() {
		return Exit{}, ErrClosed
	}
	exit, err := s.run(ctx, &c, &exec.Cmd{Path: path, Args: c.Argv, Env: env, Dir: c.Dir})
	switch {
	case err != nil:
		return exit, err
	case ctx.Err() != nil:
		return exit, stopped(ctx)
	case s.isClosed():
		return exit, ErrClosed
	}
	return exit, nil
}

func (s *Spawner) run(ctx context.Context, c *Command, cmd *exec.Cmd) (Exit, error) {
	streams, err := connect(c, cmd)
	defer streams.close()
	if err != nil {
		return Exit{}, err
	}
	prepare(cmd)
	started := s.now()
	if err := cmd.Start(); err != nil {
		return Exit{}, explain(c, cmd.Path, innermost(err))
	}
	group, err := groupOf(cmd.Process)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return Exit{}, fmt.Errorf("watching %q: %w", c.Argv[0], err)
	}
	streams.started()
	timedOut := make(chan bool, 1)
	ended := make(chan struct{})
	go func() { timedOut <- s.guard(ctx, c, group, ended) }()
	err = cmd.Wait()
	wall := s.now() - started
	close(ended)
	exit := Exit{TimedOut: <-timedOut, Usage: unknownUsage()}
	exit.Code, exit.Signal = status(cmd.ProcessState)
	measure(cmd.ProcessState, &exit.Usage)
	exit.Usage.Wall = wall
	if c.KeepDescendants {
		s.keep(group)
	} else {
		if group.kill() {
			exit.LeftBehind = 1
		}
		group.close()
	}
	streams.finish(c.KeepDescendants)
	exit.Stdout, exit.StdoutCut = streams.stdout.kept()
	exit.Stderr, exit.StderrCut = streams.stderr.kept()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return exit, fmt.Errorf("waiting for %q: %w", c.Argv[0], err)
	}
	return exit, nil
}

// guard ends the command when it takes too long, or when nobody wants it any
// more, and returns whether it took too long.
func (s *Spawner) guard(ctx context.Context, c *Command, group processGroup, ended <-chan struct{}) (timedOut bool) {
	var late <-chan time.Time
	if c.Timeout > 0 {
		timer := time.NewTimer(c.Timeout)
		defer timer.Stop()
		late = timer.C
	}
	grace := cancelGrace
	select {
	case <-ended:
		return false
	case <-late:
		timedOut, grace = true, c.grace()
	case <-ctx.Done():
	case <-s.ending:
	}
	group.terminate()
	select {
	case <-ended:
	case <-time.After(grace):
		group.kill()
	}
	return timedOut
}

func (s *Spawner) keep(group processGroup) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, group)
}

func (s *Spawner) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// Close ends the command that runs, if one does, and the process groups of those
// whose descendants were to stay. Later calls do nothing.
func (s *Spawner) Close() error {
	s.mu.Lock()
	already := s.closed
	s.closed = true
	s.mu.Unlock()
	if already {
		return nil
	}
	close(s.ending)
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	for _, group := range s.kept {
		group.terminate()
	}
	limit := time.Now().Add(defaultGrace)
	for _, group := range s.kept {
		for group.alive() && time.Now().Before(limit) {
			time.Sleep(5 * time.Millisecond)
		}
		group.kill()
		group.close()
	}
	return nil
}
