package trial

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// batch is the undisturbed time of a simulated batch in nanoseconds. It is so
// long that whole nanoseconds are no rounding to speak of.
const batch = 1e9

// Fixed is a simulated comparison by the default protocol.
type Fixed struct {
	Noise noise.Model
	// Truth is the true ln(arm/base).
	Truth float64
	// Runs is the number of runs of identical code, Pairs the length of these
	// and of the main series. Zero means the library's defaults.
	Runs, Pairs int
}

// Comparison is what was simulated, and how the library would judge it.
type Comparison struct {
	Units  []record.Unit
	Policy judge.Policy
	// Ratios are the log ratios of the main series.
	Ratios []float64
	// Identical are the log ratios of the runs of identical code: those of the
	// base, and those of the arm.
	Identical [2][]float64
}

// Simulate makes one comparison. Both arms' comparisons with themselves have a
// process of their own, which goes on from run to run; the main series follows
// on the process of the base.
func (f Fixed) Simulate(r *rand.Rand) Comparison {
	runs, pairs := f.Runs, f.Pairs
	if runs == 0 {
		runs = rtcompare.DefaultValidationRuns
	}
	if pairs == 0 {
		pairs = rtcompare.DefaultRepeats
	}
	clock := newClock(f.Noise, r)
	processes := [2]noise.Process{f.Noise.New(r), f.Noise.New(r)}
	var c Comparison
	for index := range runs {
		unit := record.Unit{Purpose: record.AA, Index: index, Order: blocks(r, pairs)}
		for arm, process := range processes {
			first, second := clock.series(process, unit.Order, 0)
			unit.Cells = slices.Insert(unit.Cells, arm, cell(arm, 0, first), cell(arm, 1, second))
			c.Identical[arm] = append(c.Identical[arm], stat.MedianInPlace(logRatios(first, second)))
		}
		c.Units = append(c.Units, unit)
	}
	order := alternating(pairs)
	base, arm := clock.series(processes[0], order, f.Truth)
	c.Units = append(c.Units, record.Unit{Purpose: record.Main, Order: order, Cells: []record.Cell{cell(0, 0, base), cell(1, 0, arm)}})
	c.Ratios = logRatios(base, arm)
	c.Policy = judge.Policy{
		Arm: 1, Metric: judge.Wall, ErrorRate: 1 - rtcompare.DefaultConfidenceLevel, Margin: math.Log1p(rtcompare.DefaultMargin),
		Tick: clock.tick, BlockLength: blockLength(c.Units),
	}
	return c
}

func cell(arm, replica int, wall []int64) record.Cell {
	return record.Cell{Arm: arm, Replica: replica, N: 1, Wall: wall}
}

// alternating is the order of rounds that turns around every time.
func alternating(rounds int) string { return strings.Repeat("fb", (rounds+1)/2)[:rounds] }

// blocks is the order of rounds with replicas: pairs of rounds, each of which
// begins in a random direction.
func blocks(r *rand.Rand, rounds int) string {
	var order strings.Builder
	for order.Len() < rounds {
		order.WriteString([2]string{"fb", "bf"}[r.IntN(2)])
	}
	return order.String()[:rounds]
}

// clock turns disturbances into whole nanoseconds, or whole ticks.
type clock struct{ level, tick, position float64 }

func newClock(m noise.Model, r *rand.Rand) clock {
	c := clock{level: batch, tick: 1, position: m.Position}
	if m.Tick > 0 {
		c.tick = math.Round(m.Tick * batch)
		// Where the true time lies between two ticks is chance, but the same
		// for all batches.
		c.level += (r.Float64() - 0.5) * c.tick
	}
	return c
}

// series returns the times of one pair for each round of an order. truth is the
// log ratio of the second cell to the first.
func (c clock) series(p noise.Process, order string, truth float64) (first, second []int64) {
	first, second = make([]int64, len(order)), make([]int64, len(order))
	for i := range order {
		a, b := p.Pair()
		if order[i] == 'f' {
			b += c.position
		} else {
			a += c.position
		}
		first[i], second[i] = c.read(a), c.read(b+truth)
	}
	return first, second
}

func (c clock) read(logarithm float64) int64 {
	return int64(math.Round(c.level*math.Exp(logarithm)/c.tick) * c.tick)
}

// logRatios returns ln(second/first) of each pair.
func logRatios(first, second []int64) []float64 {
	ratios := make([]float64, len(first))
	for i := range ratios {
		if first[i] != second[i] {
			ratios[i] = math.Log(float64(second[i])) - math.Log(float64(first[i]))
		}
	}
	return ratios
}

// blockLength is the library's rule: blocks where the median lag-1
// autocorrelation of the series of identical code is above a threshold.
func blockLength(units []record.Unit) int {
	var correlations [2][]float64
	pairs := 0
	for _, unit := range units {
		if unit.Purpose != record.AA {
			pairs = len(unit.Cells[0].Wall)
			continue
		}
		for _, c := range unit.Cells {
			values := make([]float64, len(c.Wall))
			for i, wall := range c.Wall {
				values[i] = float64(wall)
			}
			correlations[c.Arm] = append(correlations[c.Arm], stat.Lag1(values))
		}
	}
	if max(stat.Median(correlations[0]), stat.Median(correlations[1])) > rtcompare.AutocorrelationThreshold {
		return rtcompare.AutoBlockLength(pairs)
	}
	return 1
}
