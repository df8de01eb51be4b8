package stat

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

// callEverything passes one series and one number to every exported function.
// It reports a changed series; a panic fails the test by itself.
func callEverything(t *testing.T, x []float64, v float64) {
	t.Helper()
	before := slices.Clone(x)
	n := len(x)
	whole := int(max(-5, min(5000, v))) // NaN becomes some whole number or other
	Median(x)
	Midranks(x)
	MeanAndSD(x)
	RootMeanSquare(x)
	Lag1(x)
	SpearmanTrend(x)
	LongRunVarianceOfSigns(x)
	r := PrepareRankIntervals(x)
	r.SignTest(v)
	r.Cosine(v)
	r.Autoregressive(v)
	CosineRankInterval(x, v)
	AutoregressiveRankInterval(x, v)
	(RankIntervals{}).Cosine(v)
	(RankIntervals{}).SignTest(v)
	SpreadRatio(x, x, v)
	Cochran(x, x)
	MeanInterval(x, v)
	Holm(x)
	BenjaminiHochberg(x)
	for _, block := range []int{whole, 1, 2, 3} {
		checkLaw(t, BootstrapMedian(x, block), v)
	}
	callScalars(v, whole, n)
	sorted := sortedCopy(x)
	MedianSorted(sorted)
	Quantile(sorted, v)
	RankInterval(sorted, v)
	SignTestInterval(sorted, v)
	checkLaw(t, BootstrapMedianSorted(sorted), v)
	if len(before) != len(x) {
		t.Fatal("the caller's slice was changed")
	}
	for i := range x {
		if math.Float64bits(before[i]) != math.Float64bits(x[i]) {
			t.Fatalf("the caller's slice was changed: %v to %v", before, x)
		}
	}
	MedianInPlace(x)
}

func callScalars(v float64, whole, n int) {
	for _, w := range []float64{v, 0.5, 3} {
		NormalCDF(v)
		NormalQuantile(v)
		StudentCDF(v, w)
		StudentQuantile(w, v)
		StudentQuantile(v, w)
		StudentTwoSidedP(v, w)
		RegularizedBeta(v, w, 2)
		RegularizedBeta(w, v, 2)
		RelativeDelta(v, w)
		ConfidenceSequenceFactor(whole, v, w)
		ConfidenceSequenceFactor(n, w, v)
		ConfidenceSequenceLogE(v, whole, w)
	}
	BinomialAtLeast(n, whole, v)
	SignTestRanks(whole, v)
	AutoBlockLength(whole)
}

// checkLaw checks what every law of a median must obey.
func checkLaw(t *testing.T, d MedianDistribution, v float64) {
	t.Helper()
	d.AtMost(v)
	d.Below(v)
	d.Mass(v)
	d.Quantile(v)
	d.Interval(v)
	d.Atom(-1)
	total, previous := 0.0, math.NaN()
	for i := range d.Len() {
		value, p := d.Atom(i)
		if math.IsNaN(value) || value <= previous || !(p > -1e-12) {
			t.Fatalf("value %g with probability %g after %g", value, p, previous)
		}
		total += p
		previous = value
	}
	if d.Len() > 0 && !near(total, 1, 1e-9) {
		t.Fatalf("the total probability is %g", total)
	}
	ratio := MedianRatio{d, d}
	ratio.AtLeast(v)
	ratio.Mass(v)
	ratio.Quantile(v)
	for _, p := range []float64{0.025, 0.5, 0.975} {
		if q := ratio.Quantile(p); d.Len() > 0 && ratio.AtLeast(math.Inf(-1)) > 0 && !(ratio.Mass(q) > 0) {
			t.Fatalf("the %g-quantile %g of the difference is not one of its values", p, q)
		}
	}
}

func TestAwkwardInputs(t *testing.T) {
	for _, x := range awkwardSeries {
		for _, v := range awkwardNumbers {
			callEverything(t, slices.Clone(x), v)
		}
	}
}

func FuzzEverything(f *testing.F) {
	encode := func(x []float64) []byte {
		var data []byte
		for _, v := range x {
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
		return data
	}
	for i, x := range awkwardSeries {
		f.Add(encode(x), awkwardNumbers[i%len(awkwardNumbers)])
	}
	f.Add(encode(lognormalSeries(random(70), 60)), 0.95)
	f.Fuzz(func(t *testing.T, data []byte, v float64) {
		var x []float64
		for len(data) >= 8 && len(x) < 200 {
			x = append(x, math.Float64frombits(binary.LittleEndian.Uint64(data)))
			data = data[8:]
		}
		callEverything(t, x, v)
	})
}
