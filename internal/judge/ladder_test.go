package judge

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// correlatedUnits are rounds of a b b' a', one a unit, in which the noise of the
// machine resembles itself from unit to unit with a correlation rho. Arm 1 needs
// exp(shift) times as long.
func correlatedUnits(coin *rand.Rand, count int, rho, shift float64) []record.Unit {
	units := make([]record.Unit, count)
	level := [2]float64{coin.NormFloat64(), coin.NormFloat64()}
	for i := range units {
		unit := record.Unit{Purpose: record.Main, Index: i, Order: string("fb"[i%2])}
		for arm := range level {
			level[arm] = rho*level[arm] + math.Sqrt(1-rho*rho)*coin.NormFloat64()
		}
		for _, slot := range [][2]int{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
			ln := 0.03*level[slot[0]] + 0.005*coin.NormFloat64() + shift*float64(slot[0])
			unit.Cells = append(unit.Cells, record.Cell{Arm: slot[0], Replica: slot[1], N: 1, Wall: []int64{int64(1e9 * math.Exp(ln))}})
		}
		units[i] = unit
	}
	return units
}

func ladderPolicy() Policy {
	return Policy{Arm: 1, Metric: Wall, ErrorRate: 0.01, Margin: 0.01, Sequential: true, Ladder: Ladder()}
}

func TestLadderOfOneRungIsTheSequence(t *testing.T) {
	units := correlatedUnits(rand.New(rand.NewPCG(1, 2)), 30, 0, 0.05)
	p := ladderPolicy()
	p.Ladder = []Rung{{1, 1}}
	got := Judge(units, p)
	p.Ladder = nil
	want := Judge(units, p)
	if got.Low != want.Low || got.High != want.High || got.LogRatio != want.LogRatio || got.Verdict != want.Verdict || got.PValue != want.PValue {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestLadderMirrorsWithTheArms(t *testing.T) {
	units := correlatedUnits(rand.New(rand.NewPCG(3, 4)), 60, 0.5, 0.05)
	p := ladderPolicy()
	there := Judge(units, p)
	p.Base, p.Arm = 1, 0
	back := Judge(units, p)
	for _, d := range []float64{there.Low + back.High, there.High + back.Low, there.LogRatio + back.LogRatio, there.PValue - back.PValue} {
		if math.Abs(d) > 1e-12 {
			t.Errorf("there [%v %v], back [%v %v]", there.Low, there.High, back.Low, back.High)
		}
	}
}

// The interval of a ladder lies within that of each of its rungs at its share of
// the error rate, and the estimate lies within the interval.
func TestLadderIsTheIntersectionOfItsRungs(t *testing.T) {
	for seed := range uint64(50) {
		units := correlatedUnits(rand.New(rand.NewPCG(seed, 5)), 5+int(seed)*3, 0.6, 0.02)
		p := ladderPolicy()
		all := Judge(units, p)
		if all.LogRatio < all.Low || all.LogRatio > all.High {
			t.Errorf("estimate %v outside [%v %v]", all.LogRatio, all.Low, all.High)
		}
		for _, rung := range Ladder() {
			p.Ladder, p.ErrorRate = []Rung{rung}, 0.01/3
			if one := Judge(units, p); all.Low < one.Low-1e-12 || all.High > one.High+1e-12 {
				t.Errorf("%d units, rung %+v: [%v %v] outside [%v %v]", len(units), rung, all.Low, all.High, one.Low, one.High)
			}
		}
	}
}

func TestLadderWaitsForTheFirstLook(t *testing.T) {
	j := Judge(correlatedUnits(rand.New(rand.NewPCG(1, 1)), 4, 0, 1), ladderPolicy())
	if j.Verdict != record.Inconclusive || !math.IsInf(j.Low, -1) || j.UnitsNeeded == 0 {
		t.Errorf("after four units: %+v", j)
	}
}

// Rungs that contradict each other leave what lies between them, and so no
// verdict beyond it.
func TestContradictingRungs(t *testing.T) {
	at := func(low, high float64) ladderPart {
		return ladderPart{parts: []part{{bounds: func(float64) (float64, float64) { return low, high }}}}
	}
	if low, high := intersection([]ladderPart{at(-3, -1), at(1, 2)})(0.01); low != -1 || high != 1 {
		t.Errorf("got [%v %v]", low, high)
	}
	if low, high := intersection([]ladderPart{{}, at(1, 2)})(0.01); low != 1 || high != 2 {
		t.Errorf("a rung without evidence counts: [%v %v]", low, high)
	}
}

// Identical commands on noise that runs on across their starts: with a look
// after every one of 60 units, at nominal 1 %. The true rate is below 1 %, so
// that more than 8 of 300 come up in fewer than one of a thousand seeds. Units
// of one round without the ladder are wrong in a large part of the runs.
func TestLadderHoldsOnCorrelatedNoise(t *testing.T) {
	alarms := func(p Policy) int {
		wrong := 0
		for seed := range uint64(300) {
			units := correlatedUnits(rand.New(rand.NewPCG(seed, 9)), 60, 0.7, 0)
			for n := FirstLook; n <= len(units); n += 5 {
				if v := Judge(units[:n], p).Verdict; v == record.Faster || v == record.Slower {
					wrong++
					break
				}
			}
		}
		return wrong
	}
	p := ladderPolicy()
	if wrong := alarms(p); wrong > 8 {
		t.Errorf("the ladder is wrong in %d of 300 runs", wrong)
	}
	p.Ladder = nil
	if wrong := alarms(p); wrong < 20 {
		t.Errorf("without it %d of 300 are wrong: this noise tests nothing", wrong)
	}
}
