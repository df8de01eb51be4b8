package workload

import (
	"math"
	"testing"

	"github.com/rtcompare/rtcompare"
)

// TestZipfFollowsItsLaw compares frequencies with the exact probabilities. Each
// of the 48 comparisons would fail by chance once in 100,000 seeds, all together
// once in 2000; the seed is fixed.
func TestZipfFollowsItsLaw(t *testing.T) {
	const draws = 300_000
	for _, exponent := range []float64{0.1, 0.5, 0.99, 1, 1.0000001, 1.5, 3, 12} {
		for _, n := range []uint64{1, 2, 10, 129, 1000, 40_000} {
			z, random := newZipf(exponent, n), rtcompare.NewDPRNG(99)
			counts := make([]float64, n)
			for range draws {
				rank := z.draw(&random)
				if rank >= n {
					t.Fatalf("exponent %v of %d: rank %d", exponent, n, rank)
				}
				counts[rank]++
			}
			chi, degrees := chiSquare(counts, zipfLaw(exponent, n))
			if limit := rareChiSquare(degrees); chi > limit {
				t.Errorf("exponent %v of %d: chi-square %.1f with %v degrees of freedom, beyond %.1f", exponent, n, chi, degrees, limit)
			}
		}
	}
}

// TestZipfPieces looks at the law itself instead of at draws: what the table of
// aliases and the refusals give each rank.
func TestZipfPieces(t *testing.T) {
	for _, exponent := range []float64{0.3, 0.99, 2} {
		const n = 5000
		z := newZipf(exponent, n)
		share := make([]float64, len(z.pieces))
		for i, p := range z.pieces {
			kept := float64(p.keep) / (1 << 64)
			share[i] += kept
			share[p.other] += 1 - kept
		}
		law, mass, total := zipfLaw(exponent, n), make([]float64, n), 0.0
		for i, p := range z.pieces {
			for k := uint64(p.first); k < uint64(p.first+p.ranks); k++ {
				mass[k] = share[i] / float64(p.ranks) * z.relative(uint64(p.first), k)
				total += mass[k]
				if sure := float64(p.sure) / (1 << 64); sure > z.relative(uint64(p.first), k)*(1+1e-12) {
					t.Fatalf("exponent %v, rank %d: a share of %v is never refused", exponent, k, sure)
				}
			}
		}
		for k := range mass {
			if got := mass[k] / total; math.Abs(got/law[k]-1) > 1e-9 {
				t.Fatalf("exponent %v, rank %d: probability %v, want %v", exponent, k, got, law[k])
			}
		}
	}
}

// zipfLaw is the probability of each rank.
func zipfLaw(exponent float64, n uint64) []float64 {
	law, norm := make([]float64, n), 0.0
	for k := range law {
		law[k] = math.Pow(float64(k+1), -exponent)
		norm += law[k]
	}
	for k := range law {
		law[k] /= norm
	}
	return law
}

// chiSquare compares counts with a law. Neighbours are put together until ten
// are expected.
func chiSquare(counts, law []float64) (chi, degrees float64) {
	draws := 0.0
	for _, c := range counts {
		draws += c
	}
	degrees = -1
	seen, expected := 0.0, 0.0
	for k := range counts {
		seen, expected = seen+counts[k], expected+draws*law[k]
		if expected >= 10 || (k == len(counts)-1 && expected >= 1) {
			chi += (seen - expected) * (seen - expected) / expected
			degrees++
			seen, expected = 0, 0
		}
	}
	return chi, degrees
}

// rareChiSquare is what chi-square exceeds once in 100,000 times (Wilson and
// Hilferty 1931), with some room for the small numbers of a last group.
func rareChiSquare(degrees float64) float64 {
	const rare = 4.265
	if degrees < 1 {
		return 1e-9
	}
	v := 2 / (9 * degrees)
	return degrees*math.Pow(1-v+rare*math.Sqrt(v), 3) + 10
}

func TestZipfSurvivesExtremes(t *testing.T) {
	random := rtcompare.NewDPRNG(1)
	for _, exponent := range []float64{0, 1e-300, 1e-9, 50, 700, 1e6, math.MaxFloat64} {
		for _, n := range []uint64{1, 2, 1 << 32} {
			z := newZipf(exponent, n)
			for range 100 {
				if rank := z.draw(&random); rank >= n {
					t.Fatalf("exponent %v of %d: rank %d", exponent, n, rank)
				}
			}
		}
	}
}
