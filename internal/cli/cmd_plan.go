package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rtcompare/rtcompare/internal/arm/command"
	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/config"
	"github.com/rtcompare/rtcompare/internal/extract"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/parameters"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

// commandJob is a comparison of commands with what runs around it.
type commandJob struct {
	plan comparison.Plan
	// setups and cleanups run once before and after all runs.
	setups, cleanups []command.Step
	spawner          *spawn.Spawner
}

// cmdJob turns the command line into a plan.
func (a *App) cmdJob(ctx context.Context, c *cobra.Command, lines []string, f *cmdFlags, spawner *spawn.Spawner) (*commandJob, error) {
	benchmarks, err := f.benchmarks(c, lines)
	if err != nil {
		return nil, err
	}
	seed, err := seedOrRandom(f.seed)
	if err != nil {
		return nil, err
	}
	shell, err := a.shellFor(benchmarks, f.shell)
	if err != nil {
		return nil, err
	}
	metrics, err := extract.ParseAll(f.metrics)
	if err != nil {
		return nil, usage("--metric: %w", err)
	}
	for _, m := range metrics {
		if err := freeName(m.Name); err != nil {
			return nil, usage("--metric %w", err)
		}
		f.extracted = append(f.extracted, m.Name)
	}
	if err := f.checkMethod(len(benchmarks)); err != nil {
		return nil, err
	}
	job := &commandJob{spawner: spawner, plan: comparison.Plan{Kind: "commands", Settings: f.settings(len(benchmarks), seed)}}
	var overhead command.Overhead
	if len(shell) > 0 {
		if overhead.Wall, overhead.CPU, err = command.MeasureShell(ctx, spawner, shell, shellRuns); err != nil {
			if ctx.Err() != nil {
				return nil, a.explain(ctx.Err())
			}
			return nil, usage("--shell: %w", err)
		}
	}
	for i, b := range benchmarks {
		if err := a.addBenchmark(job, b, f, shell, metrics, overhead); err != nil {
			return nil, usage("command %d: %w", i+1, err)
		}
	}
	return job, f.sizeCmd(c, &job.plan)
}

func (a *App) addBenchmark(job *commandJob, b parameters.Benchmark, f *cmdFlags, shell []string, metrics []extract.Metric, overhead command.Overhead) error {
	spec, err := a.commandSpec(b, f, shell, metrics)
	if err != nil {
		return err
	}
	spec.Overhead = overhead
	setups, err := a.steps("setup", b.Setup, shell, spec)
	if err != nil {
		return err
	}
	cleanups, err := a.steps("cleanup", b.Cleanup, shell, spec)
	if err != nil {
		return err
	}
	for _, unused := range b.Unused {
		a.messages.Warningf("parameter %s is not used by %q", unused.Name, b.Command)
	}
	job.add(spec, b, setups, cleanups)
	return nil
}

// shellRuns is how often an empty shell is started to know what it costs.
const shellRuns = 50

// benchmarks writes out the commands with their parameters.
func (f *cmdFlags) benchmarks(c *cobra.Command, lines []string) ([]parameters.Benchmark, error) {
	axes, err := f.axes()
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 {
		return nil, usageHint("rtcompare cmd './old x' './new x'", "cmd needs commands to compare")
	}
	request := parameters.Request{
		Commands: lines, ReferenceName: f.referenceName, Axes: axes, Names: f.names, Setup: f.setup, Cleanup: f.cleanup,
		Prepare: f.prepare, Conclude: f.conclude, Outputs: f.outputs,
	}
	if c.Flags().Changed("reference") {
		request.Reference = &f.reference
	}
	benchmarks, err := parameters.Plan(request)
	if err != nil {
		return nil, usage("%w", err)
	}
	for i, b := range benchmarks {
		if strings.TrimSpace(b.Command) == "" {
			return nil, usage("command %d of %d is empty", i+1, len(benchmarks))
		}
	}
	return benchmarks, nil
}

