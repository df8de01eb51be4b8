package judge

import (
	"fmt"
	"math"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// drawn draws comparisons of every kind: one series or several units, with and
// without identical code, even and odd lengths, blocks, coarse clocks, wide
// scatter, effects of position, sequential or not.
func drawn(s *source) (units []record.Unit, p Policy) {
	units, p = drawnAlike(s)
	switch s.IntN(4) {
	case 0:
		units = ordered(units, 0)
	case 1:
		units = ordered(units, 0.3)
	}
	return units, p
}

func drawnAlike(s *source) (units []record.Unit, p Policy) {
	p = policy()
	p.ErrorRate = []float64{0.05, 0.01, 0.2}[s.IntN(3)]
	p.Tick = []float64{0, 1, 5000}[s.IntN(3)]
	s.step = []int64{1, 1, 5000}[s.IntN(3)]
	s.scatter = []float64{0.002, 0.01, 0.2}[s.IntN(3)]
	s.memory = []float64{0, 0.4}[s.IntN(2)]
	logRatio := []float64{0, 0.003, -0.05, 1}[s.IntN(4)]
	n := 11 + s.IntN(95)
	switch s.IntN(4) {
	case 0:
		p.BlockLength = s.IntN(6)
		return s.fixed(1+s.IntN(12), n, logRatio), p
	case 1:
		p.BlockLength = s.IntN(6)
		return []record.Unit{s.series(n, logRatio)}, p
	case 2:
		for range 2 + s.IntN(9) {
			units = append(units, s.series(n, logRatio))
		}
		return units, p
	}
	p.Sequential = s.IntN(2) == 0
	return s.nested(1+s.IntN(15), n/2+1, logRatio, 0.005), p
}

const draws = 300

func TestSwappedArmsMirrorTheJudgement(t *testing.T) {
	mirror := map[record.Verdict]record.Verdict{
		record.Faster: record.Slower, record.Slower: record.Faster, record.Equivalent: record.Equivalent,
		record.Inconclusive: record.Inconclusive, record.Unmeasurable: record.Unmeasurable,
	}
	verdicts := map[record.Verdict]int{}
	s := newSource(1)
	for draw := range draws {
		units, p := drawn(s)
		there := Judge(units, p)
		verdicts[there.Verdict]++
		consistent(t, units, p, there)
		turned := p
		turned.Base, turned.Arm = p.Arm, p.Base
		for name, back := range map[string]record.Judgement{"units": Judge(swapped(units), p), "policy": Judge(units, turned)} {
			what := fmt.Sprintf("draw %d, swapped %s, %+v", draw, name, p)
			pairs := map[string][2]float64{
				"log ratio": {there.LogRatio, -back.LogRatio}, "low": {there.Low, -back.High}, "high": {there.High, -back.Low},
				"equivalence low": {there.EquivalenceLow, -back.EquivalenceHigh}, "equivalence high": {there.EquivalenceHigh, -back.EquivalenceLow},
				"p": {there.PValue, back.PValue}, "smallest visible": {there.SmallestVisible, back.SmallestVisible},
				"spread": {there.IdenticalSpread, back.IdenticalSpread}, "resolution": {there.Resolution, back.Resolution},
			}
			for field, v := range pairs {
				if !near(v[0], v[1], 1e-12) {
					t.Errorf("%s: %s %v became %v", what, field, v[0], v[1])
				}
			}
			if back.Verdict != mirror[there.Verdict] || back.WithinMargin != there.WithinMargin || back.UnitsNeeded != there.UnitsNeeded || back.Tied != there.Tied {
				t.Errorf("%s: %+v became %+v", what, there, back)
			}
		}
		if t.Failed() {
			return
		}
	}
	for verdict := range mirror {
		if verdicts[verdict] == 0 {
			t.Errorf("no comparison was %s: %v", verdict, verdicts)
		}
	}
}

// A smaller error rate never makes the interval narrower.
func TestIntervalsAreMonotone(t *testing.T) {
	s := newSource(2)
	for draw := range draws {
		units, p := drawn(s)
		e := gather(units, p)
		interval := hull(partsOf(e, p))
		low, high := interval(1)
		if math.IsNaN(low) || math.IsNaN(high) {
			t.Fatalf("draw %d, %+v: [%v, %v] at error rate 1", draw, p, low, high)
		}
		for _, alpha := range []float64{0.9, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 1e-3, 1e-6, 1e-12, 1e-15} {
			l, h := interval(alpha)
			if !(l <= low && h >= high) {
				t.Fatalf("draw %d, %+v: [%v, %v] at error rate %v lies inside [%v, %v]", draw, p, l, h, alpha, low, high)
			}
			low, high = l, h
		}
	}
}

// The p-value against any bound is the error rate at which the interval
// touches it.
func TestPAgainstIsTheInverseOfTheInterval(t *testing.T) {
	s := newSource(3)
	for draw := range draws {
		units, p := drawn(s)
		interval := hull(partsOf(gather(units, p), p))
		for _, bound := range []float64{0, p.Margin, -p.Margin, 0.5} {
			v := PAgainst(units, p, bound)
			holds := func(alpha float64) bool { low, high := interval(alpha); return low <= bound && bound <= high }
			switch {
			case v < 0 || v > 1:
				t.Fatalf("draw %d: p is %v", draw, v)
			case v == 0 && holds(2e-15), v > 0 && !holds(v*0.999), v < 1 && v > 0 && holds(min(1, v*1.001)):
				t.Fatalf("draw %d, %+v: p %v against %v is not where the interval touches it", draw, p, v, bound)
			}
		}
	}
}

func TestPAgainstNothing(t *testing.T) {
	if got := PAgainst(nil, policy(), 0); got != 1 {
		t.Errorf("p %v without units", got)
	}
	dead := []record.Unit{unit(record.Main, cell(0, 0, 0, 0, 0), cell(1, 0, 1, 1, 1))}
	if got := PAgainst(dead, policy(), 0); got != 1 {
		t.Errorf("p %v with times of zero", got)
	}
}
