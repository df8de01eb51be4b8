package render

import (
	"math"
	"slices"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

// Runs come out in the order in which they happened: forward through the cells
// of a unit, backward where its order says so, unit after unit.
func TestWeaveFollowsTime(t *testing.T) {
	cell := func(arm, replica int, wall ...int64) record.Cell {
		return record.Cell{Arm: arm, Replica: replica, N: 1, Wall: wall}
	}
	r := record.Record{
		Head: record.Head{Kind: "commands", Arms: make([]record.Arm, 2)},
		Units: []record.Unit{
			{Purpose: record.Main, Order: "fb", Cells: []record.Cell{cell(0, 0, 1, 8), cell(1, 0, 2, 7), cell(1, 1, 3, 6), cell(0, 1, 4, 5)}},
			{Purpose: record.Pilot, Cells: []record.Cell{cell(0, 0, 99)}},
			{Purpose: record.Main, Order: "b", Cells: []record.Cell{cell(0, 0, 12), cell(1, 0, 11), cell(1, 1, 10), cell(0, 1, 9)}},
			{Purpose: record.Main, Cells: []record.Cell{cell(0, 0, 13), cell(7, 0, 98), cell(-1, 0, 97), cell(1, 0, 14, 15)}},
		},
	}
	c, err := Summarise(r)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float64{{1, 4, 5, 8, 9, 12, 13}, {2, 3, 6, 7, 10, 11, 14, 15}} {
		wall := c.Sides[i].Find(view.SeriesWall)
		if !slices.Equal(wall.Values, want) {
			t.Errorf("side %d: %v, want %v", i, wall.Values, want)
		}
		for k, position := range wall.Positions {
			if float64(position) != want[k]-1 {
				t.Errorf("side %d: positions %v", i, wall.Positions)
				break
			}
		}
	}
}

func TestWeaveSeries(t *testing.T) {
	nan := math.NaN()
	r := record.Record{
		Head: record.Head{Kind: "servers", Arms: make([]record.Arm, 1), Metrics: []record.Metric{
			{Name: "client-cpu", Unit: "ns"}, {Name: "p99", Unit: "ns", PerUnit: true}, {Name: "wall"}, {Name: "short"}, {Name: "p99", Unit: "twice"}, {},
		}},
		Units: []record.Unit{{Purpose: record.Main, Cells: []record.Cell{{
			N: 10, Wall: []int64{1e9, 0}, CPU: []int64{2e9, -1}, Counts: map[string]int64{"status 200": 20},
			Extra: map[string]record.Values{"client-cpu": {1e8, math.Inf(1)}, "p99": {5}, "wall": {1, 2}, "short": {1}},
		}}}},
	}
	c, err := Summarise(r)
	if err != nil {
		t.Fatal(err)
	}
	side := &c.Sides[0]
	for name, want := range map[string][]float64{
		"wall": {1e9, 0}, "cpu": {2e9, nan}, "time-per-request": {1e8, 0}, "requests-per-second": {10, nan}, "cpu-per-request": {2e8, nan},
		"client-cpu": {1e8, nan}, "client-cpu-per-request": {1e7, nan}, "p99": {5},
	} {
		s := side.Find(name)
		if s == nil {
			t.Errorf("%s is missing", name)
			continue
		}
		same := slices.EqualFunc(s.Values, want, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) })
		if !same || s.Known != len(knownValues(want)) {
			t.Errorf("%s: %v, want %v", name, s.Values, want)
		}
	}
	if side.Find("short") != nil || len(side.Series) != 8 || side.Requests != 20 {
		t.Errorf("%d series, %d requests", len(side.Series), side.Requests)
	}
}

// A command's run may be several starts, whose mean then counts.
func TestWeaveDividesCommands(t *testing.T) {
	r := record.Record{
		Head:  record.Head{Kind: "mixed", Arms: []record.Arm{{Command: "./x"}, {Command: "https://example.org/"}}},
		Units: []record.Unit{{Purpose: record.Main, Cells: []record.Cell{{N: 4, Wall: []int64{400}}, {Arm: 1, N: 4, Wall: []int64{400}}}}},
	}
	c, err := Summarise(r)
	if err != nil {
		t.Fatal(err)
	}
	if c.Sides[0].Server || !c.Sides[1].Server || c.Sides[0].Cost().Median != 100 || c.Sides[1].Cost().Median != 100 || c.Sides[1].Find("wall").Median != 400 {
		t.Errorf("%+v", c.Sides)
	}
}

func TestSummariseKeepsTheLastJudgement(t *testing.T) {
	run := twoCommands
	run.units = 6
	c := run.comparison(t, func(r *record.Record) {
		again := r.Judgements[0]
		again.Verdict = record.Unmeasurable
		r.Judgements = append(r.Judgements, again, record.Judgement{Base: 0, Arm: 0}, record.Judgement{Base: 5, Arm: 1}, record.Judgement{Base: -1})
	})
	if p, _ := c.Main(0, 1); p.Verdict != record.Unmeasurable || len(c.Pairs) != 2 {
		t.Errorf("%s, %d pairs", p.Verdict, len(c.Pairs))
	}
}

func TestDamagedLatencyIsAnError(t *testing.T) {
	run := twoServers
	run.units = 1
	r := run.record(t)
	r.Units[0].Cells[1].Latency = r.Units[0].Cells[1].Latency[:40]
	if _, err := Summarise(r); err == nil {
		t.Error("half a histogram was read")
	}
}
