package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// drawBlockMedians is the plain simulation of the block bootstrap: it copies
// random blocks until the chain is full and takes the median.
func drawBlockMedians(r *rand.Rand, x []float64, length, draws int) []float64 {
	n := len(x)
	chain := make([]float64, n)
	medians := make([]float64, draws)
	for i := range medians {
		for filled := 0; filled < n; {
			start := r.IntN(n - length + 1)
			filled += copy(chain[filled:], x[start:start+length])
		}
		medians[i] = MedianInPlace(chain)
	}
	slices.Sort(medians)
	return medians
}

// largestGap is the largest difference between the simulated and the computed
// cumulative probability.
func largestGap(sorted []float64, d MedianDistribution) float64 {
	gap := 0.0
	for i := range d.Len() {
		v, _ := d.Atom(i)
		count, _ := slices.BinarySearch(sorted, math.Nextafter(v, math.Inf(1)))
		gap = max(gap, math.Abs(float64(count)/float64(len(sorted))-d.AtMost(v)))
	}
	return gap
}

func TestBlockLawMatchesSimulation(t *testing.T) {
	const draws = 400_000
	r := random(11)
	for _, n := range []int{101, 100} {
		x := autoregressiveSeries(r, n, 0.6)
		simulated := drawBlockMedians(r, x, 5, draws)
		d := BootstrapMedian(x, 5)
		// Kolmogorov's 1e-4 bound for 400,000 draws is 0.0035.
		gap := largestGap(simulated, d)
		if gap > 0.0035 {
			t.Errorf("n=%d: cumulative probabilities differ by %.4f", n, gap)
		}
		for _, level := range []float64{0.9, 0.95, 0.99} {
			lo, hi := d.Interval(level)
			simLo, simHi := Quantile(simulated, (1-level)/2), Quantile(simulated, (1+level)/2)
			// The simulated end may be a neighbour, but not farther off.
			if math.Abs(d.AtMost(lo)-d.AtMost(simLo)) > 0.0035+d.Mass(lo)+d.Mass(simLo) ||
				math.Abs(d.AtMost(hi)-d.AtMost(simHi)) > 0.0035+d.Mass(hi)+d.Mass(simHi) {
				t.Errorf("n=%d level %g: %g..%g, simulated %g..%g", n, level, lo, hi, simLo, simHi)
			}
		}
		t.Logf("n=%d: largest difference of the cumulative probabilities %.4f", n, gap)
	}
}

// everyChain calls use for every possible chain of blocks.
func everyChain(x []float64, length int, use func(chain []float64)) {
	n := len(x)
	chain := make([]float64, n)
	var fill func(filled int)
	fill = func(filled int) {
		if filled >= n {
			use(chain)
			return
		}
		for start := 0; start+length <= n; start++ {
			copied := copy(chain[filled:], x[start:start+length])
			fill(filled + copied)
		}
	}
	fill(0)
}

func TestBlockLawMatchesEnumeration(t *testing.T) {
	r := random(12)
	for _, n := range []int{4, 5, 6, 7, 8, 9, 10, 11, 12} {
		for length := 2; length <= n/2; length++ {
			for _, ties := range []bool{false, true} {
				x := make([]float64, n)
				for i := range x {
					x[i] = r.NormFloat64()
					if ties {
						x[i] = math.Round(2 * x[i])
					}
				}
				checkAgainstEveryChain(t, x, length)
			}
		}
	}
}

func checkAgainstEveryChain(t *testing.T, x []float64, length int) {
	t.Helper()
	counts, total := map[float64]float64{}, 0.0
	everyChain(x, length, func(chain []float64) {
		counts[Median(chain)]++
		total++
	})
	d := BootstrapMedian(x, length)
	for v, count := range counts {
		if got := d.Mass(v); !near(got, count/total, 1e-13) {
			t.Errorf("n=%d L=%d: P(median = %g) = %.17g want %.17g", len(x), length, v, got, count/total)
		}
	}
}

