package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/config"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/render"
	"github.com/rtcompare/rtcompare/internal/view"
)

// serverRuns is how many whole runs of requests a server gets that is measured
// for itself.
const serverRuns = 10

// command measures one command of the file for itself.
func (r *fileRun) command(ctx context.Context, name string) error {
	c := r.config.Commands[name]
	seed, err := seedOrRandom(r.flags.seed)
	if err != nil {
		return err
	}
	s := &fileSides{}
	if c.HTTP != nil && r.steps.Has(config.StepCommand) {
		err = r.addServer(ctx, s, name, c, true, seed)
	} else {
		err = r.addCommand(ctx, s, name, c)
	}
	if err == nil {
		err = r.addSteps(s, name, c)
	}
	if err != nil {
		return err
	}
	plan := comparison.Plan{Kind: s.kind(), Settings: r.flags.settings(1, seed), Arms: s.arms, Metrics: s.metrics}
	settings := &plan.Settings
	settings.Name, settings.Operations, settings.CPUs = name, 1, c.CPUs
	settings.Warmup, settings.Runs, settings.Fewest, settings.Most = c.WarmupRuns, c.Runs, c.MinRuns, c.MaxRuns
	switch {
	case !r.steps.Has(config.StepCommand):
		settings.Runs = 1
	case c.HTTP != nil && c.Runs == 0:
		settings.Runs = serverRuns
	case settings.Fewest == 0:
		settings.Fewest = 2 * judge.FirstLook
		if settings.Most > 0 {
			settings.Fewest = min(settings.Fewest, settings.Most)
		}
	}
	if settings.Runs > 0 {
		settings.Method = comparison.Fixed
	}
	ctx, cancel := withTimeout(ctx, time.Duration(c.TimeoutSeconds)*time.Second)
	defer cancel()
	flags := r.flags.common
	if !r.steps.Has(config.StepCommand) {
		flags.noRecord, flags.quiet = true, true // nothing is measured
	}
	measured, runErr := r.around(ctx, s, func(ctx context.Context) (record.Record, error) {
		return r.app.measure(ctx, plan, &flags)
	})
	if runErr == nil && ctx.Err() == context.DeadlineExceeded {
		runErr = candidate(fmt.Errorf("it took longer than its timeout of %d s", c.TimeoutSeconds), "raise timeout-seconds")
	}
	if !r.steps.Has(config.StepCommand) {
		return r.app.explain(runErr)
	}
	return r.finish(measured, plan, question{name: name, export: c.ExportJSON}, s, runErr)
}

// writeShared writes the files that commands and comparisons export to, and the
// figures.
func (r *fileRun) writeShared() error {
	var failures []error
	write := func(file string, text []byte, err error) {
		if err == nil {
			err = r.app.writeResult(file, text)
		}
		if err != nil {
			failures = append(failures, incomplete("writing %s: %w", file, err))
		}
	}
	for _, file := range sortedKeys(r.shared) {
		text, err := render.JSON(merged(r.shared[file]))
		write(file, text, err)
	}
	for _, file := range sortedKeys(r.bayes) {
		if _, both := r.shared[file]; both {
			failures = append(failures, fmt.Errorf("%s is asked for by comparisons of two methods, whose results differ in form; give each its own export-json", file))
			continue
		}
		text, err := render.JZSJSON(r.bayes[file])
		write(file, text, err)
	}
	for _, name := range sortedKeys(r.config.Plots) {
		if err := r.plotNamed(name, r.config.Plots[name]); err != nil {
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
}

// plotNamed draws a figure of the file: of all that was measured, or of the
// commands that it names.
func (r *fileRun) plotNamed(name string, p config.Plot) error {
	c := merged(r.results)
	if len(p.Commands) > 0 {
		c.Sides = slices.DeleteFunc(c.Sides, func(s view.Side) bool { return !slices.Contains(p.Commands, s.Name) })
		c.Pairs, c.Groups = nil, nil
	}
	if len(c.Sides) == 0 {
		r.app.messages.Notef("plot %s is left out: nothing of it was measured", name)
		return nil
	}
	c.Name = cmp.Or(p.Title, name)
	return r.app.plotFile(c, render.PlotKind(p.Type), p.File, r.options)
}

// merged puts the sides of several results side by side.
func merged(results []view.Comparison) view.Comparison {
	var all view.Comparison
	for i, c := range results {
		if i == 0 {
			all = c
			all.Sides, all.Pairs, all.Groups = nil, nil, nil
		}
		first := len(all.Sides)
		for _, side := range c.Sides {
			side.Letter = view.Letter(len(all.Sides))
			all.Sides = append(all.Sides, side)
		}
		for _, pair := range c.Pairs {
			pair.Base, pair.Arm = pair.Base+first, pair.Arm+first
			all.Pairs = append(all.Pairs, pair)
		}
	}
	return all
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// mergeMetrics joins descriptions of metrics, each name once.
func mergeMetrics(a, b []record.Metric) []record.Metric {
	for _, m := range b {
		if !slices.ContainsFunc(a, func(known record.Metric) bool { return known.Name == m.Name }) {
			a = append(a, m)
		}
	}
	return a
}

func cutColon(text string) (before, after string, found bool) { return strings.Cut(text, ":") }
