package cli

import (
	"context"
	"os"

	"github.com/rtcompare/rtcompare/internal/arm/command"
	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/config"
	"github.com/rtcompare/rtcompare/internal/extract"
	"github.com/rtcompare/rtcompare/internal/parameters"
	"github.com/rtcompare/rtcompare/internal/record"
)

// addCommand adds a command line.
func (r *fileRun) addCommand(ctx context.Context, s *fileSides, name string, c config.Command) error {
	spec, err := r.commandSpec(ctx, name, c)
	if err != nil {
		return err
	}
	for _, m := range spec.Extracted {
		s.extracted = append(s.extracted, m.Name)
	}
	s.arms = append(s.arms, comparison.Arm{Arm: record.Arm{Name: name, Command: c.Command}, Engine: command.New(spec, r.spawner)})
	s.metrics = mergeMetrics(s.metrics, command.Metrics(spec))
	return nil
}

func (r *fileRun) commandSpec(ctx context.Context, name string, c config.Command) (command.Spec, error) {
	spec := command.Spec{Name: name, Dir: r.dir(c), Env: r.environment(c), Accept: command.ExitCodes{Any: c.IgnoreFailure.All, Codes: c.IgnoreFailure.Codes}}
	shell, err := r.shellOf(name, c)
	if err != nil {
		return spec, err
	}
	if len(shell) > 0 && !parameters.NeedsShell(c.Command) && !r.config.Has("commands", name, "shell") {
		shell = nil
	}
	line := c.Command
	if !r.steps.Has(config.StepCommand) {
		line = "true" // only the steps around it are wanted
	}
	if spec.Program, err = program(shell, line); err != nil {
		return spec, usage("%w", r.config.Problem(err.Error(), "", "commands", name, "command"))
	}
	if len(shell) > 0 {
		if spec.Overhead.Wall, spec.Overhead.CPU, err = command.MeasureShell(ctx, r.spawner, shell, shellRuns); err != nil {
			return spec, candidate(err, "")
		}
	}
	if spec.Stdin, err = parameters.ParseInput(c.Input, os.Stat); err != nil {
		return spec, usage("%w", r.config.Problem(err.Error(), "", "commands", name, "input"))
	}
	if spec.Output, err = outputOf(c.Output, false); err != nil {
		return spec, usage("%w", r.config.Problem(err.Error(), "", "commands", name, "output"))
	}
	return spec, r.around1(&spec, name, c, shell)
}

// around1 adds what surrounds every single run of a command.
func (r *fileRun) around1(spec *command.Spec, name string, c config.Command, shell []string) error {
	var err error
	if r.steps.Has(config.StepPrepare) {
		if spec.Prepare, err = r.app.steps("prepare", c.Prepare, shell, *spec); err != nil {
			return usage("%w", err)
		}
	}
	if r.steps.Has(config.StepConclude) {
		if spec.Conclude, err = r.app.steps("conclude", c.Conclude, shell, *spec); err != nil {
			return usage("%w", err)
		}
	}
	metrics, stderr, err := r.metrics(name, c)
	spec.Extract, spec.Extracted = extractor(metrics, stderr)
	return err
}

func (r *fileRun) metrics(name string, c config.Command) ([]extract.Metric, map[string]bool, error) {
	var metrics []extract.Metric
	stderr := map[string]bool{}
	for _, key := range sortedKeys(c.Metrics) {
		m := c.Metrics[key]
		made, err := extract.Regexp(key, m.Regexp)
		if m.JSONPath != "" {
			made, err = extract.JSON(key, m.JSONPath)
		}
		if err == nil {
			made, err = made.In(m.Unit).Judged(m.Better)
		}
		if err == nil {
			err = freeName(key)
		}
		if err != nil {
			return nil, nil, usage("%w", r.config.Problem(err.Error(), "", "commands", name, "metrics", key))
		}
		stderr[key] = m.From == "stderr"
		metrics = append(metrics, made)
	}
	return metrics, stderr, nil
}
