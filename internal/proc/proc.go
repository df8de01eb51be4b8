// Package proc starts child processes that leave nothing behind.
//
// A child gets a process group of its own (a job on Windows), which is killed
// as a whole: when the caller's context ends, when the child has ended and left
// something running, and when the parent dies, however that happens. For the
// last, the operating system is asked to end the child with its parent where it
// can, and the child holds one end of a pipe, its lifeline, whose other end only
// the parent has; see Follow.
package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// Command describes a child.
type Command struct {
	Path string
	// Args does not hold the program's name.
	Args []string
	// Env is the whole environment. Lifeline is the name of the variable that
	// tells the child where its lifeline is; empty for a child that does not
	// call Follow.
	Env      []string
	Lifeline string
	Dir      string
	// Stdout and Stderr get what the child prints; nil discards it.
	Stdout, Stderr io.Writer
}

// Exit is how a child ended.
type Exit struct {
	PID int
	// Code is the exit status, or -1 where a signal ended the child, which
	// Signal then names.
	Code   int
	Signal string
	// Cancelled is set when the context ended first and the child was killed
	// for it.
	Cancelled bool
	Elapsed   time.Duration
}

// String says how the child ended, such as "exit status 2" or "signal: killed".
func (e Exit) String() string {
	if e.Signal != "" {
		return "signal: " + e.Signal
	}
	return fmt.Sprintf("exit status %d", e.Code)
}

// Run runs a child to its end, or kills it and all it started when ctx is done.
// An error means that it could not be started or watched.
func Run(ctx context.Context, c Command) (Exit, error) {
	type outcome struct {
		exit Exit
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		// Linux ends a child with the thread that started it, not with the
		// process. This keeps the thread for as long as the child lives.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		exit, err := run(ctx, c)
		done <- outcome{exit, err}
	}()
	o := <-done
	return o.exit, o.err
}

func run(ctx context.Context, c Command) (exit Exit, err error) {
	if ctx.Err() != nil {
		return Exit{Code: -1, Cancelled: true}, nil
	}
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Env, cmd.Dir = c.Env, c.Dir
	line, err := tie(cmd, c.Lifeline)
	defer line.close()
	if err != nil {
		return Exit{}, fmt.Errorf("starting %s: %w", c.Path, err)
	}
	out, err := connect(cmd, c.Stdout, c.Stderr)
	defer out.finish()
	if err != nil {
		return Exit{}, fmt.Errorf("starting %s: %w", c.Path, err)
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		return Exit{}, fmt.Errorf("starting %s: %w", c.Path, err)
	}
	out.started()
	group, err := line.started(cmd.Process)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return Exit{}, fmt.Errorf("watching %s: %w", c.Path, err)
	}
	cancelled, err := wait(ctx, cmd, group)
	exit = Exit{PID: cmd.Process.Pid, Elapsed: time.Since(begun), Cancelled: cancelled}
	exit.Code, exit.Signal = status(cmd.ProcessState)
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		return exit, fmt.Errorf("waiting for %s (process %d): %w", c.Path, exit.PID, err)
	}
	return exit, nil
}

// wait waits for the child and kills its group when ctx is done, and in any case
// when the child has ended, for what it may have left behind.
func wait(ctx context.Context, cmd *exec.Cmd, group processGroup) (cancelled bool, err error) {
	ended, killed := make(chan struct{}), make(chan bool, 1)
	go func() {
		select {
		case <-ctx.Done():
			group.kill()
			killed <- true
		case <-ended:
			killed <- false
		}
	}()
	err = cmd.Wait()
	close(ended)
	cancelled = <-killed
	group.kill()
	group.close()
	return cancelled, err
}

// lifeline is the parent's side of a child's tie to it.
type lifeline struct{ theirs, ours *os.File }

func (l *lifeline) close() {
	for _, f := range []*os.File{l.theirs, l.ours} {
		if f != nil {
			_ = f.Close()
		}
	}
	l.theirs, l.ours = nil, nil
}
