package render

import (
	"fmt"
	"strings"

	"github.com/rtcompare/rtcompare/internal/view"
)

// PlotKind names a figure.
type PlotKind string

const (
	// PlotHistogram shows how often which time came, a panel for each side.
	PlotHistogram PlotKind = "histogram"
	// PlotWhisker shows quartiles, whiskers and outliers (Tukey 1977).
	PlotWhisker PlotKind = "whisker"
	// PlotProgression shows every run in the order in which it was measured.
	PlotProgression PlotKind = "progression"
)

// PlotKinds are all figures, in the order in which a page shows them.
var PlotKinds = []PlotKind{PlotHistogram, PlotWhisker, PlotProgression}

// Plot draws a figure of all sides as an SVG image. It is an error to ask for a
// kind that does not exist.
func Plot(kind PlotKind, c view.Comparison, o Options) ([]byte, error) {
	switch kind {
	case PlotHistogram:
		return histogram(&c, o), nil
	case PlotWhisker:
		return whisker(&c, o), nil
	case PlotProgression:
		return progression(&c, o), nil
	}
	return nil, fmt.Errorf("figure %q is not known: choose histogram, whisker or progression", string(kind))
}

// The places of a figure, in pixels.
const (
	figureWidth  = 860.0
	figureLeft   = 210.0
	figureRight  = 830.0
	figureTop    = 54.0
	figureBottom = 52.0
	// labelRunes of a name fit beside the axis.
	labelRunes = 26
)

// newFigure begins a figure with its title.
func newFigure(kind PlotKind, c *view.Comparison, height float64, about string) *drawing {
	d := &drawing{id: "figure-" + string(kind), width: figureWidth, height: height, title: figureTitle(c, about), details: figureDetails(c)}
	d.text(20, 30, "start", "ink big", cut(d.title, 90))
	return d
}

func figureTitle(c *view.Comparison, about string) string {
	if c.Name != "" {
		return c.Name + ": " + strings.ToLower(about[:1]) + about[1:]
	}
	return about
}

// figureDetails says in words what the figure shows.
func figureDetails(c *view.Comparison) string {
	var parts []string
	for i := range c.Sides {
		side := &c.Sides[i]
		if cost := side.Cost(); cost != nil && cost.Known > 0 {
			parts = append(parts, fmt.Sprintf("%s: median %s, from %s to %s, %d runs", side.Label(), view.AnyUnit.Time(cost.Median), view.AnyUnit.Time(cost.Min), view.AnyUnit.Time(cost.Max), cost.Known))
		}
	}
	for _, p := range c.Pairs {
		if c.IsMain(p) {
			parts = append(parts, c.Sentence(p))
		}
	}
	if len(parts) == 0 {
		return "Nothing was measured."
	}
	return strings.Join(parts, ". ") + "."
}

// quantity is what the axis of times is called.
func quantity(c *view.Comparison) string {
	servers := 0
	for i := range c.Sides {
		if c.Sides[i].Server {
			servers++
		}
	}
	switch {
	case servers == 0:
		return "time of a run"
	case servers == len(c.Sides):
		return "time per request (elapsed time of a run over its requests)"
	}
	return "time of a run, or per request"
}

// timesAcross draws a horizontal axis of times below the panels.
func (d *drawing) timesAcross(a axis, c *view.Comparison, top, bottom float64) {
	for _, t := range a.ticks(7) {
		d.line(t.at, top, t.at, bottom, "rule")
		d.text(t.at, bottom+17, "middle", "soft small", t.label)
	}
	d.line(a.from, bottom, a.to, bottom, "axis")
	d.text((a.from+a.to)/2, bottom+38, "middle", "soft", quantity(c)+" ["+a.symbol()+"]")
}

// sideLabel names a side left of its panel, with its median below.
func (d *drawing) sideLabel(s *view.Side, middle float64, unit view.TimeUnit) {
	d.text(figureLeft-14, middle-3, "end", "ink", cut(s.Label(), labelRunes))
	median := "no runs"
	if cost := s.Cost(); cost != nil && cost.Known > 0 {
		median = "median " + unit.Time(cost.Median)
	}
	d.text(figureLeft-14, middle+14, "end", "soft small", median)
}

// beyond says how many values lie outside of the axis.
func beyond(values []float64, a axis) string {
	count := 0
	for _, v := range values {
		if v > a.high {
			count++
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%d beyond →", count)
}
