package comparison

import (
	"math/rand/v2"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
)

// design turns the settings into the engine's plan.
func (r *run) design() engine.OutsideDesign {
	s := r.plan.Settings
	design := engine.OutsideDesign{
		Order: order.Blocks, Coin: rand.New(rand.NewPCG(s.Seed, 1)),
		N: s.Operations, Batch: s.Slice, FewestN: s.FewestOperations, MaxN: s.MostOperations, Lead: s.Lead,
		Warmup: s.Warmup, Settled: r.plan.Settled, Unit: unitLength, Budget: s.Budget - measuredTime(r.plan.Earlier), Seed: s.Seed, CPUs: s.CPUs,
	}
	if s.Sequential {
		design.Order = order.Sequential
	}
	if s.Patient {
		design.AtLeast = judge.FirstLook
	}
	switch {
	case s.Method == JZS:
		r.bayesDesign(&design)
	case s.Most == 1:
		design.Schedule, design.Odd = schedule(1), true
	case s.Most > 0:
		design.MostRounds, design.AtLeast = s.Most/2, min(judge.FirstLook, s.Most/2)
	case s.Runs > 0:
		design.Schedule, design.Odd = schedule(s.Runs), s.Runs%2 == 1
	}
	for _, unit := range record.Select(r.plan.Earlier, record.Main) {
		design.Earlier = append(design.Earlier, unit)
		design.Rounds = len(unit.Order)
		if s.Operations == 0 {
			design.N = unit.Cells[0].N
		}
	}
	return design
}

// A run of fixed length has between five and twenty units, of ten rounds each where
// there are enough: the median of twenty pairs hardly feels a few that something
// else disturbed, the median of two does.
const (
	fewestScheduled   = judge.FirstLook
	mostScheduled     = 20
	roundsPerSchedule = 10
)

// schedule spreads the runs of an arm over units. A round holds two of them; an
// odd one is left to the last unit.
func schedule(runs int) []int {
	rounds := runs / 2
	units := min(mostScheduled, max(fewestScheduled, rounds/roundsPerSchedule))
	units = max(1, min(rounds, units))
	planned := make([]int, units)
	for i := range planned {
		planned[i] = rounds*(i+1)/units - rounds*i/units
	}
	return planned
}

// measuredTime is what the units of an earlier run took at least.
func measuredTime(units []record.Unit) time.Duration {
	total := int64(0)
	for i := range units {
		for _, cell := range units[i].Cells {
			for _, wall := range cell.Wall {
				total += wall
			}
		}
	}
	return time.Duration(total)
}
