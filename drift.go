package rtcompare

import (
	"fmt"
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// fewestForDrift measurements are needed to speak of a trend.
const fewestForDrift = 4

// DriftReport says whether a series has a trend.
type DriftReport struct {
	// N is the number of measurements. Zero means that the test was not run.
	N int
	// Spearman is the rank correlation of value and position, Z is
	// Spearman·√(N-1), and PValue its two-sided normal tail.
	Spearman float64
	Z        float64
	PValue   float64
	// FirstHalf and SecondHalf are the medians of the first and the last
	// ⌊N/2⌋ values, RelativeShift is SecondHalf/FirstHalf - 1.
	FirstHalf     float64
	SecondHalf    float64
	RelativeShift float64
}

// DetectDrift tests whether a series rises or falls over its course, by
// Spearman's rank correlation with the position (Spearman 1904), ties taking
// their mean rank. It also answers to strong correlation between neighbours. A
// series without variation has no trend.
//
// Fewer than four values, or a value that is not finite, is an error.
func DetectDrift(samples []float64) (DriftReport, error) {
	if len(samples) < fewestForDrift {
		return DriftReport{}, fmt.Errorf("%d measurements are too few for a trend, at least %d are needed", len(samples), fewestForDrift)
	}
	for i, v := range samples {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return DriftReport{}, fmt.Errorf("measurement %d is %v and has to be finite", i, v)
		}
	}
	d := DriftReport{N: len(samples)}
	d.Spearman, d.Z, d.PValue = stat.SpearmanTrend(samples)
	half := len(samples) / 2
	d.FirstHalf, d.SecondHalf = stat.Median(samples[:half]), stat.Median(samples[len(samples)-half:])
	if d.FirstHalf != 0 {
		d.RelativeShift = (d.SecondHalf - d.FirstHalf) / d.FirstHalf
	}
	return d, nil
}

// Drifted reports whether there is a trend at the given level, such as 0.05. A
// report of a test that was not run never has one. How large a trend is says
// RelativeShift.
func (d DriftReport) Drifted(level float64) bool { return d.N > 0 && d.PValue < level }

// String renders the report as one line. Its form may change.
func (d DriftReport) String() string {
	if d.N == 0 {
		return "drift: not tested"
	}
	return fmt.Sprintf("drift over %d measurements: rank correlation %+.3f (z %+.2f, p %.4f), second half %+.2f%%",
		d.N, d.Spearman, d.Z, d.PValue, 100*d.RelativeShift)
}
