package multiproc

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/rtcompare/rtcompare"
)

const (
	// DefaultMinProcesses is the first stage before it is rounded up to whole
	// rotations: 6 processes run.
	DefaultMinProcesses = 5
	// DefaultMaxProcesses is the largest number of processes, one at a time.
	DefaultMaxProcesses = 40
	// DefaultMaxWaves is the largest number of waves of parallel processes.
	DefaultMaxWaves = 10
	// DefaultRotation is the number of orders in which fixtures are built.
	DefaultRotation = 2
	// DefaultAbsPrecision is the wanted half-width of the interval of Delta:
	// two points.
	DefaultAbsPrecision = 0.02
	// DefaultRelPrecision is the wanted half-width as a share of Delta.
	DefaultRelPrecision = 0.10

	// fewestProcesses can be pooled, and fewestLayouts.
	fewestProcesses = 3
	fewestLayouts   = 3
)

// Options configures a run. Zero values select the documented defaults.
type Options struct {
	// MinProcesses is the size of the first stage; zero means
	// [DefaultMinProcesses], and the smallest is 3. It is rounded up to whole
	// rotations and, in parallel, to whole waves.
	MinProcesses int
	// MaxProcesses is the largest number of processes; zero means
	// [DefaultMaxProcesses] or [DefaultMaxWaves] waves. It is never below the
	// first stage, which Results.Warnings says where it was, and rounded up to
	// whole waves in parallel.
	MaxProcesses int
	// Parallel is how many processes measure at the same time. Zero and one
	// mean one at a time. Processes that measure at the same time show how both
	// candidates do on a busy machine, which is another question: such results
	// are never pooled with others.
	Parallel int
	// Rotation is the number of orders in which the suite builds its fixtures;
	// zero means [DefaultRotation]. Every order comes equally often.
	Rotation int
	// AbsPrecision and RelPrecision are the wanted half-width of the interval
	// of Delta, absolute and as a share of it; the wider one counts. Delta is
	// here the share of the slower candidate's time that the faster one saves.
	// Zero means the defaults.
	AbsPrecision, RelPrecision float64
	// Level is the level of the pooled intervals; zero means
	// [rtcompare.DefaultConfidenceLevel].
	Level float64
	// Seed is where all processes' seeds come from. The same one gives every
	// process the same seed again; zero draws one.
	Seed uint64
	// Executable is the program to start; empty means the running one.
	Executable string
	// Args are its arguments; nil means those of the running one.
	Args []string
	// Stdout and Stderr get what the processes print. A nil Stdout discards it,
	// except for the end of what a failing process printed, which the error
	// holds; a nil Stderr is os.Stderr. In parallel every line gets the
	// process's number.
	Stdout, Stderr io.Writer
	// Progress is told what is known after every process, or in parallel after
	// every wave.
	Progress func(Results)

	// ChildTimeout is how long a process may take. One that takes longer is
	// killed and counts as failed; zero sets no limit.
	ChildTimeout time.Duration
	// Journal is the path of a file that keeps every finished process, at once
	// and for good. A run that finds such a file of the same plan goes on where
	// it ended, with the same seeds. A file of another plan is an error; remove
	// it to measure anew.
	Journal string
	// Layouts relinks the program in so many layouts, its functions in another
	// order in each, and spreads the processes over them, because a build is one
	// sample as well: the place of its functions alone moves many comparisons by
	// some percent. The layout is then the observation. It needs the go command, the source of the
	// running program, and at least 3 layouts; 8 are advisable. The number of
	// processes is fixed in advance: the first stage, or one rotation for each
	// layout where that is more. Zero runs the program as it was built.
	Layouts int
}

// sizes is how many processes run.
type sizes struct{ wave, first, most int }

// sizes rounds as Options documents.
func (o Options) sizes() sizes {
	s := sizes{wave: 1}
	if o.Parallel <= 1 {
		s.first = roundUp(o.MinProcesses, o.Rotation)
		s.most = max(o.MaxProcesses, s.first)
		if o.MaxProcesses == 0 {
			s.most = max(DefaultMaxProcesses, s.first)
		}
	} else {
		s.wave = roundUp(o.Parallel, o.Rotation)
		s.first = roundUp(o.MinProcesses, s.wave)
		s.most = max(DefaultMaxWaves*s.wave, s.first)
		if o.MaxProcesses > 0 {
			s.most = max(roundUp(o.MaxProcesses, s.wave), s.first)
		}
	}
	if o.Layouts > 0 {
		// Their number has to be fixed before anything is seen.
		each := roundUp((s.first+o.Layouts-1)/o.Layouts, o.Rotation)
		s.first = each * o.Layouts
		s.most = s.first
	}
	return s
}

