// Command rtcompare-example compares two ways to sort a slice, the generic
// slices.Sort and sort.Slice with a closure, and says whether the difference is
// real. First in one call; then, with -by-hand, in the steps that the fixed
// protocol consists of.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sort"
	"time"

	"github.com/rtcompare/rtcompare"
)

func main() {
	budget := flag.Duration("budget", 3*time.Second, "time for the comparison; it ends sooner when the answer is clear")
	byHand := flag.Bool("by-hand", false, "also show the steps one by one")
	flag.Parse()
	if err := run(*budget, *byHand); err != nil {
		fmt.Fprintln(os.Stderr, "rtcompare-example: error:", err)
		os.Exit(1)
	}
}

func run(budget time.Duration, byHand bool) error {
	report, err := rtcompare.Compare(slicesSort(), sortSlice(), rtcompare.CompareOptions{Budget: budget})
	if err != nil {
		return err
	}
	fmt.Println(report)
	runtime.KeepAlive(sink)
	if !byHand {
		return nil
	}
	return steps()
}

// sink takes the results, so that no work can be left out.
var sink int

const (
	inputs = 17
	length = 512
)

// sorting makes a candidate that sorts a ring of inputs, one per operation. One
// input alone would be learned by the processor's branch predictor, and an odd
// number of them never runs in step with the order of measurement. The copy
// belongs to the measured time of both candidates.
func sorting(name string, sortInPlace func([]int)) rtcompare.Candidate {
	random := rtcompare.NewDPRNG(1)
	ring := make([][]int, inputs)
	for i := range ring {
		ring[i] = make([]int, length)
		for j := range ring[i] {
			ring[i][j] = int(random.Uint32())
		}
	}
	work := make([]int, length)
	next := 0
	return rtcompare.Candidate{Name: name, Batch: func(n uint64) {
		for range n {
			copy(work, ring[next%inputs])
			sortInPlace(work)
			sink += work[0]
			next++
		}
	}}
}

func slicesSort() rtcompare.Candidate {
	return sorting("slices.Sort", func(x []int) { slices.Sort(x) })
}

func sortSlice() rtcompare.Candidate {
	return sorting("sort.Slice", func(x []int) {
		sort.Slice(x, func(i, j int) bool { return x[i] < x[j] })
	})
}

// steps takes the fixed protocol apart: batch size, identical code, samples,
// trend, difference.
func steps() error {
	a, b := slicesSort(), sortSlice()
	fmt.Println("\nThe same by hand:")
	size, err := rtcompare.CalibrateInnerLoops(a, rtcompare.CalibrationOptions{})
	if err != nil {
		return err
	}
	fmt.Printf("1. A batch of %d operations lasts %.1f µs; a step of the clock is %.4f%% of it.\n",
		size.InnerLoops, size.BatchDuration/1000, 100*size.QuantizationError)

	options := rtcompare.CollectOptions{InnerLoops: size.InnerLoops}
	va, vb, err := rtcompare.ValidatePair(a, b, rtcompare.ValidationOptions{Collect: options})
	if err != nil {
		return err
	}
	floor := max(va.NoiseFloor, vb.NoiseFloor)
	fmt.Printf("2. Identical code shows differences of up to %.2f%%.\n", 100*floor)

	samplesA, samplesB, err := rtcompare.Collect(a, b, options)
	if err != nil {
		return err
	}
	fmt.Printf("3. %d pairs measured: medians %.0f ns and %.0f ns.\n", len(samplesA), rtcompare.Median(samplesA), rtcompare.Median(samplesB))

	drift, err := rtcompare.DetectDrift(samplesA)
	if err != nil {
		return err
	}
	fmt.Printf("4. %s.\n", drift)

	difference, err := rtcompare.EstimateDifference(samplesA, samplesB, rtcompare.EstimateOptions{Paired: true})
	if err != nil {
		return err
	}
	fmt.Printf("5. Difference %s.\n", difference)
	return nil
}
