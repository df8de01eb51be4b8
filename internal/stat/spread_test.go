package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// skewedSeries draws independent lognormal values with a long slow side.
func skewedSeries(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Exp(0.3 * r.NormFloat64())
	}
	return x
}

func TestSpreadRatioCoverage(t *testing.T) {
	for n, trials := range map[int]int{101: 3000, 2000: 1000} {
		r := random(60)
		covered := 0
		for range trials {
			_, lo, hi := SpreadRatio(skewedSeries(r, n), skewedSeries(r, n), 0.95)
			if lo <= 1 && 1 <= hi {
				covered++
			}
		}
		share := float64(covered) / float64(trials)
		t.Logf("n=%d: %.3f of the intervals cover the truth", n, share)
		if share < 0.90 || share > 0.995 {
			t.Errorf("n=%d: %.3f of the intervals cover the truth", n, share)
		}
	}
}

func TestSpreadRatioFindsADifference(t *testing.T) {
	r := random(61)
	a, b := skewedSeries(r, 2000), skewedSeries(r, 2000)
	for i := range b {
		b[i] = 100 + 2*b[i]
	}
	ratio, lo, hi := SpreadRatio(a, b, 0.95)
	if math.Abs(ratio-2) > 0.3 || lo <= 1 || hi < 2 || lo > 2 {
		t.Errorf("doubled spread: %g, %g..%g", ratio, lo, hi)
	}
	swapped, swappedLo, swappedHi := SpreadRatio(b, a, 0.95)
	if !nearRelative(swapped, 1/ratio, 1e-12) || !nearRelative(swappedLo, 1/hi, 1e-9) || !nearRelative(swappedHi, 1/lo, 1e-9) {
		t.Errorf("swapped: %g, %g..%g of %g, %g..%g", swapped, swappedLo, swappedHi, ratio, lo, hi)
	}
}

func TestSpreadRatioEdges(t *testing.T) {
	r := random(62)
	noisy, short, flat := skewedSeries(r, 50), skewedSeries(r, 39), make([]float64, 50)
	for _, c := range []struct {
		name string
		a, b []float64
		want float64
	}{
		{"flat a", flat, noisy, math.Inf(1)}, {"flat b", noisy, flat, 0}, {"flat both", flat, flat, math.NaN()},
		{"empty", nil, noisy, math.NaN()}, {"not a number", append([]float64{math.NaN()}, noisy...), noisy, math.NaN()},
	} {
		ratio, lo, hi := SpreadRatio(c.a, c.b, 0.95)
		if !near(ratio, c.want, 0) || !math.IsNaN(lo) || !math.IsNaN(hi) {
			t.Errorf("%s: %g, %g..%g", c.name, ratio, lo, hi)
		}
	}
	if ratio, lo, hi := SpreadRatio(short, noisy, 0.95); !(ratio > 0) || !math.IsNaN(lo) || !math.IsNaN(hi) {
		t.Errorf("short: %g, %g..%g", ratio, lo, hi)
	}
	if _, lo, hi := SpreadRatio(noisy, noisy, 1); !math.IsNaN(lo) || !math.IsNaN(hi) {
		t.Error("level 1 has no interval")
	}
}
