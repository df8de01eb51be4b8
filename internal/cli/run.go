package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/config"
	"github.com/rtcompare/rtcompare/internal/render"
	"github.com/rtcompare/rtcompare/internal/spawn"
	"github.com/rtcompare/rtcompare/internal/view"
)

// runFlags are the flags of the sub-command run.
type runFlags struct {
	common
	files                                []string
	includeCommands, excludeCommands     []string
	includeTags, excludeTags             []string
	includeComparison, excludeComparison []string
	steps                                []string
	unit, sort                           string
}

func (a *App) runCommand() *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:   "run [NAME...]",
		Short: "Carry out the comparisons and commands of a configuration file",
		Long: `run reads rtcompare.toml, else finefile.toml, and carries out its comparisons, or those
that are named. Where the files hold no comparison, or commands are chosen with -c
or -t, it measures the commands, each for itself.

Comparisons below [alpha.compare] follow finefile's rule, number for number. Those
below [compare] stop when the answer is clear, with intervals that hold at every
look at once.`,
		Example: `  rtcompare run
  rtcompare run rewrite
  rtcompare run -f base.toml -f local.toml
  rtcompare run -c baseline -c candidate --step setup --step command`,
		RunE: func(c *cobra.Command, names []string) error {
			f.includeComparison = append(f.includeComparison, names...)
			return a.run(c.Context(), c, f, true)
		},
	}
	f.define(c)
	flags := c.Flags()
	flags.StringArrayVarP(&f.includeCommands, "include-command", "c", nil, "measure the command `NAME`; may be repeated")
	flags.StringArrayVarP(&f.excludeCommands, "exclude-command", "C", nil, "leave the command `NAME` out; may be repeated")
	flags.StringArrayVarP(&f.includeTags, "include-tag", "t", nil, "measure commands with the `TAG`; may be repeated")
	flags.StringArrayVarP(&f.excludeTags, "exclude-tag", "T", nil, "leave commands with the `TAG` out; may be repeated")
	flags.StringArrayVar(&f.includeComparison, "include-comparison", nil, "carry out the comparison `NAME`; may be repeated")
	flags.StringArrayVar(&f.excludeComparison, "exclude-comparison", nil, "leave the comparison `NAME` out; may be repeated")
	flags.StringArrayVar(&f.steps, "step", nil, "do the `STEP` only: setup, prepare, command, conclude or cleanup; may be repeated")
	return c
}

// alphaCommand is finefile's name for the comparisons.
func (a *App) alphaCommand() *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:     "alpha.compare",
		Short:   "Carry out the comparisons of a configuration file, as finefile does",
		Example: "  rtcompare alpha.compare -f finefile.toml -c rewrite",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return a.run(c.Context(), c, f, false) },
	}
	f.define(c)
	c.Flags().StringArrayVarP(&f.includeComparison, "include-comparison", "c", nil, "carry out the comparison `NAME`; may be repeated")
	c.Flags().StringArrayVarP(&f.excludeComparison, "exclude-comparison", "C", nil, "leave the comparison `NAME` out; may be repeated")
	return c
}

func (f *runFlags) define(c *cobra.Command) {
	f.common.add(c)
	addFiles(c, &f.files)
	c.Flags().StringVarP(&f.unit, "time-unit", "u", "", "unit of all times: `microsecond|millisecond|second`")
	c.Flags().StringVar(&f.sort, "sort", "auto", "order of the results: `auto|command|mean-time`")
}

// fileRun is the state of one reading of configuration files.
type fileRun struct {
	app     *App
	flags   *runFlags
	config  config.Config
	given   func(flag string) bool
	options render.Options
	spawner *spawn.Spawner
	steps   config.Steps
	// results are collected for files that several share.
	results []view.Comparison
	bayes   map[string][]view.JZS
	shared  map[string][]view.Comparison
	// printed is the last round that a line was printed for.
	printed int
}

