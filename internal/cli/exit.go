package cli

import (
	"errors"
	"fmt"
)

// The exit codes of all sub-commands. Where several apply, the first of usage,
// regression, candidate and cannot judge wins.
const (
	ExitOK         = 0
	ExitRegression = 1
	ExitUsage      = 2
	ExitNoAnswer   = 3
	ExitCandidate  = 4
	// ExitInterrupted follows Ctrl-C, ExitTerminated SIGTERM. The record is kept.
	ExitInterrupted = 130
	ExitTerminated  = 143
)

// failure is an error with the exit code it leads to and a hint what to do.
type failure struct {
	code int
	err  error
	hint string
	// silent failures have said all there is to say.
	silent bool
	// unwritten failures are those of a result that was measured.
	unwritten bool
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func usage(format string, values ...any) error {
	return &failure{code: ExitUsage, err: fmt.Errorf(format, values...)}
}

func usageHint(hint, format string, values ...any) error {
	return &failure{code: ExitUsage, err: fmt.Errorf(format, values...), hint: hint}
}

func candidate(err error, hint string) error {
	return &failure{code: ExitCandidate, err: err, hint: hint}
}

// incomplete is a run whose result could not be written.
func incomplete(format string, values ...any) error {
	return &failure{code: ExitNoAnswer, err: fmt.Errorf(format, values...), unwritten: true}
}

// quietExit ends the program with a code after everything has been said.
func quietExit(code int, reason string) error {
	return &failure{code: code, err: errors.New(reason), silent: true}
}

// exitCode finds the code that an error leads to. An error that nobody gave a
// code is a usage error: cobra's own are of that kind.
func exitCode(err error) int {
	var f *failure
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &f):
		return f.code
	}
	return ExitUsage
}

// worst returns the code that wins of two.
func worst(a, b int) int {
	rank := func(code int) int {
		for i, c := range []int{ExitOK, ExitNoAnswer, ExitCandidate, ExitRegression, ExitUsage, ExitTerminated, ExitInterrupted} {
			if c == code {
				return i
			}
		}
		return -1
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}
