package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/rtcompare/rtcompare/internal/arm/command"
	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/demo"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

func (a *App) demoCommand() *cobra.Command {
	f := &common{}
	c := &cobra.Command{
		Use:   "demo",
		Short: "Build and compare two small programs, as a first example",
		Long: `demo builds two small Go programs that do the same work in two ways, and compares them
as rtcompare cmd would. It needs nothing but Go.`,
		Example: "  rtcompare demo",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return a.demo(c.Context(), f) },
	}
	f.add(c)
	return c
}

func (a *App) demo(ctx context.Context, f *common) error {
	if err := f.check(); err != nil {
		return err
	}
	options, err := a.renderOptions(f, "", "auto")
	if err != nil {
		return err
	}
	spawner, err := spawn.Start(ctx, spawn.Options{Now: clock.Now})
	if err != nil {
		return err
	}
	defer spawner.Close()
	directory, err := os.MkdirTemp("", "rtcompare-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory)
	if f.format == "text" && !f.quiet {
		for _, p := range demo.Programs() {
			fmt.Fprintf(a.Stderr, "%s: %s\n", p.Name, p.Summary)
		}
	}
	built, err := demo.Build(ctx, directory)
	if err != nil {
		return candidate(err, "the demo needs the go command on the PATH")
	}
	seed, err := seedOrRandom(f.seed)
	if err != nil {
		return err
	}
	plan := comparison.Plan{Kind: "commands", Settings: f.settings(len(built), seed), Settled: settled}
	plan.Settings.Name, plan.Settings.Operations, plan.Settings.Others = "demo", 1, []string{"cpu", "memory"}
	if f.time == 0 {
		plan.Settings.Budget = demoTime
	}
	for _, program := range built {
		spec := command.Spec{Name: program.Name, Program: command.Program{Argv: []string{program.Path}}, Env: a.Environ}
		plan.Metrics = command.Metrics(spec)
		arm := record.Arm{Name: program.Name, Command: filepath.Base(program.Path)}
		plan.Arms = append(plan.Arms, comparison.Arm{Arm: arm, Engine: command.New(spec, spawner)})
	}
	r, runErr := a.measure(ctx, plan, f)
	return a.finishRun(r, plan, f, options, nil, runErr)
}

// demoTime is enough for an answer on a busy machine.
const demoTime = 20 * time.Second
