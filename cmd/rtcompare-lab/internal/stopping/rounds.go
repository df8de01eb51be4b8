package stopping

import (
	"math/rand/v2"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
)

// roundSD is the standard deviation of a round's difference: the mean logarithm
// of the two runs of one side minus that of the other.
const roundSD = 0.03

// sqrt2 is how much wider the difference of two single runs scatters than that
// of two means of two.
const sqrt2 = 1.4142135623730951

// Condition is the noise of a series of rounds.
type Condition struct {
	Name string
	// Model moves the level of the rounds. Its memory is counted in rounds and
	// runs on, also where every run is a fresh process.
	Model noise.Model
	// Contaminated is the share of runs that are slowed on top, by an
	// exponential amount with a mean of 30 %.
	Contaminated float64
}

// slowdown is the mean of what a contaminated run takes longer.
const slowdown = 0.3

// round holds the logarithms of the times of the runs a b b' a'.
type round struct{ a, b, otherB, otherA float64 }

// difference is the mean of both b minus that of both a.
func (r round) difference() float64 { return (r.b + r.otherB - r.a - r.otherA) / 2 }

// stream makes rounds of identical code. What the two sides differ by, and what
// each side's runs differ by among themselves, are processes of their own with
// one law: what makes b look slower than a, makes b' look slower than b.
type stream struct {
	r                            *rand.Rand
	main, identicalA, identicalB noise.Process
	contaminated                 float64
}

func newStream(r *rand.Rand, c Condition) *stream {
	return &stream{r, c.Model.New(r), c.Model.New(r), c.Model.New(r), c.Contaminated}
}

func (s *stream) next() round {
	difference := draw(s.main)
	withinA, withinB := sqrt2*draw(s.identicalA), sqrt2*draw(s.identicalB)
	next := round{
		a: (-difference - withinA) / 2, otherA: (-difference + withinA) / 2,
		b: (difference - withinB) / 2, otherB: (difference + withinB) / 2,
	}
	if s.contaminated > 0 {
		for _, run := range []*float64{&next.a, &next.b, &next.otherB, &next.otherA} {
			if s.r.Float64() < s.contaminated {
				*run += slowdown * s.r.ExpFloat64()
			}
		}
	}
	return next
}

// draw is the next value of a process with the standard deviation of a round.
func draw(p noise.Process) float64 {
	first, second := p.Pair()
	return (second - first) * (roundSD / noise.SD)
}

// rounds returns the first rounds of a stream.
func (s *stream) rounds(count int) []round {
	all := make([]round, count)
	for i := range all {
		all[i] = s.next()
	}
	return all
}
