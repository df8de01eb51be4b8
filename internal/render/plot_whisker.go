package render

import "github.com/rtcompare/rtcompare/internal/view"

const whiskerPanel = 62.0

// whisker draws a box from quartile to quartile for each side, with whiskers to
// the last runs within one and a half boxes' lengths, dots for those beyond
// (Tukey 1977), and a bar for the 95 % interval of the median.
func whisker(c *view.Comparison, o Options) []byte {
	bottom := figureTop + whiskerPanel*float64(max(1, len(c.Sides)))
	d := newFigure(PlotWhisker, c, bottom+figureBottom+18, "Quartiles, whiskers and outliers")
	a := timeAxis(commonScale(c), figureLeft, figureRight, o.TimeUnit)
	d.timesAcross(a, c, figureTop, bottom)
	for i := range c.Sides {
		side := &c.Sides[i]
		middle := figureTop + whiskerPanel*(float64(i)+0.5)
		d.sideLabel(side, middle, o.TimeUnit)
		if cost := side.Cost(); cost != nil && cost.Known > 0 {
			d.box(a, cost, middle, colourOf(i))
		}
	}
	d.text((a.from+a.to)/2, bottom+56, "middle", "soft small", "box: half of the runs; line: median; bar below: its 95% interval; dots: runs beyond 1.5 box lengths")
	return d.bytes()
}

func (d *drawing) box(a axis, cost *view.Series, middle float64, colour string) {
	const half = 13
	reach := 1.5 * (cost.P75 - cost.P25)
	low, high := cost.P25, cost.P75
	for _, v := range knownValues(cost.Values) {
		switch {
		case v < cost.P25-reach || v > cost.P75+reach:
			if v <= a.high {
				d.dot(a.at(v), middle, 2.5, colour, 0.6)
			}
		default:
			low, high = min(low, v), max(high, v)
		}
	}
	d.stroke(a.at(low), middle, a.at(cost.P25), middle, 1.5, colour)
	d.stroke(a.at(cost.P75), middle, a.at(high), middle, 1.5, colour)
	for _, end := range []float64{low, high} {
		d.stroke(a.at(end), middle-half/2, a.at(end), middle+half/2, 1.5, colour)
	}
	d.rectangle(a.at(cost.P25), middle-half, a.at(cost.P75)-a.at(cost.P25), 2*half, colour, 0.3)
	d.stroke(a.at(cost.Median), middle-half, a.at(cost.Median), middle+half, 3, colour)
	if cost.MedianLow <= cost.MedianHigh { // false for unknown bounds
		d.stroke(a.at(cost.MedianLow), middle+half+6, a.at(cost.MedianHigh), middle+half+6, 3, colour)
	}
	if text := beyond(cost.Values, a); text != "" {
		d.text(a.to, middle-half-4, "end", "soft small", text)
	}
}
