package render

import (
	"math"
	"strings"

	"github.com/rtcompare/rtcompare/internal/view"
)

// blockHeights are characters that fill an eighth of their cell and more.
var blockHeights = []rune("▁▂▃▄▅▆▇█")

// scale is the range of values that the histograms of several sides share.
type scale struct{ low, high float64 }

// commonScale reaches from the smallest value of all sides to a little beyond
// the 95th percentile of the slowest: a single late run does not press all
// others into one cell.
func commonScale(c *view.Comparison) scale {
	s := scale{math.Inf(1), math.Inf(-1)}
	for i := range c.Sides {
		if cost := c.Sides[i].Cost(); cost != nil && cost.Known > 0 {
			s.low = min(s.low, cost.Min)
			s.high = max(s.high, min(cost.Max, cost.P95+(cost.P95-cost.Median)))
		}
	}
	return s
}

// spread reports whether the range has any width.
func (s scale) spread() bool { return s.high > s.low && !math.IsInf(s.low, 0) }

// bins counts the values in equal parts of the scale. Values beyond an end count
// in the part at that end.
func (s scale) bins(values []float64, count int) []int {
	bins := make([]int, count)
	if !s.spread() {
		return bins
	}
	for _, v := range values {
		if math.IsNaN(v) {
			continue
		}
		// Halves keep the difference of large values finite.
		at := (v/2 - s.low/2) / (s.high/2 - s.low/2) * float64(count)
		bins[int(max(0, min(float64(count-1), at)))]++
	}
	return bins
}

// blocks draws a histogram one line high.
func blocks(values []float64, s scale, count int) string {
	bins := s.bins(values, count)
	most := 0
	for _, n := range bins {
		most = max(most, n)
	}
	if most == 0 {
		return ""
	}
	var out strings.Builder
	for _, n := range bins {
		if n == 0 {
			out.WriteRune(' ')
			continue
		}
		out.WriteRune(blockHeights[(n*len(blockHeights)-1)/most])
	}
	return out.String()
}