// shellFor decides how command lines are started: by the shell that was asked
// for, by none, or by one for all if any of them needs it, since a comparison
// must not be one between a shell and none.
func (a *App) shellFor(benchmarks []parameters.Benchmark, asked string) ([]string, error) {
	switch asked {
	case "none":
		return nil, nil
	case "auto":
		for _, b := range benchmarks {
			if parameters.NeedsShell(b.Command) {
				return defaultShell(), nil
			}
		}
		return nil, nil
	case "default":
		return defaultShell(), nil
	}
	words, err := parameters.Split(asked)
	if err != nil {
		return nil, usage("--shell %q: %w", asked, err)
	}
	return append(words, "-c"), nil
}

// add adds one command to the plan.
func (job *commandJob) add(spec command.Spec, b parameters.Benchmark, setups, cleanups []command.Step) {
	arm := record.Arm{Name: spec.Name, Command: b.Command}
	for _, value := range b.Values {
		arm.Parameters = append(arm.Parameters, record.Parameter{Name: value.Name, Value: value.Value})
	}
	job.plan.Arms = append(job.plan.Arms, comparison.Arm{Arm: arm, Engine: command.New(spec, job.spawner)})
	job.plan.Metrics = command.Metrics(spec)
	job.setups, job.cleanups = append(job.setups, setups...), append(job.cleanups, cleanups...)
}

// sizeCmd fixes how many runs there are and what they are judged by.
func (f *cmdFlags) sizeCmd(c *cobra.Command, plan *comparison.Plan) error {
	s := &plan.Settings
	s.Operations, s.Metric, s.ReferenceNamed = 1, f.by, c.Flags().Changed("reference")
	s.Warmup, s.Runs, s.Fewest, s.Most = f.warmup, f.runs, f.minRuns, f.maxRuns
	if !c.Flags().Changed("warmup") {
		plan.Settled = settled
	}
	if f.runs > 0 {
		s.Method = comparison.Fixed
	}
	if f.maxRuns > 0 && f.minRuns == 0 {
		s.Fewest = min(f.maxRuns, 2*judge.FirstLook)
	}
	if f.minTime > 0 && f.time == 0 {
		s.Budget = time.Duration(f.minTime * float64(time.Second))
	}
	cpus, ok := config.ParseCPUs(f.cpus)
	if f.cpus != "" && !ok {
		return usage("--cpus %q: write a list such as 0,2-3", f.cpus)
	}
	s.CPUs = cpus
	if known := append(measured(), f.extracted...); !slices.Contains(known, f.by) {
		return usage("--by %s: the metrics are %s", f.by, strings.Join(known, ", "))
	}
	for _, m := range append([]string{"wall", "cpu", "memory"}, f.extracted...) {
		if m != f.by {
			s.Others = append(s.Others, m)
		}
	}
	return nil
}

// measured are the metrics that every run of a command is measured for.
func measured() []string {
	names := []string{"wall", "cpu", command.Memory}
	for _, m := range command.Metrics(command.Spec{}) {
		if m.Name != command.Memory && m.Name != command.ExitCode {
			names = append(names, m.Name)
		}
	}
	return names
}

// freeName refuses the names of what every run is measured for.
func freeName(metric string) error {
	if slices.Contains(append(measured(), command.ExitCode, command.Shell, command.ShellCPU), metric) {
		return fmt.Errorf("%s: every run is measured for %s anyway; choose another name", metric, metric)
	}
	return nil
}

// run does the steps and measures between them. Cleanups run in any case.
func (job *commandJob) run(ctx context.Context, a *App, f *common) (r record.Record, err error) {
	defer func() {
		cleanups, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTime)
		defer cancel()
		err = errors.Join(err, command.RunSteps(cleanups, job.spawner, job.cleanups))
	}()
	if err := command.RunSteps(ctx, job.spawner, job.setups); err != nil {
		return record.Record{}, err
	}
	return a.measure(ctx, job.plan, f)
}

// cleanupTime is what cleanups have when the run was interrupted.
const cleanupTime = time.Minute
