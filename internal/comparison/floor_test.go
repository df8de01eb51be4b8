package comparison

import (
	"slices"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// memoryUnits are units of one round; bounded says of which arms the memory is
// only a bound from above.
func memoryUnits(memory [2]float64, bounded [2]bool) []record.Unit {
	var units []record.Unit
	for i := range 12 {
		unit := record.Unit{Purpose: record.Main, Index: i, Order: "f"}
		for _, slot := range [][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
			cell := record.Cell{Arm: slot[0], Replica: slot[1], N: 1, Wall: []int64{1e6}, Extra: map[string]record.Values{"memory": {memory[slot[0]]}}}
			if bounded[slot[0]] {
				cell.Counts = map[string]int64{countAtFloor: 1}
			}
			unit.Cells = append(unit.Cells, cell)
		}
		units = append(units, unit)
	}
	return units
}

func TestMemoryBelowTheFloorIsNotCompared(t *testing.T) {
	s := anytime()
	s.Metric, s.Others = "memory", nil
	tests := []struct {
		name    string
		memory  [2]float64
		bounded [2]bool
		want    record.Verdict
	}{
		{"both bounded", [2]float64{7e6, 7e6}, [2]bool{true, true}, record.Unmeasurable},
		{"one bounded", [2]float64{7e6, 50e6}, [2]bool{true, false}, record.Slower},
		{"none bounded", [2]float64{50e6, 50e6}, [2]bool{}, record.Equivalent},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := Judge(memoryUnits(tt.memory, tt.bounded), s, 2, "")[0]
			if j.Verdict != tt.want {
				t.Errorf("%s, want %s", j.Verdict, tt.want)
			}
			said := slices.ContainsFunc(j.Warnings, func(w record.Warning) bool { return w.Code == CodeMemoryAtFloor })
			if said != (tt.want == record.Unmeasurable) {
				t.Errorf("warnings %v", j.Warnings)
			}
		})
	}
}

// Beside another metric nothing is said of memory that nobody can tell.
func TestMemoryBelowTheFloorIsLeftOutBesideTime(t *testing.T) {
	s := anytime()
	s.Others = []string{"memory"}
	for _, tt := range []struct {
		bounded bool
		want    int
	}{{true, 1}, {false, 2}} {
		if got := len(Judge(memoryUnits([2]float64{7e6, 7e6}, [2]bool{tt.bounded, tt.bounded}), s, 2, "")); got != tt.want {
			t.Errorf("bounded %v: %d judgements, want %d", tt.bounded, got, tt.want)
		}
	}
}
