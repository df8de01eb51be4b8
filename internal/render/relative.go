package render

import (
	"fmt"
	"math"

	"github.com/rtcompare/rtcompare/internal/view"
)

// tableRow is a side as hyperfine's tables show it, and our own columns.
type tableRow struct {
	side           *view.Side
	mean, low, top string
	relative       string
	ratio, verdict string
}

// tableUnit is the unit of a whole table: the one asked for, or the one that
// suits the first side's mean.
func tableUnit(c *view.Comparison, o Options) view.TimeUnit {
	if o.TimeUnit != view.AnyUnit {
		return o.TimeUnit
	}
	if len(c.Sides) > 0 {
		if wall := c.Sides[0].Find(view.SeriesWall); wall != nil && wall.Known > 0 {
			return view.UnitFor(wall.Mean)
		}
	}
	return view.Second
}

// tableRows fills the columns. A server's times are those of its runs.
func tableRows(c *view.Comparison, o Options) []tableRow {
	unit := tableUnit(c, o)
	reference := relativeTo(c)
	order := sidesBy(len(c.Sides), func(int) float64 { return 0 })
	if o.Sort == SortMean {
		order = sidesBy(len(c.Sides), func(i int) float64 { return meanCost(&c.Sides[i]) })
	}
	rows := make([]tableRow, 0, len(order))
	for _, i := range order {
		side := &c.Sides[i]
		row := tableRow{side: side, relative: relative(c, i, reference), verdict: "not judged"}
		if wall := side.Find(view.SeriesWall); wall != nil && wall.Known > 0 {
			row.mean, row.low, row.top = unit.Number(wall.Mean), unit.Number(wall.Min), unit.Number(wall.Max)
			if !math.IsNaN(wall.SD) {
				row.mean += " ± " + unit.Number(wall.SD)
			}
		}
		if i == c.Reference {
			row.ratio, row.verdict = "1", "reference"
		} else if p, ok := c.Main(c.Reference, i); ok {
			row.ratio, row.verdict = ratioToBase(p), view.VerdictWord(p)
		}
		rows = append(rows, row)
	}
	return rows
}

// relativeTo is the side that hyperfine's column is relative to: the reference
// where one was named, else the one with the smallest mean.
func relativeTo(c *view.Comparison) int {
	if c.ReferenceNamed {
		return c.Reference
	}
	fastest := 0
	for i := range c.Sides {
		if meanCost(&c.Sides[i]) < meanCost(&c.Sides[fastest]) {
			fastest = i
		}
	}
	return fastest
}

// relative is the ratio of the larger mean to the smaller one, with a standard
// deviation by propagation that takes the two as independent, as hyperfine does.
func relative(c *view.Comparison, side, reference int) string {
	if side == reference {
		return "1.00"
	}
	a, b := c.Sides[side].Cost(), c.Sides[reference].Cost()
	if a == nil || b == nil || !(a.Mean > 0) || !(b.Mean > 0) {
		return "N/A"
	}
	ratio := math.Max(a.Mean/b.Mean, b.Mean/a.Mean)
	if math.IsNaN(a.SD) || math.IsNaN(b.SD) {
		return fmt.Sprintf("%.2f", ratio)
	}
	return fmt.Sprintf("%.2f ± %.2f", ratio, ratio*math.Hypot(a.SD/a.Mean, b.SD/b.Mean))
}
