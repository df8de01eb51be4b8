// Package pooling tests what is said over several processes: the pooled
// interval and its size by simulation, pooled comparisons of identical
// structures on this machine, and runs that are killed and resumed.
package pooling

import (
	"math"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/stat"
)

const (
	level = rtcompare.DefaultConfidenceLevel
	// The bars of every coverage, and the wider one of three processes whose
	// true differences are the same: the scatter is then that of their own
	// errors, which differ from each other, and the t interval is a little wide.
	lowestCoverage, highestCoverage = 0.942, 0.958
	highestOfThree                  = 0.965
)

// FullTrials is the number of trials that the bars of coverages are meant for:
// at 10,000 the worst of many rows that all cover 95.5 % is beyond 95.8 % now
// and then.
const FullTrials = 40000

// QuickTrials is how many trials are enough for a first look.
const QuickTrials = 1000

// reported is the report of a process that found a difference and gave it a
// standard error.
func reported(logRatio, standardError float64) rtcompare.Report {
	half := standardErrors * standardError
	return rtcompare.Report{Decision: rtcompare.Decision{
		Verdict: rtcompare.Inconclusive, LogRatio: logRatio, Low: logRatio - half, High: logRatio + half, Level: level,
	}}
}

const (
	// smallestError is the smallest standard error of a process. The largest
	// one is e times as large, and half of them lie below typicalError.
	smallestError = 0.01
	typicalError  = smallestError * 1.6487212707001282
)

// standardErrors is half the width of an interval, in standard errors.
var standardErrors = stat.NormalQuantile((1 + level) / 2)

func drawError(r *rand.Rand) float64 { return smallestError * math.Exp(r.Float64()) }

func holds(low, high, truth float64) bool { return low <= truth && truth <= high }

// coverageBars are the two bars of a coverage.
func coverageBars(name string, rates []float64, highest float64, trials int) []sheet.Bar {
	bar := sheet.Bar{Name: name + ", lowest", Limit: lowestCoverage, AtLeast: true, Measured: sheet.Worst(rates, true), Trials: trials, Full: FullTrials, Binding: true}
	upper := bar
	upper.Name, upper.Limit, upper.AtLeast, upper.Measured = name+", highest", highest, false, sheet.Worst(rates, false)
	return []sheet.Bar{bar, upper}
}
