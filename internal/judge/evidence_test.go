package judge

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// With 101 pairs and little else the interval is the exact rank interval: the
// 41st and the 61st value.
func TestOneSeriesContainsTheRankInterval(t *testing.T) {
	s := newSource(6)
	main := s.series(101, 0.02)
	ratios, _ := logRatios(&main.Cells[0], &main.Cells[1], Wall)
	slices.Sort(ratios)
	units := append(spreadUnits(40, 1e-5), main)
	j := Judge(units, policy())
	if !near(j.Low, ratios[40], 1e-9) || !near(j.High, ratios[60], 1e-9) {
		t.Errorf("[%v, %v], want [%v, %v]", j.Low, j.High, ratios[40], ratios[60])
	}
	if !near(j.LogRatio, ratios[50], 1e-12) || j.Units != 1 || j.Pairs != 101 || j.Identical != 80 {
		t.Errorf("%+v", j)
	}
}

// The differences of identical code set the width where they are larger: t
// with as many degrees of freedom as there are runs, times their root mean
// square.
func TestIdenticalCodeIsPartOfTheInterval(t *testing.T) {
	units := append(spreadUnits(8, 0.03), newSource(7).series(101, 0.2))
	j := Judge(units, policy())
	half := stat.StudentQuantile(0.975, 16) * 0.03
	if !near(j.High-j.LogRatio, half, 1e-6) || !near(j.LogRatio-j.Low, half, 1e-6) || !near(j.IdenticalSpread, 0.03, 1e-6) {
		t.Errorf("[%v, %v] around %v, want ± %v", j.Low, j.High, j.LogRatio, half)
	}
}

func TestWithoutIdenticalCodeTheIntervalIsWiderAndTheTextSaysSo(t *testing.T) {
	for _, n := range []int{30, 101} {
		s := newSource(8)
		s.memory = 0.6
		main := s.series(n, 0.02)
		with := Judge(append(spreadUnits(40, 1e-5), main), policy())
		without := Judge([]record.Unit{main}, policy())
		if !(without.High-without.Low > with.High-with.Low) {
			t.Errorf("%d pairs: [%v, %v] is not wider than [%v, %v]", n, without.Low, without.High, with.Low, with.High)
		}
		if _, said := codes(without)[CodeNoIdentical]; !said || without.Identical != 0 {
			t.Errorf("%d pairs: warnings %v", n, without.Warnings)
		}
		if _, said := codes(with)[CodeNoIdentical]; said {
			t.Errorf("%d pairs: warned in spite of identical code", n)
		}
	}
}

// One and a half steps of the clock are always inside, at any error rate.
func TestTicksProveNothing(t *testing.T) {
	p := policy()
	p.Tick, p.ErrorRate = 1000, 0.9
	for _, units := range [][]record.Unit{
		append(spreadUnits(10, 1e-6), unit(record.Main, cell(0, 0, repeat(101, 1e6)...), cell(1, 0, repeat(101, 1_001_000)...))),
		newSource(9).nested(6, 20, 0, 0),
	} {
		j := Judge(units, p)
		want := math.Log1p(1.5 * 1000 / 1e6)
		if !near(j.Resolution, want, 1e-4) || j.High-j.LogRatio < want*0.99 || j.LogRatio-j.Low < want*0.99 {
			t.Errorf("[%v, %v] around %v, resolution %v, want %v", j.Low, j.High, j.LogRatio, j.Resolution, want)
		}
	}
}

func TestSeveralUnitsAreATest(t *testing.T) {
	units := make([]record.Unit, 4)
	x := []float64{0.10, 0.12, 0.11, 0.13}
	for i := range units {
		second := int64(math.Round(1e9 * math.Exp(x[i])))
		units[i] = unit(record.Main, cell(0, 0, repeat(5, 1e9)...), cell(1, 0, repeat(5, second)...))
	}
	j := Judge(units, policy())
	mean, low, high := stat.MeanInterval(x, 0.95)
	if !near(j.LogRatio, mean, 1e-8) || !near(j.Low, low, 1e-8) || !near(j.High, high, 1e-8) || j.Units != 4 {
		t.Errorf("%v [%v, %v], want %v [%v, %v]", j.LogRatio, j.Low, j.High, mean, low, high)
	}
	p := policy()
	p.Sequential = true
	// A run that may stop at any unit pays for it.
	if s := Judge(units, p); !(s.Low < j.Low && s.High > j.High) {
		t.Errorf("[%v, %v] is not wider than [%v, %v]", s.Low, s.High, j.Low, j.High)
	}
}

