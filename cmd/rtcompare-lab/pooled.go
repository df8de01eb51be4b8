package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/pooling"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
)

// pooledCommands are the sub-commands about several processes.
func pooledCommands() []command {
	return []command{
		{name: "pooled", trials: pooling.FullTrials, summary: "how often the interval over several processes holds the truth", prepare: quickly(pooling.Pooled)},
		{name: "staged", trials: 10000, summary: "runs sized by their own scatter: coverage, size, and other rules", prepare: quickly(staged)},
		{name: "pooled-identical", trials: 10, summary: "pooled comparisons of identical structures on this machine", prepare: pooledIdentical},
		{name: "shared-validation", trials: 1000, summary: "what it saves that processes share out the runs of identical code, and what it costs", prepare: sharedValidation},
		{name: "kill", trials: 50, summary: "runs that are killed at any moment and resumed from their journal; Linux only", prepare: kill},
		{name: pooling.IdenticalCommand, trials: 1, hidden: true, prepare: identicalRun},
		{name: pooling.SharedCommand, trials: 1, hidden: true, prepare: sharedRun},
		{name: pooling.ScriptedCommand, trials: 1, hidden: true, prepare: scriptedRun},
		{name: pooling.IdleCommand, trials: 1, hidden: true, prepare: idle},
	}
}

// quickly is a simulation with a flag for few trials.
func quickly(experiment func(simulation.Setup) ([]*sheet.Sheet, error)) func(*flag.FlagSet, *shared) func() ([]*sheet.Sheet, error) {
	return func(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
		quick := flags.Bool("quick", false, "at most 1000 trials")
		return func() ([]*sheet.Sheet, error) {
			setup, err := s.setup()
			if err != nil {
				return nil, err
			}
			if *quick {
				setup.Trials = min(setup.Trials, pooling.QuickTrials)
			}
			return experiment(setup)
		}
	}
}

// staged tests the rule that is in use, and compares it with others in twice as
// many trials: these differ by little.
func staged(setup simulation.Setup) ([]*sheet.Sheet, error) {
	table, err := pooling.Staged(setup)
	if err != nil {
		return nil, err
	}
	setup.Trials *= 2
	return []*sheet.Sheet{table, pooling.Frontier(setup)}, nil
}

// untilAsked ends when somebody wants the program to end.
func untilAsked() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

func pooledIdentical(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	nodes := flags.Int("nodes", 1<<20, "number of nodes of each structure")
	most := flags.Int("most", 0, "largest number of processes per comparison; 0 is the library's default")
	inOrder := flags.Bool("in-order", false, fmt.Sprintf("ask whether processes in a row resemble each other; -most is their number, at least %d", pooling.FewestInOrder))
	quick := flags.Bool("quick", false, "65536 nodes and at most 2 comparisons")
	flags.IntVar(&s.trials, "runs", s.trials, "the same as -trials: number of comparisons")
	return func() ([]*sheet.Sheet, error) {
		if *quick {
			*nodes, s.trials = 1<<16, min(s.trials, 2)
		}
		ctx, stop := untilAsked()
		defer stop()
		setup := pooling.IdenticalSetup{Context: ctx, Seed: s.seed, Comparisons: s.trials, Nodes: *nodes, Most: *most, Progress: progressLine(s.errors)}
		if *inOrder {
			return one(pooling.InOrder(setup))
		}
		return one(pooling.Identical(setup))
	}
}

func sharedValidation(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	rounds := flags.Int("rounds", 3, "how often each way is timed")
	return func() ([]*sheet.Sheet, error) {
		if *rounds < 1 {
			return nil, fmt.Errorf("option -rounds is %d and has to be at least 1", *rounds)
		}
		setup, err := s.setup()
		if err != nil {
			return nil, err
		}
		ctx, stop := untilAsked()
		defer stop()
		return pooling.Shared(pooling.SharedSetup{Context: ctx, Simulation: setup, Rounds: *rounds, Progress: progressLine(s.errors)})
	}
}

func sharedRun(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	full := flags.Bool("full", false, "all runs of identical code in each process")
	return func() ([]*sheet.Sheet, error) {
		return nil, pooling.SharedRun(context.Background(), os.Stdout, *full, s.seed)
	}
}

func kill(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	flags.IntVar(&s.trials, "rounds", s.trials, "the same as -trials: number of runs that are killed")
	return func() ([]*sheet.Sheet, error) {
		ctx, stop := untilAsked()
		defer stop()
		return one(pooling.Kill(pooling.KillSetup{Context: ctx, Seed: s.seed, Rounds: s.trials, Progress: progressLine(s.errors)}))
	}
}

func identicalRun(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	nodes := flags.Int("nodes", 1<<20, "number of nodes of each structure")
	most := flags.Int("most", 0, "largest number of processes")
	fixed := flags.Bool("fixed", false, "run so many in any case")
	return func() ([]*sheet.Sheet, error) {
		return nil, pooling.IdenticalRun(context.Background(), os.Stdout, *nodes, *most, *fixed, s.seed)
	}
}

func scriptedRun(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	journal := flags.String("journal", "", "the run's journal")
	return func() ([]*sheet.Sheet, error) {
		return nil, pooling.ScriptedRun(context.Background(), os.Stdout, *journal, s.seed)
	}
}

func idle(*flag.FlagSet, *shared) func() ([]*sheet.Sheet, error) {
	return func() ([]*sheet.Sheet, error) {
		pooling.Idle()
		return nil, nil
	}
}

const (
	// reportKills is the number of runs that a report kills.
	reportKills = 3
	// canKill says where that works.
	canKill = runtime.GOOS == "linux"
)

// pooledBars are the bars of simulated processes. They take a second or two in
// any report: 1000 trials at most, and no other rules.
func pooledBars(setup simulation.Setup) ([]sheet.Bar, error) {
	setup.Trials = pooling.QuickTrials
	tables, err := pooling.Pooled(setup)
	if err != nil {
		return nil, err
	}
	table, err := pooling.Staged(setup)
	if err != nil {
		return nil, err
	}
	var bars []sheet.Bar
	for _, t := range append(tables, table) {
		bars = append(bars, t.Bars...)
	}
	return bars, nil
}
