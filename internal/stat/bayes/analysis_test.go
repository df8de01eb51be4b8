package bayes

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// unbatched is a rule for independent rounds with a margin.
func unbatched(minEffect float64) Rule {
	r := DefaultRule()
	r.BatchRounds, r.MinRounds, r.MinEffect = 1, 2, minEffect
	return r
}

// analysed is the analysis of differences that have one.
func analysed(t *testing.T, differences []float64, r Rule) Analysis {
	t.Helper()
	a, ok := Analyse(differences, r)
	if !ok {
		t.Fatalf("%v: no analysis", differences)
	}
	return a
}

func repeated(value float64, count int) []float64 {
	x := make([]float64, count)
	for i := range x {
		x[i] = value
	}
	return x
}

func TestAnalyseNeedsTwoBatches(t *testing.T) {
	r := DefaultRule()
	for _, x := range [][]float64{nil, {0.1}, repeated(0.1, 7)} {
		if _, ok := Analyse(x, r); ok {
			t.Errorf("%d rounds have an analysis", len(x))
		}
	}
	if _, ok := Analyse(repeated(0.1, 8), r); !ok {
		t.Error("two batches have none")
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if a, ok := Analyse([]float64{0.1, bad, 0.2}, unbatched(0)); ok {
			t.Errorf("%v has an analysis: %+v", bad, a)
		}
	}
}

func TestAnalyseKnownSeries(t *testing.T) {
	a := analysed(t, []float64{0.10, 0.11, 0.09, 0.12, 0.10}, unbatched(0.01))
	if !near(a.LogRatio, 0.104, 1e-12) || !(a.Different > 0.99) || !(a.Practical > 0.99) {
		t.Errorf("a clear difference: %+v", a)
	}
	if a = analysed(t, []float64{0.01, -0.02, 0.005, -0.011, 0}, unbatched(0)); !(a.Different < 0.5) || a.HasMargin || a.Practical != 0 {
		t.Errorf("no difference: %+v", a)
	}
	if a = analysed(t, repeated(0.002, 8), unbatched(0.05)); !(a.Different > 0.99) || a.Practical > 1e-6 {
		t.Errorf("a small difference without scatter: %+v", a)
	}
	if a = analysed(t, []float64{1.79, 1.81}, unbatched(0.01)); !(a.Practical > 0.5 && a.Practical < 0.9) {
		t.Errorf("two values close together: %+v", a)
	}
	wave := make([]float64, 16)
	for i := range wave {
		wave[i] = 0.004 * math.Cos(float64(i))
	}
	r := DefaultRule()
	if a = analysed(t, wave, r); a.Practical > 0.01 {
		t.Errorf("a wave far within the margin: %+v", a)
	}
}

// TestAnalyseAgainstReference holds both probabilities and the interval against
// values that were computed with other software.
func TestAnalyseAgainstReference(t *testing.T) {
	margins := map[string]float64{"0.001": 0.001, "0.00995033085316808": math.Log1p(0.01), "0.02": 0.02, "0.05": 0.05}
	for _, c := range loadReference(t).RawScale.Cases {
		for name, margin := range margins {
			r := unbatched(math.Expm1(margin))
			r.PriorScale = c.Rscale
			a, ok := weigh(c.Mean, c.SD, c.N, c.N, r)
			if !ok || !near(a.Factor(), c.Bf10, 1e-9) || math.Abs(a.Different-c.PDifferent) > 1e-9 {
				t.Errorf("mean %g, n %d: %+v", c.Mean, c.N, a)
			}
			if math.Abs(a.Practical-c.PPractical[name]) > 1e-9 || math.Abs(a.Practical/a.Different-c.PFlat[name]) > 1e-9 {
				t.Errorf("mean %g, n %d, margin %s: %v, want %v", c.Mean, c.N, name, a.Practical, c.PPractical[name])
			}
			if math.Abs(a.Low-c.Quantiles["0.025"]) > 1e-9 || math.Abs(a.High-c.Quantiles["0.975"]) > 1e-9 {
				t.Errorf("mean %g, n %d: [%v, %v]", c.Mean, c.N, a.Low, a.High)
			}
		}
	}
}

