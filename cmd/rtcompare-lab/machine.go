package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/machine"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
)

// machineCommands are the sub-commands that measure on this machine.
func machineCommands() []command {
	return []command{
		{name: "identical", trials: 75, summary: "identical code on this machine, default protocol", prepare: identical},
		{name: "injected", trials: 12, summary: "known differences on this machine, with a Budget", prepare: injected},
		{name: "adversarial", trials: 1, summary: "pairs that naive measuring gets wrong", prepare: adversarial},
		{name: "unit-length", trials: 1, summary: "how long a unit has to be on this machine", prepare: unitLength},
		{name: "statistics-cost", trials: 1, summary: "what the statistics cost", prepare: statisticsCost},
		{name: "published", trials: 1000, summary: "figures of the published library tested again", prepare: published},
		{name: "report", trials: fullScale.trials, summary: "everything that has a bar, one line each; -quick for about two minutes", prepare: report},
		{name: machine.AloneCommand, trials: 1, hidden: true, prepare: alone},
		{name: machine.BusyCommand, trials: 1, hidden: true, prepare: busy},
	}
}

// measured gives an experiment its setup, with busy neighbours while it runs.
func measured(flags *flag.FlagSet, s *shared, experiment func(machine.Setup) ([]*sheet.Sheet, error)) func() ([]*sheet.Sheet, error) {
	flags.IntVar(&s.trials, "runs", s.trials, "the same as -trials: comparisons per row")
	only := flags.String("only", "", "only workloads or pairs whose name contains this")
	neighbours := flags.Int("load", 0, "number of busy neighbours: child processes that only use a processor")
	return func() (sheets []*sheet.Sheet, err error) {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		quiet, err := machine.Load(ctx, *neighbours)
		if err != nil {
			return nil, err
		}
		defer quiet()
		return experiment(machine.Setup{Context: ctx, Seed: s.seed, Runs: s.trials, Only: *only, Progress: progressLine(s.errors)})
	}
}

func identical(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	quick := flags.Bool("quick", false, "few runs of identical code per comparison; not the default protocol")
	sharedOnly := flags.Bool("shared", false, "only the rows with one fixture for both candidates")
	budget := flags.Duration("budget", 0, "compare with this Budget instead of the default protocol")
	runs := flags.Int("validation-runs", 0, "runs of identical code per comparison; 0 is the library's default")
	return measured(flags, s, func(setup machine.Setup) ([]*sheet.Sheet, error) {
		opt := rtcompare.CompareOptions{ValidationRuns: *runs, Budget: *budget}
		if *quick && *runs == 0 && *budget == 0 {
			opt.ValidationRuns = 10
		}
		if *sharedOnly {
			return one(machine.IdenticalShared(setup, opt))
		}
		return one(machine.Identical(setup, opt))
	})
}

func injected(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	scale := flags.Float64("budget-scale", 1, "multiplies the budgets of 3 and 10 seconds")
	return measured(flags, s, func(setup machine.Setup) ([]*sheet.Sheet, error) {
		return one(machine.Injected(setup, *scale))
	})
}

func busy(*flag.FlagSet, *shared) func() ([]*sheet.Sheet, error) {
	return func() ([]*sheet.Sheet, error) {
		machine.Busy(os.Stdin)
		return nil, nil
	}
}

func one(s *sheet.Sheet, err error) ([]*sheet.Sheet, error) {
	if err != nil {
		return nil, err
	}
	return []*sheet.Sheet{s}, nil
}

func adversarial(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	budget := flags.Duration("budget", 5*time.Second, "budget of the comparison")
	total := flags.Duration("alone", 3*time.Second, "time for both candidates of a pair alone")
	slice := flags.Duration("slice", machine.DefaultSlice, "time of one process of a candidate alone")
	return measured(flags, s, func(setup machine.Setup) ([]*sheet.Sheet, error) {
		return one(machine.Adversarial(setup, *budget, *total, *slice))
	})
}

func unitLength(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	seconds := flags.Float64("seconds", 60, "length of the series")
	name := flags.String("workload", "map", "arithmetic, map, sort, allocation or chase")
	return measured(flags, s, func(setup machine.Setup) ([]*sheet.Sheet, error) {
		return one(machine.UnitLength(setup, *name, time.Duration(*seconds*float64(time.Second))))
	})
}

func statisticsCost(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	return measured(flags, s, func(setup machine.Setup) ([]*sheet.Sheet, error) { return one(machine.StatisticsCost(setup)) })
}

// alone is one candidate in a process of its own.
func alone(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	pair := flags.Int("pair", 0, "number of the adversarial pair")
	side := flags.Int("side", 0, "0 for A, 1 for B")
	duration := flags.Duration("for", time.Second, "how long to measure")
	return func() ([]*sheet.Sheet, error) {
		return nil, machine.RunAlone(os.Stdout, *pair, *side, s.seed, *duration)
	}
}

// published are simulations and, for what no simulation can tell, real runs.
func published(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	real := flags.Int("real-runs", 20, "number of real comparisons per row")
	return measured(flags, s, func(setup machine.Setup) ([]*sheet.Sheet, error) {
		simulated, err := s.setup()
		if err != nil {
			return nil, err
		}
		setup.Runs = *real
		first, err := machine.BelowTheTick(setup)
		if err != nil {
			return nil, err
		}
		return append([]*sheet.Sheet{first}, simulation.Published(simulated)...), nil
	})
}
