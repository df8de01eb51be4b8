package rtcompare

import (
	"math"
	"math/bits"
	"slices"
	"testing"
)

func TestDPRNGFollowsTheReference(t *testing.T) {
	one := DPRNG{state: 1}
	if got := one.Uint64(); got != 0x47E4CE4B896CDD1D {
		t.Errorf("first number after state 1 is %#x", got)
	}
	if got := seeded(0).state; got != 0xE220A8397B1DCDAF {
		t.Errorf("splitmix64 makes %#x of seed 0", got)
	}
	for _, seed := range []uint64{1, 2, math.MaxUint64} {
		if NewDPRNG(seed) != seeded(seed) {
			t.Errorf("NewDPRNG(%d) uses another seed", seed)
		}
	}
}

func TestDPRNGNeverStartsAtZero(t *testing.T) {
	const toZero = -goldenGamma & math.MaxUint64 // splitmix64 maps only this seed to 0
	for _, seed := range []uint64{0, toZero, 1, math.MaxUint64} {
		r := NewDPRNG(seed)
		first, second := r.Uint64(), r.Uint64()
		if first == 0 || second == 0 || first == second {
			t.Errorf("seed %#x is stuck", seed)
		}
	}
}

func TestDPRNGSeeds(t *testing.T) {
	a, b := NewDPRNG(42), NewDPRNG(42)
	for range 1000 {
		if a.Uint64() != b.Uint64() {
			t.Fatal("the same seed gives other numbers")
		}
	}
	random := map[uint64]bool{}
	for range 100 {
		r := NewDPRNG(0)
		random[r.Uint64()] = true
	}
	if len(random) != 100 {
		t.Errorf("seed 0 gave only %d sequences in 100 calls", len(random))
	}
	// Unrelated numbers differ in half of their bits.
	differing, pairs := 0, 4000
	for seed := range uint64(pairs) {
		a, b := seeded(seed), seeded(seed+1)
		differing += bits.OnesCount64(a.Uint64() ^ b.Uint64())
	}
	if mean := float64(differing) / float64(pairs); math.Abs(mean-32) > 0.5 {
		t.Errorf("first numbers of neighbouring seeds differ in %.2f bits", mean)
	}
}

func TestDPRNGDistinctAndCentred(t *testing.T) {
	r := NewDPRNG(0xC0FFEE)
	numbers := make([]uint64, 1<<20)
	sum := 0.0
	for i := range numbers {
		numbers[i] = r.Uint64()
		sum += float64(numbers[i]) / math.MaxUint64
	}
	if mean := sum / float64(len(numbers)); math.Abs(mean-0.5) > 0.01 {
		t.Errorf("mean %v", mean)
	}
	slices.Sort(numbers)
	if len(slices.Compact(numbers)) != 1<<20 {
		t.Error("a number came twice")
	}
}

func TestDPRNGUint32NIsEven(t *testing.T) {
	for _, n := range []uint32{13, 64, 100} {
		r := NewDPRNG(1)
		const draws = 10_000_000
		counts := make([]int, n)
		for range draws {
			counts[r.Uint32N(n)]++
		}
		expected := float64(draws) / float64(n)
		for value, count := range counts {
			if math.Abs(float64(count)/expected-1) > 0.01 {
				t.Errorf("n = %d: %d came %d times, expected %.0f", n, value, count, expected)
			}
		}
	}
}

func TestDPRNGUint32NBounds(t *testing.T) {
	r := NewDPRNG(7)
	for _, n := range []uint32{0, 1, 2, 3, 1 << 31, math.MaxUint32} {
		for range 1000 {
			if got := r.Uint32N(n); got >= max(n, 1) {
				t.Fatalf("Uint32N(%d) = %d", n, got)
			}
		}
	}
}

// Every method takes its bits from the top of one step.
func TestDPRNGBits(t *testing.T) {
	for seed := range uint64(1000) {
		r := seeded(seed)
		next := func() *DPRNG { c := r; return &c }
		u := next().Uint64()
		for name, ok := range map[string]bool{
			"Uint32":  next().Uint32() == uint32(u>>32),
			"Uint16":  next().Uint16() == uint16(u>>48),
			"Uint8":   next().Uint8() == uint8(u>>56),
			"Int64":   next().Int64() == int64(u),
			"Int32":   next().Int32() == int32(u>>32),
			"Int16":   next().Int16() == int16(u>>48),
			"Int8":    next().Int8() == int8(u>>56),
			"Float64": next().Float64() == float64(u>>11)/(1<<53),
			"Float32": next().Float32() == float32(u>>40)/(1<<24),
			"Uint32N": next().Uint32N(1<<31) == uint32(u>>33),
		} {
			if !ok {
				t.Fatalf("%s disagrees with %#x", name, u)
			}
		}
	}
}

// shuffler is what both generators offer.
type shuffler interface {
	Shuffle(n int, swap func(i, j int))
}

func testShuffle(t *testing.T, r shuffler) {
	for _, n := range []int{-3, 0, 1} {
		r.Shuffle(n, func(i, j int) { t.Errorf("n = %d swaps %d and %d", n, i, j) })
	}
	const n = 1000
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	r.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	if slices.IsSorted(order) {
		t.Error("nothing moved")
	}
	slices.Sort(order)
	for i, v := range order {
		if i != v {
			t.Fatalf("no permutation: %d at %d", v, i)
		}
	}
	const draws = 60_000
	counts := map[[3]int]int{}
	for range draws {
		three := [3]int{0, 1, 2}
		r.Shuffle(3, func(i, j int) { three[i], three[j] = three[j], three[i] })
		counts[three]++
	}
	if len(counts) != 6 {
		t.Fatalf("%d orders of three", len(counts))
	}
	sd := math.Sqrt(draws * (1.0 / 6) * (5.0 / 6))
	for order, count := range counts {
		if math.Abs(float64(count)-draws/6) > 6*sd {
			t.Errorf("%v came %d times of %d", order, count, draws)
		}
	}
}

func TestDPRNGShuffle(t *testing.T) {
	r := NewDPRNG(11)
	testShuffle(t, &r)

	shuffled := func(seed uint64) []int {
		r, order := NewDPRNG(seed), []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		return order
	}
	if !slices.Equal(shuffled(5), shuffled(5)) {
		t.Error("the same seed gives another order")
	}
	if slices.Equal(shuffled(5), shuffled(6)) {
		t.Error("another seed gives the same order")
	}
}

func BenchmarkDPRNGUint64(b *testing.B) {
	r := NewDPRNG(1)
	var sum uint64
	for b.Loop() {
		sum += r.Uint64()
	}
	_ = sum
}
