package stat

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// resampledInterval is the ordinary way: draw many resamples, sort each one to
// find its median, sort the medians and read off the quantiles.
func resampledInterval(r *rand.Rand, x []float64, resamples int, level float64) (lo, hi float64) {
	draw := make([]float64, len(x))
	medians := make([]float64, resamples)
	for i := range medians {
		for j := range draw {
			draw[j] = x[r.IntN(len(x))]
		}
		slices.Sort(draw)
		medians[i] = MedianSorted(draw)
	}
	slices.Sort(medians)
	return Quantile(medians, (1-level)/2), Quantile(medians, (1+level)/2)
}

func TestExactIsHundredsOfTimesFaster(t *testing.T) {
	r := random(20)
	x := lognormalSeries(r, 101)
	// The shortest of several runs is the one least disturbed.
	shortest := func(runs, repeats int, work func()) time.Duration {
		best := time.Hour
		for range runs {
			start := time.Now()
			for range repeats {
				work()
			}
			best = min(best, time.Since(start)/time.Duration(repeats))
		}
		return best
	}
	exact := shortest(20, 50, func() { BootstrapMedian(x, 1).Interval(0.95) })
	resampled := shortest(3, 1, func() { resampledInterval(r, x, 5000, 0.95) })
	ratio := float64(resampled) / float64(exact)
	t.Logf("exact %v, 5,000 resamples %v, ratio %.0f", exact, resampled, ratio)
	if ratio < 300 {
		t.Errorf("exact %v, 5,000 resamples %v: only %.0f times faster", exact, resampled, ratio)
	}
	lo, hi := BootstrapMedian(x, 1).Interval(0.95)
	simLo, simHi := resampledInterval(r, x, 50_000, 0.95)
	d := BootstrapMedian(x, 1)
	if d.AtMost(simLo)-d.AtMost(lo) > 0.02 || d.AtMost(hi)-d.AtMost(simHi) > 0.02 {
		t.Errorf("exact %g..%g, resampled %g..%g", lo, hi, simLo, simHi)
	}
}

func BenchmarkPairedExact101(b *testing.B) {
	x := lognormalSeries(random(21), 101)
	for b.Loop() {
		BootstrapMedian(x, 1).Interval(0.95)
	}
}

func BenchmarkPairedResampled101(b *testing.B) {
	r := random(22)
	x := lognormalSeries(r, 101)
	for b.Loop() {
		resampledInterval(r, x, 5000, 0.95)
	}
}

func benchmarkSorted(b *testing.B, n int) {
	x := sortedCopy(lognormalSeries(random(23), n))
	for b.Loop() {
		BootstrapMedianSorted(x)
	}
}

func BenchmarkMedianLawSorted100(b *testing.B)    { benchmarkSorted(b, 100) }
func BenchmarkMedianLawSorted101(b *testing.B)    { benchmarkSorted(b, 101) }
func BenchmarkMedianLawSorted1001(b *testing.B)   { benchmarkSorted(b, 1001) }
func BenchmarkMedianLawSorted199999(b *testing.B) { benchmarkSorted(b, 199_999) }
func BenchmarkMedianLawSorted200000(b *testing.B) { benchmarkSorted(b, 200_000) }

// twoLaws are the laws of two medians of 101 values each.
func twoLaws() MedianRatio {
	r := random(24)
	return MedianRatio{BootstrapMedian(lognormalSeries(r, 101), 1), BootstrapMedian(lognormalSeries(r, 101), 1)}
}

func BenchmarkUnpairedInterval101(b *testing.B) {
	r := twoLaws()
	for b.Loop() {
		r.Quantile(0.025)
		r.Quantile(0.975)
	}
}

func BenchmarkUnpairedConfidence101(b *testing.B) {
	r := twoLaws()
	for b.Loop() {
		r.AtLeast(0)
	}
}

func BenchmarkPrepareRankIntervals101(b *testing.B) {
	x := autoregressiveSeries(random(25), 101, 0.4)
	for b.Loop() {
		PrepareRankIntervals(x)
	}
}

func BenchmarkRankIntervalAtLevel(b *testing.B) {
	r := PrepareRankIntervals(autoregressiveSeries(random(26), 101, 0.4))
	for b.Loop() {
		r.Cosine(0.95)
		r.Autoregressive(0.95)
		r.SignTest(0.95)
	}
}

func BenchmarkMedian101(b *testing.B) {
	x := lognormalSeries(random(27), 101)
	for b.Loop() {
		Median(x)
	}
}

func BenchmarkStudentQuantile(b *testing.B) {
	for b.Loop() {
		StudentQuantile(0.975, 79)
	}
}

func BenchmarkSpreadRatio2000(b *testing.B) {
	r := random(28)
	x, y := lognormalSeries(r, 2000), lognormalSeries(r, 2000)
	for b.Loop() {
		SpreadRatio(x, y, 0.95)
	}
}
