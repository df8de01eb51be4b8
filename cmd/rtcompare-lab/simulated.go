package main

import (
	"flag"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
)

// simulated are the sub-commands that need no clock.
func simulated() []command {
	return []command{
		{name: "false-verdicts", trials: 2000, summary: "identical code, default protocol: how often it is called different", prepare: plain(simulation.FalseVerdicts)},
		{name: "coverage", trials: 2000, summary: "how often the decision's interval holds the truth", prepare: plain(simulation.Coverage)},
		{name: "equivalence", trials: 2000, summary: "how often a difference at the edge of the margin is called equivalent", prepare: plain(simulation.Equivalence)},
		{name: "sequential", trials: 2000, summary: "identical code with a Budget: how often any look calls it different", prepare: withUnits(simulation.Sequential)},
		{name: "delay", trials: 400, summary: "units until a difference of 1, 5 and 20% is seen", prepare: withUnits(simulation.Delay)},
		{name: "power", trials: 1000, summary: "how often the smallest visible difference is found", prepare: plain(simulation.Power)},
		{name: "spread", trials: 2000, summary: "coverage of the interval for the ratio of two spreads", prepare: plain(simulation.Spread)},
		{name: "swap", trials: 2000, summary: "swapping the candidates mirrors the answer", prepare: plain(simulation.Swap)},
	}
}

// plain is an experiment without flags of its own.
func plain(experiment func(simulation.Setup) *sheet.Sheet) func(*flag.FlagSet, *shared) func() ([]*sheet.Sheet, error) {
	return func(_ *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
		return func() ([]*sheet.Sheet, error) {
			setup, err := s.setup()
			if err != nil {
				return nil, err
			}
			return []*sheet.Sheet{experiment(setup)}, nil
		}
	}
}

// withUnits is an experiment with a number of units.
func withUnits(experiment func(simulation.Setup, int) *sheet.Sheet) func(*flag.FlagSet, *shared) func() ([]*sheet.Sheet, error) {
	return func(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
		units := flags.Int("units", 1000, "largest number of units")
		return func() ([]*sheet.Sheet, error) {
			setup, err := s.setup()
			if err != nil {
				return nil, err
			}
			return []*sheet.Sheet{experiment(setup, *units)}, nil
		}
	}
}
