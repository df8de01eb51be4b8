package gobench

import (
	"fmt"
	"slices"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
)

const (
	// dependenceFactor is how many times more operations the time of one must
	// not depend on, and dependenceLimit the largest ratio that counts as none.
	dependenceFactor = 10
	dependenceLimit  = 1.05
	// agreement is the share of pairs that have to agree with the ratio: on a
	// busy machine a few of them move it alone. Where there is nothing but
	// noise, 7 pairs agree by chance in 13 %, 21 pairs in 3 % of trials.
	agreement = 0.75
	// dependencePairs are run at least, and more where they say that it does
	// depend, unless the ratio is obvious.
	dependencePairs     = 7
	moreDependencePairs = 3 * dependencePairs
	obviousRatio        = 1.5
	// longestBatch bounds the batches of a benchmark whose first operations are
	// different.
	longestBatch = 30 * time.Millisecond
	// mostDependence is how long batches of two sizes are compared at most, as
	// soon as there is one of each.
	mostDependence = time.Second
)

// numberPairs are batches of n operations, each beside one of ten times as many.
type numberPairs struct {
	n         int64
	few, many []engine.Sample
}

// ratio is the time of an operation among many, over that among few.
func (p numberPairs) ratio() float64 {
	return p.ratioBy(busy(p.few) || busy(p.many))
}

func (p numberPairs) ratioBy(processorTime bool) float64 {
	const leastNanoseconds = 1e-9
	few, many := timePerOp(p.few, p.n, processorTime), timePerOp(p.many, p.n*dependenceFactor, processorTime)
	return many / max(leastNanoseconds, few)
}

func (p numberPairs) obvious() bool {
	ratio := p.ratio()
	return ratio > obviousRatio || ratio < 1/obviousRatio
}

// agreeing is the share of pairs that are on the same side of 1 as their ratio.
func (p numberPairs) agreeing() float64 {
	processorTime := busy(p.few) || busy(p.many)
	up := p.ratioBy(processorTime) > 1
	count := 0
	for i := range p.few {
		one := numberPairs{n: p.n, few: p.few[i : i+1], many: p.many[i : i+1]}
		if (one.ratioBy(processorTime) > 1) == up {
			count++
		}
	}
	return float64(count) / float64(len(p.few))
}

// dependent says how the time of an operation depends on their number; nothing
// where it does not.
func (p numberPairs) dependent() string {
	ratio := p.ratio()
	if ratio > 1/dependenceLimit && ratio < dependenceLimit || p.agreeing() < agreement {
		return ""
	}
	return fmt.Sprintf("the time of an operation depends on their number (ten times as many: %+.0f%%)", 100*(ratio-1))
}

// nsPerOp is the time of an operation over some batches. Processor time stands
// for wall time where the benchmark is busy all the time: other programs stretch
// long batches more than short ones.
func nsPerOp(samples []engine.Sample, n int64) float64 {
	return timePerOp(samples, n, busy(samples))
}

// busy reports whether a benchmark uses a processor for as long as it has one:
// a batch that nobody disturbed shows it.
func busy(samples []engine.Sample) bool {
	const share = 0.7
	for _, sample := range samples {
		if float64(sample.CPU) > share*float64(sample.Wall) {
			return true
		}
	}
	return false
}

// timePerOp takes all processor time together, so that collections count that
// only some batches have; of wall times it takes the middle one.
func timePerOp(samples []engine.Sample, n int64, processorTime bool) float64 {
	total := 0.0
	walls := make([]float64, len(samples))
	for i, sample := range samples {
		total += float64(sample.CPU)
		walls[i] = float64(sample.Wall)
	}
	if processorTime {
		return total / float64(len(samples)) / float64(n)
	}
	slices.Sort(walls)
	return walls[len(walls)/2] / float64(n)
}
