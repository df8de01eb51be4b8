// Package command is the arm for command lines: every operation is one run of a
// program, started anew.
//
// It knows what surrounds a run (steps before and after it, its environment,
// what counts as a failure) and what is read of it. How a program is started and
// measured is the business of package spawn.
package command

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

// Runner runs one command to its end; a [*spawn.Spawner] is one.
type Runner interface {
	Run(ctx context.Context, c spawn.Command) (spawn.Exit, error)
}

// Spec describes one candidate. Name and Program are required.
type Spec struct {
	// Name is the candidate's name in errors.
	Name string
	Program
	// Dir is the working directory; empty means that of this process.
	Dir string
	// Env is the whole environment; nil means that of this process. Every run
	// gets two more variables, see [IterationVariable] and [OffsetVariable].
	Env []string
	// Stdin is the file that the command reads; empty means nothing to read.
	Stdin string
	// Output says where standard output goes; the zero value throws it away. If
	// it is inherited, so is standard error, of which otherwise the last lines
	// are kept for the case of a failure.
	Output spawn.Output
	// Timeout is how long a run may take; 0 means forever. Grace is what it has
	// after that to end by itself; 0 means two seconds.
	Timeout, Grace time.Duration
	// AcceptTimeout takes a run that was ended at its timeout for one that took
	// exactly that long, and counts it. Otherwise it is a failure.
	AcceptTimeout bool
	// Accept says which exit codes are no failure.
	Accept ExitCodes
	// Prepare and Conclude run before and after every run, untimed, and get the
	// same two variables.
	Prepare, Conclude []Step
	// Overhead is subtracted from the time of every run.
	Overhead Overhead
	// Extract finds metrics in what a run has printed. If it is set, up to 16
	// MiB of each stream are kept for it, whatever Output says, and more is an
	// error. Extracted describes the metrics; one that Extract does not return
	// is not a number at that run.
	Extract   func(stdout, stderr []byte) ([]engine.Extra, error)
	Extracted []record.Metric
}

// Overhead is what every run pays for being started, such as the start of a
// shell. See [MeasureShell].
type Overhead struct{ Wall, CPU time.Duration }

// ExitCodes says which exit codes are no failure. The zero value accepts only 0,
// which is always accepted.
type ExitCodes struct {
	Any   bool
	Codes []int
}

func (a ExitCodes) holds(code int) bool {
	if a.Any || code == 0 {
		return true
	}
	for _, c := range a.Codes {
		if c == code {
			return true
		}
	}
	return false
}

// New makes an arm of a command. Its instances keep no process running: every
// run is a fresh one. Slot.CPUs are the processors of the runs, and Slot.Seed
// decides their random environment.
func New(spec Spec, runner Runner) engine.Arm { return &arm{Spec: spec, runner: runner} }

type arm struct {
	Spec
	runner Runner
	// untimed and timed count the runs so far.
	untimed, timed atomic.Int64
}

// Open makes an instance. It starts nothing.
func (a *arm) Open(_ context.Context, slot engine.Slot) (engine.Session, error) {
	env := a.Env
	if env == nil {
		env = os.Environ()
	}
	return &session{arm: a, env: env, cpus: slot.CPUs, offsets: offsets(a.Name, slot)}, nil
}

// offsets draws the sizes of the random variable: for every candidate and
// replica a sequence of its own, since two that share it would hide from each
// other what it does.
func offsets(name string, slot engine.Slot) *rand.Rand {
	stream := fnv.New64a()
	_, _ = stream.Write([]byte(name))
	return rand.New(rand.NewPCG(slot.Seed, stream.Sum64()+uint64(slot.Replica)<<32+uint64(slot.Process)))
}
