package stat

import (
	"math"
	"sort"
)

// RelativeDelta returns 1 - a/b, the share by which a lies below b. Equal
// operands give 0, also 0/0 and equal infinities. A zero b gives -Inf for a
// positive a and +Inf for a negative one. It is NaN when an operand is NaN and
// for infinities of different signs.
func RelativeDelta(a, b float64) float64 {
	switch {
	case a == b:
		return 0
	case math.IsNaN(a):
		return math.NaN()
	case b == 0:
		return math.Inf(-int(math.Copysign(1, a)))
	}
	return 1 - a/b
}

// MedianRatio is the law of D = 1 - a/b, see [RelativeDelta], where a and b are
// independent medians with the laws A and B. It is the exact bootstrap of two
// unpaired series. Nothing is stored: every question costs one walk through
// both laws. Where D is NaN it meets no condition. When A or B has no values
// all probabilities are 0 and all quantiles NaN.
type MedianRatio struct{ A, B MedianDistribution }

// AtLeast returns the probability that D is threshold or more. It is 0 for a
// NaN threshold.
func (r MedianRatio) AtLeast(threshold float64) float64 {
	return r.split(threshold).probability
}

// Mass returns the probability that D is exactly v.
func (r MedianRatio) Mass(v float64) float64 {
	if math.IsInf(v, 1) {
		return r.AtLeast(v)
	}
	// Both sums run over the same terms, so without a value at v they agree
	// to the last bit.
	return r.AtLeast(v) - r.AtLeast(math.Nextafter(v, math.Inf(1)))
}

// Quantile returns the smallest value d of D with P(D <= d) >= p. It is exactly
// one of the values 1 - a/b, never a mixture. NaN values of D are left out. The
// result is NaN when p is outside 0 to 1 or D has no values.
func (r MedianRatio) Quantile(p float64) float64 {
	everything := r.split(math.Inf(-1))
	lo, hi := everything.atLeast, r.largest()
	if !(p >= 0 && p <= 1) || !(everything.probability > 0) {
		return math.NaN()
	}
	if p == 1 {
		return hi
	}
	target := (p - quantileSlack) * everything.probability
	// The answer stays between lo and hi, and both stay values of D. Every
	// step moves one of them onto another value, so the search ends on one.
	for step := 0; lo < hi; step++ {
		middle := middleOf(lo, hi, step)
		at := r.split(middle)
		if everything.probability-at.probability >= target {
			hi = max(lo, at.below)
		} else {
			lo = min(hi, at.atLeast)
		}
	}
	return lo
}

// largest returns the largest value of D.
func (r MedianRatio) largest() float64 {
	at := r.split(math.Inf(1))
	if at.probability > 0 {
		return math.Inf(1)
	}
	return at.below
}

// middleOf picks a point above lo and not above hi. Halving the distance is
// best for ordinary data. Should the values span many powers of two, halving
// in the order of the floating point numbers takes over, which needs at most 64
// more steps.
func middleOf(lo, hi float64, step int) float64 {
	middle := lo/2 + hi/2
	if step > 40 || math.IsInf(middle, 0) || math.IsNaN(middle) {
		l, h := orderedBits(lo), orderedBits(hi)
		middle = fromOrderedBits(l + (h-l)/2)
	}
	if middle <= lo {
		return math.Nextafter(lo, hi)
	}
	return middle
}

// orderedBits numbers the floating point values in ascending order.
func orderedBits(v float64) uint64 {
	bits := math.Float64bits(v)
	if bits>>63 != 0 {
		return ^bits
	}
	return bits | 1<<63
}

// fromOrderedBits undoes orderedBits.
func fromOrderedBits(bits uint64) float64 {
	if bits>>63 != 0 {
		return math.Float64frombits(bits &^ (1 << 63))
	}
	return math.Float64frombits(^bits)
}

// ratioSplit is what one walk finds out about a threshold: the probability of D
// at or above it, and the values of D next to it. below is NaN if there is none;
// atLeast too.
type ratioSplit struct {
	probability    float64
	below, atLeast float64
}

// split divides the values of D at a threshold. For one b the values of D are
// in order, so there is one cut in the list of a.
func (r MedianRatio) split(threshold float64) ratioSplit {
	s := ratioSplit{below: math.NaN(), atLeast: math.NaN()}
	if len(r.A.values) == 0 || len(r.B.values) == 0 || math.IsNaN(threshold) {
		return s
	}
	if r.A.values[0] >= 0 && r.B.values[0] > 0 {
		r.splitPositive(threshold, &s)
	} else {
		r.splitAnySign(threshold, &s)
	}
	s.probability = min(1, s.probability)
	return s
}

// positiveDelta is RelativeDelta for a >= 0 and b > 0, short enough to be copied
// into the loop that spends all the time.
func positiveDelta(a, b float64) float64 {
	if a == b {
		return 0
	}
	return 1 - a/b
}

// splitPositive walks through both lists once: a larger b moves the cut in a
// upwards and never back.
func (r MedianRatio) splitPositive(threshold float64, s *ratioSplit) {
	cut := 0
	previous := 0.0
	for i, b := range r.B.values {
		for cut < len(r.A.values) {
			delta := positiveDelta(r.A.values[cut], b)
			if delta < threshold {
				s.noteBelow(delta)
				break
			}
			cut++
		}
		if cut > 0 {
			s.noteAtLeast(positiveDelta(r.A.values[cut-1], b))
			s.probability += (r.B.cumulative[i] - previous) * r.A.cumulative[cut-1]
		}
		previous = r.B.cumulative[i]
	}
}

// splitAnySign searches the cut for every b on its own. For a negative b the
// values of D ascend with a, otherwise they descend.
func (r MedianRatio) splitAnySign(threshold float64, s *ratioSplit) {
	a := r.A.values
	for i, b := range r.B.values {
		weight := r.B.cumulative[i] - r.B.sumBefore(i)
		start, end := 0, len(a)
		if math.IsInf(b, 1) && math.IsInf(a[0], -1) {
			start++ // D is NaN for opposite infinities.
		}
		if math.IsInf(b, -1) && math.IsInf(a[end-1], 1) {
			end--
		}
		if start >= end {
			continue
		}
		cut := start + sort.Search(end-start, func(j int) bool {
			return (RelativeDelta(a[start+j], b) >= threshold) == (b < 0)
		})
		low, high := start, cut // the a whose D meets the threshold
		other := cut            // the nearest a whose D does not
		met := cut - 1
		if b < 0 {
			low, high, other, met = cut, end, cut-1, cut
		}
		if low < high {
			s.noteAtLeast(RelativeDelta(a[met], b))
			s.probability += weight * (r.A.sumBefore(high) - r.A.sumBefore(low))
		}
		if other >= start && other < end {
			s.noteBelow(RelativeDelta(a[other], b))
		}
	}
}

// noteBelow keeps the largest value below the threshold.
func (s *ratioSplit) noteBelow(delta float64) {
	if !(s.below >= delta) {
		s.below = delta
	}
}

// noteAtLeast keeps the smallest value at or above the threshold.
func (s *ratioSplit) noteAtLeast(delta float64) {
	if !(s.atLeast <= delta) {
		s.atLeast = delta
	}
}
