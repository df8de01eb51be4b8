package render

import (
	"fmt"
	"math"
	"strings"

	"github.com/rtcompare/rtcompare/internal/view"
)

// details writes all series of every side: median with its interval, mean with
// standard deviation, range.
func (t *text) details() {
	common := commonScale(t.c)
	for _, i := range t.sorted() {
		side := &t.c.Sides[i]
		t.line(t.paint(bold, side.Letter+"  "+printable(side.Name)))
		if side.Command != "" && side.Command != side.Name {
			t.line("   " + printable(side.Command))
		}
		if len(side.Parameters) > 0 {
			var values []string
			for _, p := range side.Parameters {
				values = append(values, printable(p.Name+" = "+p.Value))
			}
			t.line("   " + strings.Join(values, ", "))
		}
		g := &grid{right: map[int]bool{2: true, 4: true, 5: true, 6: true}}
		g.add("", "", "median", "95%", "mean ± sd", "min", "max")
		for k := range side.Series {
			if s := &side.Series[k]; s.Known > 0 {
				g.add(t.seriesRow(s)...)
			}
		}
		for _, line := range g.lines() {
			t.line(line)
		}
		runs := fmt.Sprintf("   %d runs", side.Runs())
		if cost := side.Cost(); cost != nil && cost.Known > 1 {
			runs += "   " + blocks(cost.Values, common, 2*blockCells)
		}
		t.line(runs)
		t.line("")
	}
}

func (t *text) seriesRow(s *view.Series) []string {
	unit := view.AnyUnit // what was asked for suits the times of whole runs
	switch s.Name {
	case view.SeriesWall, view.SeriesCPU, view.SeriesUser, view.SeriesSystem:
		unit = t.o.TimeUnit
	}
	value := func(v float64) string { return view.Value(s.Metric, v, unit) }
	interval := ""
	if !math.IsNaN(s.MedianLow) {
		interval = "[" + value(s.MedianLow) + ", " + value(s.MedianHigh) + "]"
	}
	mean := value(s.Mean)
	if !math.IsNaN(s.SD) {
		mean += " ± " + value(s.SD)
	}
	return []string{"", view.MetricName(s.Name), bounded(s.Metric, value(s.Median)), interval, mean, value(s.Min), value(s.Max)}
}
