package multiproc

import (
	"math"
	"testing"

	"github.com/rtcompare/rtcompare"
)

// simulated is a run whose processes only differ by chance.
func simulated(r *rtcompare.DPRNG, truth, sd float64) Results {
	opt := Options{}.withDefaults()
	p := &parent{opt: opt, sizes: opt.sizes(), kind: "simulated"}
	fill := func(total int) {
		p.total = total
		for len(p.slots) < total {
			x := truth + sd*math.Sqrt(-2*math.Log(1-r.Float64()))*math.Cos(2*math.Pi*r.Float64())
			delta := -math.Expm1(-x)
			p.slots = append(p.slots, slot{found: &outcome{records: []recorded{{"x", rtcompare.Report{
				Estimate: rtcompare.Estimate{Delta: delta, Low: delta - 0.001, High: delta + 0.001, Level: 0.95},
			}}}}})
		}
	}
	fill(p.first)
	target, precise := p.size()
	p.staged, p.precise = true, precise
	fill(target)
	return p.results()
}

// A nominal 95 % interval holds the truth whatever the scatter, whether the
// first stage chose the size, the largest number did, or sometimes one and
// sometimes the other.
func TestStagedRunsCover(t *testing.T) {
	const trials = 3000
	r := rtcompare.NewDPRNG(31)
	for _, tt := range []struct{ truth, sd float64 }{{0, 0.01}, {0, 0.03}, {0.05, 0.05}, {0.3, 0.05}, {0, 0.06}, {0, 0.1}} {
		held, processes, short, width := 0, 0, 0, 0.0
		for range trials {
			found := simulated(&r, tt.truth, tt.sd)
			d := found.Comparisons[0].Pooled.Decision
			if d.Low <= tt.truth && tt.truth <= d.High {
				held++
			}
			processes += found.Processes
			width += d.High - d.Low
			if !found.Precise {
				short++
			}
		}
		share := float64(held) / trials
		t.Logf("truth %g, sd %g: %.2f %% hold it, %.1f processes, %.0f %% at the largest number, half-width %.4f",
			tt.truth, tt.sd, 100*share, float64(processes)/trials, 100*float64(short)/trials, width/2/trials)
		if share < 0.94 || share > 0.96 {
			t.Errorf("truth %g, sd %g: %.2f %% of the intervals hold it", tt.truth, tt.sd, 100*share)
		}
	}
}
