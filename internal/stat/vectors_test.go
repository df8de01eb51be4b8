package stat

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// loadVectors reads one file of reference values into the given struct.
func loadVectors(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// near reports whether two numbers agree within an absolute tolerance. Equal
// infinities and two NaN agree.
func near(got, want, tolerance float64) bool {
	if math.IsNaN(want) || math.IsNaN(got) {
		return math.IsNaN(want) && math.IsNaN(got)
	}
	return got == want || math.Abs(got-want) <= tolerance
}

// nearRelative is near with a tolerance relative to the wanted number.
func nearRelative(got, want, tolerance float64) bool {
	return near(got, want, tolerance*math.Abs(want))
}

// random is a generator with a fixed seed for one test.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// lognormalSeries draws n independent values around 100 with a spread of 3 %.
func lognormalSeries(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 100 * math.Exp(0.03*r.NormFloat64())
	}
	return x
}

// autoregressiveSeries draws n normal values where each remembers a share rho of
// the one before.
func autoregressiveSeries(r *rand.Rand, n int, rho float64) []float64 {
	x := make([]float64, n)
	state := r.NormFloat64()
	for i := range x {
		x[i] = state
		state = rho*state + math.Sqrt(1-rho*rho)*r.NormFloat64()
	}
	return x
}

// awkwardSeries are inputs that a careless formula trips over.
var awkwardSeries = [][]float64{
	nil, {}, {1}, {0}, {math.NaN()}, {math.Inf(1)}, {math.Inf(-1), math.Inf(1)}, {1, 2}, {2, 2},
	{math.NaN(), 1, 2}, {1, math.NaN(), 3}, {math.Inf(-1), 0, math.Inf(1)}, {0, 0, 0, 0},
	{math.MaxFloat64, math.MaxFloat64}, {-math.MaxFloat64, math.MaxFloat64, math.MaxFloat64},
	{math.SmallestNonzeroFloat64, 0, -1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2},
	{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)}, {0.1, 0.1, 0.1},
	{-3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8}, {math.NaN(), math.NaN()},
}

// awkwardNumbers are parameters that a careless formula trips over.
var awkwardNumbers = []float64{
	math.NaN(), math.Inf(-1), -1, 0, 1e-320, 1e-300, 0.05, 0.5, 0.95, 1 - 1e-16, 1, 2, 1e7, 1e300, math.Inf(1),
}
