package judge

import (
	"math"
	"slices"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// series is a run of log ratios in measured order.
type series struct {
	values []float64
	// first says for each value whether the denominator was measured before
	// the numerator; nil where that is not known.
	first []bool
}

const (
	// positionErrors is how many standard errors the two directions have to be
	// apart to speak of an effect of position. It is strict: below it the
	// effect is too small to matter.
	positionErrors = 4
	// fewestPerDirection values are needed in each direction.
	fewestPerDirection = 8
)

// recenter removes the effect of position: that whatever runs second finds the
// caches and the branch predictor as the first one left them. In an order that
// alternates, the effect puts the ratios on two levels, and the median of two
// equally filled levels lies anywhere between them. Half the distance of the
// levels' medians is taken off each, so that the median is that of both
// directions together. The values are returned as they are where the levels do
// not differ clearly. effect is half the distance.
func (s series) recenter() (values []float64, effect float64) {
	var forward, backward []float64
	for i, v := range s.values {
		if i < len(s.first) {
			if s.first[i] {
				forward = append(forward, v)
			} else {
				backward = append(backward, v)
			}
		}
	}
	if len(forward)+len(backward) != len(s.values) || min(len(forward), len(backward)) < fewestPerDirection {
		return s.values, 0
	}
	slices.Sort(forward)
	slices.Sort(backward)
	distance := stat.MedianSorted(forward) - stat.MedianSorted(backward)
	if !(math.Abs(distance) > positionErrors*math.Hypot(stat.MedianError(forward), stat.MedianError(backward))) || math.IsInf(distance, 0) {
		return s.values, 0
	}
	effect = distance / 2
	values = make([]float64, len(s.values))
	for i, v := range s.values {
		if s.first[i] {
			values[i] = v - effect
		} else {
			values[i] = v + effect
		}
	}
	return values, effect
}

// directions says for each round of a unit whether cell a was measured before
// cell b; nil where the unit does not tell.
func directions(u *record.Unit, a, b *record.Cell) []bool {
	if u.Order == "" {
		return nil
	}
	before := false
	for i := range u.Cells {
		if &u.Cells[i] == a {
			before = true
			break
		}
		if &u.Cells[i] == b {
			break
		}
	}
	first := make([]bool, len(u.Order))
	for i := range first {
		first[i] = (u.Order[i] == 'f') == before
	}
	return first
}

// directionsOf is directions for a series of n values; nil where it does not
// hold one value per round.
func directionsOf(u *record.Unit, a, b *record.Cell, n int) []bool {
	if first := directions(u, a, b); n <= len(first) && n > len(first)-2 {
		return first[:n]
	}
	return nil
}

// known leaves out the pairs of which a value could not be read.
func (s series) known() series {
	if !slices.ContainsFunc(s.values, math.IsNaN) {
		return s
	}
	var kept series
	for i, v := range s.values {
		if math.IsNaN(v) {
			continue
		}
		kept.values = append(kept.values, v)
		if i < len(s.first) {
			kept.first = append(kept.first, s.first[i])
		}
	}
	return kept
}

// center is the log ratio of two cells of a unit, numerator over denominator:
// the median over the pairs, without the effect of position. A limit above zero
// takes the first pairs only.
func center(u *record.Unit, denominator, numerator *record.Cell, m Metric, limit int) float64 {
	ratios, _ := logRatios(denominator, numerator, m)
	s := series{ratios, directionsOf(u, denominator, numerator, len(ratios))}.known()
	ratios = s.values
	if limit > 0 && limit < len(ratios) {
		s.values, s.first = ratios[:limit], s.first[:min(limit, len(s.first))]
	}
	values, _ := s.recenter()
	return stat.Median(values)
}

// PairRatios returns the ratios of two cells' wall times per pair, numerator
// over denominator, without the effect of position. Two zeros have the ratio 1.
func PairRatios(u *record.Unit, denominator, numerator *record.Cell) []float64 {
	logs, _ := logRatios(denominator, numerator, Wall)
	s := series{logs, directions(u, denominator, numerator)}
	_, effect := s.recenter()
	ratios := make([]float64, len(logs))
	for i := range ratios {
		ratios[i] = 1
		if numerator.Wall[i] != denominator.Wall[i] || numerator.N != denominator.N {
			ratios[i] = float64(numerator.Wall[i]) / float64(numerator.N) / (float64(denominator.Wall[i]) / float64(denominator.N))
		}
		switch {
		case effect == 0:
		case s.first[i]:
			ratios[i] *= math.Exp(-effect)
		default:
			ratios[i] *= math.Exp(effect)
		}
	}
	return ratios
}
