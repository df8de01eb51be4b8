// Command structures compares Go's map with a B-tree and a skip list while
// elements come and go. It is a worked example for the packages workload and
// multiproc, and a module of its own, so that whoever uses rtcompare does not
// depend on the structures compared here:
//
//	cd examples/structures
//	go run .                  # 100,000 elements, some minutes
//	go run . -n 10000         # within most caches, and faster done
//	go run . -quick           # a few seconds, to see what comes out
//
// All structures play the same stream: with each insertion and each deletion one
// lookup, a tenth of them in vain. The steady state is a structure of constant
// size, the build goes from empty to full; times are per operation of the
// stream. Below that stands what each kind of operation costs by itself. A ratio says how many times as long as the map a structure takes. Every
// process builds its structures anew and is one observation, and the intervals
// are over the processes: the four of the upper table hold together in 19 runs
// of 20.
//
// What is compared is what these modules do for uint64 keys and values. The skip
// list takes keys and values of any type and puts each in an interface, which
// costs it an allocation and a pointer; a list made for one type would do
// better. The map has no order, and the other two can walk through a range of
// keys: where that is needed, the map is no candidate at all.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
	"github.com/rtcompare/rtcompare/workload"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "structures:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	elements, processes int
	quick               bool
}

const (
	elements = 100_000
	// What -quick makes of zeros.
	quickElements  = 2_000
	quickProcesses = 4
)

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("structures", flag.ExitOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.elements, "n", 0, fmt.Sprintf("elements at rest, 0 for %d, or %d with -quick", elements, quickElements))
	flags.IntVar(&s.processes, "processes", 0, fmt.Sprintf("number of processes, 0 for as many as the precision takes, or %d with -quick", quickProcesses))
	flags.BoolVar(&s.quick, "quick", false, "measure for a few seconds only, too short for verdicts to rely on")
	_ = flags.Parse(args) // ends the program itself
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("%q is not a flag, and there are no other arguments", flags.Arg(0))
	case s.elements < 0:
		return s, fmt.Errorf("-n is %d and must not be negative", s.elements)
	}
	if s.elements == 0 {
		s.elements = elements
		if s.quick {
			s.elements = quickElements
		}
	}
	if s.processes == 0 && s.quick {
		s.processes = quickProcesses
	}
	return s, nil
}

// run is the whole program, in the parent and in the processes that it starts.
func run(args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	all := subjects()
	r, err := multiproc.Run(s.processOptions(stderr), workload.SuiteAll(suiteName, s.elements, all, s.options()))
	if err != nil || r.Child {
		return err
	}
	pooled, err := workload.Pool(r, suiteName)
	if err != nil {
		return err
	}
	t, err := newTable(r, pooled, s.elements)
	if err != nil {
		return err
	}
	return t.print(stdout)
}

// suiteName is how the names of all comparisons begin.
const suiteName = "structures"

// stream is what the structures play. There are fewer transient elements than by
// default, so that a build does not take too long.
var stream = workload.Config{Seed: 1, Ratio: 1.25, Lookups: 1, MissRate: 0.1}

// options are those of the comparisons in every process. Each may be short: what
// differs from process to process is what counts. Builds take long, so each
// structure is built a few dozen times and not, as by default, hundreds of times.
func (s settings) options() workload.Options {
	opt := workload.Options{Config: stream}
	opt.SteadyState.Budget = 3 * time.Second
	opt.Build.Collect.Repeats, opt.Build.ValidationRuns = rtcompare.MinimumDataPoints, 2
	// Memory hardly differs from build to build.
	opt.MemoryBuilds, opt.KindTime = 1, time.Second
	if s.quick {
		opt.SteadyState, opt.KindTime = opt.Build, 10*time.Millisecond
	}
	return opt
}

// verdicts is how many there are: two structures against the map, two questions.
const verdicts = 4

func (s settings) processOptions(progress io.Writer) multiproc.Options {
	return multiproc.Options{
		// A number of processes that is given is the first stage and the last.
		MinProcesses: s.processes, MaxProcesses: s.processes,
		Level:    1 - (1-rtcompare.DefaultConfidenceLevel)/verdicts,
		Stderr:   progress,
		Progress: func(r multiproc.Results) { fmt.Fprintf(progress, "processes done: %d\n", r.Processes) },
	}
}
