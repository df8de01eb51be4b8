package judge

import (
	"math"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// extraUnits are units of one nested round, in which arm 1 needs exp(shift)
// times the memory of arm 0, and jitter moves the values a little.
func extraUnits(count int, shift float64, perUnit bool) []record.Unit {
	units := make([]record.Unit, count)
	for i := range units {
		jitter := 0.001 * math.Sin(float64(7*i))
		unit := record.Unit{Purpose: record.Main, Index: i, Order: "f"}
		if i%2 == 1 {
			unit.Order = "b"
		}
		for _, slot := range [][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
			level := 100 * math.Exp(shift*float64(slot[0])+jitter*float64(slot[1]+1))
			cell := record.Cell{Arm: slot[0], Replica: slot[1], N: int64(1 + slot[0]), Wall: []int64{1000}, Extra: map[string]record.Values{"memory": {level}}}
			if perUnit {
				cell.Wall = []int64{1000, 1000, 1000}
			}
			unit.Cells = append(unit.Cells, cell)
		}
		units[i] = unit
	}
	return units
}

// An extra metric is a property of a run or of a unit; it does not grow with
// the number of operations, and the clock's step is none of its business.
func TestExtraMetricsAreJudgedAsTheyAre(t *testing.T) {
	for _, perUnit := range []bool{false, true} {
		j := Judge(extraUnits(12, 0.2, perUnit), Policy{Arm: 1, Metric: "memory", ErrorRate: 0.01, Sequential: true, Tick: 500, Overhead: 500})
		if j.Verdict != record.Slower || math.Abs(j.LogRatio-0.2) > 0.01 {
			t.Errorf("per unit %v: %s at log ratio %v, want slower at 0.2", perUnit, j.Verdict, j.LogRatio)
		}
	}
}

func TestValuesThatCouldNotBeReadAreLeftOut(t *testing.T) {
	units := extraUnits(12, 0.2, false)
	for i := range 3 {
		units[i].Cells[i].Extra["memory"][0] = math.NaN()
	}
	j := Judge(units, Policy{Arm: 1, Metric: "memory", ErrorRate: 0.01, Sequential: true})
	if j.Verdict != record.Slower || j.Pairs != 24-3 {
		t.Errorf("%s from %d pairs, want slower from 21", j.Verdict, j.Pairs)
	}
	for i := range units {
		for k := range units[i].Cells {
			units[i].Cells[k].Extra["memory"][0] = math.NaN()
		}
	}
	if j := Judge(units, Policy{Arm: 1, Metric: "memory", ErrorRate: 0.01, Sequential: true}); j.Verdict != record.Unmeasurable {
		t.Errorf("nothing could be read: %s", j.Verdict)
	}
	if j := Judge(units, Policy{Arm: 1, Metric: "absent", ErrorRate: 0.01, Sequential: true}); j.Verdict != record.Unmeasurable {
		t.Errorf("a metric that is not there: %s", j.Verdict)
	}
}
