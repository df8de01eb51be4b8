package render

import (
	"math"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

func TestStatistics(t *testing.T) {
	s := statistics([]float64{3, 1, math.NaN(), 2, 4, 5, 6, 7, 8, 9, 10})
	if s.Known != 10 || s.Mean != 5.5 || s.Median != 5.5 || s.Min != 1 || s.Max != 10 || s.P25 != 3.25 || s.P75 != 7.75 {
		t.Errorf("%+v", s)
	}
	// Ten values: the sign test at 95 % takes the second from either end.
	if s.MedianLow != 2 || s.MedianHigh != 9 {
		t.Errorf("median between %v and %v", s.MedianLow, s.MedianHigh)
	}
	// Runs that come in two long phases say less about the median than their
	// number suggests.
	var phases, mixed []float64
	for i := range 100 {
		phases = append(phases, float64(10*(i/50))+float64(i%7))
		mixed = append(mixed, float64(10*(i%2))+float64(i%7))
	}
	long, short := statistics(phases), statistics(mixed)
	if !(long.MedianHigh-long.MedianLow > 1.5*(short.MedianHigh-short.MedianLow)) {
		t.Errorf("phases [%v, %v], mixed [%v, %v]", long.MedianLow, long.MedianHigh, short.MedianLow, short.MedianHigh)
	}
	few := statistics([]float64{2, 4})
	if !math.IsNaN(few.MedianLow) || !math.IsNaN(few.MedianHigh) || few.Median != 3 || few.Neighbours != math.Log(2) {
		t.Errorf("%+v", few)
	}
	if none := statistics(nil); none.Known != 0 || !math.IsNaN(none.Mean) || !math.IsNaN(none.Max) || !math.IsNaN(none.Neighbours) {
		t.Errorf("%+v", none)
	}
}

func TestOutliers(t *testing.T) {
	quiet := []float64{10, 11, 9, 10, 11, 9, 10}
	with := func(i int, v float64) []float64 {
		values := append([]float64(nil), quiet...)
		values[i] = v
		return values
	}
	tests := []struct {
		name   string
		values []float64
		first  bool
		others int
	}{
		{"none", quiet, false, 0},
		{"slow first", with(0, 100), true, 0},
		{"fast first", with(0, -100), false, 1},
		{"late", with(3, 100), false, 1},
		{"just inside", with(3, 10+14.8), false, 0},
		{"just outside", with(3, 10+14.9), false, 1},
		{"no scatter", []float64{5, 5, 5, 5, 5, 9}, false, 0},
		{"too few", []float64{100, 1, 2, 1}, false, 0},
		{"unknown", []float64{math.NaN(), 1, 2, 1, 2, 3}, false, 0},
	}
	for _, tt := range tests {
		first, others := outliers(tt.values, statistics(tt.values).Median)
		if first != tt.first || others != tt.others {
			t.Errorf("%s: %v %d, want %v %d", tt.name, first, others, tt.first, tt.others)
		}
	}
}

// Less time with more processor time is not simply faster.
func TestMixedWarning(t *testing.T) {
	c := twoCommands.comparison(t, func(r *record.Record) {
		for i := range r.Judgements {
			if r.Judgements[i].Metric == "cpu" {
				r.Judgements[i].Verdict, r.Judgements[i].LogRatio = record.Slower, 0.2
			}
		}
	})
	if len(c.Warnings) != 1 || c.Warnings[0].Code != view.CodeMixed || !strings.Contains(Text(c, Options{}), "opposite directions") {
		t.Errorf("%+v", c.Warnings)
	}
	if c := twoCommands.comparison(t, nil); len(c.Warnings) != 0 {
		t.Errorf("%+v", c.Warnings)
	}
}

func TestServerWarnings(t *testing.T) {
	c := twoServers.comparison(t, func(r *record.Record) {
		r.Head.Plan["loops"] = 2.0
		for i := range r.Units {
			for k := range r.Units[i].Cells {
				cell := &r.Units[i].Cells[k]
				if cell.Arm == 1 {
					for round := range cell.Wall {
						cell.Extra["client-cpu"][round] = 1.9 * float64(cell.Wall[round])
						cell.Extra["failed"][round] = 2
					}
				}
			}
		}
	})
	found := map[string]record.Warning{}
	for _, w := range c.Warnings {
		found[w.Code] = w
	}
	if w, ok := found[view.CodeGeneratorBusy]; !ok || w.Arm != 1 || math.Abs(w.Values["share"]-0.95) > 1e-9 {
		t.Errorf("%+v", c.Warnings)
	}
	if w, ok := found[view.CodeRequestErrors]; !ok || w.Arm != 1 || w.Values["failed"] != 128 || w.Values["requests"] != 64000 {
		t.Errorf("%+v", c.Warnings)
	}
}

func TestBlocks(t *testing.T) {
	s := scale{0, 4}
	if got := blocks([]float64{0, 0, 0, 0, 1.5, 1.5, 4, math.NaN()}, s, 4); got != "█▄ ▂" {
		t.Errorf("%q", got)
	}
	if got := blocks(nil, s, 4); got != "" {
		t.Errorf("%q", got)
	}
	if got := blocks([]float64{1}, scale{2, 2}, 4); got != "" {
		t.Errorf("%q", got)
	}
}

func TestTicksAreRound(t *testing.T) {
	a := timeAxis(scale{5.8e6, 7.13e6}, 0, 100, view.AnyUnit)
	var labels []string
	for _, tick := range a.ticks(7) {
		labels = append(labels, tick.label)
		if tick.at < 0 || tick.at > 100 {
			t.Errorf("%s stands at %v", tick.label, tick.at)
		}
	}
	if len(labels) != 3 || labels[0] != "6.0" || labels[1] != "6.5" || a.symbol() != "ms" {
		t.Errorf("%v %s", labels, a.symbol())
	}
	for _, s := range []scale{{0, 0}, {math.Inf(1), math.Inf(-1)}, {1e300, 1.0000001e300}, {-5, 5}, {0, math.MaxFloat64}, {3, 3.0000000000000004}} {
		for _, tick := range timeAxis(s, 0, 100, view.AnyUnit).ticks(7) {
			if !(tick.at >= 0 && tick.at <= 100) {
				t.Errorf("%v: %+v", s, tick)
			}
		}
	}
}
