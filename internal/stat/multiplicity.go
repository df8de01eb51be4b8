package stat

import "math"

// Holm returns p-values adjusted so that flagging all results with an adjusted
// value of at most alpha makes even one false alarm in at most a share alpha
// of all families (Holm 1979). No assumption about dependence is needed. The
// result has the order of p. A NaN stays NaN and does not count as a test.
func Holm(p []float64) []float64 {
	ranked, adjusted := testsInOrder(p)
	count := float64(len(ranked))
	worst := 0.0
	for i, r := range ranked {
		worst = max(worst, min(1, (count-float64(i))*r.value))
		adjusted[r.place] = worst
	}
	return adjusted
}

// BenjaminiHochberg returns p-values adjusted so that flagging all results with
// an adjusted value of at most q makes the expected share of false alarms among
// the flagged at most q (Benjamini and Hochberg 1995). The tests must be
// independent or positively dependent. When nothing differs at all, any alarm
// has probability q at most. The result has the order of p. A NaN stays NaN and
// does not count as a test.
func BenjaminiHochberg(p []float64) []float64 {
	ranked, adjusted := testsInOrder(p)
	count := float64(len(ranked))
	best := 1.0
	for i := len(ranked) - 1; i >= 0; i-- {
		best = min(best, count/float64(i+1)*ranked[i].value)
		adjusted[ranked[i].place] = best
	}
	return adjusted
}

// testsInOrder lists the p-values from small to large without the NaN ones, and
// makes room for the adjusted values with NaN where p has NaN.
func testsInOrder(p []float64) (ranked []rankedValue, adjusted []float64) {
	adjusted = make([]float64, len(p))
	ranked = inAscendingOrder(p)
	for len(ranked) > 0 && math.IsNaN(ranked[0].value) {
		adjusted[ranked[0].place] = math.NaN()
		ranked = ranked[1:]
	}
	return ranked, adjusted
}
