package stopping

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// pilot sizes units by the correlation that the first rounds show, as the
// engine does before it measures.
type pilot struct {
	// rounds is how many rounds the correlation is measured on.
	rounds int
	// times is how many correlation times a unit lasts, in rounds.
	times float64
	// difference measures the correlation of the rounds' differences. Otherwise
	// it is that of the pairs of the first replicas, a and b.
	difference bool
	// most bounds a unit, so that a comparison holds enough of them.
	most int
	// reuse judges the rounds of the pilot, too.
	reuse bool
}

// size implements sizing. Units have an even number of rounds, so that both
// directions come equally often.
func (p pilot) size(all []round) (rounds, start int) {
	series := make([]float64, min(p.rounds, len(all)))
	for i := range series {
		series[i] = all[i].b - all[i].a
		if p.difference {
			series[i] = all[i].difference()
		}
	}
	wanted := int(math.Ceil(p.times * correlationTime(series)))
	rounds = min(wanted, p.most)
	rounds = max(2, rounds+rounds%2)
	if p.reuse {
		return rounds, 0
	}
	return rounds, len(series)
}

// correlationTime is after how many values a series stops resembling itself: the
// long-run variance of its signs over the variance that independent values
// would have, but at least one.
func correlationTime(series []float64) float64 {
	lambda, _ := stat.LongRunVarianceOfSigns(series)
	if math.IsNaN(lambda) || math.IsInf(lambda, 0) {
		return 1
	}
	return max(1, lambda)
}
