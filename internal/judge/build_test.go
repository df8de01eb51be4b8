package judge

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// cell is one arm's series with a thousand operations in a batch.
func cell(arm, replica int, wall ...int64) record.Cell {
	return record.Cell{Arm: arm, Replica: replica, N: 1000, Wall: wall}
}

func unit(purpose record.Purpose, cells ...record.Cell) record.Unit {
	return record.Unit{Purpose: purpose, Cells: cells}
}

// policy is how most of these tests judge arm 1 against arm 0.
func policy() Policy {
	return Policy{Arm: 1, Metric: Wall, ErrorRate: 0.05, Margin: math.Log1p(0.01)}
}

// source makes series of batches of about a millisecond.
type source struct {
	*rand.Rand
	// scatter is the relative scatter of a pair, memory the correlation of
	// neighbours, step the clock's step in nanoseconds.
	scatter, memory float64
	step            int64
}

func newSource(seed uint64) *source {
	return &source{Rand: rand.New(rand.NewPCG(seed, 1)), scatter: 0.01, step: 1}
}

// pair returns two series of n batches, the second slower by the log ratio.
func (s *source) pair(n int, logRatio float64) (first, second []int64) {
	first, second = make([]int64, n), make([]int64, n)
	noise, fresh := s.NormFloat64(), math.Sqrt(1-s.memory*s.memory)
	for i := range n {
		if i > 0 {
			noise = s.memory*noise + fresh*s.NormFloat64()
		}
		// What both suffer cancels in their ratio.
		common := 1e6 * math.Exp(0.02*s.NormFloat64())
		first[i] = s.rounded(common)
		second[i] = s.rounded(common * math.Exp(logRatio+s.scatter*noise))
	}
	return first, second
}

func (s *source) rounded(ns float64) int64 { return int64(ns) / s.step * s.step }

// series is a main unit of one replica.
func (s *source) series(n int, logRatio float64) record.Unit {
	a, b := s.pair(n, logRatio)
	return unit(record.Main, cell(0, 0, a...), cell(1, 0, b...))
}

// identical are runs of both arms against themselves.
func (s *source) identical(runs, n int) []record.Unit {
	units := make([]record.Unit, runs)
	for i := range units {
		a, a2 := s.pair(n, 0)
		b, b2 := s.pair(n, 0)
		units[i] = unit(record.AA, cell(0, 0, a...), cell(1, 0, b...), cell(1, 1, b2...), cell(0, 1, a2...))
	}
	return units
}

// fixed is a comparison by the published protocol.
func (s *source) fixed(runs, n int, logRatio float64) []record.Unit {
	return append(s.identical(runs, n), s.series(n, logRatio))
}

// nested are main units of two replicas. shift moves each unit as a whole.
func (s *source) nested(count, n int, logRatio, shift float64) []record.Unit {
	units := make([]record.Unit, count)
	for i := range units {
		d := logRatio + shift*s.NormFloat64()
		a, b := s.pair(n, d)
		a2, b2 := s.pair(n, d)
		units[i] = unit(record.Main, cell(0, 0, a...), cell(1, 0, b...), cell(1, 1, b2...), cell(0, 1, a2...))
	}
	return units
}

// swapped exchanges the arms.
func swapped(units []record.Unit) []record.Unit {
	turned := make([]record.Unit, len(units))
	for i, u := range units {
		turned[i] = u
		turned[i].Cells = nil
		for _, c := range u.Cells {
			c.Arm = 1 - c.Arm
			turned[i].Cells = append(turned[i].Cells, c)
		}
	}
	return turned
}

// near compares numbers that differ by rounding only.
func near(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= tolerance || (math.IsNaN(a) && math.IsNaN(b))
}

func codes(j record.Judgement) map[string]record.Warning {
	found := map[string]record.Warning{}
	for _, w := range j.Warnings {
		found[w.Code] = w
	}
	return found
}

// consistent holds a judgement against the rules that every one has to keep.
func consistent(t *testing.T, units []record.Unit, p Policy, j record.Judgement) {
	t.Helper()
	if math.IsNaN(j.Low) || math.IsNaN(j.High) || math.IsNaN(j.LogRatio) || math.IsNaN(j.PValue) || math.IsNaN(j.SmallestVisible) {
		t.Errorf("not a number in %+v", j)
	}
	if !(j.Low <= j.EquivalenceLow && j.EquivalenceLow <= j.EquivalenceHigh && j.EquivalenceHigh <= j.High) {
		t.Errorf("[%v, %v] does not hold [%v, %v]", j.Low, j.High, j.EquivalenceLow, j.EquivalenceHigh)
	}
	if !(j.Low <= j.LogRatio && j.LogRatio <= j.High) {
		t.Errorf("%v lies outside [%v, %v]", j.LogRatio, j.Low, j.High)
	}
	excludes := j.Low > 0 || j.High < 0
	if excludes != (j.PValue < p.ErrorRate) && !near(j.PValue, p.ErrorRate, 1e-9) {
		t.Errorf("p %v and [%v, %v] at error rate %v", j.PValue, j.Low, j.High, p.ErrorRate)
	}
	if j.Verdict == record.Faster && !(j.High < 0) || j.Verdict == record.Slower && !(j.Low > 0) {
		t.Errorf("verdict %s with [%v, %v]", j.Verdict, j.Low, j.High)
	}
	if (j.UnitsNeeded > 0) && j.Verdict != record.Inconclusive {
		t.Errorf("%d units needed although the verdict is %s", j.UnitsNeeded, j.Verdict)
	}
	if got := PAgainst(units, p, 0); got != j.PValue {
		t.Errorf("p against zero is %v and %v", got, j.PValue)
	}
}
