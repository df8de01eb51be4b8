package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The error of a median of normal values is about 1.253 standard deviations over
// the square root of n.
func TestMedianError(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{15, 101, 1001} {
		mean := 0.0
		const trials = 400
		for range trials {
			x := make([]float64, n)
			for i := range x {
				x[i] = random.NormFloat64()
			}
			slices.Sort(x)
			mean += MedianError(x) / trials
		}
		if want := 1.2533 / math.Sqrt(float64(n)); mean < 0.9*want || mean > 1.15*want {
			t.Errorf("n = %d: mean error %.4f, want about %.4f", n, mean, want)
		}
	}
	if !math.IsNaN(MedianError(nil)) {
		t.Error("an error of nothing")
	}
}
