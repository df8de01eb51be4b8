package simulation

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
)

// TestRunningFollowsTheJudge asks both at every look, under several noises and
// truths, for the verdict and for the interval.
func TestRunningFollowsTheJudge(t *testing.T) {
	models := []noise.Model{noise.White(), noise.AR(0.7), noise.Regime(), noise.Contaminated(0.2)}
	for seed := range uint64(24) {
		m := models[seed%4]
		truth := []float64{0, 0.004, margin}[seed%3]
		s := trial.NewSequence(rand.New(rand.NewPCG(seed, 5)), m, truth)
		r := running{policy: trial.SequentialPolicy()}
		var units []record.Unit
		for look := 1; look <= 60; look++ {
			medians := s.Medians()
			r.add(medians)
			units = append(units, s.Unit(medians))
			j := judge.Judge(units, r.policy)
			if v, distance := r.verdict(); v != j.Verdict && distance > 1e-6 {
				t.Fatalf("%s, truth %g, look %d: %s, the judge says %s (%+v)", m.Name, truth, look, v, j.Verdict, j)
			}
			if low, high := r.mean-r.half(r.policy.ErrorRate), r.mean+r.half(r.policy.ErrorRate); !near(low, j.Low) || !near(high, j.High) {
				t.Fatalf("%s, look %d: [%g, %g], the judge says [%g, %g]", m.Name, look, low, high, j.Low, j.High)
			}
		}
	}
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-10 }

// TestSmallUnitsStandForWholeOnes: a unit enters the judgement by its medians
// only, so one pair per replica that has them is judged alike.
func TestSmallUnitsStandForWholeOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	whole := trial.NewSequence(r, noise.AR(0.5), 0.003)
	small := trial.NewSequence(r, noise.White(), 0)
	var long, short []record.Unit
	for range 12 {
		u := whole.Whole(100)
		long = append(long, u)
		short = append(short, small.Unit(trial.MediansOf(u)))
	}
	a, b := judge.Judge(long, trial.SequentialPolicy()), judge.Judge(short, trial.SequentialPolicy())
	for _, pair := range [][2]float64{
		{a.LogRatio, b.LogRatio}, {a.Low, b.Low}, {a.High, b.High}, {a.EquivalenceLow, b.EquivalenceLow},
		{a.IdenticalSpread, b.IdenticalSpread}, {a.SmallestVisible, b.SmallestVisible},
	} {
		if !near(pair[0], pair[1]) {
			t.Errorf("%.12g of the whole units is %.12g of the small ones", pair[0], pair[1])
		}
	}
	if a.Verdict != b.Verdict {
		t.Errorf("%s and %s", a.Verdict, b.Verdict)
	}
}
