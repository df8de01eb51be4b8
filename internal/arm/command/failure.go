package command

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/rtcompare/rtcompare/internal/spawn"
)

// tailLines is how much of what a failed command said is repeated.
const tailLines = 20

// Failure is a run that does not count: its exit code is not accepted, it took
// too long, or it could not be started.
type Failure struct {
	// Arm is the candidate's name, Command its command line, and Run the number
	// of the run as in [IterationVariable].
	Arm, Command, Run string
	Exit              spawn.Exit
	// Stderr holds the last lines of standard error.
	Stderr string
	// Err is why the command could not be started, or nil if it could.
	Err error
}

func (f *Failure) Error() string {
	if f.Err != nil {
		return fmt.Sprintf("candidate %q: %v", f.Arm, f.Err)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "candidate %q: %s failed in run %s: %v", f.Arm, f.Command, f.Run, f.Exit)
	quoteLines(&text, f.Stderr)
	if f.Exit.TimedOut {
		text.WriteString("\nallow it more with --timeout, or see its output with --show-output")
	} else {
		text.WriteString("\ngo on in spite of it with --ignore-failure, or see its output with --show-output")
	}
	return text.String()
}

// Unwrap returns why the command could not be started.
func (f *Failure) Unwrap() error { return f.Err }

// StepError is a step that has failed.
type StepError struct {
	// Step is its name, such as setup, and Command its command line.
	Step, Command string
	Exit          spawn.Exit
	Stderr        string
	// Err is why it could not be started, or nil if it could.
	Err error
}

func (e *StepError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("step %s: %v", e.Step, e.Err)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "step %s: %s failed: %v", e.Step, e.Command, e.Exit)
	quoteLines(&text, e.Stderr)
	text.WriteString("\nsee its output with --show-output; a step that may fail can end in || true")
	return text.String()
}

// Unwrap returns why the step could not be started.
func (e *StepError) Unwrap() error { return e.Err }

// quoteLines repeats what a command has said, set off from our own words.
func quoteLines(to *strings.Builder, said string) {
	for line := range strings.Lines(said) {
		to.WriteString("\n  | " + strings.TrimRight(line, "\r\n"))
	}
}

// lastLines returns the last lines of an output, without white space around.
func lastLines(output []byte, most int) string {
	output = bytes.TrimSpace(output)
	start := len(output)
	for range most {
		if start = bytes.LastIndexByte(output[:max(0, start)], '\n'); start < 0 {
			break
		}
	}
	return strings.ToValidUTF8(string(output[start+1:]), "\uFFFD")
}

// Failed reports whether an error says that a candidate or one of its steps has
// failed, in contrast to an interruption or trouble of our own.
func Failed(err error) bool {
	var run *Failure
	var step *StepError
	var metric *MetricError
	return errors.As(err, &run) || errors.As(err, &step) || errors.As(err, &metric)
}

// MetricError is a run whose output does not hold what was asked for.
type MetricError struct {
	// Arm is the candidate's name, Command its command line.
	Arm, Command string
	Err          error
}

func (e *MetricError) Error() string {
	return fmt.Sprintf("candidate %q: looking for metrics in the output of %s: %v", e.Arm, e.Command, e.Err)
}

// Unwrap returns what is wrong with the output.
func (e *MetricError) Unwrap() error { return e.Err }
