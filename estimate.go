package rtcompare

import (
	"errors"
	"fmt"
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// Estimate is a relative difference with an interval around it.
//
// Delta is 1 - A/B: the share of B's time that A saves. It is not symmetric: if
// B takes twice as long as A it is +50 %, and with the roles swapped -100 %. Use
// Ratio for the factor, and [Decision] for bounds that mirror.
type Estimate struct {
	// Delta is 1 - median(A)/median(B), or 1 - median(A[i]/B[i]) for pairs.
	Delta float64
	// Low and High bound Delta at Level. They are quantiles of the exact
	// bootstrap distribution, the limit of infinitely many resamples.
	Low, High float64
	Level     float64
	// Resamples is the number that was asked for, or [DefaultResamples]. It
	// has no influence.
	Resamples uint64
	// BootstrapMedian is the median of the bootstrap distribution of Delta. A
	// large distance from Delta means that the median behaves awkwardly on
	// these data.
	BootstrapMedian float64
}

// EstimateOptions configures EstimateDifference and ConfidencesFor. The zero
// value is usable.
type EstimateOptions struct {
	// Level is the interval's level; zero means [DefaultConfidenceLevel].
	Level float64
	// Resamples is accepted and recorded; estimates are exact without it.
	Resamples uint64
	// BlockLength keeps this many neighbours together, for measurements that
	// depend on the ones before. Zero and one mean single measurements.
	BlockLength int
	// Seed is accepted and changes nothing.
	Seed uint64
	// Paired says that A[i] and B[i] were measured next to each other. The
	// difference is then taken from their ratios, in which whatever hit both
	// cancels.
	Paired bool
}

// EstimateDifference says how much smaller A is than B, with an interval.
//
// The interval holds the quantiles of the bootstrap distribution of the
// difference of medians, computed exactly (Efron 1979, Maritz and Jarrett 1978;
// with BlockLength the moving blocks of Künsch 1989). It covers the scatter of
// these measurements only: not what affected all of them, and not the next
// process. An error names the argument: fewer than [MinimumDataPoints] values,
// a value that is NaN, infinite or negative, pairs of unequal length, or a
// level outside (0, 1).
func EstimateDifference(A, B []float64, opt EstimateOptions) (Estimate, error) {
	if err := checkSamples(A, B, opt); err != nil {
		return Estimate{}, err
	}
	e := Estimate{Level: opt.Level, Resamples: opt.Resamples}
	if e.Level == 0 {
		e.Level = DefaultConfidenceLevel
	}
	if e.Resamples == 0 {
		e.Resamples = DefaultResamples
	}
	tail := (1 - e.Level) / 2
	if opt.Paired {
		ratios := pairRatios(A, B)
		law := stat.BootstrapMedian(ratios, opt.BlockLength)
		low, high := law.Interval(e.Level)
		e.Delta = 1 - stat.Median(ratios)
		e.Low, e.High, e.BootstrapMedian = 1-high, 1-low, 1-law.Quantile(0.5)
	} else {
		law := unpairedLaw(A, B, opt.BlockLength)
		e.Delta = stat.RelativeDelta(stat.Median(A), stat.Median(B))
		e.Low, e.High, e.BootstrapMedian = law.Quantile(tail), law.Quantile(1-tail), law.Quantile(0.5)
	}
	if math.IsNaN(e.Delta) || math.IsNaN(e.Low) || math.IsNaN(e.High) {
		return Estimate{}, errors.New("the difference is undefined on these measurements")
	}
	return e, nil
}

func unpairedLaw(A, B []float64, blockLength int) stat.MedianRatio {
	return stat.MedianRatio{A: stat.BootstrapMedian(A, blockLength), B: stat.BootstrapMedian(B, blockLength)}
}

func checkSamples(A, B []float64, opt EstimateOptions) error {
	if opt.Level != 0 && !(opt.Level > 0 && opt.Level < 1) {
		return fmt.Errorf("option Level is %v and has to lie between 0 and 1", opt.Level)
	}
	for i, series := range [][]float64{A, B} {
		name := position(i)
		if len(series) < MinimumDataPoints {
			return fmt.Errorf("%d measurements of %s are too few, at least %d are needed", len(series), name, MinimumDataPoints)
		}
		for j, v := range series {
			if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
				return fmt.Errorf("measurement %s[%d] is %v; measurements have to be finite and not negative", name, j, v)
			}
		}
	}
	if opt.Paired && len(A) != len(B) {
		return fmt.Errorf("option Paired needs as many measurements of A as of B, and there are %d and %d", len(A), len(B))
	}
	return nil
}

// pairRatios returns A[i]/B[i]. Equal members give exactly 1, zeros included.
func pairRatios(A, B []float64) []float64 {
	ratios := make([]float64, min(len(A), len(B)))
	for i := range ratios {
		if A[i] == B[i] {
			ratios[i] = 1
			continue
		}
		ratios[i] = A[i] / B[i]
	}
	return ratios
}

// Excludes reports whether the interval lies on one side of value. An interval
// that touches it does not exclude it.
func (e Estimate) Excludes(value float64) bool {
	return (e.Low > value && e.High > value) || (e.Low < value && e.High < value)
}

// Ratio returns how many times as long B takes as A, with its bounds: 1/(1-x)
// for Delta, Low and High. Swapping the roles turns 2 into 0.5.
func (e Estimate) Ratio() (ratio, low, high float64) {
	return 1 / (1 - e.Delta), 1 / (1 - e.Low), 1 / (1 - e.High)
}

// String renders the estimate as one line. Its form may change.
func (e Estimate) String() string {
	ratio, low, high := e.Ratio()
	return fmt.Sprintf("%+.2f%% [%+.2f%%, %+.2f%%] at %g%% (B/A %.3f [%.3f, %.3f])",
		100*e.Delta, 100*e.Low, 100*e.High, 100*e.Level, ratio, low, high)
}