func TestBlockLawOfRegimes(t *testing.T) {
	// Two levels that never mix within a block, apart from one: counts per
	// block are 0 or L, the hardest case for an inversion.
	for _, n := range []int{300, 301} {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(i%7) / 100
			if i >= n/2 {
				x[i]++
			}
		}
		r := random(13)
		d := BootstrapMedian(x, 10)
		if gap := largestGap(drawBlockMedians(r, x, 10, 40_000), d); gap > 0.011 {
			t.Errorf("n=%d: cumulative probabilities differ by %.4f", n, gap)
		}
	}
}

// TestLongEvenChains compares the coupling used for long even series with the
// joint law, at a length where both can be computed.
func TestLongEvenChains(t *testing.T) {
	const n, length = 1000, 10
	x := autoregressiveSeries(random(16), n, 0.4)
	groups := groupTies(inAscendingOrder(x))
	chain := newBlockChain(n, length)
	exact := newMedianDistribution(middlePairLaw(chain, groups, n/2))
	coupled := newMedianDistribution(meanOfQuantiles(
		orderStatisticLaw(chain, groups, n/2), orderStatisticLaw(chain, groups, n/2+1)))
	for i := range exact.Len() {
		v, _ := exact.Atom(i)
		if gap := math.Abs(exact.AtMost(v) - coupled.AtMost(v)); gap > 0.02 {
			t.Fatalf("cumulative probabilities at %g differ by %.4f", v, gap)
		}
	}
	sorted := sortedCopy(x)
	for _, p := range []float64{0.025, 0.05, 0.5, 0.95, 0.975} {
		a, b := exact.Quantile(p), coupled.Quantile(p)
		place := slices.IndexFunc(sorted, func(v float64) bool { return v >= a })
		if math.Abs(a-b) > sorted[place+2]-sorted[place-3] {
			t.Errorf("quantile %g: %g and %g are more than neighbours apart", p, a, b)
		}
	}
	if d := BootstrapMedian(autoregressiveSeries(random(17), longestEvenChain+2, 0.4), 12); d.Len() < 100 {
		t.Errorf("a long chain has only %d medians", d.Len())
	}
}

func TestBlockLengthLimits(t *testing.T) {
	x := lognormalSeries(random(14), 30)
	same := func(a, b MedianDistribution) bool {
		return slices.Equal(a.values, b.values) && slices.Equal(a.cumulative, b.cumulative)
	}
	if !same(BootstrapMedian(x, -3), BootstrapMedian(x, 1)) || !same(BootstrapMedian(x, 0), BootstrapMedian(x, 1)) {
		t.Error("a length below 1 must mean 1")
	}
	if !same(BootstrapMedian(x, 99), BootstrapMedian(x, 15)) {
		t.Error("a length above n/2 must mean n/2")
	}
	if d := BootstrapMedian([]float64{5, 7, 6}, 9); d.Len() != 3 {
		t.Error("three values leave blocks of one")
	}
}

func TestAutoBlockLength(t *testing.T) {
	for n, want := range map[int]int{-5: 1, 0: 1, 1: 1, 2: 1, 8: 2, 11: 2, 27: 3, 51: 4, 101: 5, 1000: 10} {
		if got := AutoBlockLength(n); got != want {
			t.Errorf("AutoBlockLength(%d) = %d, want %d", n, got, want)
		}
	}
}

func BenchmarkBlocks101(b *testing.B) {
	x := autoregressiveSeries(random(15), 101, 0.4)
	for b.Loop() {
		BootstrapMedian(x, 5).Interval(0.95)
	}
}

func BenchmarkBlocks100(b *testing.B) {
	x := autoregressiveSeries(random(15), 100, 0.4)
	for b.Loop() {
		BootstrapMedian(x, 5).Interval(0.95)
	}
}
