package workload

import (
	"math"
	"testing"

	"github.com/rtcompare/rtcompare"
)

// TestZipfFollowsItsLaw compares frequencies with the exact probabilities.
func TestZipfFollowsItsLaw(t *testing.T) {
	const draws = 200_000
	for _, exponent := range []float64{0.1, 0.5, 0.99, 1, 1.0000001, 1.5, 3, 12} {
		for _, n := range []uint64{1, 2, 10, 1000} {
			z, random := newZipf(exponent, n), rtcompare.NewDPRNG(99)
			counts := make([]float64, n+1)
			for range draws {
				rank := z.draw(&random)
				if rank < 1 || rank > n {
					t.Fatalf("exponent %v of %d: rank %d", exponent, n, rank)
				}
				counts[rank]++
			}
			norm := 0.0
			for k := uint64(1); k <= n; k++ {
				norm += math.Pow(float64(k), -exponent)
			}
			chi, degrees := 0.0, -1.0
			rest, restExpected := 0.0, 0.0
			for k := uint64(1); k <= n; k++ {
				expected := draws * math.Pow(float64(k), -exponent) / norm
				if expected < 10 {
					rest, restExpected = rest+counts[k], restExpected+expected
					continue
				}
				chi += (counts[k] - expected) * (counts[k] - expected) / expected
				degrees++
			}
			if restExpected > 1 {
				chi += (rest - restExpected) * (rest - restExpected) / restExpected
				degrees++
			}
			// Five standard deviations of chi-square.
			if chi > degrees+5*math.Sqrt(2*max(degrees, 1))+5 {
				t.Errorf("exponent %v of %d: chi-square %.1f with %v degrees", exponent, n, chi, degrees)
			}
		}
	}
}

func TestZipfSurvivesExtremes(t *testing.T) {
	random := rtcompare.NewDPRNG(1)
	for _, exponent := range []float64{1e-300, 1e-9, 50, 700, 1e6, math.MaxFloat64} {
		for _, n := range []uint64{1, 2, 1 << 32} {
			z := newZipf(exponent, n)
			for range 100 {
				if rank := z.draw(&random); rank < 1 || rank > n {
					t.Fatalf("exponent %v of %d: rank %d", exponent, n, rank)
				}
			}
		}
	}
}
