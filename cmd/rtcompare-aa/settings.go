package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare"
)

// The words that -mode, -workload and -build take.
const (
	modeCompare = "compare"
	modePrefix  = "prefix"

	workloadChase = "chase"
	workloadScan  = "scan"

	buildAB     = "ab"
	buildBA     = "ba"
	buildMixed  = "mixed"
	buildRandom = "random"
)

const (
	// defaultNodes make 16 MiB per fixture, more than most caches hold.
	defaultNodes = 1 << 18
	// quantizationError is finer than the library's default: a difference that
	// is not there is looked for, and rounding must not be it.
	quantizationError = 1e-4
)

// settings are the flags.
type settings struct {
	nodes                        int
	mode, workload, order        string
	seed                         uint64
	perturb                      bool
	multi                        bool
	minProcs, maxProcs, parallel int
	repeats, validation, warmup  int
	warmupDuration               time.Duration
	skipValidation               bool
	budget                       time.Duration
}

var errUsage = errors.New("usage")

// parse reads and checks the flags. What the flag package finds wrong it prints
// itself, and the error is errUsage.
func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("rtcompare-aa", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.nodes, "n", defaultNodes, "nodes per fixture, 64 bytes each; 4096 stay in the caches")
	flags.StringVar(&s.mode, "mode", modeCompare, "compare: both assignments of roles; prefix: collect after one fixture ran alone")
	flags.StringVar(&s.workload, "workload", workloadChase, "chase: a random node and two pointers from it; scan: 100 neighbours of the list")
	flags.StringVar(&s.order, "build", buildAB, "order of allocation: ab, ba, mixed (node by node) or random; with -multi, ab and ba take turns")
	flags.Uint64Var(&s.seed, "seed", 1, "for -perturb and -build random; with -multi each process has its own")
	flags.BoolVar(&s.perturb, "perturb", false, "fill parts of the heap before building; -multi always does")
	flags.BoolVar(&s.multi, "multi", false, "run -mode compare in several processes and pool them")
	flags.IntVar(&s.minProcs, "minprocs", 0, "smallest number of processes of -multi, 0 for the library's default")
	flags.IntVar(&s.maxProcs, "maxprocs", 0, "largest number of processes of -multi, 0 for the library's default")
	flags.IntVar(&s.parallel, "parallel", 0, "processes of -multi at a time, 0 for one")
	flags.IntVar(&s.repeats, "repeats", 0, "samples per fixture, 0 for the library's default")
	flags.IntVar(&s.validation, "validation", 0, "runs of identical code per fixture, 0 for the library's default")
	flags.IntVar(&s.warmup, "warmup", 0, "smallest number of batches of warm-up, 0 for the library's default")
	flags.DurationVar(&s.warmupDuration, "warmupdur", 0, "shortest warm-up, 0 for the library's default")
	flags.BoolVar(&s.skipValidation, "skipvalidation", false, "do not measure each fixture against itself")
	flags.DurationVar(&s.budget, "budget", 0, "compare with this time budget, 0 for the published fixed protocol")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return s, err
		}
		return s, errUsage
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("%q is not a flag, and there are no other arguments", flags.Arg(0))
	}
	return s, s.check()
}

// check looks at everything that the library would not find wrong itself.
func (s settings) check() error {
	for _, word := range []struct {
		flag, value string
		known       []string
	}{
		{"mode", s.mode, []string{modeCompare, modePrefix}},
		{"workload", s.workload, []string{workloadChase, workloadScan}},
		{"build", s.order, []string{buildAB, buildBA, buildMixed, buildRandom}},
	} {
		if !slices.Contains(word.known, word.value) {
			return fmt.Errorf("-%s %q is unknown, it has to be one of %s", word.flag, word.value, strings.Join(word.known, ", "))
		}
	}
	switch {
	case s.nodes < 1:
		return fmt.Errorf("-n is %d and has to be at least 1", s.nodes)
	case s.nodes > mostNodes:
		return fmt.Errorf("-n is %d and has to be at most %d", s.nodes, mostNodes)
	case s.workload == workloadScan && s.nodes <= scanLength:
		return fmt.Errorf("-n is %d, and -workload scan needs more than %d nodes", s.nodes, scanLength)
	case s.multi && s.mode == modePrefix:
		return errors.New("-multi belongs to -mode compare; -mode prefix makes no comparison that could be pooled")
	case !s.multi && (s.minProcs != 0 || s.maxProcs != 0 || s.parallel != 0):
		return errors.New("-minprocs, -maxprocs and -parallel belong to -multi")
	case s.mode == modePrefix && s.budget != 0:
		return errors.New("-budget belongs to -mode compare; -mode prefix makes no comparison that could end early")
	case s.mode == modePrefix && s.skipValidation:
		return errors.New("-skipvalidation contradicts -mode prefix, which is about what validating one fixture leaves behind")
	}
	return nil
}

// collect returns the options that both modes measure with.
func (s settings) collect() rtcompare.CollectOptions {
	return rtcompare.CollectOptions{
		Repeats: s.repeats, Warmup: s.warmup, WarmupDuration: s.warmupDuration, MaxQuantizationError: quantizationError,
	}
}

// compareOptions returns the options of mode compare.
func (s settings) compareOptions() rtcompare.CompareOptions {
	return rtcompare.CompareOptions{
		Collect: s.collect(), ValidationRuns: s.validation, SkipValidation: s.skipValidation, Budget: s.budget,
	}
}