func TestNoSequentialVerdictBeforeTheFirstLook(t *testing.T) {
	s := newSource(10)
	all := s.nested(8, 40, 1, 0.0001)
	p := policy()
	p.Sequential, p.ErrorRate = true, 0.01
	for count := 1; count <= len(all); count++ {
		j := Judge(all[:count], p)
		consistent(t, all[:count], p, j)
		want := record.Slower
		if count < FirstLook {
			want = record.Inconclusive
		}
		if j.Verdict != want {
			t.Errorf("%d units: %s", count, j.Verdict)
		}
		if count < FirstLook && j.UnitsNeeded <= count {
			t.Errorf("%d units: %d are needed", count, j.UnitsNeeded)
		}
	}
}

// A difference of identical code that returns in every unit stays, however many
// units there are.
func TestABiasDoesNotShrinkWithTheUnits(t *testing.T) {
	units := newSource(11).nested(40, 40, 0.02, 0)
	for i := range units {
		second := units[i].Find(0, 1)
		for k := range second.Wall {
			second.Wall[k] = second.Wall[k] * 103 / 100
		}
	}
	j := Judge(units, policy())
	if bias := j.High - j.LogRatio; bias < 0.014 || bias > 0.03 {
		// Half of the pairs carry the bias of one replica.
		t.Errorf("half-width %v with a bias of 0.03 in one of two replicas", bias)
	}
	if w, said := codes(j)[CodeHarnessBias]; !said || w.Arm != 0 || !near(w.Values["bias"], 0.03, 0.002) {
		t.Errorf("warnings %+v", j.Warnings)
	}
}

func TestWarnings(t *testing.T) {
	s := newSource(12)
	drift := s.nested(20, 30, 0, 0)
	for i := range drift {
		for c := range drift[i].Cells {
			for k := range drift[i].Cells[c].Wall {
				if drift[i].Cells[c].Arm == 1 {
					drift[i].Cells[c].Wall[k] += int64(5000 * i)
				}
			}
		}
	}
	ties := s.series(101, 0.2)
	for i := range 8 {
		ties.Cells[1].Wall[i] = ties.Cells[0].Wall[i]
	}
	few := s.series(101, 0.2)
	for i := range 4 {
		few.Cells[1].Wall[i] = few.Cells[0].Wall[i]
	}
	tests := []struct {
		name  string
		units []record.Unit
		code  string
		want  bool
	}{
		{"ties", []record.Unit{ties}, CodeTied, true},
		{"few ties", []record.Unit{few}, CodeTied, false},
		{"runs differ more than the scatter explains", append(spreadUnits(10, 0.05), s.series(101, 0)), CodeRunsDiffer, true},
		{"runs differ as the scatter says", s.fixed(20, 101, 0), CodeRunsDiffer, false},
		{"units resemble each other", drift, CodeUnitsCorrelated, true},
		{"independent units", s.nested(20, 30, 0, 0.01), CodeUnitsCorrelated, false},
		{"too few units to tell", drift[:11], CodeUnitsCorrelated, false},
		{"no bias", s.fixed(20, 51, 0), CodeHarnessBias, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := Judge(tt.units, policy())
			if _, said := codes(j)[tt.code]; said != tt.want {
				t.Errorf("warnings %+v", j.Warnings)
			}
			for _, w := range j.Warnings {
				for name, v := range w.Values {
					if math.IsNaN(v) || math.IsInf(v, 0) {
						t.Errorf("%s: %s is %v", w.Code, name, v)
					}
				}
			}
		})
	}
}

