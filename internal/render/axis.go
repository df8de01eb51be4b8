package render

import (
	"math"
	"strconv"

	"github.com/rtcompare/rtcompare/internal/view"
)

// axis maps times to pixels and knows where its ticks are.
type axis struct {
	scale
	from, to float64 // pixels
	unit     view.TimeUnit
	small    bool // nanoseconds, for which there is no unit to ask for
}

// timeAxis covers a scale, with a little room at both ends. A scale without
// width is given some.
func timeAxis(s scale, from, to float64, unit view.TimeUnit) axis {
	if !s.spread() {
		middle := s.low
		if math.IsInf(middle, 0) || math.IsNaN(middle) {
			middle = 0
		}
		s = scale{middle - max(1, math.Abs(middle)/20), middle + max(1, math.Abs(middle)/20)}
	}
	room := s.high/25 - s.low/25
	s = scale{s.low - room, s.high + room}
	a := axis{scale: s, from: from, to: to, unit: unit}
	if unit == view.AnyUnit {
		a.unit, a.small = view.UnitFor(s.high), s.high < 1e3
	}
	return a
}

// at returns the place of a value. Values beyond an end stand at that end.
func (a axis) at(v float64) float64 {
	share := (v/2 - a.low/2) / (a.high/2 - a.low/2)
	if math.IsNaN(share) {
		return a.from
	}
	return a.from + max(0, min(1, share))*(a.to-a.from)
}

// symbol names the unit of the axis.
func (a axis) symbol() string {
	if a.small {
		return "ns"
	}
	return a.unit.Symbol()
}

func (a axis) nanoseconds() float64 {
	if a.small {
		return 1
	}
	return a.unit.Nanoseconds()
}

// tick is a labelled place.
type tick struct {
	at    float64
	label string
}

// ticks returns about count labelled places at round numbers: steps of 1, 2 or
// 5 times a power of ten.
func (a axis) ticks(count int) []tick {
	low, high := a.low/a.nanoseconds(), a.high/a.nanoseconds()
	step := roundStep(high/float64(count) - low/float64(count))
	if !(step > 0) || math.IsInf(step, 0) {
		return nil
	}
	decimals := int(max(0, min(15, math.Ceil(-math.Log10(step)-1e-9))))
	var found []tick
	for k := math.Ceil(low / step); k*step <= high && len(found) < 3*count; k++ {
		v := k * step
		found = append(found, tick{a.at(v * a.nanoseconds()), strconv.FormatFloat(v, 'f', decimals, 64)})
		if k+1 == k {
			break // so far from zero that a step is lost
		}
	}
	return found
}

func roundStep(rough float64) float64 {
	if !(rough > 0) {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, factor := range []float64{1, 2, 5} {
		if rough <= factor*power {
			return factor * power
		}
	}
	return 10 * power
}
