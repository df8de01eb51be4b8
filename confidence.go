package rtcompare

import (
	"fmt"
	"math"
	"slices"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// ThresholdConfidence is the confidence that A needs less time than B by at
// least Threshold: the probability, under the bootstrap distribution, of
// 1 - median(A)/median(B) >= Threshold.
type ThresholdConfidence struct {
	Threshold  float64 `json:"threshold"`
	Confidence float64 `json:"confidence"`
}

// Confidences holds one entry per distinct threshold, in ascending order.
type Confidences []ThresholdConfidence

// thresholdTolerance lets a threshold that was computed in another way than it
// was passed in, such as 0.1+0.05, find its entry.
const thresholdTolerance = 1e-9

// At returns the confidence for a threshold and whether there is an entry for
// it. Thresholds match when they differ by a relative 1e-9 at most.
func (c Confidences) At(threshold float64) (confidence float64, ok bool) {
	for _, entry := range c {
		if entry.Threshold == threshold {
			return entry.Confidence, true
		}
	}
	if math.IsInf(threshold, 0) {
		return 0, false
	}
	for _, entry := range c {
		if math.Abs(entry.Threshold-threshold) <= thresholdTolerance*max(1, math.Abs(threshold)) {
			return entry.Confidence, true
		}
	}
	return 0, false
}

// CompareSamples gives, for each threshold, the confidence that A is smaller
// than B by at least that share, for measurements that were not taken in pairs.
// An empty list asks about zero. Ties count for A at zero: the question is
// whether A is not slower. A negative threshold is a slow-down that is
// tolerated. resamples is accepted and changes nothing.
//
// An error names the argument: fewer than [MinimumDataPoints] values, a value
// that is NaN, infinite or negative, or a threshold that is NaN.
func CompareSamples(measurementsA, measurementsB []float64, relativeGains []float64, resamples uint64) (Confidences, error) {
	return ConfidencesFor(measurementsA, measurementsB, relativeGains, EstimateOptions{Resamples: resamples})
}

// ConfidencesFor gives the confidences that belong to the interval of
// [EstimateDifference] under the same options; Level is not used. An empty list
// of thresholds asks about zero. The errors are those of CompareSamples, and
// pairs of unequal length.
func ConfidencesFor(A, B []float64, thresholds []float64, opt EstimateOptions) (Confidences, error) {
	for i, t := range thresholds {
		if math.IsNaN(t) {
			return nil, fmt.Errorf("threshold %d is NaN; F2T gives NaN for a factor that is not positive", i)
		}
	}
	opt.Level = 0
	if err := checkSamples(A, B, opt); err != nil {
		return nil, err
	}
	if len(thresholds) == 0 {
		thresholds = []float64{0}
	}
	return confidences(A, B, thresholds, opt), nil
}

// BootstrapConfidence is CompareSamples without an error: thresholds that are
// NaN are left out, no threshold gives no entry, and where the confidence is
// undefined, with no measurements, one that is NaN, infinite or negative, or
// resamples of zero, it is NaN. prngSeed is accepted and changes nothing.
func BootstrapConfidence(A, B []float64, relativeGains []float64, resamples uint64, prngSeed uint64) Confidences {
	return BlockBootstrapConfidence(A, B, relativeGains, resamples, 1, prngSeed)
}

// BlockBootstrapConfidence is BootstrapConfidence with neighbours kept together
// in overlapping blocks (Künsch 1989). A blockLength of zero or less selects
// [AutoBlockLength] of the longer input; one longer than half an input is cut
// to half of it. Blocks repair the confidence of correlated measurements in
// part; [Decision] does not rest on them.
func BlockBootstrapConfidence(A, B []float64, relativeGains []float64, resamples uint64, blockLength int, prngSeed uint64) Confidences {
	if blockLength <= 0 {
		blockLength = AutoBlockLength(max(len(A), len(B)))
	}
	kept := slices.DeleteFunc(slices.Clone(relativeGains), math.IsNaN)
	entries := confidences(A, B, kept, EstimateOptions{BlockLength: blockLength})
	if resamples == 0 || undefined(A) || undefined(B) {
		for i := range entries {
			entries[i].Confidence = math.NaN()
		}
	}
	return entries
}

// undefined reports whether a series is no measurement: empty, or with a value
// that is not finite or negative.
func undefined(x []float64) bool {
	return len(x) == 0 || slices.ContainsFunc(x, func(v float64) bool { return !(v >= 0) || math.IsInf(v, 0) })
}

func confidences(A, B, thresholds []float64, opt EstimateOptions) Confidences {
	distinct := slices.Clone(thresholds)
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	entries := make(Confidences, 0, len(distinct))
	if opt.Paired {
		law := stat.BootstrapMedian(pairRatios(A, B), opt.BlockLength)
		for _, t := range distinct {
			entries = append(entries, ThresholdConfidence{t, atLeast(law, t)})
		}
		return entries
	}
	law := unpairedLaw(A, B, opt.BlockLength)
	for _, t := range distinct {
		entries = append(entries, ThresholdConfidence{t, law.AtLeast(t)})
	}
	return entries
}

// atLeast is the probability of 1 - ratio >= threshold. It compares the
// difference itself, as the interval does, so that no rounding of 1 - threshold
// moves a value to the other side.
func atLeast(law stat.MedianDistribution, threshold float64) float64 {
	sum := 0.0
	for i := range law.Len() {
		ratio, probability := law.Atom(i)
		if 1-ratio >= threshold {
			sum += probability
		}
	}
	return min(1, sum)
}

// F2T turns a factor into a threshold: 1 - 1/timesFaster, the share of time that
// something saves that is so many times as fast. Factors that are not positive,
// and NaN, give NaN; +Inf gives 1.
func F2T(timesFaster float64) float64 {
	if !(timesFaster > 0) {
		return math.NaN()
	}
	return 1 - 1/timesFaster
}

// Median returns the middle value, for an even number the mean of the two in
// the middle, and NaN for none. It does not change data.
func Median(data []float64) float64 { return stat.Median(data) }

// AutoBlockLength is the block length for n measurements: the cube root of n,
// rounded, at least one and at most n.
func AutoBlockLength(n int) int { return stat.AutoBlockLength(n) }
