// Package steady finds out how many of the first runs of a program belong to its
// warm-up: caches that fill, files that are read for the first time, a compiler
// that learns. It looks at a series of run times and starts nothing.
package steady

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// shortest is the length below which no series is judged.
const shortest = 12

// Prefix returns how many of the first values belong to a warm-up, and their
// shift: the median of those values over the median of the others, minus 1; 0.2
// for a warm-up that is 20 % slower. Both are 0 where nothing stands out.
//
// Values are run times in measured order, in any unit. At most half of them are
// taken for warm-up. A series of fewer than 12 values, and one with a value that
// is not positive and finite, is never cut. A series that keeps drifting has no
// steady state; what is returned for it means little. Nor is a warm-up found that
// reaches into the last half, which is taken for steady: it hides itself. Whether
// a series is long enough to have settled is therefore not for Prefix to say; ask
// it about the last half alone, where it may find one there.
//
// The method is a scan for the prefix whose mean is the most standard errors
// away from the steady part, which is the last half of the series:
//
//   - Logarithms are centred at the median of the last half, scaled by its median
//     absolute deviation, and clipped, so that one outlier cannot say much.
//   - The standard error of a mean of k scores has the scatter of the clipped
//     scores in it (outliers all over the series raise it) and their dependence
//     (the variance of a mean of k values of an AR(1) process).
//   - The bound that has to be passed is higher where noise is lopsided, after
//     the first term of Cornish and Fisher (1938), and was otherwise chosen by
//     simulation: a stationary series is cut in at most 5 % of cases, for white
//     noise, lag-1 dependence of 0.5, exponential noise and 10 % outliers. With
//     a dependence of 0.8 it is up to 8 %.
//
// What follows the prefix is looked at in the same way, for warm-ups that fade.
func Prefix(values []float64) (count int, shift float64) {
	n := len(values)
	if n < shortest {
		return 0, 0
	}
	logs := make([]float64, n)
	for i, v := range values {
		if !(v > 0) || math.IsInf(v, 0) {
			return 0, 0
		}
		logs[i] = math.Log(v)
	}
	steady := measure(logs[n-n/2:])
	scores := steady.scores(logs[:n-n/2])
	for count < n/2 {
		more := steady.standsOut(scores[count : n/2])
		if more == 0 {
			break
		}
		count += more
	}
	if count == 0 {
		return 0, 0
	}
	return count, math.Expm1(stat.Median(logs[:count]) - stat.Median(logs[count:]))
}
