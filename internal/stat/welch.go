package stat

import "math"

// Welch returns the t statistic of mean(b) - mean(a) for two independent normal
// samples of unequal variance, with its approximate degrees of freedom and its
// two-sided p-value (Welch 1947). All three are NaN for a sample with fewer than
// two values and where neither varies.
func Welch(a, b []float64) (t, df, p float64) {
	if len(a) < 2 || len(b) < 2 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	meanA, sdA := MeanAndSD(a)
	meanB, sdB := MeanAndSD(b)
	shareA, shareB := sdA*sdA/float64(len(a)), sdB*sdB/float64(len(b))
	variance := shareA + shareB
	if !(variance > 0) {
		return math.NaN(), math.NaN(), math.NaN()
	}
	t = (meanB - meanA) / math.Sqrt(variance)
	df = variance * variance / (shareA*shareA/float64(len(a)-1) + shareB*shareB/float64(len(b)-1))
	return t, df, StudentTwoSidedP(t, df)
}