func roundUp(n, step int) int { return (n + step - 1) / step * step }

// check looks at every option before a process starts.
func (o Options) check() error {
	for _, c := range []struct {
		name  string
		value int
	}{{"MinProcesses", o.MinProcesses}, {"MaxProcesses", o.MaxProcesses}, {"Parallel", o.Parallel}, {"Rotation", o.Rotation}, {"Layouts", o.Layouts}} {
		if c.value < 0 {
			return fmt.Errorf("option %s is %d and must not be negative", c.name, c.value)
		}
	}
	for _, c := range []struct {
		name  string
		value float64
	}{{"AbsPrecision", o.AbsPrecision}, {"RelPrecision", o.RelPrecision}} {
		if c.value < 0 || math.IsNaN(c.value) || math.IsInf(c.value, 0) {
			return fmt.Errorf("option %s is %v and has to be a positive number, or zero for the default", c.name, c.value)
		}
	}
	switch {
	case o.MinProcesses != 0 && o.MinProcesses < fewestProcesses:
		return fmt.Errorf("option MinProcesses is %d and has to be at least %d", o.MinProcesses, fewestProcesses)
	case o.Level != 0 && !(o.Level > 0 && o.Level < 1):
		return fmt.Errorf("option Level is %v and has to lie between 0 and 1", o.Level)
	case o.ChildTimeout < 0:
		return fmt.Errorf("option ChildTimeout is %v and must not be negative", o.ChildTimeout)
	case o.Layouts != 0 && o.Layouts < fewestLayouts:
		return fmt.Errorf("option Layouts is %d and has to be at least %d: fewer say nothing about the next build", o.Layouts, fewestLayouts)
	case o.Layouts > 0 && o.Executable != "":
		return errors.New("option Layouts excludes Executable: only the running program can be relinked")
	}
	full := o.withDefaults()
	if s := full.sizes(); o.Layouts > 0 && o.MaxProcesses > 0 && s.first > o.MaxProcesses {
		return fmt.Errorf("option MaxProcesses is %d and %d layouts take %d processes", o.MaxProcesses, o.Layouts, s.first)
	}
	return nil
}

func (o Options) withDefaults() Options {
	if o.MinProcesses == 0 {
		o.MinProcesses = DefaultMinProcesses
	}
	if o.Rotation == 0 {
		o.Rotation = DefaultRotation
	}
	if o.AbsPrecision == 0 {
		o.AbsPrecision = DefaultAbsPrecision
	}
	if o.RelPrecision == 0 {
		o.RelPrecision = DefaultRelPrecision
	}
	if o.Level == 0 {
		o.Level = rtcompare.DefaultConfidenceLevel
	}
	o.Parallel = max(1, o.Parallel)
	if o.Args == nil {
		o.Args = os.Args[1:]
	}
	if o.Stderr == nil {
		o.Stderr = os.Stderr
	}
	return o
}

// childProcs is the GOMAXPROCS of processes that share the machine, and whether
// it has to be set: the caller's own environment comes first. Alone, a process
// gets what it would get anyway.
func childProcs(parallel int, environment func(string) string) (procs int, set bool) {
	if parallel <= 1 {
		return 0, false
	}
	if n, err := strconv.Atoi(environment("GOMAXPROCS")); err == nil && n > 0 {
		return n, false
	}
	return sharedProcs(runtime.NumCPU(), parallel), true
}

// sharedProcs leaves each process at least two: with one, the garbage collector
// would take its time from the code under test.
func sharedProcs(cpus, parallel int) int { return max(2, cpus/parallel) }

// validationShare is the number of runs of identical code in each process where
// the pair asks for none in particular: together as many as one process would
// make, at least 4, since the pooled floor only takes each process's mean.
func validationShare(first int) int {
	return max(4, (rtcompare.DefaultValidationRuns+first-1)/first)
}
