package rtcompare

import (
	"math"
	"slices"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// trimmedShare is the share of the processes that the noise floor leaves out at
// either end.
const trimmedShare = 0.2

// noiseFloor is what identical code shows in all processes alike, as ln of the
// second instance's time over the first one's.
type noiseFloor struct {
	// bias is its location, and bound the half-width of its interval.
	bias, bound float64
}

// log is what |ln(B/A)| has to exceed.
func (f noiseFloor) log() float64 { return math.Abs(f.bias) + f.bound }

// floor sets Bias and NoiseFloor, after the decision. The pooled interval
// already covers what differs between processes, so only what repeats in all of
// them is left for the floor.
func (p *Pooled) floor(reports []Report) {
	if f, known := floorOf(reports, p.Level); known {
		p.measured, p.Bias = f, savedShare(f.bias)
		// As a share of B's time in the direction of Delta, so that comparing
		// the two is comparing the logarithms.
		p.NoiseFloor = math.Abs(savedShare(math.Copysign(f.log(), p.Decision.LogRatio)))
		p.exceeds = math.Abs(p.Decision.LogRatio) > f.log()
		return
	}
	var floors []float64
	for _, r := range reports {
		if r.Validated {
			floors = append(floors, r.NoiseFloor)
		}
	}
	if len(floors) > 0 {
		p.NoiseFloor = stat.Median(floors)
	}
	p.exceeds = math.Abs(p.Delta) > p.NoiseFloor
}

// floorOf is the floor from the differences of identical code. It is not known
// where a validated report carries none, or too few carry any.
//
// A moment in which something else ran can make one run of identical code look
// five times as slow as the other, and a mean would hand that on to the floor of
// everything. So each process counts with the median of its runs, and the
// processes with the fifth of them left out at either end that lies farthest
// out: their trimmed mean, with the interval of Tukey and McLaughlin (1963).
func floorOf(reports []Report, level float64) (f noiseFloor, known bool) {
	var medians []float64
	for _, r := range reports {
		if !r.Validated {
			continue
		}
		logs := identicalLogs(r)
		if len(logs) == 0 {
			return f, false
		}
		medians = append(medians, stat.Median(logs))
	}
	if len(medians) < fewestReports {
		return f, false
	}
	return trimmedInterval(medians, level), true
}

// identicalLogs are the differences that a process's identical code showed.
func identicalLogs(r Report) []float64 {
	var logs []float64
	for _, deltas := range [][]float64{r.ValidationA.Deltas, r.ValidationB.Deltas} {
		for _, delta := range deltas {
			if log := -math.Log1p(-delta); !math.IsNaN(log) && !math.IsInf(log, 0) {
				logs = append(logs, log)
			}
		}
	}
	return logs
}

// trimmedInterval is the trimmed mean of the values and the half-width of its t
// interval, from the winsorized deviation (Tukey and McLaughlin 1963; Yuen 1974).
// Of fewer than five values none is left out. Sums go over the values in their
// own order, so that those of the opposite sign give the exact mirror image.
func trimmedInterval(values []float64, level float64) noiseFloor {
	sorted := slices.Sorted(slices.Values(values))
	cut := int(trimmedShare * float64(len(sorted)))
	lowest, highest := sorted[cut], sorted[len(sorted)-1-cut]
	pulledIn := make([]float64, len(values))
	for i, v := range values {
		pulledIn[i] = min(max(v, lowest), highest)
	}
	mean, deviation := stat.MeanAndSD(pulledIn)
	count, kept := float64(len(values)), float64(len(values)-2*cut)
	if cut > 0 {
		mean = (mean*count - float64(cut)*(lowest+highest)) / kept
	}
	standardError := deviation * math.Sqrt((count-1)/(kept-1)) / math.Sqrt(kept)
	return noiseFloor{mean, stat.StudentQuantile((1+level)/2, kept-1) * standardError}
}
