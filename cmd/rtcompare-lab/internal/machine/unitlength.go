package machine

import (
	"fmt"
	"math"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/stat"
)

const (
	sliceLength = 10 * time.Millisecond
	// aaBatch is about how long a batch of the long series is.
	aaBatch = 25 * time.Microsecond
)

// UnitLength records one long series of identical code and shows, for several
// lengths of a unit, how much the medians of neighbouring units resemble each
// other, and whether their variance still falls as it would without slow noise.
func UnitLength(s Setup, name string, duration time.Duration) (*sheet.Sheet, error) {
	w, ok := workload(name)
	if !ok {
		return nil, fmt.Errorf("there is no workload %q", name)
	}
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("unit-length: %v of identical code (%s) in batches of about %v, cut into units", duration, name, aaBatch),
		Nominal: "independent units have a lag-1 near zero and a variance ratio near one",
		Columns: []string{"unit", "units", "sd of the units' medians", "lag-1 of their ranks", "lag-1 if independent", "variance ratio"},
		Notes: []string{
			"the sd is the robust one, 1.48 times the median distance from the median, because a preempted unit may hold a single pair.",
			"variance ratio: the variance of the units' medians times their length, over the same of the shortest unit.",
			"above one, slow noise does not average out within a unit; about the length from which it stays level, and lag-1 is within chance, is what units here need.",
		},
	}
	slices := s.longSeries(w, duration)
	reference := 0.0
	for _, length := range []time.Duration{10, 20, 50, 100, 200, 500, 1000, 2000, 5000} {
		medians := unitMedians(slices, int(length*time.Millisecond/sliceLength))
		if len(medians) < 6 {
			break
		}
		sd := robustSD(medians)
		scaled := sd * sd * float64(length)
		if reference == 0 {
			reference = scaled
		}
		table.Add((length * time.Millisecond).String(), len(medians), sheet.Percent(sd), fmt.Sprintf("%+.2f", stat.Lag1(stat.Midranks(medians))),
			fmt.Sprintf("%+.2f ± %.2f", -1/float64(len(medians)), 1/math.Sqrt(float64(len(medians)))), fmt.Sprintf("%.2f", scaled/reference))
	}
	return table, nil
}

// robustSD is the standard deviation of normal values with this median distance
// from their median.
func robustSD(x []float64) float64 {
	center := stat.Median(x)
	distances := make([]float64, len(x))
	for i, v := range x {
		distances[i] = math.Abs(v - center)
	}
	return stat.MedianInPlace(distances) / stat.NormalQuantile(0.75)
}

// longSeries measures pairs of identical code for a duration and returns their
// log ratios, slice by slice of wall time.
func (s Setup) longSeries(w Workload, duration time.Duration) [][]float64 {
	batches := w.Fixture(s.random("unit length", 0))
	sides := [2]rtcompare.Batch{batches(normalSteps), batches(normalSteps)}
	n := loopsFor(sides[0], aaBatch)
	slices := make([][]float64, int(duration/sliceLength))
	start := clock.Now()
	for round := 0; s.Context.Err() == nil; round++ {
		at := clock.Now()
		slice := int((at - start) / sliceLength)
		if slice >= len(slices) {
			break
		}
		first := round % 2
		sides[first](n)
		middle := clock.Now()
		sides[1-first](n)
		end := clock.Now()
		ratio := math.Log(float64(end-middle)) - math.Log(float64(middle-at))
		if first == 1 {
			ratio = -ratio
		}
		slices[slice] = append(slices[slice], ratio)
		if round%4096 == 0 {
			s.progress("unit length", slice, len(slices))
		}
	}
	s.progress("unit length", len(slices), len(slices))
	return slices
}

// loopsFor is the number of operations that last about as long as asked.
func loopsFor(batch rtcompare.Batch, target time.Duration) uint64 {
	for n := uint64(1); ; n *= 2 {
		shortest := time.Duration(math.MaxInt64)
		for range 3 {
			start := clock.Now()
			batch(n)
			shortest = min(shortest, clock.Now()-start)
		}
		if shortest >= target/2 || n > 1<<40 {
			return max(1, uint64(float64(n)*float64(target)/float64(max(1, shortest))))
		}
	}
}

// unitMedians joins slices to units and returns their medians. A unit in which
// the machine never came to measure anything is left out.
func unitMedians(slices [][]float64, perUnit int) []float64 {
	var medians []float64
	for from := 0; from+perUnit <= len(slices); from += perUnit {
		var unit []float64
		for _, slice := range slices[from : from+perUnit] {
			unit = append(unit, slice...)
		}
		if len(unit) > 0 {
			medians = append(medians, stat.MedianInPlace(unit))
		}
	}
	return medians
}
