package render

import (
	"math"
	"strconv"

	"github.com/rtcompare/rtcompare/internal/view"
)

const (
	progressionHeight = 320.0
	progressionLeft   = 76.0
	legendRow         = 20.0
	// mostDots keeps figures of long runs small: beyond it every k-th run is
	// drawn, and the title says so.
	mostDots = 4000
)

// progression draws every run at its place in the order of all runs, so that
// drift, phases and slow moments show.
func progression(c *view.Comparison, o Options) []byte {
	top := figureTop + legendRow*math.Ceil(float64(len(c.Sides))/3)
	bottom := top + progressionHeight
	last, step := runsInAll(c)
	about := "All runs, in measured order"
	if step > 1 {
		about += " (one in " + strconv.Itoa(step) + ")"
	}
	d := newFigure(PlotProgression, c, bottom+figureBottom, about)
	y := timeAxis(commonScale(c), bottom, top, o.TimeUnit)
	for _, t := range y.ticks(6) {
		d.line(progressionLeft, t.at, figureRight, t.at, "rule")
		d.text(progressionLeft-8, t.at+4, "end", "soft small", t.label)
	}
	d.line(progressionLeft, bottom, figureRight, bottom, "axis")
	d.add(`<text transform="translate(22 %s) rotate(-90)" text-anchor="middle" class="soft">%s</text>`, coordinate((top+bottom)/2), shortQuantity(c)+" ["+y.symbol()+"]")
	x := axis{scale: scale{0, float64(max(1, last))}, from: progressionLeft + 6, to: figureRight - 6, small: true}
	for _, t := range x.ticks(8) {
		d.text(t.at, bottom+17, "middle", "soft small", t.label)
	}
	d.text((progressionLeft+figureRight)/2, bottom+38, "middle", "soft", "place of the run among all runs")
	for i := range c.Sides {
		d.legend(&c.Sides[i], i)
		if cost := c.Sides[i].Cost(); cost != nil && cost.Known > 0 {
			d.runs(x, y, cost, step, colourOf(i))
		}
	}
	return d.bytes()
}

// runsInAll returns the last place of a run, and how many runs one dot stands
// for.
func runsInAll(c *view.Comparison) (last, step int) {
	for i := range c.Sides {
		if cost := c.Sides[i].Cost(); cost != nil {
			for _, position := range cost.Positions {
				last = max(last, position)
			}
		}
	}
	return last, 1 + last/mostDots
}

func shortQuantity(c *view.Comparison) string {
	if text := quantity(c); len(text) < 20 {
		return text
	}
	return "time per request"
}

func (d *drawing) legend(s *view.Side, i int) {
	x := progressionLeft + float64(i%3)*(figureRight-progressionLeft)/3
	y := figureTop + legendRow*float64(i/3)
	d.dot(x+5, y-4, 5, colourOf(i), 1)
	d.text(x+16, y, "start", "ink", cut(s.Label(), 30))
}

// runs draws a side's dots and a line at its median. A run beyond the axis is a
// small triangle at the upper end.
func (d *drawing) runs(x, y axis, cost *view.Series, step int, colour string) {
	d.add(`<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s" stroke="currentColor" stroke-width="1.5" stroke-dasharray="6 4"/>`,
		coordinate(progressionLeft), coordinate(y.at(cost.Median)), coordinate(figureRight), coordinate(y.at(cost.Median)), colour)
	for k, v := range cost.Values {
		if k%step != 0 || k >= len(cost.Positions) || math.IsNaN(v) {
			continue
		}
		at := x.at(float64(cost.Positions[k]))
		if v > y.high {
			d.add(`<path d="M%s %s l4 7 h-8 z" class="%s" fill="currentColor"/>`, coordinate(at), coordinate(y.to), colour)
			continue
		}
		d.dot(at, y.at(v), 2.6, colour, 0.7)
	}
}
