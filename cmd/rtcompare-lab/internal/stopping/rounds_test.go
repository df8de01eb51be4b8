package stopping

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// TestRounds compares the simulated rounds with their description: what the
// sides differ by, and what each side's runs differ by among themselves, have
// one scatter and one memory, and nothing to do with each other.
func TestRounds(t *testing.T) {
	const count = 200_000
	for _, c := range []struct {
		condition Condition
		lag1      float64
	}{
		{Condition{"iid", noise.White(), 0}, 0}, {Condition{"ar0.7", noise.AR(0.7), 0}, 0.7}, {Condition{"regime", noise.Regime(), 0}, 0.23},
	} {
		all := newStream(rand.New(rand.NewPCG(1, 1)), c.condition).rounds(count)
		differences, contrasts, product := make([]float64, count), make([]float64, count), 0.0
		for i, r := range all {
			differences[i] = r.difference()
			contrasts[i] = unitOf([]round{r}, i, medianOf).contrast
			product += differences[i] * contrasts[i] / (roundSD * roundSD) / count
		}
		for name, series := range map[string][]float64{"differences": differences, "contrasts": contrasts} {
			_, sd := stat.MeanAndSD(series)
			if lag1 := stat.Lag1(series); math.Abs(sd/roundSD-1) > 0.03 || math.Abs(lag1-c.lag1) > 0.015 {
				t.Errorf("%s: %s have a standard deviation of %.4f and a lag-1 of %.3f", c.condition.Name, name, sd, lag1)
			}
		}
		if math.Abs(product) > 0.03 {
			t.Errorf("%s: differences and contrasts are correlated by %.3f", c.condition.Name, product)
		}
	}
}

// TestSlowedRuns: a tenth of the runs is slower by 30 % on average, and the
// sides stay alike.
func TestSlowedRuns(t *testing.T) {
	const count = 100_000
	level, differences := 0.0, 0.0
	for _, r := range newStream(rand.New(rand.NewPCG(2, 1)), Condition{"slowed", noise.White(), 0.1}).rounds(count) {
		level += (r.a + r.b + r.otherA + r.otherB) / 4 / count
		differences += r.difference() / count
	}
	if math.Abs(level-0.03) > 0.001 || math.Abs(differences) > 0.002 {
		t.Errorf("the runs are slower by %.4f, the sides differ by %.4f", level, differences)
	}
}

func TestPilot(t *testing.T) {
	sizes := map[string]float64{}
	for _, c := range conditions() {
		for seed := range uint64(40) {
			all := newStream(rand.New(rand.NewPCG(seed, 1)), c).rounds(50)
			p := pilot{rounds: 50, times: 10, difference: true, most: 95}
			rounds, start := p.size(all)
			if rounds%2 != 0 || rounds < 2 || rounds > 96 || start != 50 {
				t.Fatalf("%s: units of %d rounds from round %d", c.Name, rounds, start)
			}
			p.reuse = true
			if again, start := p.size(all); again != rounds || start != 0 {
				t.Errorf("%s: units of %d rounds from round %d when the pilot is judged", c.Name, again, start)
			}
			sizes[c.Name] += float64(rounds) / 40
		}
	}
	if !(sizes["iid"] < sizes["ar0.46"] && sizes["ar0.46"] < sizes["ar0.8"]) {
		t.Errorf("units do not grow with the correlation: %v", sizes)
	}
}
