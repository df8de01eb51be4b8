package rtcompare

import (
	"math"
	"testing"
)

// Processes that resemble the ones before them are said to; independent ones in
// about half a percent of runs. 2000 runs of each size.
func TestNeighboursThatAreAlike(t *testing.T) {
	r := NewDPRNG(41)
	const trials = 2000
	for _, count := range []int{19, 20, 40} {
		var warnings [2]int
		for i, memory := range []float64{0, 0.7} {
			for range trials {
				reports, level := make([]Report, count), 0.0
				for k := range reports {
					level = memory*level + 0.01*normal(&r)
					reports[k] = process(-math.Expm1(-level), 0.01)
				}
				if warned(combined(t, reports).Warnings, "processes resemble the ones that ran just before them (correlation 0.") {
					warnings[i]++
				}
			}
		}
		if count < fewestNeighbours {
			if warnings[0]+warnings[1] > 0 {
				t.Errorf("%d processes: %d and %d warnings", count, warnings[0], warnings[1])
			}
			continue
		}
		if warnings[0] > trials/100 || warnings[1] < trials/3 {
			t.Errorf("%d processes: %d of %d independent runs warn, and %d of dependent ones", count, warnings[0], trials, warnings[1])
		}
	}
}
