package main

import (
	"flag"
	"fmt"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/stopping"
)

const (
	// quickStops is how many trials a quick look at the stopping rules has.
	quickStops = 100
	// defaultRounds is the length of the simulated comparisons, fewestRounds
	// one that still holds a few units of every rule.
	defaultRounds, fewestRounds = 1000, 100
)

// stoppingCommands are the sub-commands about the rules that end a comparison.
func stoppingCommands() []command {
	return []command{
		{name: "stopping", trials: 6000, summary: "finefile's rule and the library's: false alarms and time to a verdict", prepare: stoppingRules},
	}
}

func stoppingRules(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	rounds := flags.Int("rounds", defaultRounds, "largest number of rounds of a comparison")
	quick := flags.Bool("quick", false, "at most 100 trials, and no other variants")
	return func() ([]*sheet.Sheet, error) {
		setup, err := s.setup()
		if err != nil {
			return nil, err
		}
		if *quick {
			setup.Trials = min(setup.Trials, quickStops)
		}
		if *rounds < fewestRounds {
			return nil, fmt.Errorf("option -rounds is %d and has to be at least %d", *rounds, fewestRounds)
		}
		return stopping.Tables(stopsOf(setup, *rounds), !*quick), nil
	}
}

func stopsOf(setup simulation.Setup, rounds int) stopping.Setup {
	return stopping.Setup{Plan: setup.Plan, Trials: setup.Trials, Rounds: rounds, Models: setup.Models}
}

// stoppingBars are the bars of the stopping rules, from few trials and without
// other variants in any report.
func stoppingBars(setup simulation.Setup) []sheet.Bar {
	setup.Trials = min(setup.Trials, quickStops)
	var bars []sheet.Bar
	for _, table := range stopping.Tables(stopsOf(setup, defaultRounds), false) {
		bars = append(bars, table.Bars...)
	}
	return bars
}
