package stat

import (
	"math"
	"slices"
)

// Shift compares two series that were not measured in pairs: by how much the
// second lies above the first, if they differ by a shift and nothing else. All
// answers come from one ordered list, the differences of all pairs of values
// (Hodges and Lehmann 1963): an interval excludes a bound exactly if the p-value
// of that bound is at most one minus its level. Ties count for no difference, so
// that values that were rounded prove nothing they do not show. On logarithms it
// is about the ratio. The zero value has no series.
type Shift struct {
	a, b []float64 // ascending
	law  RankSumLaw
}

// NewShift prepares a comparison of two series of finite values, which it copies.
// law is [NewRankSumLaw] of their lengths; it is worth keeping for many series
// of the same lengths.
func NewShift(a, b []float64, law RankSumLaw) Shift {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return NewShiftSorted(a, b, law)
}

// NewShiftSorted is [NewShift] for series that are in ascending order already. It
// keeps them.
func NewShiftSorted(a, b []float64, law RankSumLaw) Shift { return Shift{a: a, b: b, law: law} }

// Estimate returns the median of all differences of a value of the second series
// and one of the first. It is NaN if one is empty.
func (s Shift) Estimate() float64 {
	pairs := len(s.a) * len(s.b)
	if pairs == 0 {
		return math.NaN()
	}
	low := s.difference((pairs-1)/2 + 1)
	if pairs%2 == 1 {
		return low
	}
	high := low
	if s.countUpTo(low) < pairs/2+1 {
		high = s.difference(pairs/2 + 1)
	}
	return low/2 + high/2
}

// Interval returns the bounds of the shift at the level. They are infinite where
// there are too few values, and NaN for a level outside 0 to 1.
func (s Shift) Interval(level float64) (lo, hi float64) {
	if !(level > 0 && level < 1) {
		return math.NaN(), math.NaN()
	}
	k := s.law.Rank(1 - level)
	if k == 0 {
		return math.Inf(-1), math.Inf(1)
	}
	return s.difference(k), s.difference(len(s.a)*len(s.b) + 1 - k)
}

// TwoSidedP returns the p-value of the assumption that the shift is bound.
func (s Shift) TwoSidedP(bound float64) float64 {
	return min(1, 2*min(s.AboveP(bound), s.BelowP(bound)))
}

// AboveP returns the p-value of the assumption that the shift is at most bound;
// a small one says that it is above.
func (s Shift) AboveP(bound float64) float64 { return s.law.AtMost(s.countUpTo(bound)) }

// BelowP returns the p-value of the assumption that the shift is at least bound;
// a small one says that it is below.
func (s Shift) BelowP(bound float64) float64 {
	return s.law.AtMost(len(s.a)*len(s.b) - s.countBelow(bound))
}

// BeyondP returns the p-value of the assumption that the shift lies within
// -margin and +margin.
func (s Shift) BeyondP(margin float64) float64 {
	return min(1, 2*min(s.AboveP(margin), s.BelowP(-margin)))
}

// countUpTo returns how many differences are at most d.
func (s Shift) countUpTo(d float64) int {
	count, i := 0, 0
	// The differences of b[j] that are at most d belong to the a from some place
	// on, and that place moves up with j.
	for _, b := range s.b {
		for i < len(s.a) && b-s.a[i] > d {
			i++
		}
		if i == len(s.a) {
			break
		}
		count += len(s.a) - i
	}
	return count
}

// countBelow returns how many differences are below d.
func (s Shift) countBelow(d float64) int { return s.countUpTo(math.Nextafter(d, math.Inf(-1))) }

// fewCandidates is the number of differences, for each value of the series, that
// are listed and selected from rather than divided once more.
const fewCandidates = 2

// difference returns the k-th smallest of all differences, k from 1. It halves a
// range of values until it holds few differences.
func (s Shift) difference(k int) float64 {
	last := len(s.a) - 1
	low := math.Nextafter(s.b[0]-s.a[last], math.Inf(-1)) // fewer than k are at most low
	high := s.b[len(s.b)-1] - s.a[0]                      // k or more are at most high
	below, upTo := 0, len(s.a)*len(s.b)
	for step := 0; upTo-below > fewCandidates*(len(s.a)+len(s.b)); step++ {
		middle := middleOf(low, high, step)
		if guess := low + (high-low)*float64(k-below)/float64(upTo-below); step%2 == 0 && guess > low && guess < high {
			middle = guess // where it would be if the differences were spread evenly
		}
		if middle >= high {
			return high // all candidates are this value
		}
		if count := s.countUpTo(middle); count >= k {
			high, upTo = middle, count
		} else {
			low, below = middle, count
		}
	}
	candidates := s.between(low, high, upTo-below)
	placeOrderStatistic(candidates, k-below-1)
	return candidates[k-below-1]
}

// between lists the differences above low and up to high.
func (s Shift) between(low, high float64, count int) []float64 {
	list := make([]float64, 0, count)
	from := 0
	for _, b := range s.b {
		for from < len(s.a) && b-s.a[from] > high {
			from++
		}
		for _, a := range s.a[from:] {
			if b-a <= low {
				break
			}
			list = append(list, b-a)
		}
	}
	return list
}
