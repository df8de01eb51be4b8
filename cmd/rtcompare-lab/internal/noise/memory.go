package noise

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// AR is a log ratio in which every value keeps a share rho of the one before.
func AR(rho float64) Model {
	return Model{
		Name: fmt.Sprintf("ar%g", rho),
		New:  func(r *rand.Rand) Process { return &ratio{newAutoregression(r, rho, SD).next} },
	}
}

// Wander is white noise with a fifth of its variance in a slow wave, whose
// lag-1 autocorrelation of 0.19 hardly shows.
func Wander() Model {
	return Model{Name: "wander", Wandering: true, Heavy: true, New: func(r *rand.Rand) Process {
		const slow = 0.2
		wave := newAutoregression(r, 0.95, SD*math.Sqrt(slow))
		sd := SD * math.Sqrt(1-slow)
		return &ratio{func() float64 { return sd*r.NormFloat64() + wave.next() }}
	}}
}

const (
	regimeLength     = 25
	slowRegimeLength = 202
	regimeLevel      = 0.5
)

// Regime is white noise around a level that jumps between plus and minus half a
// standard deviation every 25 pairs or so.
func Regime() Model {
	return Model{Name: "regime", Wandering: true, Heavy: true, New: func(r *rand.Rand) Process { return newRegime(r, regimeLength) }}
}

// ratio is a process whose log ratio comes from a function.
type ratio struct{ next func() float64 }

func (p *ratio) Pair() (first, second float64) { return split(p.next()) }

// autoregression is a stationary first-order autoregressive series.
type autoregression struct {
	r               *rand.Rand
	rho, fresh, now float64
}

func newAutoregression(r *rand.Rand, rho, sd float64) *autoregression {
	return &autoregression{r: r, rho: rho, fresh: sd * math.Sqrt(1-rho*rho), now: sd * r.NormFloat64()}
}

func (a *autoregression) next() float64 {
	a.now = a.rho*a.now + a.fresh*a.r.NormFloat64()
	return a.now
}

func newRegime(r *rand.Rand, length float64) Process {
	level := regimeLevel * SD
	if r.Uint64()>>63 == 1 {
		level = -level
	}
	sd := SD * math.Sqrt(1-regimeLevel*regimeLevel)
	return &ratio{func() float64 {
		if r.Float64() < 1/length {
			level = -level
		}
		return level + sd*r.NormFloat64()
	}}
}

// bursts slows a fifth of the batches, in spells of four on average. Each arm
// has its own spells: a spell that hits both cancels in the ratio.
type bursts struct {
	white
	slow [2]bool
}

const (
	burstShare  = 0.2
	burstLength = 4
)

func newBursts(r *rand.Rand) Process {
	return &bursts{white{r}, [2]bool{r.Float64() < burstShare, r.Float64() < burstShare}}
}

func (b *bursts) Pair() (first, second float64) {
	first, second = b.white.Pair()
	return first + b.extra(0), second + b.extra(1)
}

func (b *bursts) extra(arm int) float64 {
	change := 1.0 / burstLength
	if !b.slow[arm] {
		change *= burstShare / (1 - burstShare)
	}
	if b.r.Float64() < change {
		b.slow[arm] = !b.slow[arm]
	}
	if b.slow[arm] {
		return slowdown * b.r.ExpFloat64()
	}
	return 0
}
