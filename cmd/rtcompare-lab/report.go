package main

import (
	"flag"
	"fmt"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/machine"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/pooling"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
)

// scale is how large the parts of a report are.
type scale struct {
	trials, units      int
	identical, injects int
	budgets            float64
	budget, alone      time.Duration
	pairs              []string
}

// fullScale and quickScale are the two reports. The quick one takes about two
// minutes on two shared processors.
var (
	fullScale = scale{
		trials: 2000, units: 1000, identical: 75, injects: 12, budgets: 1,
		budget: 5 * time.Second, alone: 3 * time.Second, pairs: []string{""},
	}
	quickScale = scale{
		trials: 200, units: 200, identical: 2, injects: 1, budgets: 1,
		budget: 2 * time.Second, alone: time.Second, pairs: []string{"1 MB", "13 MB"},
	}
)

// report runs everything that has a bar.
func report(flags *flag.FlagSet, s *shared) func() ([]*sheet.Sheet, error) {
	quick := flags.Bool("quick", false, "few trials and runs, about two minutes")
	simulationsOnly := flags.Bool("simulations", false, "only what does not depend on this machine")
	return measured(flags, s, func(setup machine.Setup) ([]*sheet.Sheet, error) {
		size := fullScale
		size.trials = s.trials
		if *quick {
			size = quickScale
			size.trials = min(s.trials, size.trials)
		}
		simulated, err := s.setup()
		if err != nil {
			return nil, err
		}
		simulated.Trials = size.trials
		bars, err := simulationBars(simulated, size)
		if err != nil {
			return nil, err
		}
		if !*simulationsOnly {
			more, err := machineBars(setup, size)
			if err != nil {
				return nil, err
			}
			bars = append(bars, more...)
		}
		return conclude(bars)
	})
}

// conclude makes the report's table, and the error of a missed bar.
func conclude(bars []sheet.Bar) ([]*sheet.Sheet, error) {
	table := &sheet.Sheet{
		Title: "report: every promise with a bar, and what was measured",
		Notes: []string{
			"A rate from fewer trials than its bar is meant for may lie three standard errors beyond it.",
			"Only simulations and runs that are killed can fail; what this machine shows else depends on what it does besides.",
		},
		Bars: bars,
	}
	for _, b := range bars {
		if b.Failed() {
			return []*sheet.Sheet{table}, fmt.Errorf("%w: %s", errMissed, b.Name)
		}
	}
	return []*sheet.Sheet{table}, nil
}

func simulationBars(s simulation.Setup, size scale) ([]sheet.Bar, error) {
	var bars []sheet.Bar
	for _, table := range []*sheet.Sheet{
		simulation.FalseVerdicts(s), simulation.Coverage(s), simulation.Equivalence(s), simulation.Sequential(s, size.units), simulation.Swap(s),
	} {
		bars = append(bars, table.Bars...)
	}
	bars = append(bars, stoppingBars(s)...)
	more, err := pooledBars(s)
	return append(bars, more...), err
}

func machineBars(s machine.Setup, size scale) ([]sheet.Bar, error) {
	var bars []sheet.Bar
	add := func(table *sheet.Sheet, err error) error {
		if err == nil {
			bars = append(bars, table.Bars...)
		}
		return err
	}
	if canKill {
		if err := add(pooling.Kill(pooling.KillSetup{Context: s.Context, Seed: s.Seed, Rounds: reportKills, Progress: s.Progress})); err != nil {
			return nil, err
		}
	}
	if err := add(machine.StatisticsCost(s)); err != nil {
		return nil, err
	}
	s.Runs = size.identical
	if err := add(machine.IdenticalShared(s, rtcompare.CompareOptions{})); err != nil {
		return nil, err
	}
	s.Runs = size.injects
	if err := add(machine.Injected(s, size.budgets)); err != nil {
		return nil, err
	}
	s.Runs = 1
	contradictions, err := adversarialBar(s, size)
	return append(bars, contradictions), err
}

// adversarialBar joins the bars of several selections of pairs.
func adversarialBar(s machine.Setup, size scale) (sheet.Bar, error) {
	var joined sheet.Bar
	for i, only := range size.pairs {
		s.Only = only
		table, err := machine.Adversarial(s, size.budget, size.alone, machine.DefaultSlice)
		if err != nil {
			return joined, err
		}
		for _, b := range table.Bars {
			if i > 0 {
				b.Measured += joined.Measured
				b.Trials += joined.Trials
			}
			joined = b
		}
	}
	return joined, nil
}
