package cli

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rtcompare/rtcompare/internal/parameters"
)

// cmdFlags are the flags of the sub-command cmd: hyperfine's, under its names
// and letters, and ours.
type cmdFlags struct {
	common
	warmup, minRuns, maxRuns, runs int
	setup, cleanup                 string
	prepare, conclude              []string
	reference, referenceName       string
	scans, lists                   []string
	step                           string
	names                          []string
	shell                          string
	noShell                        bool
	ignoreFailure                  string
	style, sort, unit              string
	exports                        map[string]*string
	showOutput                     bool
	outputs                        []string
	input                          string
	minTime                        float64
	timeout                        time.Duration
	cpus, by                       string
	metrics                        []string
	// extracted are the names of the metrics that are read from the output.
	extracted []string
}

// exportKinds are the formats that hyperfine exports to, and ours.
var exportKinds = []string{"asciidoc", "csv", "json", "markdown", "orgmode", "html"}

func (f *cmdFlags) define(c *cobra.Command) {
	f.common.add(c)
	flags := c.Flags()
	flags.IntVarP(&f.warmup, "warmup", "w", 0, "unmeasured runs of each command first (default: until the times have settled)")
	flags.IntVarP(&f.minRuns, "min-runs", "m", 0, "at least so many runs of each command")
	flags.IntVarP(&f.maxRuns, "max-runs", "M", 0, "at most so many runs of each command")
	flags.IntVarP(&f.runs, "runs", "r", 0, "exactly so many runs of each command")
	flags.StringVarP(&f.setup, "setup", "s", "", "run `COMMAND` once before the runs of each command")
	flags.StringArrayVarP(&f.prepare, "prepare", "p", nil, "run `COMMAND` before every run; once for all or once per command")
	flags.StringArrayVarP(&f.conclude, "conclude", "C", nil, "run `COMMAND` after every run; once for all or once per command")
	flags.StringVarP(&f.cleanup, "cleanup", "c", "", "run `COMMAND` once after the runs of each command")
	flags.StringVar(&f.reference, "reference", "", "compare all commands with `COMMAND`")
	flags.StringVar(&f.referenceName, "reference-name", "", "call the reference `NAME`")
	flags.StringArrayVarP(&f.scans, "parameter-scan", "P", nil, "put each number of a range in place of {NAME}: -P `NAME MINIMUM MAXIMUM`")
	flags.StringVarP(&f.step, "parameter-step-size", "D", "", "`DISTANCE` of the numbers of a range")
	flags.StringArrayVarP(&f.lists, "parameter-list", "L", nil, "put each value of a list in place of {NAME}: -L `NAME VALUE,VALUE`; may be repeated")
	flags.StringArrayVarP(&f.names, "command-name", "n", nil, "call a command `NAME`; may be repeated")
	flags.StringVarP(&f.shell, "shell", "S", "auto", "`SHELL` to run the commands with; auto takes none where none is needed; default, none")
	flags.BoolVarP(&f.noShell, "no-shell", "N", false, "the same as --shell=none")
	flags.StringVarP(&f.ignoreFailure, "ignore-failure", "i", "", "accept exit codes other than 0: all of them, or those of =`CODE,CODE`")
	flags.Lookup("ignore-failure").NoOptDefVal = "all-non-zero"
	flags.StringVar(&f.style, "style", "auto", "`auto|basic|full|nocolor|color|none`")
	flags.StringVar(&f.sort, "sort", "auto", "order of the results: `auto|command|mean-time`")
	flags.StringVarP(&f.unit, "time-unit", "u", "", "unit of all times: `microsecond|millisecond|second`")
	f.exports = map[string]*string{}
	for _, kind := range exportKinds {
		f.exports[kind] = flags.String("export-"+kind, "", "write the results to `FILE` (- is standard output)")
	}
	flags.BoolVar(&f.showOutput, "show-output", false, "let the commands print")
	flags.StringArrayVar(&f.outputs, "output", nil, "where the commands' output goes: `null|pipe|inherit|FILE`; once for all or once per command")
	flags.StringVar(&f.input, "input", "null", "what the commands read: null or a `FILE`")
	flags.Float64Var(&f.minTime, "min-benchmarking-time", 0, "")
	_ = flags.MarkHidden("min-benchmarking-time")
	flags.Var(span{&f.timeout}, "timeout", "end a run, and all it started, after this time")
	flags.StringVar(&f.cpus, "cpus", "", "run the commands on these processors only, such as `0,2-3`")
	flags.StringArrayVar(&f.metrics, "metric", nil, "read a number from the output: `NAME=regexp:PATTERN` or NAME=json:PATH, with ,unit=…and ,better=lower|higher")
	flags.StringVar(&f.by, "by", "wall", "the `METRIC` that carries the verdict: wall, cpu, memory or one of --metric")
	flags.BoolP("version", "V", false, "print the version")
}

