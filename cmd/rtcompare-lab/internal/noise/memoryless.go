package noise

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// White is independent normal noise on every batch.
func White() Model { return Model{Name: "iid", New: newWhite} }

type white struct{ r *rand.Rand }

func newWhite(r *rand.Rand) Process { return &white{r} }

func (w *white) Pair() (first, second float64) {
	return member * w.r.NormFloat64(), member * w.r.NormFloat64()
}

// Contaminated is white noise in which every batch is, with the given
// probability, slowed on top by an exponential amount with a mean of 30 %: what
// preemption and interrupts do.
func Contaminated(share float64) Model {
	return Model{
		Name:  fmt.Sprintf("contaminated%.0f", 100*share),
		Heavy: share > 0.2,
		New:   func(r *rand.Rand) Process { return &contaminated{white{r}, share} },
	}
}

// slowdown is the mean of what a disturbed batch takes longer.
const slowdown = 0.3

type contaminated struct {
	white
	share float64
}

func (c *contaminated) Pair() (first, second float64) {
	first, second = c.white.Pair()
	return first + c.extra(), second + c.extra()
}

func (c *contaminated) extra() float64 {
	if c.r.Float64() < c.share {
		return slowdown * c.r.ExpFloat64()
	}
	return 0
}

// skewed is lognormal noise of the log ratio, shifted so that its median is
// zero: half of the pairs lie close together on one side, the other half
// scatters on the other.
type skewed struct {
	r     *rand.Rand
	scale float64
}

// skewness is the parameter of the lognormal law; 0.8 gives a skewness of 3.7.
const skewness = 0.8

func newSkewed(r *rand.Rand) Process {
	square := math.Exp(skewness * skewness)
	return &skewed{r, SD / math.Sqrt((square-1)*square)}
}

func (s *skewed) Pair() (first, second float64) {
	return split(s.scale * math.Expm1(skewness*s.r.NormFloat64()))
}

// split divides a log ratio evenly between the two batches, so that both
// series of times have the memory of the ratio.
func split(ratio float64) (first, second float64) { return -ratio / 2, ratio / 2 }
