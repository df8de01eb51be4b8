package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/machine"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/peers"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
)

// peerCommands are the sub-commands about commands and servers.
func peerCommands() []command {
	return []command{
		{name: "paced-servers", trials: 20, summary: "two servers of known speed, compared by rtcompare run and by finefile's rule; Linux only", prepare: pacedServers},
		{name: "against-hyperfine", trials: 9, summary: "identical commands by hyperfine and by rtcompare: scatter and overhead", prepare: againstHyperfine},
		{name: "against-wrk", trials: 9, summary: "requests per second and their cost, by wrk and by the load generator", prepare: againstWrk},
		{name: "recorder", trials: 5, summary: "latencies by the load generator and by the server itself", prepare: recorder},
		{name: "spawner-memory", trials: 5, summary: "memory of a small program as it is read with small and large parents; Linux only", prepare: spawnerMemory},
		{name: "commands-identical", trials: 40, summary: "identical commands, or with -servers servers, in whole comparisons", prepare: commandsIdentical},
		{name: peers.ChildCommand, trials: 1, hidden: true, prepare: peer},
	}
}

// among gives an experiment its setup, with busy neighbours while it runs.
func among(flags *flag.FlagSet, s *shared, experiment func(peers.Setup) (*sheet.Sheet, error)) func() ([]*sheet.Sheet, error) {
	tool := flags.String("rtcompare", "", "the rtcompare program; built from this module if it is not given")
	neighbours := flags.Int("load", 0, "number of busy neighbours: child processes that only use a processor")
	return func() ([]*sheet.Sheet, error) {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		quiet, err := machine.Load(ctx, *neighbours)
		if err != nil {
			return nil, err
		}
		defer quiet()
		return one(experiment(peers.Setup{Context: ctx, Seed: s.seed, Trials: s.trials, Tool: *tool, Progress: progressLine(s.errors)}))
	}
}

func pacedServers(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	var o peers.PacedOptions
	flags.IntVar(&o.Requests, "requests", 10000, "requests of a whole run, and the most in a slice")
	flags.IntVar(&o.BayesRuns, "jzs-runs", 3, "number of comparisons by finefile's rule")
	flags.DurationVar(&o.Budget, "budget", 0, "time of a comparison by the rule anytime; 0 is rtcompare's default")
	return among(flags, s, func(setup peers.Setup) (*sheet.Sheet, error) { return peers.PacedServers(setup, o) })
}

func againstHyperfine(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	runs := flags.Int("runs", 100, "runs of each side in a trial")
	return among(flags, s, func(setup peers.Setup) (*sheet.Sheet, error) { return peers.AgainstHyperfine(setup, *runs) })
}

func againstWrk(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	duration := flags.Duration("for", 2*time.Second, "length of a run, in whole seconds")
	return among(flags, s, func(setup peers.Setup) (*sheet.Sheet, error) { return peers.AgainstWrk(setup, *duration) })
}

func recorder(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	scale := flags.Float64("scale", 1, "multiplies the number of requests")
	return among(flags, s, func(setup peers.Setup) (*sheet.Sheet, error) { return peers.Recorder(setup, *scale) })
}

func spawnerMemory(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	return among(flags, s, peers.SpawnerMemory)
}

func commandsIdentical(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	servers := flags.Bool("servers", false, "compare two equal servers instead of commands")
	budget := flags.Duration("budget", 6*time.Second, "time of a comparison; 0 is rtcompare's default")
	return among(flags, s, func(setup peers.Setup) (*sheet.Sheet, error) {
		if *servers {
			return peers.ServersIdentical(setup, *budget)
		}
		return peers.CommandsIdentical(setup, *budget)
	})
}

// peer is a process that takes part in an experiment.
func peer(flags *flag.FlagSet, _ *shared) func() ([]*sheet.Sheet, error) {
	var o peers.ChildOptions
	flags.StringVar(&o.Role, "role", "", "what to play")
	flags.DurationVar(&o.Interval, "interval", 0, "time between two answers of a paced server")
	flags.Int64Var(&o.Every, "every", 0, "how often a delaying server delays")
	flags.DurationVar(&o.Delay, "delay", 0, "for how long")
	flags.StringVar(&o.URL, "url", "", "what to load")
	flags.IntVar(&o.Concurrency, "concurrency", 1, "connections of the load")
	flags.DurationVar(&o.For, "for", time.Second, "length of the load")
	flags.IntVar(&o.Megabytes, "megabytes", 0, "memory to hold")
	flags.Func("word", "a word of the command to run meanwhile; repeated for each", func(word string) error {
		o.Command = append(o.Command, word)
		return nil
	})
	return func() ([]*sheet.Sheet, error) {
		return nil, peers.Child(os.Stdin, os.Stdout, o)
	}
}
