package multiproc_test

import (
	"slices"
	"sort"
	"testing"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
)

// sorting builds a candidate that sorts numbers with the given function. The
// numbers are made here, in each process anew.
func sorting(name string, sortAll func([]int)) func() rtcompare.Candidate {
	return func() rtcompare.Candidate {
		rng := rtcompare.NewDPRNG(1)
		numbers := make([]int, 1000)
		for i := range numbers {
			numbers[i] = int(rng.Uint32())
		}
		work := make([]int, len(numbers))
		return rtcompare.Candidate{Name: name, Batch: func(n uint64) {
			for range n {
				copy(work, numbers)
				sortAll(work)
			}
		}}
	}
}

// A program that does nothing else has this as its main function.
func ExampleMain() {
	multiproc.Main(multiproc.Options{}, multiproc.Pair{
		Name: "sort",
		A:    sorting("slices.Sort", slices.Sort[[]int]),
		B:    sorting("sort.Ints", sort.Ints),
	})
}

// A test passes or fails by what all processes together say.
func ExampleRunTest() {
	test := func(t *testing.T) {
		r := multiproc.RunTest(t, multiproc.Options{MaxProcesses: 10}, multiproc.Pair{
			Name: "sort",
			A:    sorting("slices.Sort", slices.Sort[[]int]),
			B:    sorting("sort.Ints", sort.Ints),
		})
		if p := r.Comparisons[0].Pooled; p.Decision.Verdict == rtcompare.BFaster {
			t.Errorf("slices.Sort is the slower one:\n%s", p)
		}
	}
	_ = test
}
