package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rtcompare/rtcompare/internal/bench"
	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/render"
	"github.com/rtcompare/rtcompare/internal/source"
	"github.com/rtcompare/rtcompare/internal/term"
)

// benchFlags are the flags of the sub-command bench.
type benchFlags struct {
	common
	pattern, tags, prepare, toolchain, benchTime string
	layouts, screenLayouts, judged, processors   int
	all, short, unchanged                        bool
}

func (a *App) benchCommand() *cobra.Command {
	f := &benchFlags{}
	c := &cobra.Command{
		Use:   "bench [BASE[..NEW]] [PACKAGES...]",
		Short: "Compare the benchmarks of two versions of Go code",
		Long: `bench says for every benchmark whether the new version is faster, slower, the same
within a margin, or not decidable against the base. Both versions are built in many code
layouts, and their benchmarks take turns batch by batch. Nothing of the sources or of
the repository is touched.

BASE and NEW are git revisions, dir:PATH, or bin:PATH. BASE defaults to where the branch left
the main branch, NEW to the working tree. Packages start with ./ or / or contain "...";
the default is the package here.

All benchmarks are screened briefly on two layouts of each version; those that stand out
are judged on twelve fresh ones, with one error rate over all of them. The others read
"did not stand out", which does not mean that they are equal.`,
		Example: `  rtcompare bench main
  rtcompare bench v1.2.0..v1.3.0 ./...
  rtcompare bench --bench Encode --time 2m main ./codec
  rtcompare bench --fail-on slower main ./...`,
		RunE: func(c *cobra.Command, arguments []string) error { return a.bench(c.Context(), arguments, f) },
	}
	f.common.add(c)
	flags := c.Flags()
	f.errorRate, f.margin = bench.DefaultErrorRate, bench.DefaultMargin
	for name, text := range map[string]string{"error-rate": "5%", "margin": "3%", "time": "1m"} {
		flags.Lookup(name).DefValue = text
	}
	flags.Lookup("time").Usage = "time for measuring, such as 2m; building comes on top"
	for _, unused := range []string{"method", "resume", "precision", "plot"} {
		_ = flags.MarkHidden(unused)
	}
	flags.StringVar(&f.pattern, "bench", "", "only benchmarks that match `PATTERN`, as go test -bench")
	flags.StringVar(&f.tags, "tags", "", "build `TAGS`")
	flags.IntVar(&f.processors, "cpu", 0, "GOMAXPROCS of the benchmarks (default: all)")
	flags.BoolVar(&f.short, "short", false, "tell the benchmarks to be short")
	flags.BoolVar(&f.all, "all", false, "judge every benchmark, not only those that stand out")
	flags.IntVar(&f.layouts, "layouts", bench.DefaultLayouts, "code layouts of each version that a benchmark is judged on")
	flags.IntVar(&f.screenLayouts, "screen-layouts", bench.DefaultScreenLayouts, "code layouts of each version for the screening")
	flags.IntVar(&f.judged, "judged", bench.DefaultJudged, "how many benchmarks are judged at most")
	flags.StringVar(&f.prepare, "prepare", "", "`COMMAND` that makes what is not in git, run in the copied version")
	flags.StringVar(&f.toolchain, "toolchain", "", "Go toolchain for both versions, as GOTOOLCHAIN")
	flags.StringVar(&f.benchTime, "benchtime", "1s", "for benchmarks that get a process per sample")
	flags.BoolVar(&f.unchanged, "measure-unchanged", false, "measure also where the machine code is the same")
	return c
}

// benchArguments sorts the arguments into versions and packages.
func benchArguments(arguments []string) (base, changed source.Spec, packages []string, err error) {
	base.Kind = source.MergeBase
	versions := ""
	for _, argument := range arguments {
		switch {
		case strings.HasPrefix(argument, "./"), strings.HasPrefix(argument, "/"), strings.Contains(argument, "...") && !strings.HasPrefix(argument, "dir:"), argument == ".":
			packages = append(packages, argument)
		case versions != "":
			return base, changed, nil, usageHint("packages start with ./ or contain ...", "bench takes one range of versions, and got %q and %q", versions, argument)
		default:
			versions = argument
		}
	}
	if versions == "" {
		return base, changed, packages, nil
	}
	first, second, ranged := strings.Cut(versions, "..")
	if first != "" {
		if base, err = source.Parse(first); err != nil {
			return base, changed, nil, usage("%w", err)
		}
	}
	if ranged && second != "" {
		if changed, err = source.Parse(second); err != nil {
			return base, changed, nil, usage("%w", err)
		}
	}
	return base, changed, packages, nil
}

func (a *App) bench(ctx context.Context, arguments []string, f *benchFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	o, err := a.benchOptions(arguments, f)
	if err != nil {
		return err
	}
	stream, size := a.stderrStream()
	live := term.NewLive(ctx, a.Stderr, term.LiveOptions{Escapes: stream.Escapes, Quiet: f.quiet, Size: size})
	defer live.Close()
	env := bench.Environment{Now: clock.Now, Watch: func(p bench.Progress) { live.Update(benchLine(p)) }}
	head := benchHead(o, f)
	journal, err := a.newJournal(head, &f.common, "bench")
	if err != nil {
		return err
	}
	if journal != nil {
		env.Keep = func(u record.Unit) error {
			if err := journal.Unit(u); err != nil {
				return incomplete("%w", err)
			}
			return nil
		}
	}
	result, runErr := bench.Run(ctx, o, env)
	_ = live.Close()
	if journal != nil {
		runErr = errors.Join(runErr, a.closeBench(journal, result, &f.common))
	}
	return a.finishBench(result, f, runErr)
}

