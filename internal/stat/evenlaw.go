package stat

import "math"

// negligible is a probability that no result can show any more.
const negligible = 1e-17

// usualDistances is about how many distances between the two middle ranks have a
// probability worth counting: each further step loses a factor of e.
const usualDistances = 26

// evenMedianLaw is the law of the mean of the two middle values of n = 2m draws.
// For ranks i < j their joint probability is
//
//	C(n,m) (i^m - (i-1)^m) ((n-j+1)^m - (n-j)^m) / n^n
//
// and a diagonal i = j gets what is left of the law of the lower one. Written
// with h(k) = (1-1/k)^m all pairs of a row follow from each other by one
// multiplication.
func evenMedianLaw(sorted []float64) MedianDistribution {
	n := len(sorted)
	pairs := newMiddlePairs(n)
	// For a fixed distance between the ranks the means ascend, so every
	// distance gives one sorted run. Merging runs is cheaper than sorting.
	atoms := make([]atom, 0, usualDistances*len(pairs.open))
	bounds := make([]int, 1, 2*usualDistances)
	for distance := 0; ; distance++ {
		start := len(atoms)
		atoms = pairs.appendRun(atoms, sorted, distance)
		if len(atoms) == start {
			break
		}
		bounds = append(bounds, len(atoms))
	}
	return newMedianDistribution(mergeRuns(atoms, bounds))
}

// middlePairs walks through the joint law of the two middle ranks, one distance
// between the ranks after the other.
type middlePairs struct {
	n, first, last int
	// stay is the probability that both middle ranks are first+i.
	stay []float64
	// open is the probability that the lower rank is first+i and the upper
	// one is still farther away than all distances seen so far.
	open []float64
	// shrink is h(k) for k = first+i, and drop is 1-h(k).
	shrink, drop []float64
}

func newMiddlePairs(n int) *middlePairs {
	half := float64(n / 2)
	cells := middleCells(n, n/2-1)
	count := len(cells.mass)
	p := &middlePairs{
		n: n, first: cells.first, last: cells.last(),
		stay: make([]float64, count), open: make([]float64, count),
		shrink: make([]float64, count), drop: make([]float64, count),
	}
	// exactly(k) is, up to the scale, the probability that just half of the
	// draws have rank k or less.
	exactly := func(k int) float64 {
		u := float64(2*k-n) / float64(n)
		return math.Exp(half * math.Log1p(-u*u))
	}
	before := exactly(p.first - 1)
	for i := range count {
		k := p.first + i
		logShrink := half * math.Log1p(-1/float64(k))
		p.shrink[i], p.drop[i] = math.Exp(logShrink), -math.Expm1(logShrink)
		here := exactly(k)
		// The lower middle rank has density (1-u*u)^(m-1) (1-u). The part
		// with the odd factor u has a closed integral.
		lower := (cells.mass[i] + (here-before)/(2*half)) / cells.total
		p.open[i] = here * p.drop[i] / (half * cells.total)
		p.stay[i] = max(0, lower-p.open[i])
		before = here
	}
	return p
}

// appendRun appends the means of all pairs of ranks at one distance, in
// ascending order. It must be called with 0, 1, 2, ... and adds nothing when no
// probability is left.
func (p *middlePairs) appendRun(atoms []atom, sorted []float64, distance int) []atom {
	if distance == 0 {
		for i, probability := range p.stay {
			atoms = append(atoms, atom{sorted[p.first-1+i], probability})
		}
		return atoms
	}
	for i := range p.open {
		open := p.open[i]
		if open == 0 {
			continue
		}
		lower := p.first + i
		upper := lower + distance
		share, rest := open, 0.0
		// h is tabulated for the ranks that matter. Beyond them, and when
		// next to nothing is left, this pair takes the whole remainder.
		if place := p.n - upper + 1 - p.first; place >= 0 && open > negligible {
			share, rest = open*p.drop[place], open*p.shrink[place]
		}
		p.open[i] = rest
		mean := midpoint(sorted[lower-1], sorted[upper-1])
		if math.IsNaN(mean) {
			continue // -Inf and +Inf have no mean, and NaN has no order.
		}
		atoms = append(atoms, atom{mean, share})
	}
	return atoms
}

// mergeRuns merges neighbouring sorted runs, two at a time, until one is left.
// bounds holds the start of every run and the end of the last one.
func mergeRuns(atoms []atom, bounds []int) []atom {
	spare := make([]atom, len(atoms))
	for len(bounds) > 2 {
		merged := bounds[:1]
		for i := 0; i+1 < len(bounds); i += 2 {
			start, middle := bounds[i], bounds[i+1]
			end := middle
			if i+2 < len(bounds) {
				end = bounds[i+2]
			}
			mergeTwo(spare[start:end], atoms[start:middle], atoms[middle:end])
			merged = append(merged, end)
		}
		atoms, spare, bounds = spare, atoms, merged
	}
	return atoms
}

// mergeTwo merges two sorted runs into out, which has room for both.
func mergeTwo(out, a, b []atom) {
	i, j, k := 0, 0, 0
	for i < len(a) && j < len(b) {
		if b[j].value < a[i].value {
			out[k] = b[j]
			j++
		} else {
			out[k] = a[i]
			i++
		}
		k++
	}
	k += copy(out[k:], a[i:])
	copy(out[k:], b[j:])
}
