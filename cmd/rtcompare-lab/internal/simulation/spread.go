package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// lognormalTimes are times with the long slow side that real ones have.
func lognormalTimes(r *rand.Rand) func() float64 {
	return func() float64 { return math.Exp(0.5 * r.NormFloat64()) }
}

// oneSided are the times of one arm of a process.
func oneSided(p noise.Process) func() float64 {
	return func() float64 {
		_, second := p.Pair()
		return math.Exp(second)
	}
}

func spreadRow(s Setup, name string, length int, times func(r *rand.Rand) func() float64) []any {
	type interval struct{ ratio, low, high float64 }
	seen := trial.Run(s.Plan, fmt.Sprintf("spread, %s, %d", name, length), s.Trials, func(r *rand.Rand) interval {
		var both [2][]float64
		for side := range both {
			next := times(r)
			both[side] = make([]float64, length)
			for i := range both[side] {
				both[side][i] = next()
			}
		}
		ratio, low, high := stat.SpreadRatio(both[0], both[1], 0.95)
		return interval{ratio, low, high}
	})
	var widths []float64
	for _, i := range seen {
		if w := i.high / i.ratio; !math.IsNaN(w) {
			widths = append(widths, w)
		}
	}
	return []any{
		name, length, sheet.Percent(trial.Share(seen, func(i interval) bool { return i.low <= 1 && 1 <= i.high })),
		sheet.Percent(trial.Share(seen, func(i interval) bool { return math.IsNaN(i.low) })), stat.Median(widths),
	}
}