// Whatever little was measured, no bound is undefined.
func TestLittleEvidenceGivesWideBounds(t *testing.T) {
	for n := 1; n <= 12; n++ {
		for _, sequential := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d pairs, sequential %v", n, sequential), func(t *testing.T) {
				p := policy()
				p.Sequential = sequential
				s := newSource(uint64(n))
				for _, units := range [][]record.Unit{{s.series(n, 0.01)}, s.fixed(1, n, 0.01), s.fixed(2, n, 0.01), s.nested(1, n, 0.01, 0), s.nested(2, n, 0.01, 0)} {
					j := Judge(units, p)
					consistent(t, units, p, j)
					if n < 5 && len(units) == 1 && (j.Verdict == record.Faster || j.Verdict == record.Slower) {
						t.Errorf("%s after %d pairs", j.Verdict, n)
					}
				}
			})
		}
	}
}

// Replicas of one arm only still say something.
func TestOneArmWithoutReplica(t *testing.T) {
	s := newSource(13)
	for _, missing := range []int{0, 1} {
		units := s.nested(6, 30, 0.02, 0.001)
		for i := range units {
			units[i].Cells = slices.DeleteFunc(units[i].Cells, func(c record.Cell) bool { return c.Arm == missing && c.Replica == 1 })
		}
		j := Judge(units, policy())
		consistent(t, units, policy(), j)
		if j.Identical != 6 || j.Pairs != 6*30 || math.IsInf(j.Low, 0) {
			t.Errorf("%+v", j)
		}
	}
}

// Stretches with collections are judged pair by pair, so that two replicas of a
// unit count as two.
func TestCostUnitsCountPerReplica(t *testing.T) {
	var units []record.Unit
	for i := range int64(4) {
		units = append(units, unit(record.Cost, cell(0, 0, 1e6+i), cell(1, 0, 2e6-i*100), cell(1, 1, 2e6+i*300), cell(0, 1, 1e6-i)))
	}
	p := policy()
	p.Purpose = record.Cost
	j := Judge(units, p)
	if j.Units != 8 || j.Pairs != 8 || j.Identical != 8 || j.Verdict != record.Slower {
		t.Errorf("%+v", j)
	}
}

func TestUnitsNeededShrinksTowardsTheAnswer(t *testing.T) {
	s := newSource(14)
	p := policy()
	p.Sequential, p.ErrorRate = true, 0.01
	units := s.nested(8, 40, 0.004, 0.01)
	j := Judge(units, p)
	if j.Verdict != record.Inconclusive || j.UnitsNeeded <= 8 {
		t.Fatalf("%s, %d units needed", j.Verdict, j.UnitsNeeded)
	}
	// Four times as wide needs sixteen times as many, as long as the estimate stays.
	wide := record.Judgement{LogRatio: 0.01, Low: -0.03, High: 0.05}
	narrow := record.Judgement{LogRatio: 0.01, Low: 0, High: 0.02}
	if a, b := unitsNeeded(&wide, 10, 0.001), unitsNeeded(&narrow, 10, 0.001); a != 160 || b != 11 {
		t.Errorf("%d and %d units needed", a, b)
	}
	unbounded := record.Judgement{Low: math.Inf(-1), High: math.Inf(1)}
	if got := unitsNeeded(&unbounded, 1, 0.01); got != 2*FirstLook {
		t.Errorf("%d units needed without bounds", got)
	}
}

func TestSmallestVisibleGrowsWithNoise(t *testing.T) {
	s := newSource(15)
	quiet := Judge(s.fixed(20, 101, 0), policy())
	s.scatter = 0.05
	loud := Judge(s.fixed(20, 101, 0), policy())
	if !(loud.SmallestVisible > 3*quiet.SmallestVisible) || !(quiet.SmallestVisible > (quiet.High-quiet.Low)/2*0.9) {
		t.Errorf("visible %v and %v", quiet.SmallestVisible, loud.SmallestVisible)
	}
}
