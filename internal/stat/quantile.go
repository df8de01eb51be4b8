package stat

import (
	"cmp"
	"math"
	"slices"
)

// Quantile returns the p-quantile of values in ascending order, with linear
// interpolation at position 1+(n-1)p: type 7 of Hyndman and Fan (1996). The
// result is NaN when sorted is empty or starts or ends with NaN, and when p is
// outside 0 to 1.
func Quantile(sorted []float64, p float64) float64 {
	n := len(sorted)
	if n == 0 || !(p >= 0 && p <= 1) || math.IsNaN(sorted[0]) || math.IsNaN(sorted[n-1]) {
		return math.NaN()
	}
	return valueAtPosition(sorted, float64(n-1)*p)
}

// valueAtPosition interpolates between the values next to a position that
// counts from 0. A position beyond either end gives the end value.
func valueAtPosition(sorted []float64, position float64) float64 {
	last := len(sorted) - 1
	if position <= 0 {
		return sorted[0]
	}
	if position >= float64(last) {
		return sorted[last]
	}
	below := int(position)
	share := position - float64(below)
	return between(sorted[below], sorted[below+1], share)
}

// between goes a share of the way from a to b. It returns an end exactly where
// it can, so that infinite ends do not turn into NaN.
func between(a, b, share float64) float64 {
	if share == 0 || a == b {
		return a
	}
	if math.IsInf(a, 0) || math.IsInf(b, 0) {
		return a + share*b // One infinite end wins; -Inf and +Inf give NaN.
	}
	if step := b - a; !math.IsInf(step, 0) {
		return a + share*step
	}
	return (1-share)*a + share*b
}

// sortedCopy returns x in ascending order and leaves x as it is. NaN values
// come first.
func sortedCopy(x []float64) []float64 {
	sorted := slices.Clone(x)
	slices.Sort(sorted)
	return sorted
}

// hasNaN reports whether any value of x is NaN.
func hasNaN(x []float64) bool {
	return slices.ContainsFunc(x, math.IsNaN)
}

// rankedValue is a value and the place it had in the series, counted from 0.
type rankedValue struct {
	value float64
	place int
}

// inAscendingOrder lists the values of x from low to high with the places they
// came from. NaN values come first.
func inAscendingOrder(x []float64) []rankedValue {
	ranked := make([]rankedValue, len(x))
	for i, v := range x {
		ranked[i] = rankedValue{v, i}
	}
	slices.SortFunc(ranked, func(a, b rankedValue) int { return cmp.Compare(a.value, b.value) })
	return ranked
}

// endOfTie returns the end of the run of equal values that starts at i.
func endOfTie(ranked []rankedValue, i int) int {
	end := i + 1
	for end < len(ranked) && ranked[end].value == ranked[i].value {
		end++
	}
	return end
}

// Midranks returns the rank of every value of x, counted from 1 for the
// smallest. Equal values share the mean of the ranks they occupy (Kendall
// 1945). The result has the order of x. A NaN has rank NaN and does not count
// for the others.
func Midranks(x []float64) []float64 {
	ranks := make([]float64, len(x))
	ranked := inAscendingOrder(x)
	first := 0
	for first < len(ranked) && math.IsNaN(ranked[first].value) {
		ranks[ranked[first].place] = math.NaN()
		first++
	}
	ranked = ranked[first:]
	for i := 0; i < len(ranked); {
		end := endOfTie(ranked, i)
		shared := float64(i+1+end) / 2
		for _, r := range ranked[i:end] {
			ranks[r.place] = shared
		}
		i = end
	}
	return ranks
}
