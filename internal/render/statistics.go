package render

import (
	"math"
	"slices"

	"github.com/rtcompare/rtcompare/internal/stat"
	"github.com/rtcompare/rtcompare/internal/view"
)

// medianLevel is the level of the interval around a side's median.
const medianLevel = 0.95

// statistics describes the known values of a series.
func statistics(values []float64) view.Statistics {
	sorted := knownValues(values)
	slices.Sort(sorted)
	nan := math.NaN()
	s := view.Statistics{
		Known: len(sorted), Mean: nan, SD: nan, Median: nan, MedianLow: nan, MedianHigh: nan,
		Min: nan, P10: nan, P25: nan, P75: nan, P90: nan, P95: nan, P99: nan, Max: nan, Neighbours: neighbours(values),
	}
	if len(sorted) == 0 {
		return s
	}
	s.Mean, s.SD = stat.MeanAndSD(sorted)
	s.Median = stat.MedianSorted(sorted)
	s.MedianLow, s.MedianHigh = medianInterval(knownValues(values))
	s.Min, s.Max = sorted[0], sorted[len(sorted)-1]
	for _, q := range []struct {
		into *float64
		at   float64
	}{{&s.P10, .10}, {&s.P25, .25}, {&s.P75, .75}, {&s.P90, .90}, {&s.P95, .95}, {&s.P99, .99}} {
		*q.into = stat.Quantile(sorted, q.at)
	}
	return s
}

// knownValues returns a copy of the values that could be read.
func knownValues(values []float64) []float64 {
	known := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			known = append(known, v)
		}
	}
	return known
}

const (
	// fewestForDependence and fewestForCosine are the lengths from which the
	// two estimates of the dependence between successive runs are useful.
	fewestForDependence = 11
	fewestForCosine     = 80
)

// medianInterval is the hull of the exact rank interval of the median, which
// takes the runs as independent, and of one that allows for runs that resemble
// the ones before. It is NaN where there are too few runs.
func medianInterval(inOrder []float64) (low, high float64) {
	ranks := stat.PrepareRankIntervals(inOrder)
	low, high = ranks.SignTest(medianLevel)
	if math.IsInf(low, 0) || math.IsInf(high, 0) {
		return math.NaN(), math.NaN()
	}
	robust := ranks.Cosine
	switch {
	case len(inOrder) < fewestForDependence:
		return low, high
	case len(inOrder) < fewestForCosine:
		robust = ranks.Autoregressive
	}
	if l, h := robust(medianLevel); !math.IsNaN(l) && !math.IsNaN(h) {
		low, high = min(low, l), max(high, h)
	}
	return low, high
}

// neighbours is the median size of the log ratio of successive values.
func neighbours(values []float64) float64 {
	var sizes []float64
	for i := 1; i < len(values); i++ {
		if a, b := values[i-1], values[i]; a > 0 && b > 0 {
			sizes = append(sizes, math.Abs(math.Log(b/a)))
		}
	}
	return stat.Median(sizes)
}