func (a *App) run(ctx context.Context, c *cobra.Command, f *runFlags, commandsToo bool) error {
	if f.resume != "" && len(f.includeComparison) == 0 && len(f.includeCommands) == 0 && len(f.files) == 0 {
		return a.resumeFrom(ctx, c, f.resume)
	}
	if err := f.check(); err != nil {
		return err
	}
	loaded, err := a.load(f.files)
	if err != nil {
		return err
	}
	r := &fileRun{app: a, flags: f, config: loaded, given: c.Flags().Changed, bayes: map[string][]view.JZS{}, shared: map[string][]view.Comparison{}}
	if r.options, err = a.renderOptions(&f.common, f.unit, f.sort); err != nil {
		return err
	}
	if r.steps, err = config.ParseSteps(f.steps); err != nil {
		return usage("--step: %w", err)
	}
	comparisons, commands, err := r.choose(commandsToo)
	if err != nil {
		return err
	}
	if err := r.checkPlaces(comparisons, commands); err != nil {
		return err
	}
	if len(comparisons)+len(commands) == 0 {
		a.messages.Notef("there is nothing to run")
		return nil
	}
	if r.spawner, err = spawn.Start(ctx, spawn.Options{Now: clock.Now}); err != nil {
		return err
	}
	defer r.spawner.Close()
	return r.all(ctx, comparisons, commands)
}

// choose finds what is to be run.
func (r *fileRun) choose(commandsToo bool) (comparisons, commands []string, err error) {
	f := r.flags
	selectsCommands := len(f.includeCommands)+len(f.excludeCommands)+len(f.includeTags)+len(f.excludeTags)+len(f.steps) > 0
	known := len(r.config.Comparisons) + len(r.config.AlphaComparisons)
	if known > 0 && (!selectsCommands || len(f.includeComparison) > 0) {
		selection := config.Selection{IncludeNames: f.includeComparison, ExcludeNames: f.excludeComparison}
		if comparisons, err = selection.Comparisons(r.config); err != nil {
			return nil, nil, usage("%w", err)
		}
	} else if len(f.includeComparison) > 0 {
		return nil, nil, usage("there is no comparison %q in the configuration", f.includeComparison[0])
	}
	if commandsToo && (selectsCommands || known == 0) {
		selection := config.Selection{IncludeNames: f.includeCommands, ExcludeNames: f.excludeCommands, IncludeTags: f.includeTags, ExcludeTags: f.excludeTags}
		if commands, err = selection.Commands(r.config); err != nil {
			return nil, nil, usage("%w", err)
		}
	}
	return comparisons, commands, nil
}

// checkPlaces refuses, before anything is measured, files that results could not
// be written to.
func (r *fileRun) checkPlaces(comparisons, commands []string) error {
	check := func(file string, path ...string) error {
		if file == "" {
			return nil
		}
		if err := checkPlace("", file); err != nil {
			return usage("%w", r.config.Problem(err.Error(), "", path...))
		}
		return nil
	}
	var problems []error
	for _, name := range comparisons {
		problems = append(problems, check(r.config.Comparisons[name].ExportJSON, "compare", name, "export-json"),
			check(r.config.AlphaComparisons[name].ExportJSON, "alpha", "compare", name, "export-json"))
	}
	for _, name := range commands {
		problems = append(problems, check(r.config.Commands[name].ExportJSON, "commands", name, "export-json"))
	}
	for _, name := range sortedKeys(r.config.Plots) {
		problems = append(problems, check(r.config.Plots[name].File, "plots", name, "file"))
	}
	return errors.Join(problems...)
}

// all runs everything that was chosen. One that fails does not keep the others
// from running.
func (r *fileRun) all(ctx context.Context, comparisons, commands []string) error {
	var failures []error
	note := func(kind, name string, err error) {
		if err == nil {
			return
		}
		r.app.messages.Error(fmt.Errorf("%s %s: %w", kind, name, err))
		failures = append(failures, err)
	}
	for i, name := range slices.Concat(comparisons, commands) {
		if ctx.Err() != nil {
			break
		}
		if i > 0 && r.flags.format == "text" && !r.flags.quiet {
			_, _ = io.WriteString(r.app.Stdout, "\n")
		}
		if i < len(comparisons) {
			note("comparison", name, r.comparison(ctx, name))
		} else {
			note("command", name, r.command(ctx, name))
		}
	}
	if err := r.writeShared(); err != nil {
		note("results", "of all", err)
	}
	return summed(failures)
}

// summed is one error for several that have been told already; its exit code is
// the one that wins among theirs.
func summed(failures []error) error {
	if len(failures) == 0 {
		return nil
	}
	code := ExitOK
	for _, err := range failures {
		code = worst(code, exitCode(err))
	}
	return quietExit(code, errors.Join(failures...).Error())
}
