package trial

import (
	"math"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// UnitPairs is the number of pairs in a unit of the sequential protocol, half
// of them from each replica.
const UnitPairs = 200

// SequentialPolicy is how the library judges a comparison with a Budget.
func SequentialPolicy() judge.Policy {
	return judge.Policy{
		Arm: 1, Metric: judge.Wall, ErrorRate: 1 - rtcompare.DefaultBudgetLevel, Margin: math.Log1p(rtcompare.DefaultMargin),
		Tick: 1, BlockLength: 1, Sequential: true,
	}
}

// Sequence is a simulated comparison by the sequential protocol, unit by unit.
// The comparison and each arm's comparison with itself have a process of their
// own, and each goes on from unit to unit.
type Sequence struct {
	clock     clock
	main      noise.Process
	identical [2]noise.Process
	truth     float64
	index     int
}

// NewSequence starts one. truth is the true ln(arm/base).
func NewSequence(r *rand.Rand, m noise.Model, truth float64) *Sequence {
	return &Sequence{
		clock: newClock(m, r), main: m.New(r), identical: [2]noise.Process{m.New(r), m.New(r)}, truth: truth,
	}
}

// Medians are what a unit enters the judgement by: the median log ratio of its
// pairs, and those of the base with itself and of the arm with itself.
type Medians struct {
	Main      float64
	Identical [2]float64
}

// Medians measures the next unit.
func (s *Sequence) Medians() Medians {
	m := Medians{Main: s.median(s.main, UnitPairs, s.truth)}
	for arm, process := range s.identical {
		m.Identical[arm] = s.median(process, UnitPairs/2, 0)
	}
	return m
}

func (s *Sequence) median(p noise.Process, pairs int, truth float64) float64 {
	if s.clock.tick > 1 {
		return stat.MedianInPlace(logRatios(s.clock.series(p, alternating(pairs), truth)))
	}
	ratios := make([]float64, pairs)
	for i := range ratios {
		first, second := p.Pair()
		ratios[i] = second - first + truth
	}
	return stat.MedianInPlace(ratios)
}

// Unit returns a unit with one pair of each replica that has these medians.
// Because a unit enters by its medians only, it is judged like one with all the
// pairs. The second replica is slower than the first by what identical code
// showed; the first lies so that the mean of the two pairs is the median.
func (s *Sequence) Unit(m Medians) record.Unit {
	base, arm := m.Identical[0], m.Identical[1]
	lead := m.Main - (arm-base)/2
	u := record.Unit{Purpose: record.Main, Index: s.index, Cells: []record.Cell{
		single(0, 0, 0), single(1, 0, lead), single(1, 1, lead+arm), single(0, 1, base),
	}}
	s.index++
	return u
}

func single(arm, replica int, logarithm float64) record.Cell {
	// A larger unit of time than elsewhere: medians differ by less than times.
	const long = 1e14
	return cell(arm, replica, []int64{int64(math.Round(long * math.Exp(logarithm)))})
}

// Whole measures the next unit with a number of rounds, and returns it with all
// its pairs. The four cells come from the processes as far as four cells can:
// the arm's second replica follows from the other three.
func (s *Sequence) Whole(rounds int) record.Unit {
	var cells [4][]int64
	order := alternating(rounds)
	for range rounds {
		first, second := s.main.Pair()
		_, base := s.identical[0].Pair()
		_, arm := s.identical[1].Pair()
		for i, logarithm := range []float64{first, second + s.truth, second + s.truth + arm, first + base} {
			cells[i] = append(cells[i], s.clock.read(logarithm))
		}
	}
	s.index++
	return record.Unit{Purpose: record.Main, Index: s.index - 1, Order: order, Cells: []record.Cell{
		cell(0, 0, cells[0]), cell(1, 0, cells[1]), cell(1, 1, cells[2]), cell(0, 1, cells[3]),
	}}
}

// MediansOf returns what a unit with two replicas enters the judgement by.
func MediansOf(u record.Unit) Medians {
	var main []float64
	var m Medians
	for replica := range 2 {
		main = append(main, logRatios(u.Find(0, replica).Wall, u.Find(1, replica).Wall)...)
	}
	m.Main = stat.MedianInPlace(main)
	for arm := range 2 {
		m.Identical[arm] = stat.MedianInPlace(logRatios(u.Find(arm, 0).Wall, u.Find(arm, 1).Wall))
	}
	return m
}