// TestPublishedRun is the run that finefile's documents print. What is printed
// determines the batches: four with this mean and this interval in the end, two
// with this mean and this probability in each line of the progress. Both
// probabilities are printed to a thousandth.
func TestPublishedRun(t *testing.T) {
	rule := DefaultRule()
	half := (math.Log(1.3860) - math.Log(1.2835)) / 2
	standardError := half / stat.StudentQuantile(0.975, 3)
	// Two rounds that fill no batch come first and are left out.
	rounds := append([]float64{9, -9}, batchesWith(math.Log(1.3338), 2*standardError, 4)...)
	a := analysed(t, rounds, rule)
	if a.Rounds != 18 || a.Batches != 4 || a.BatchSize != 4 || !near(a.Ratio(), 1.3338, 1e-9) {
		t.Errorf("%+v", a)
	}
	if math.Abs(math.Exp(a.Low)-1.2835) > 5e-5 || math.Abs(math.Exp(a.High)-1.3860) > 5e-5 {
		t.Errorf("interval [%.4f, %.4f]", math.Exp(a.Low), math.Exp(a.High))
	}
	// The printed digits of the interval leave the factor open by this much.
	if !(a.Factor() > 107 && a.Factor() < 109) || math.Abs(a.Different-0.991) > 5e-4 || math.Abs(a.Practical-0.991) > 5e-4 {
		t.Errorf("BF10 %.1f, P(different) %.4f, P(> 1%%) %.4f", a.Factor(), a.Different, a.Practical)
	}
	if v := Decide(a, rule); v != Different {
		t.Errorf("verdict %q", v)
	}
	for _, line := range []struct {
		round                       int
		ratio, different, practical float64
	}{{8, 1.3334, 0.792, 0.792}, {9, 1.3633, 0.703, 0.701}, {10, 1.3565, 0.777, 0.777}} {
		logRatio := math.Log(line.ratio)
		deviation := deviationFor(logRatio, line.different, rule)
		rounds := append(repeated(5, line.round-8), batchesWith(logRatio, deviation, 2)...)
		a := analysed(t, rounds, rule)
		if a.Batches != 2 || a.Rounds != line.round || math.Abs(a.Different-line.different) > 1e-6 || math.Abs(a.Practical-line.practical) > 1e-3 {
			t.Errorf("round %d: %+v", line.round, a)
		}
		if v := Decide(a, rule); v != Undecided {
			t.Errorf("round %d: verdict %q", line.round, v)
		}
	}
}

// batchesWith returns the rounds of batches of four whose means have the given
// mean and deviation. The batches are an even number.
func batchesWith(mean, deviation float64, batches int) []float64 {
	var rounds []float64
	side := deviation * math.Sqrt(float64(batches-1)/float64(batches))
	for i := range batches {
		level := mean + side
		if i%2 == 1 {
			level = mean - side
		}
		rounds = append(rounds, level-0.01, level+0.01, level+0.02, level-0.02)
	}
	return rounds
}

// deviationFor is the deviation of two batches at which a difference has the
// given probability.
func deviationFor(mean, probability float64, r Rule) float64 {
	low, high := 1e-9, 10.0
	for range 200 {
		middle := math.Sqrt(low * high)
		if a, _ := weigh(mean, middle, 2, 8, r); a.Different > probability {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// TestPracticalIsNeverAboveDifferent holds for any data and any margin.
func TestPracticalIsNeverAboveDifferent(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	for _, level := range []float64{0, 0.001, 0.01, 0.1, 0.5} {
		for _, spread := range []float64{0, 1e-6, 0.001, 0.01, 0.1} {
			for count := 2; count <= 20; count++ {
				x := make([]float64, count)
				for i := range x {
					x[i] = level + spread*random.NormFloat64()
				}
				a, ok := Analyse(x, unbatched(0.01))
				if !ok || !(a.Practical >= 0 && a.Practical <= a.Different && a.Different <= 1) {
					t.Fatalf("level %g, spread %g, %d rounds: %+v", level, spread, count, a)
				}
				for i := range x {
					x[i] = -x[i]
				}
				mirrored := analysed(t, x, unbatched(0.01))
				if mirrored.LogRatio != -a.LogRatio || mirrored.Different != a.Different || math.Abs(mirrored.Practical-a.Practical) > 1e-12 || mirrored.Low != -a.High {
					t.Errorf("the mirror image of %+v is %+v", a, mirrored)
				}
			}
		}
	}
}

func TestAnalyseWithoutScatter(t *testing.T) {
	a := analysed(t, repeated(0, 12), unbatched(0.01))
	if a.T != 0 || !(a.Different < 0.5) || a.Practical != 0 || a.Low != 0 || a.High != 0 {
		t.Errorf("identical zeros: %+v", a)
	}
	a = analysed(t, repeated(0.5, 60), unbatched(0.01))
	if !math.IsInf(a.Factor(), 1) || math.IsInf(a.LogFactor, 0) || math.IsNaN(a.LogFactor) || a.Different != 1 || a.Practical != 1 {
		t.Errorf("sixty equal values: %+v", a)
	}
	if a.Low != 0.5 || a.High != 0.5 {
		t.Errorf("an interval without scatter: [%v, %v]", a.Low, a.High)
	}
}
