package term

import (
	"math"
	"slices"
	"strings"
)

// Bar returns a horizontal bar of exactly width cells that is filled to a share
// from 0 to 1, to an eighth of a cell. A share outside is taken as the nearer
// end, NaN as 0.
func Bar(share float64, width int) string {
	if width <= 0 {
		return ""
	}
	if !(share > 0) {
		share = 0
	}
	eighths := int(math.Round(min(share, 1) * float64(width) * 8))
	bar := strings.Repeat("█", eighths/8)
	if part := eighths % 8; part > 0 {
		bar += string([]rune("▏▎▍▌▋▊▉")[part-1])
	}
	return Pad(bar, width)
}

// Sparkline draws values as a row of at most width small columns, from the
// smallest value to the largest. Where there are more values than columns, each
// column is the median of its share of them. A value that is not finite leaves a
// gap; equal values are drawn at half height.
func Sparkline(values []float64, width int) string {
	columns := columnsOf(values, width)
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range columns {
		if isFinite(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	steps := []rune("▁▂▃▄▅▆▇█")
	var line strings.Builder
	for _, v := range columns {
		switch {
		case !isFinite(v):
			line.WriteByte(' ')
		case high == low:
			line.WriteRune(steps[len(steps)/2-1])
		default:
			// Halved first: the difference of two finite values may overflow.
			share := (v/2 - low/2) / (high/2 - low/2)
			line.WriteRune(steps[min(len(steps)-1, int(share*float64(len(steps))))])
		}
	}
	return line.String()
}

// columnsOf reduces values to at most width medians.
func columnsOf(values []float64, width int) []float64 {
	if width <= 0 {
		return nil
	}
	if len(values) <= width {
		return values
	}
	columns := make([]float64, width)
	for i := range columns {
		columns[i] = medianOf(values[i*len(values)/width : (i+1)*len(values)/width])
	}
	return columns
}

// medianOf is the median of the finite values, the lower one of two; NaN where
// there are none.
func medianOf(values []float64) float64 {
	finite := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !isFinite(v) })
	if len(finite) == 0 {
		return math.NaN()
	}
	slices.Sort(finite)
	return finite[(len(finite)-1)/2]
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
