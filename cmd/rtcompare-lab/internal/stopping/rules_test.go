package stopping

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
)

// TestRulesAgree asks the judge and finefile's rule themselves at many looks.
func TestRulesAgree(t *testing.T) {
	setup := Setup{Plan: trial.Plan{Seed: 5, Parallel: 2}, Trials: 100, Rounds: 400}
	bar := setup.agreementBar(conditions(), newMaker(400))
	if bar.Measured != 0 || bar.Trials < 2000 {
		t.Errorf("%g of %d looks disagree", bar.Measured, bar.Trials)
	}
}

// TestRulesAgreeWithEffectOfPosition: what runs second is slower, so the judge
// takes that off.
func TestRulesAgreeWithEffectOfPosition(t *testing.T) {
	all := newStream(rand.New(rand.NewPCG(9, 1)), Condition{"iid", noise.White(), 0}).rounds(400)
	plain := unitOf(all[:32], 0, medianOf)
	for i := range all {
		if i%2 == 0 {
			all[i].b, all[i].otherA = all[i].b+0.2, all[i].otherA+0.2
		} else {
			all[i].a, all[i].otherB = all[i].a+0.2, all[i].otherB+0.2
		}
	}
	moved := unitOf(all[:32], 0, medianOf)
	if math.Abs(moved.main-plain.main) > 0.02 {
		t.Errorf("the effect stays in: %+v without, %+v with it", plain, moved)
	}
	m := newMaker(400)
	for _, rounds := range []int{8, 16, 32} {
		if a := m.plain("", fixed(rounds)).agreement(all, 0.01); a.disagreed != 0 || a.asked < 3 {
			t.Errorf("units of %d rounds: %+v", rounds, a)
		}
	}
}

// TestMirror: when the sides change places, so do the answers.
func TestMirror(t *testing.T) {
	m := newMaker(300)
	for seed := range uint64(20) {
		all := newStream(rand.New(rand.NewPCG(seed, 3)), Condition{"ar0.7", noise.AR(0.7), 0.1}).rounds(300)
		swapped := make([]round, len(all))
		for i, r := range all {
			swapped[i] = round{a: r.b, b: r.a, otherA: r.otherB, otherB: r.otherA}
		}
		tracked, mirror := newTrack(all), newTrack(swapped)
		for _, rule := range append(m.compared(300), m.candidates(300)...) {
			for _, shift := range []float64{0, 0.01, 0.05, 0.3} {
				answer, rounds := rule.follow(tracked).ending(shift)
				other, otherRounds := rule.follow(mirror).ending(-shift)
				mirrored := map[Answer]Answer{Slower: Faster, Faster: Slower, Same: Same, None: None}[answer]
				if other != mirrored || rounds != otherRounds && answer != None {
					t.Errorf("%s, shift %g: answer %d after %d, swapped %d after %d", rule.Name(), shift, answer, rounds, other, otherRounds)
				}
			}
		}
	}
}

// TestBounds: what intervals agree on, and what lies between those that do not.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		intervals [][2]float64 // estimate and half-width
		want      bounds
	}{
		{nil, everything()},
		{[][2]float64{{1, 2}}, bounds{-1, 3}},
		{[][2]float64{{1, 2}, {2, 2}, {1, 10}}, bounds{0, 3}},
		{[][2]float64{{-2, 1}, {2, 1}}, bounds{-1, 1}},
		{[][2]float64{{2, math.Inf(1)}, {0, 1}}, bounds{-1, 1}},
	} {
		b := everything()
		for _, interval := range c.intervals {
			b.narrow(interval[0], interval[1])
		}
		if got := (bounds{b.lower(), b.upper()}); got != c.want {
			t.Errorf("%v: %v, want %v", c.intervals, got, c.want)
		}
	}
}

// TestFalseAlarms: 400 comparisons of identical commands under noise with a
// memory. At the bar of 1.5 % the standard error is 0.6 points, so that a
// correct ladder exceeds three of them in fewer than one of a thousand seeds.
// Units of one round, and finefile's rule under the slow noise, are far beyond.
func TestFalseAlarms(t *testing.T) {
	setup := Setup{Plan: trial.Plan{Seed: 1, Parallel: 2}, Trials: 400, Rounds: 1000}
	m := newMaker(1000)
	rules := []Rule{m.recommended(), m.plain("1 round", fixed(1)), JZS(jzsName, 0, 1000)}
	r := setup.measure([]Condition{{"ar0.8", noise.AR(0.8), 0}, {"wander", noise.Wander(), 0}}, rules)
	ladder, single, finefile := r.falseRates(0), r.falseRates(1), r.falseRates(2)
	if slices.Max(ladder) > 0.033 {
		t.Errorf("the ladder calls identical commands different in %v of the comparisons", ladder)
	}
	if slices.Min(single) < 0.4 {
		t.Errorf("units of one round do so in %v only", single)
	}
	if finefile[1] < 0.15 {
		t.Errorf("finefile's rule does so in %v only", finefile)
	}
	if cost := r.cost(0, 0, 4); cost > 10 {
		t.Errorf("the ladder needs %.1f rounds for 33%%", cost)
	}
}

func TestFrontier(t *testing.T) {
	candidates := []candidate{
		{worst: 0.01, costs: []float64{10, 20}}, {worst: 0.02, costs: []float64{10, 20}}, {worst: 0.02, costs: []float64{9, 30}}, {worst: 0.01, costs: []float64{10, 20}},
	}
	var marks []string
	for i := range candidates {
		marks = append(marks, mark(candidates, i))
	}
	if want := []string{"*", "", "*", "*"}; !slices.Equal(marks, want) {
		t.Errorf("%q, want %q", marks, want)
	}
}
