package bayes

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// autoregressive draws a series in which every value keeps a share rho of the
// one before.
func autoregressive(r *rand.Rand, n int, rho, sd float64) []float64 {
	x := make([]float64, n)
	state := sd * r.NormFloat64()
	for i := range x {
		x[i] = state
		state = rho*state + sd*math.Sqrt(1-rho*rho)*r.NormFloat64()
	}
	return x
}

// trueError is the standard error of the mean of n values of such a series.
func trueError(n int, rho, sd float64) float64 {
	variance := float64(n)
	for lag := 1; lag < n; lag++ {
		variance += 2 * float64(n-lag) * math.Pow(rho, float64(lag))
	}
	return sd * math.Sqrt(variance) / float64(n)
}

// TestBatchingRepairsCorrelation: where rounds resemble their neighbours, the
// scatter of single rounds makes the mean look twice as certain as it is, and
// that of batches does not. 1000 series; the rates have a standard error of at
// most 1.3 points, and the limits keep three from what is expected.
func TestBatchingRepairsCorrelation(t *testing.T) {
	const series, rounds, rho, sd = 1000, 40, 0.46, 0.1
	random := rand.New(rand.NewPCG(11, 1))
	batched, naive := DefaultRule(), unbatched(0.01)
	batched.MinEffect, naive.MinEffect = 0, 0
	var naiveError, batchedError float64
	var naiveWrong, batchedWrong int
	for range series {
		x := autoregressive(random, rounds, rho, sd)
		a, b := analysed(t, x, naive), analysed(t, x, batched)
		if b.BatchSize != 6 {
			t.Fatalf("batches of %d", b.BatchSize)
		}
		naiveError += a.Deviation / math.Sqrt(float64(a.Batches)) / series
		batchedError += b.Deviation / math.Sqrt(float64(b.Batches)) / series
		if a.Different >= 0.99 {
			naiveWrong++
		}
		if b.Different >= 0.99 {
			batchedWrong++
		}
	}
	if truth := trueError(rounds, rho, sd); !(naiveError < 0.75*truth) {
		t.Errorf("single rounds: a standard error of %.4f, the true one is %.4f", naiveError, truth)
	}
	if truth := trueError(36, rho, sd); !(batchedError > 0.8*truth && batchedError < 1.6*truth) {
		t.Errorf("batches: a standard error of %.4f, the true one is %.4f", batchedError, truth)
	}
	if !(naiveWrong > 2*batchedWrong) || batchedWrong > series*3/100 {
		t.Errorf("wrong answers: %d with single rounds, %d with batches", naiveWrong, batchedWrong)
	}
}

// TestAlarmsWhileLooking: on independent rounds without a difference, a look
// after every round up to 400 says "different" in about three of a hundred
// runs: not the one that the certainty suggests, because every look cuts the
// batches anew. 800 runs, so a rate of 3.25 % has a standard error of 0.63
// points, and the limits keep three.
func TestAlarmsWhileLooking(t *testing.T) {
	const runs, rounds = 800, 400
	random := rand.New(rand.NewPCG(12, 1))
	rule := DefaultRule()
	rule.MinEffect, rule.MaxRounds = 0, rounds
	needed := map[int]float64{}
	alarms := 0
	for range runs {
		x := autoregressive(random, rounds, 0, 0.03)
		for n := rule.MinRounds; n <= rounds; n++ {
			means := BatchMeans(x[:n], rule.BatchRounds)
			limit, known := needed[len(means)]
			if !known {
				limit = neededT(len(means), rule)
				needed[len(means)] = limit
			}
			m, sd := stat.MeanAndSD(means)
			if math.Abs(m)*math.Sqrt(float64(len(means)))/sd >= limit {
				alarms++
				break
			}
		}
	}
	if rate := float64(alarms) / runs; rate < 0.0136 || rate > 0.0514 {
		t.Errorf("%.2f%% of the runs find a difference", 100*rate)
	}
}

// neededT is the smallest t at which a rule without a margin says "different".
func neededT(batches int, r Rule) float64 {
	low, high := 0.0, 1000.0
	for range 60 {
		middle := (low + high) / 2
		if LogBayesFactor(middle, batches, r.PriorScale) < math.Log(r.Certainty/(1-r.Certainty)) {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
