package comparison

import (
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// TestShellThatOutweighsTheCommand: once the time of the shell is subtracted,
// a time of which nothing is left says nothing about a ratio.
func TestShellThatOutweighsTheCommand(t *testing.T) {
	units := func(shortest int64) []record.Unit {
		var units []record.Unit
		for i := range 12 {
			unit := record.Unit{Purpose: record.Main, Index: i, Order: "f"}
			for _, slot := range [][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
				wall := int64(200_000 + 1000*(i%3))
				if slot[0] == 1 {
					wall *= 100
				} else if i == 7 && slot[1] == 1 {
					wall = shortest
				}
				unit.Cells = append(unit.Cells, record.Cell{Arm: slot[0], Replica: slot[1], N: 1, Wall: []int64{wall}, CPU: []int64{wall}})
			}
			units = append(units, unit)
		}
		return units
	}
	s := anytime()
	s.Others = []string{"cpu"}
	for _, c := range []struct {
		shortest int64
		verdicts []record.Verdict
	}{
		{150_000, []record.Verdict{record.Slower, record.Slower}},
		{1, []record.Verdict{record.Unmeasurable}}, // and no word about processor time
	} {
		judged := Judge(units(c.shortest), s, 2, "")
		if len(judged) != len(c.verdicts) {
			t.Fatalf("shortest %d: %d judgements, want %d", c.shortest, len(judged), len(c.verdicts))
		}
		for i, want := range c.verdicts {
			if judged[i].Verdict != want {
				t.Errorf("shortest %d: %s is %s, want %s", c.shortest, judged[i].Metric, judged[i].Verdict, want)
			}
		}
	}
	judged := Judge(units(1), s, 2, "")
	found := false
	for _, w := range judged[0].Warnings {
		found = found || w.Code == CodeShellOutweighs
	}
	if !found {
		t.Errorf("nothing says why: %v", judged[0].Warnings)
	}
}
