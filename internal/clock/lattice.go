package clock

import (
	"math"
	"slices"
	"time"
)

// Every reading of a clock is a multiple of its tick, so every gap between two
// readings is one too: all gaps lie on a lattice whose step is the tick. The
// smallest gap says little about that step, because it contains the cost of a
// read. The distance between neighbouring gap lengths does.

const (
	// rareShare: a gap length seen less often than this share of the most
	// common one is left out. Preemptions and interrupts leave such lengths,
	// scattered over a wide range.
	rareShare = 0.01
	// roundingWidth is how far apart, in nanoseconds, the readings of one
	// lattice point can lie when a tick is not a whole number of nanoseconds:
	// one less, exact, one more.
	roundingWidth = 2
)

// length is one gap length in nanoseconds and how often it was seen. After
// clustering the length is the mean of a lattice point's readings.
type length struct {
	nanoseconds float64
	count       int
}

// latticeStep returns the tick that gaps lie on, rounded to a nanosecond and at
// least 1 ns, and how many positive gaps there were. Without a positive gap
// nothing is known and both are 0. Negative gaps are ignored. gaps is sorted in
// place.
func latticeStep(gaps []time.Duration) (tick time.Duration, positive int) {
	slices.Sort(gaps)
	lengths := frequent(countLengths(gaps))
	for _, gap := range gaps {
		if gap > 0 {
			positive++
		}
	}
	if positive == 0 {
		return 0, 0
	}
	points := clusters(lengths)
	if len(points) < 2 {
		// One lattice point only: its distance from zero is all there is.
		first, _ := slices.BinarySearch(gaps, 1)
		return gaps[first], positive
	}
	step := math.Round(commonDistance(points))
	return time.Duration(max(step, 1)), positive
}

// countLengths turns sorted gaps into distinct lengths with their counts.
func countLengths(sorted []time.Duration) []length {
	var lengths []length
	for _, gap := range sorted {
		if gap < 0 {
			continue
		}
		value := float64(gap)
		if last := len(lengths) - 1; last >= 0 && lengths[last].nanoseconds == value {
			lengths[last].count++
			continue
		}
		lengths = append(lengths, length{value, 1})
	}
	return lengths
}

// frequent drops rare lengths. Zero sets no measure for what is rare: a coarse
// clock gives almost only zeros, and still it is its few other gaps that tell
// the tick.
func frequent(lengths []length) []length {
	most := 0
	for _, l := range lengths {
		if l.nanoseconds > 0 {
			most = max(most, l.count)
		}
	}
	var kept []length
	for _, l := range lengths {
		if float64(l.count) >= rareShare*float64(most) {
			kept = append(kept, l)
		}
	}
	return kept
}

// clusters joins lengths that are one nanosecond apart into lattice points. A
// longer chain of such lengths than rounding explains is no lattice point: the
// clock has a tick of about a nanosecond there, and every length stays a point.
func clusters(lengths []length) []length {
	var points []length
	for start := 0; start < len(lengths); {
		end := start + 1
		for end < len(lengths) && lengths[end].nanoseconds-lengths[end-1].nanoseconds <= 1 {
			end++
		}
		chain := lengths[start:end]
		start = end
		if chain[len(chain)-1].nanoseconds-chain[0].nanoseconds > roundingWidth {
			points = append(points, chain...)
			continue
		}
		points = append(points, centre(chain))
	}
	return points
}

// centre is the mean of a chain, weighted by count.
func centre(chain []length) length {
	sum, count := 0.0, 0
	for _, l := range chain {
		sum += l.nanoseconds * float64(l.count)
		count += l.count
	}
	return length{sum / float64(count), count}
}

// commonDistance returns the median of the distances between neighbouring
// points. A distance weighs as much as the gaps at its two ends, so that the
// thin tail, where points are missing, does not decide.
func commonDistance(points []length) float64 {
	distances := make([]length, 0, len(points)-1)
	total := 0
	for i := 1; i < len(points); i++ {
		d := length{points[i].nanoseconds - points[i-1].nanoseconds, points[i].count + points[i-1].count}
		distances = append(distances, d)
		total += d.count
	}
	slices.SortFunc(distances, func(a, b length) int {
		if a.nanoseconds < b.nanoseconds {
			return -1
		}
		if a.nanoseconds > b.nanoseconds {
			return 1
		}
		return 0
	})
	seen := 0
	for _, d := range distances {
		seen += d.count
		if 2*seen >= total {
			return d.nanoseconds
		}
	}
	return distances[len(distances)-1].nanoseconds
}
