package stat

import (
	"math"
	"testing"
)

func TestMedianDistributionQueries(t *testing.T) {
	d := BootstrapMedian([]float64{3, 1, 2, 2, 5, math.NaN()}, 1)
	sum, previous := 0.0, math.Inf(-1)
	for i := range d.Len() {
		value, p := d.Atom(i)
		if value <= previous || p <= 0 {
			t.Errorf("atom %d: value %g after %g with probability %g", i, value, previous, p)
		}
		sum += p
		if got := d.AtMost(value); !near(got, sum, 1e-15) {
			t.Errorf("AtMost(%g) = %g, want %g", value, got, sum)
		}
		if got := d.Below(value); !near(got, sum-p, 1e-15) {
			t.Errorf("Below(%g) = %g, want %g", value, got, sum-p)
		}
		if got := d.Quantile(sum); got != value {
			t.Errorf("Quantile(%g) = %g, want %g", sum, got, value)
		}
		previous = value
	}
	if !near(sum, 1, 1e-15) || d.Len() != 4 {
		t.Errorf("%d values with total %g", d.Len(), sum)
	}
	if d.Mass(2.5) != 0 || d.AtMost(0) != 0 || d.AtMost(9) != 1 || d.Below(9) != 1 {
		t.Error("probabilities away from the values")
	}
	if d.AtMost(math.NaN()) != 0 || d.Mass(math.NaN()) != 0 {
		t.Error("a NaN must meet nothing")
	}
}

func TestMedianLawIsSymmetricUnderNegation(t *testing.T) {
	r := random(1)
	for _, n := range []int{1, 2, 3, 4, 7, 10, 31, 64, 101, 1000, 1001} {
		x := lognormalSeries(r, n)
		negative := make([]float64, n)
		for i, v := range x {
			negative[i] = -v
		}
		d, e := BootstrapMedian(x, 1), BootstrapMedian(negative, 1)
		for _, v := range x {
			if got, want := e.AtMost(-v), 1-d.Below(v); !near(got, want, 1e-12) {
				t.Fatalf("n=%d: P(-median <= %g) = %.17g want %.17g", n, -v, got, want)
			}
		}
	}
}

func TestEvenLawMatchesEnumeration(t *testing.T) {
	for n := 1; n <= 6; n++ {
		x := ascending(n)
		counts := map[float64]float64{}
		draw := make([]float64, n)
		total := math.Pow(float64(n), float64(n))
		for code := range int(total) {
			for i := range draw {
				draw[i], code = x[code%n], code/n
			}
			counts[Median(draw)]++
		}
		d := BootstrapMedian(x, 1)
		if d.Len() != len(counts) {
			t.Errorf("n=%d: %d values, want %d", n, d.Len(), len(counts))
		}
		for v, count := range counts {
			if got := d.Mass(v); !near(got, count/total, 1e-14) {
				t.Errorf("n=%d: P(median = %g) = %.17g want %.17g", n, v, got, count/total)
			}
		}
	}
}

func TestLargeMedianLaws(t *testing.T) {
	for _, n := range []int{5000, 10_001, 199_999, 200_000} {
		d := BootstrapMedianSorted(ascending(n))
		lo, hi := d.Interval(0.95)
		// The rank of a bootstrap median has standard deviation sqrt(n)/2.
		half := 1.959964 * math.Sqrt(float64(n)) / 2
		if math.Abs((hi-lo)/2-half) > 1.5 || math.Abs((hi+lo)/2-float64(n+1)/2) > 1 {
			t.Errorf("n=%d: interval %g..%g, want about %g around the middle", n, lo, hi, half)
		}
		if got := d.AtMost(float64(n) / 2); !near(got, 0.5, 2/math.Sqrt(float64(n))) {
			t.Errorf("n=%d: half of the law below the middle is %g", n, got)
		}
	}
}

func TestMedianLawsMatchBinomial(t *testing.T) {
	for _, n := range []int{17, 101, 999, 5001, 199_999} {
		d := BootstrapMedianSorted(ascending(n))
		for step := -40; step <= 40; step++ {
			k := (n+1)/2 + step*int(1+math.Sqrt(float64(n))/10)
			if k < 1 || k > n {
				continue
			}
			want := BinomialAtLeast(n, (n+1)/2, float64(k)/float64(n))
			if got := d.AtMost(float64(k)); !near(got, want, 1e-12) {
				t.Errorf("n=%d: P(median <= rank %d) = %.17g want %.17g", n, k, got, want)
			}
		}
	}
	for _, n := range []int{16, 100, 5000, 200_000} {
		pairs := newMiddlePairs(n)
		for i := 0; i < len(pairs.stay); i += 1 + len(pairs.stay)/50 {
			k := pairs.first + i
			want := BinomialAtLeast(n, n/2, float64(k)/float64(n)) - BinomialAtLeast(n, n/2, float64(k-1)/float64(n))
			if got := pairs.stay[i] + pairs.open[i]; !near(got, want, 1e-12) {
				t.Errorf("n=%d: P(lower middle rank = %d) = %.17g want %.17g", n, k, got, want)
			}
		}
	}
}

func TestMedianIntervalsGrowWithLevel(t *testing.T) {
	for n := 1; n < 60; n++ {
		d := BootstrapMedian(lognormalSeries(random(uint64(n)), n), 1)
		lastLo, lastHi := d.Interval(0)
		for _, level := range []float64{0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1} {
			lo, hi := d.Interval(level)
			if lo > lastLo || hi < lastHi || lo > hi {
				t.Fatalf("n=%d level %g: %g..%g after %g..%g", n, level, lo, hi, lastLo, lastHi)
			}
			lastLo, lastHi = lo, hi
		}
		if lo, hi := d.Interval(1.5); !math.IsNaN(lo) || !math.IsNaN(hi) {
			t.Fatal("a level above 1 must give NaN")
		}
	}
}
