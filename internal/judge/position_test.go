package judge

import (
	"math"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// ordered says that the rounds of units ran in alternating direction, and makes
// whatever came second in its pair slower by the effect.
func ordered(units []record.Unit, effect float64) []record.Unit {
	for i := range units {
		u := &units[i]
		for replica := 0; replica < 2; replica++ {
			a, b := u.Find(0, replica), u.Find(1, replica)
			if a == nil || b == nil {
				continue
			}
			u.Order = strings.Repeat("fb", (len(a.Wall)+1)/2)[:len(a.Wall)]
			for k := range a.Wall {
				second := b
				if (u.Order[k] == 'f') != (replica == 0) {
					second = a
				}
				second.Wall[k] = int64(float64(second.Wall[k]) * math.Exp(effect))
			}
		}
	}
	return units
}

func TestTheEffectOfPositionIsTakenOut(t *testing.T) {
	const truth, effect = 0.05, 0.2
	s := newSource(20)
	for name, units := range map[string][]record.Unit{
		"one series":     append(spreadUnits(40, 1e-5), ordered([]record.Unit{s.series(101, truth)}, effect)...),
		"several units":  ordered(s.nested(8, 50, truth, 0.001), effect),
		"backward first": append(spreadUnits(40, 1e-5), reversed(ordered([]record.Unit{s.series(100, truth)}, effect))...),
	} {
		j := Judge(units, policy())
		if !near(j.LogRatio, truth, 0.01) || j.High-j.Low > 0.02 || j.Verdict != record.Slower {
			t.Errorf("%s: %v [%v, %v]", name, j.LogRatio, j.Low, j.High)
		}
		if w, said := codes(j)[CodePosition]; !said || !near(math.Abs(w.Values["effect"]), effect, 0.01) {
			t.Errorf("%s: warnings %+v", name, j.Warnings)
		}
	}
}

// reversed turns what is said about the order around.
func reversed(units []record.Unit) []record.Unit {
	for i := range units {
		units[i].Order = strings.NewReplacer("f", "b", "b", "f").Replace(units[i].Order)
		units[i].Cells[0], units[i].Cells[1] = units[i].Cells[1], units[i].Cells[0]
	}
	return units
}

func TestAnEffectThatIsNotClearStays(t *testing.T) {
	s := newSource(21)
	tests := []struct {
		name  string
		units []record.Unit
	}{
		{"none", ordered([]record.Unit{s.series(101, 0)}, 0)},
		{"too few rounds", ordered([]record.Unit{s.series(13, 0)}, 0.2)},
		{"an order that is not known", func() []record.Unit {
			u := ordered([]record.Unit{s.series(101, 0)}, 0.2)
			u[0].Order = ""
			return u
		}()},
		{"one direction only", func() []record.Unit {
			u := []record.Unit{s.series(101, 0)}
			u[0].Order = strings.Repeat("f", 101)
			return u
		}()},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := gather(tt.units, policy())
			plain := tt.units
			plain[0].Order = ""
			if without := gather(plain, policy()); e.effect != 0 || e.units[0] != without.units[0] {
				t.Errorf("an effect of %v was taken out", e.effect)
			}
		})
	}
}

// Identical code meets the same effect, and shows no difference for it.
func TestIdenticalCodeIsFreedOfPosition(t *testing.T) {
	s := newSource(22)
	units := s.fixed(20, 101, 0)
	for i := range units[:20] {
		u := &units[i]
		u.Order = strings.Repeat("fb", 51)[:101]
		for arm := range 2 {
			first, second := u.Find(arm, 0), u.Find(arm, 1)
			for k := range first.Wall {
				late := second
				if u.Order[k] == 'b' {
					late = first
				}
				late.Wall[k] = late.Wall[k] * 12 / 10
			}
		}
	}
	if j := Judge(units, policy()); j.IdenticalSpread > 0.005 {
		t.Errorf("identical code differs by %v", j.IdenticalSpread)
	}
	ratios := PairRatios(&units[0], units[0].Find(0, 0), units[0].Find(0, 1))
	for i, r := range ratios {
		if r < 0.9 || r > 1.1 {
			t.Fatalf("ratio %d is %v", i, r)
		}
	}
}

func TestPairRatios(t *testing.T) {
	a, b := cell(0, 0, 100, 0, 200, 0), cell(0, 1, 150, 0, 0, 7, 9)
	u := unit(record.AA, a, b)
	got := PairRatios(&u, &u.Cells[0], &u.Cells[1])
	if len(got) != 4 || !near(got[0], 1.5, 1e-12) || got[1] != 1 || got[2] != 0 || !math.IsInf(got[3], 1) {
		t.Errorf("ratios %v", got)
	}
	double := cell(0, 1, 150)
	double.N = 2000
	u = unit(record.AA, a, double)
	if got := PairRatios(&u, &u.Cells[0], &u.Cells[1]); len(got) != 1 || !near(got[0], 0.75, 1e-12) {
		t.Errorf("ratios %v of different sizes", got)
	}
}

// Runs of identical code that are longer than the series scatter less than it
// does: only as many pairs of them count.
func TestLongRunsOfIdenticalCodeAreCut(t *testing.T) {
	s := newSource(23)
	long := s.identical(30, 404)
	main := s.series(26, 0)
	cut := Judge(append(long, main), policy()).IdenticalSpread
	same := Judge(append(s.identical(30, 26), main), policy()).IdenticalSpread
	if full := Judge(append(long, s.series(404, 0)), policy()).IdenticalSpread; cut < 2*full || cut > 2*same || same > 2*cut {
		t.Errorf("spreads %v cut, %v of runs as long, %v of all", cut, same, full)
	}
}