func (a *App) benchOptions(arguments []string, f *benchFlags) (bench.Options, error) {
	o := bench.Options{
		Dir: a.Directory, Env: a.Environ, Pattern: f.pattern, Prepare: f.prepare, Toolchain: f.toolchain, Processors: f.processors,
		Layouts: f.layouts, ScreenLayouts: f.screenLayouts, Judged: f.judged, All: f.all, Slowest: f.failOn == failOnSlower,
		Time: f.time, ErrorRate: f.errorRate, Margin: f.margin, Batch: bench.DefaultBatch, BenchTime: f.benchTime, Unchanged: f.unchanged,
	}
	var err error
	if o.Base, o.New, o.Packages, err = benchArguments(arguments); err != nil {
		return o, err
	}
	if len(o.Packages) == 0 {
		o.Packages = []string{"."}
	}
	if o.Go, err = exec.LookPath("go"); err != nil {
		return o, usageHint("install Go, or put it on the PATH", "bench needs the go command: %w", err)
	}
	if o.Processors == 0 {
		o.Processors = runtime.GOMAXPROCS(0)
	}
	if o.Time == 0 {
		o.Time = bench.DefaultTime
	}
	if f.tags != "" {
		o.BuildFlags = append(o.BuildFlags, "-tags="+f.tags)
	}
	if f.short {
		o.BinaryFlags = append(o.BinaryFlags, "-test.short")
	}
	switch {
	case f.layouts < 1 || f.screenLayouts < 1 || f.judged < 1:
		return o, usage("--layouts, --screen-layouts and --judged have to be at least 1")
	case f.processors < 0:
		return o, usage("--cpu %d: it has to be at least 1", f.processors)
	}
	if _, err := regexp.Compile(f.pattern); err != nil {
		return o, usage("--bench: %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return o, usage("finding a place for builds: %w", err)
	}
	o.Cache = filepath.Join(cache, "rtcompare")
	o.Seed, err = seedOrRandom(f.seed)
	return o, err
}

func benchLine(p bench.Progress) string {
	if p.Total == 0 {
		return p.Stage + " " + p.What
	}
	return fmt.Sprintf("%s %d of %d · %s", p.Stage, min(p.Done+1, p.Total), p.Total, p.What)
}

func benchHead(o bench.Options, f *benchFlags) record.Head {
	return record.Head{
		Schema: record.Schema, Tool: "rtcompare " + version(), Kind: bench.Kind, Started: time.Now(), Seed: o.Seed,
		Arms: []record.Arm{{Name: o.Base.String()}, {Name: o.New.String()}},
		Plan: map[string]any{"layouts": o.Layouts, "error_rate": o.ErrorRate, "margin": o.Margin, "time_seconds": o.Time.Seconds(), "packages": o.Packages},
	}
}

func (a *App) closeBench(journal *comparison.Journal, result bench.Result, f *common) error {
	var problems []error
	for _, row := range result.Rows {
		if row.Judgement != nil {
			problems = append(problems, journal.Judgement(*row.Judgement))
		}
	}
	stopped := comparison.StoppedRuns
	if a.interrupted() {
		stopped = comparison.StoppedInterrupted
	}
	end := record.End{Stopped: stopped, Seconds: (result.Built + result.Screened + result.Judged).Seconds()}
	problems = append(problems, journal.End(end))
	r := record.Record{End: &end}
	return errors.Join(append(problems, a.closeJournal(journal, r, f))...)
}

// finishBench prints the table and finds the exit code.
func (a *App) finishBench(result bench.Result, f *benchFlags, runErr error) error {
	if runErr != nil && len(result.Rows) == 0 && len(result.Unchanged) == 0 {
		return a.explainBench(runErr)
	}
	options, err := a.renderOptions(&f.common, "", "auto")
	if err != nil {
		return err
	}
	text, err := benchForm(result, f.format, options)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(a.Stdout, text); err != nil {
		return err
	}
	a.code = worst(a.code, benchCode(result, f.failOn))
	if runErr != nil {
		return a.explainBench(runErr)
	}
	return nil
}

func (a *App) explainBench(err error) error {
	var f *failure
	switch {
	case errors.Is(err, context.Canceled):
		return quietExit(ExitInterrupted, "interrupted")
	case errors.As(err, &f):
		return err
	}
	return usage("%w", err)
}

// benchForm renders the result; formats other than text are those of tables.
func benchForm(result bench.Result, format string, options render.Options) (string, error) {
	switch format {
	case "text":
		return benchText(result, options.Colour), nil
	case "markdown":
		return benchMarkdown(result), nil
	case "json":
		return benchJSON(result)
	}
	return "", usage("bench has no format %s; it has text, markdown and json", format)
}

// benchCode is the exit code of a finished run.
func benchCode(result bench.Result, failOn string) int {
	code := ExitOK
	if len(result.BuildFailures) > 0 {
		code = ExitCandidate
	}
	for _, m := range result.Missing {
		if m.Reason != "" && !m.Skipped && m.Side == 1 {
			code = worst(code, ExitCandidate)
		}
	}
	for _, row := range result.Rows {
		if row.Failed != nil {
			code = worst(code, ExitCandidate)
		}
		if row.Judgement != nil && failOn != "" {
			code = worst(code, pairCode(*row.Judgement, "lower", failOn))
		}
	}
	if failOn == failOnSlower && code == ExitNoAnswer && math.IsNaN(result.SuiteRatio) {
		return code
	}
	return code
}