// checkCmd refuses what does not go together.
func (f *cmdFlags) checkCmd(c *cobra.Command) error {
	if err := f.common.check(); err != nil {
		return err
	}
	given := c.Flags().Changed
	switch {
	case given("runs") && (given("min-runs") || given("max-runs")):
		return usage("--runs fixes the number of runs; --min-runs and --max-runs bound it: use one or the other")
	case given("runs") && f.runs < 1, given("min-runs") && f.minRuns < 1, given("max-runs") && f.maxRuns < 1, f.warmup < 0:
		return usage("a number of runs has to be at least 1")
	case given("min-runs") && given("max-runs") && f.minRuns > f.maxRuns:
		return usage("--min-runs %d is more than --max-runs %d", f.minRuns, f.maxRuns)
	case given("reference-name") && !given("reference"):
		return usage("--reference-name needs a --reference")
	case len(f.scans) > 0 && len(f.lists) > 0:
		return usage("--parameter-scan and --parameter-list exclude each other")
	case given("parameter-step-size") && len(f.scans) == 0:
		return usage("--parameter-step-size needs a --parameter-scan")
	case f.showOutput && given("style"):
		return usage("--show-output and --style exclude each other")
	case f.showOutput && given("output"):
		return usage("--show-output and --output exclude each other")
	case given("runs") && (given("time") || given("precision")):
		return usage("--runs fixes the number of runs; --time and --precision end a run earlier or later: use one or the other")
	case given("runs") && given("method"):
		return usage("--runs fixes the number of runs; --method is a rule for when to stop: use one or the other")
	case f.noShell && given("shell"):
		return usage("--no-shell and --shell exclude each other")
	case len(f.scans) > 1:
		return usage("--parameter-scan can be given once; use --parameter-list for several parameters")
	}
	if f.noShell {
		f.shell = "none"
	}
	for _, e := range f.exportList() {
		if err := checkPlace("--export-"+e.kind, e.file); err != nil {
			return err
		}
	}
	return nil
}

// axes are the parameters of the commands.
func (f *cmdFlags) axes() ([]parameters.Axis, error) {
	var axes []parameters.Axis
	for _, text := range f.scans {
		words := strings.Split(text, separator)
		if len(words) != 3 {
			return nil, usageHint(severalHint("-P"), "--parameter-scan needs 3 values")
		}
		axis, err := parameters.Scan(words[0], words[1], words[2], f.step)
		if err != nil {
			return nil, usage("--parameter-scan: %w", err)
		}
		axes = append(axes, axis)
	}
	for _, text := range f.lists {
		words := strings.Split(text, separator)
		if len(words) != 2 {
			return nil, usageHint(severalHint("-L"), "--parameter-list needs 2 values")
		}
		axis, err := parameters.List(words[0], words[1])
		if err != nil {
			return nil, usage("--parameter-list: %w", err)
		}
		axes = append(axes, axis)
	}
	return axes, nil
}
