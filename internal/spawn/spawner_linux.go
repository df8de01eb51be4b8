package spawn

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

// Spawner starts commands, one at a time. Its methods may be called from any
// goroutine. Use [Start] to make one.
type Spawner struct {
	options Options
	// measured is where commands run that leave nothing behind. kept is a
	// second process, begun when it is first needed, for those whose descendants
	// may stay: so that the first one may end everything below it.
	measured, kept *helper
	mu             sync.Mutex
	closed         bool
}

// Start begins the process that starts commands. Call it early, before this
// process has come to need much memory. ctx bounds the start only.
func Start(ctx context.Context, options Options) (*Spawner, error) {
	if os.Args[0] == role {
		return nil, errors.New("starting the process that starts commands: this is one, and it did not call spawn.Serve first thing in main")
	}
	takeShortTurnsEverywhere()
	h, err := begin(ctx, options.Executable)
	if err != nil {
		return nil, err
	}
	return &Spawner{options: options, measured: h}, nil
}

// Run runs a command to its end. An exit code other than 0 is no error. The
// error is a [*StartError] if the command could not be started, and wraps the
// context's error if ctx ended first, when the command and all it has started
// are ended within a second. It wraps [ErrSpawnerDied] if the spawner is gone;
// then no more commands can be run.
func (s *Spawner) Run(ctx context.Context, c Command) (Exit, error) {
	env := c.Env
	if env == nil {
		env = os.Environ()
	}
	path, err := find(&c, env)
	if err != nil {
		return Exit{}, err
	}
	h, err := s.helperFor(ctx, &c)
	if err != nil {
		return Exit{}, err
	}
	select {
	case h.turn <- struct{}{}:
		defer func() { <-h.turn }()
	case <-ctx.Done():
		return Exit{}, stopped(ctx)
	}
	files, err := openFiles(&c)
	defer files.close()
	if err != nil {
		return Exit{}, err
	}
	answer, err := h.run(ctx, requestFor(&c, path, env, files), files)
	switch {
	case err != nil && s.isClosed():
		return Exit{}, ErrClosed
	case err != nil:
		return Exit{}, err
	case answer.errno != 0 && answer.place == atExec:
		return Exit{}, explain(&c, path, syscall.Errno(answer.errno))
	case answer.errno != 0:
		return Exit{}, &StartError{Program: c.Argv[0], File: c.Argv[0], Reason: fmt.Sprintf("%v: %v", answer.place, syscall.Errno(answer.errno)), Err: syscall.Errno(answer.errno)}
	}
	exit := answer.exit
	if exit.Stdout, exit.StdoutCut, err = files.stdout.keep(answer.stdout); err != nil {
		return exit, err
	}
	if exit.Stderr, exit.StderrCut, err = files.stderr.keep(answer.stderr); err != nil {
		return exit, err
	}
	switch {
	case ctx.Err() != nil:
		return exit, stopped(ctx)
	case s.isClosed():
		return exit, ErrClosed
	}
	return exit, nil
}

func requestFor(c *Command, path string, env []string, files *passed) *request {
	return &request{
		path: path, argv: c.Argv, env: env, dir: c.Dir, cpus: c.CPUs,
		stdout: stream{c.Stdout.Kind, c.Stdout.Limit}, stderr: stream{c.Stderr.Kind, c.Stderr.Limit},
		timeout: c.Timeout, grace: c.grace(), keep: c.KeepDescendants, hasStdin: files.stdin != nil,
	}
}

// helperFor returns the process for a command.
func (s *Spawner) helperFor(ctx context.Context, c *Command) (*helper, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	if !c.KeepDescendants {
		return s.measured, nil
	}
	if s.kept == nil {
		h, err := begin(ctx, s.options.Executable)
		if err != nil {
			return nil, err
		}
		s.kept = h
	}
	return s.kept, nil
}

func (s *Spawner) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// closeLimit is how long Close waits at most: two grace times and what it takes
// to look.
const closeLimit = defaultGrace + persistence + time.Second

// Close ends the command that runs, if one does, and everything that commands
// have left running: with SIGTERM, and two seconds later with SIGKILL. It
// returns when all that is done. Later calls do nothing.
func (s *Spawner) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.mu.Unlock()
	var waiting sync.WaitGroup
	var errs [2]error
	for i, h := range []*helper{s.measured, s.kept} {
		if h != nil {
			waiting.Go(func() { errs[i] = h.finish(closeLimit) })
		}
	}
	waiting.Wait()
	return errors.Join(errs[:]...)
}
