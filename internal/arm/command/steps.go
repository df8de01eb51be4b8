package command

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/rtcompare/rtcompare/internal/spawn"
)

// Step is a command that is run around others and not measured: setup, prepare,
// conclude, cleanup. Name and Program are required.
type Step struct {
	Name string
	Program
	// Dir and Env are as in [Spec].
	Dir string
	Env []string
	// Output says where standard output goes; if it is inherited, so is
	// standard error.
	Output spawn.Output
	// Timeout is how long it may take; 0 means forever.
	Timeout time.Duration
}

// Run runs a step. It may leave servers running: they are ended when the spawner
// is closed. An exit code other than 0 is a [*StepError]. more are variables that
// are added to its environment.
func (s Step) Run(ctx context.Context, runner Runner, more ...string) error {
	env := s.Env
	if env == nil {
		env = os.Environ()
	}
	exit, err := runner.Run(ctx, spawn.Command{
		Argv: s.argv(), Env: with(env, more), Dir: s.Dir, Stdout: s.Output, Stderr: errorOutput(s.Output),
		Timeout: s.Timeout, KeepDescendants: true,
	})
	var start *spawn.StartError
	switch {
	case errors.As(err, &start):
		return &StepError{Step: s.Name, Command: s.String(), Err: err}
	case err != nil:
		return err
	case !exit.Success():
		return &StepError{Step: s.Name, Command: s.String(), Exit: exit, Stderr: lastLines(exit.Stderr, tailLines)}
	}
	return nil
}

// RunSteps runs steps one after the other, until one fails.
func RunSteps(ctx context.Context, runner Runner, steps []Step) error {
	return runSteps(ctx, runner, steps, nil)
}

func runSteps(ctx context.Context, runner Runner, steps []Step, more []string) error {
	for _, step := range steps {
		if err := step.Run(ctx, runner, more...); err != nil {
			return err
		}
	}
	return nil
}
