package rtcompare_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rtcompare/rtcompare"
)

// sink keeps the compiler from leaving work out.
var sink uint64

// steps is a candidate whose operation is a chain of multiplications.
func steps(name string, count int) rtcompare.Candidate {
	return rtcompare.Candidate{Name: name, Batch: func(n uint64) {
		x := uint64(1)
		for range n {
			for range count {
				x = x*6364136223846793005 + 1442695040888963407
			}
		}
		sink = x
	}}
}

// quick is a short version of the default protocol, for small examples. Leave
// it out where the answer matters.
func quick() rtcompare.CompareOptions {
	return rtcompare.CompareOptions{
		Collect:        rtcompare.CollectOptions{Repeats: 31, WarmupDuration: 10 * time.Millisecond},
		ValidationRuns: 8, SkipChecks: true,
	}
}

// Two ways of doing something, one with half the work of the other.
func ExampleCompare() {
	report, err := rtcompare.Compare(steps("single", 50), steps("double", 100), quick())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("resolved:", report.Resolved)
	fmt.Println("A is faster:", report.Estimate.Delta > 0)
	// Output:
	// resolved: true
	// A is faster: true
}

// With a budget the comparison ends as soon as the answer is clear.
func ExampleCompare_budget() {
	report, err := rtcompare.Compare(steps("single", 50), steps("double", 100), rtcompare.CompareOptions{Budget: 10 * time.Second})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Decision.Verdict)
	fmt.Println("sure at", report.Decision.Level)
	// Output:
	// A faster
	// sure at 0.99
}

// Fixtures that are built anew for every run: where a map lies in memory, and
// the seed of its hash, then belong to the noise instead of to the answer.
func ExampleCandidate_new() {
	lookup := func(size int) func() (rtcompare.Batch, func()) {
		return func() (rtcompare.Batch, func()) {
			m := make(map[int]int, size)
			for i := range size {
				m[i] = i
			}
			batch := func(n uint64) {
				sum := 0
				for i := range n {
					for k := range 1 + size/1000 {
						sum += m[(int(i)*7+k)%size]
					}
				}
				sink = uint64(sum)
			}
			return batch, func() { clear(m) }
		}
	}
	one := rtcompare.Candidate{Name: "one lookup", New: lookup(100)}
	many := rtcompare.Candidate{Name: "many lookups", New: lookup(10_000)}
	report, err := rtcompare.Compare(one, many, quick())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.NameA, "is faster:", report.Decision.Verdict == rtcompare.AFaster)
	// Output: one lookup is faster: true
}

// Several candidates against the first, all measured in the same rounds.
func ExampleCompareAll() {
	candidates := []rtcompare.Candidate{steps("base", 100), steps("half the work", 50), steps("twice the work", 200)}
	all, err := rtcompare.CompareAll(context.Background(), candidates, quick())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range all.Reports {
		fmt.Printf("%s: faster than %s: %v\n", r.NameB, r.NameA, r.Decision.Verdict == rtcompare.BFaster)
	}
	// Output:
	// half the work: faster than base: true
	// twice the work: faster than base: false
}

// Measurements that were made elsewhere.
func ExampleEstimateDifference() {
	a := []float64{80, 81, 79, 80, 82, 80, 78, 80, 81, 79, 80}
	b := []float64{100, 101, 99, 100, 102, 100, 98, 100, 101, 99, 100}
	e, err := rtcompare.EstimateDifference(a, b, rtcompare.EstimateOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ratio, _, _ := e.Ratio()
	fmt.Printf("A needs %.0f%% less time than B, B takes %.2f× as long\n", 100*e.Delta, ratio)
	fmt.Println("difference established:", e.Excludes(0))
	// Output:
	// A needs 20% less time than B, B takes 1.25× as long
	// difference established: true
}

// How sure is it that A saves at least 10 %, or is 1.5 times as fast?
func ExampleConfidencesFor() {
	a := []float64{80, 81, 79, 80, 82, 80, 78, 80, 81, 79, 80}
	b := []float64{100, 101, 99, 100, 102, 100, 98, 100, 101, 99, 100}
	thresholds := []float64{0.1, rtcompare.F2T(1.5)}
	confidences, err := rtcompare.ConfidencesFor(a, b, thresholds, rtcompare.EstimateOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range confidences {
		fmt.Printf("at least %.0f%%: %.3f\n", 100*c.Threshold, c.Confidence)
	}
	// Output:
	// at least 10%: 1.000
	// at least 33%: 0.000
}

// A machine that gets slower while it is watched.
func ExampleDetectDrift() {
	samples := make([]float64, 40)
	for i := range samples {
		samples[i] = 100 + float64(i)/10 + math.Mod(float64(i), 3)
	}
	drift, err := rtcompare.DetectDrift(samples)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("drifted:", drift.Drifted(rtcompare.DriftLevel))
	fmt.Printf("second half %+.1f%%\n", 100*drift.RelativeShift)
	// Output:
	// drifted: true
	// second half +2.0%
}

// Five processes whose own intervals are much too narrow. Package multiproc
// starts processes and pools their reports by itself.
func ExampleCombine() {
	var reports []rtcompare.Report
	for _, delta := range []float64{0.10, 0.11, 0.12, 0.13, 0.14} {
		reports = append(reports, rtcompare.Report{Estimate: rtcompare.Estimate{Delta: delta, Low: delta - 0.002, High: delta + 0.002, Level: 0.95}})
	}
	pooled, err := rtcompare.Combine(reports, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("pooled %+.1f%% [%+.1f%%, %+.1f%%]\n", 100*pooled.Delta, 100*pooled.Low, 100*pooled.High)
	fmt.Printf("processes scatter %.0f times as widely as one process's interval says\n", pooled.Inflation)
	// Output:
	// pooled +12.0% [+10.0%, +14.0%]
	// processes scatter 15 times as widely as one process's interval says
}

func ExampleNewDPRNG() {
	a, b := rtcompare.NewDPRNG(42), rtcompare.NewDPRNG(42)
	same := true
	for range 1000 {
		same = same && a.Uint64() == b.Uint64()
	}
	fmt.Println("same sequence from the same seed:", same)
	// Output: same sequence from the same seed: true
}

// Fixtures built in a drawn order, which the seed brings back.
func ExampleDPRNG_Shuffle() {
	shuffled := func(seed uint64) []string {
		fixtures := []string{"map", "slice", "tree", "trie", "list"}
		r := rtcompare.NewDPRNG(seed)
		r.Shuffle(len(fixtures), func(i, j int) { fixtures[i], fixtures[j] = fixtures[j], fixtures[i] })
		return fixtures
	}
	fmt.Println("reproducible:", slices.Equal(shuffled(7), shuffled(7)))
	// Output: reproducible: true
}

// A record keeps every batch, and gives the report again later.
func ExampleReport_WriteRecord() {
	report, err := rtcompare.Compare(steps("single", 50), steps("double", 100), quick())
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	if err := report.WriteRecord(&file); err != nil {
		fmt.Println(err)
		return
	}
	again, err := rtcompare.ReadRecord(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("same verdict:", again.Decision.Verdict == report.Decision.Verdict)
	// Output: same verdict: true
}
