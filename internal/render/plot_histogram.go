package render

import (
	"math"
	"slices"

	"github.com/rtcompare/rtcompare/internal/view"
)

const histogramPanel = 92.0

// histogram draws a panel for each side over one axis of times. The bars are
// shares of the highest one, so that sides with few runs can be seen.
func histogram(c *view.Comparison, o Options) []byte {
	bottom := figureTop + histogramPanel*float64(max(1, len(c.Sides)))
	d := newFigure(PlotHistogram, c, bottom+figureBottom, "How often each time occurred")
	s := commonScale(c)
	a := timeAxis(s, figureLeft, figureRight, o.TimeUnit)
	d.timesAcross(a, c, figureTop, bottom)
	count := binCount(c, a.scale)
	for i := range c.Sides {
		side := &c.Sides[i]
		floor := figureTop + histogramPanel*float64(i+1)
		d.sideLabel(side, floor-histogramPanel/2, o.TimeUnit)
		d.line(figureLeft, floor, figureRight, floor, "axis")
		if cost := side.Cost(); cost != nil && cost.Known > 0 {
			d.bars(a, cost, count, floor, colourOf(i))
		}
	}
	return d.bytes()
}

// bars draws one side's panel, with a line at the median.
func (d *drawing) bars(a axis, cost *view.Series, count int, floor float64, colour string) {
	bins := a.bins(within(cost.Values, a), count)
	most := 0
	for _, n := range bins {
		most = max(most, n)
	}
	width := (a.to - a.from) / float64(count)
	for k, n := range bins {
		if n > 0 {
			height := float64(n) / float64(most) * (histogramPanel - 24)
			d.rectangle(a.from+float64(k)*width+0.5, floor-height, width-1, height, colour, 0.75)
		}
	}
	at := a.at(cost.Median)
	d.line(at, floor-histogramPanel+14, at, floor, "axis")
	if text := beyond(cost.Values, a); text != "" {
		d.text(a.to, floor-histogramPanel+22, "end", "soft small", text)
	}
}

// within leaves out what lies beyond the axis: a text counts it.
func within(values []float64, a axis) []float64 {
	return slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v > a.high })
}

const fewestBins, mostBins = 12, 62

// binCount follows Freedman and Diaconis (1981) for the side with the most
// runs: bins twice the interquartile range over the cube root of the count.
func binCount(c *view.Comparison, s scale) int {
	narrowest := math.Inf(1)
	for i := range c.Sides {
		if cost := c.Sides[i].Cost(); cost != nil && cost.Known > 1 {
			if width := 2 * (cost.P75 - cost.P25) / math.Cbrt(float64(cost.Known)); width > 0 {
				narrowest = min(narrowest, width)
			}
		}
	}
	count := s.high/narrowest - s.low/narrowest
	return int(max(fewestBins, min(mostBins, count)))
}
