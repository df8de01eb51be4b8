package stopping

import (
	"math"
	"slices"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// unit is what a unit of rounds enters the judgement by: its own log ratio, and
// half the difference of what b and a differ by from themselves.
type unit struct{ main, contrast float64 }

// statistic summarises a series of log ratios. first says for each of them
// whether the side in the denominator ran before the other.
type statistic func(values []float64, first []bool) float64

// meanOf is the arithmetic mean.
func meanOf(values []float64, _ []bool) float64 {
	mean, _ := stat.MeanAndSD(values)
	return mean
}

const (
	// The judge's own constants for the effect of position.
	positionErrors     = 4
	fewestPerDirection = 8
)

// medianOf is the median without the effect of position, as the judge takes it:
// where what ran first differs clearly from what ran second, half the distance
// of the two medians is taken off each direction.
func medianOf(values []float64, first []bool) float64 {
	if 2*fewestPerDirection > len(values) {
		return stat.Median(values)
	}
	var forward, backward []float64
	for i, v := range values {
		if first[i] {
			forward = append(forward, v)
		} else {
			backward = append(backward, v)
		}
	}
	if min(len(forward), len(backward)) < fewestPerDirection {
		return stat.Median(values)
	}
	slices.Sort(forward)
	slices.Sort(backward)
	distance := stat.MedianSorted(forward) - stat.MedianSorted(backward)
	if math.Abs(distance) <= positionErrors*math.Hypot(stat.MedianError(forward), stat.MedianError(backward)) {
		return stat.Median(values)
	}
	level := make([]float64, len(values))
	for i, v := range values {
		level[i] = v + distance/2
		if first[i] {
			level[i] = v - distance/2
		}
	}
	return stat.Median(level)
}

// unitOf summarises rounds, of which the first has a number. Even rounds are
// a b b' a', odd ones the other way round.
func unitOf(rounds []round, number int, of statistic) unit {
	count := len(rounds)
	if count == 1 {
		r := rounds[0]
		return unit{r.difference(), (r.otherB - r.b - r.otherA + r.a) / 2}
	}
	pairs, forward := make([]float64, 0, 2*count), make([]bool, 0, 2*count)
	withinA, withinB, directions := make([]float64, count), make([]float64, count), make([]bool, count)
	for i, r := range rounds {
		directions[i] = (number+i)%2 == 0
		pairs = append(pairs, r.b-r.a, r.otherB-r.otherA)
		forward = append(forward, directions[i], !directions[i])
		withinA[i], withinB[i] = r.otherA-r.a, r.otherB-r.b
	}
	return unit{of(pairs, forward), (of(withinB, directions) - of(withinA, directions)) / 2}
}

// track is a series of rounds, with the units that some rule has cut it into:
// rules differ by less than their units.
type track struct {
	rounds []round
	cuts   map[cut][]unit
}

// cut is a way to cut rounds into units.
type cut struct {
	rounds, start int
	mean          bool
}

func newTrack(all []round) *track { return &track{all, map[cut][]unit{}} }

// units are those of a cut.
func (t *track) units(c cut) []unit {
	if found, known := t.cuts[c]; known {
		return found
	}
	of := statistic(medianOf)
	if c.mean {
		of = meanOf
	}
	var units []unit
	for end := c.start + c.rounds; end <= len(t.rounds); end += c.rounds {
		units = append(units, unitOf(t.rounds[end-c.rounds:end], end-c.rounds, of))
	}
	t.cuts[c] = units
	return units
}
