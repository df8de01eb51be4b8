package view

import (
	"fmt"

	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
)

// The codes of warnings that a front end adds to those of the judge.
const (
	CodeNotValidated    = "not-validated"
	CodeBelowFloor      = "below-floor"
	CodeRounding        = "rounding"
	CodeIncludesZero    = "includes-zero"
	CodeLargeHeap       = "large-heap"
	CodeSuspended       = "suspended"
	CodeDrift           = "drift"
	CodeRatioDrift      = "ratio-drift"
	CodeValidationCut   = "validation-cut"
	CodeSeriesCut       = "series-cut"
	CodeTieRate         = "tie-rate"
	CodeFalseSignals    = "false-signals"
	CodeColdCache       = "cold-cache"
	CodeCollector       = "collector"
	CodeCollectorUnseen = "collector-unseen"
	CodeMixed           = "mixed"
	CodeSpread          = "spread"
	CodePreempted       = "preempted"
	CodeShortUnits      = "short-units"
	CodeBudgetSpent     = "budget-spent"
	CodeContradicted    = "contradicted"
	CodeUnseenWinner    = "unseen-winner"
	CodeOneInstance     = "one-instance"
	CodeOneBuild        = "one-build"
	CodeShortBatch      = "short-batch"
)

// Warning renders a warning as one plain sentence. names are the arms' names.
func Warning(w record.Warning, names []string) string {
	v := w.Values
	arm := "a candidate"
	if w.Arm >= 0 && w.Arm < len(names) {
		arm = names[w.Arm]
	}
	switch w.Code {
	case CodeNotValidated:
		return "identical code was not measured (validation skipped), so nothing shows what this setup invents as a difference"
	case judge.CodeNoIdentical:
		return "slow noise, which only comparisons of identical code show, is not in the interval"
	case CodeBelowFloor:
		return fmt.Sprintf("the difference of %s does not exceed what identical code shows here, %s (noise floor)", Percent(v["delta"]), Percent(v["floor"]))
	case CodeRounding:
		return fmt.Sprintf("rounding to the clock's step of %s of a batch alone can produce this difference (quantization); lengthen the batches with a smaller MaxQuantizationError", Percent(v["step"]))
	case CodeIncludesZero:
		return "both directions remain possible (the interval includes zero)"
	case CodeLargeHeap:
		return fmt.Sprintf("%s of live data: where it lies in memory may shift the difference by several points, and differently in the next process; compare in several processes, or rebuild the fixtures with New", Bytes(v["bytes"]))
	case CodeSuspended:
		return fmt.Sprintf("the machine slept for about %.0f s in the middle of the measurement; measure again", v["seconds"])
	case CodeDrift:
		return fmt.Sprintf("%s drifted: it was %s %s in the second half than in the first, so the machine did not hold still", arm, Percent(abs(v["shift"])), higherOrLower(v["shift"]))
	case CodeRatioDrift:
		return fmt.Sprintf("the ratio of the two drifted: it was %s %s in the second half than in the first, so they had not reached a steady state; raise WarmupDuration", Percent(abs(v["shift"])), higherOrLower(v["shift"]))
	case CodeValidationCut:
		return fmt.Sprintf("MaxDuration cut the runs of identical code from %.0f to %.0f, so the noise floor rests on fewer", v["planned"], v["done"])
	case CodeSeriesCut:
		return fmt.Sprintf("MaxDuration cut the measurement from %.0f pairs to %.0f", v["planned"], v["done"])
	case CodeTieRate:
		return fmt.Sprintf("%s of the bootstrapped differences of identical code are exactly zero: the measurement is coarse; lengthen the batches with a smaller MaxQuantizationError", Percent(v["share"]))
	case CodeFalseSignals:
		return fmt.Sprintf("identical code looked different in %s of its runs where %s is expected: this setup raises false alarms", Percent(v["share"]), Percent(v["expected"]))
	case judge.CodeTied:
		return fmt.Sprintf("%s of the pairs have exactly equal times: batches are short for this clock", Percent(v["share"]))
	case judge.CodeRunsDiffer:
		return fmt.Sprintf("runs of identical code differ %.1f times as much as the scatter within a run explains; a larger Budget, New, or several processes would cover it", v["factor"])
	case judge.CodeHarnessBias:
		return fmt.Sprintf("identical code of %s differed by %s in the same direction all along: something favours one position", arm, Percent(abs(v["bias"])))
	case judge.CodeUnitsCorrelated:
		return fmt.Sprintf("each unit resembles the one before it (autocorrelation %+.2f): the machine changes slowly, and the interval may be too narrow", v["lag1"])
	case judge.CodeNotFinite:
		return "a batch took no time at all, so no ratio can be formed; lengthen the batches"
	case judge.CodeNoise:
		return fmt.Sprintf("identical code differs by up to %s on this setup: too noisy to judge anything", Percent(v["half_width"]))
	case judge.CodePosition:
		return positionSentence(v["effect"])
	case judge.CodeFewUnits:
		return "too few units were measured for a verdict; a larger Budget is needed"
	}
	return frontWarning(w, arm)
}

func positionSentence(effect float64) string {
	direction := "slower"
	if effect < 0 {
		direction = "faster"
	}
	return fmt.Sprintf("whichever candidate comes second in a pair is about %s %s (order effect): caches and branch predictor are as the first one left them, most of all where both work through the same inputs in step; the decision is the mean of both orders", Percent(abs(effect)), direction)
}

func frontWarning(w record.Warning, arm string) string {
	v := w.Values
	switch w.Code {
	case CodeColdCache:
		return fmt.Sprintf("after running alone for %.0f ms the ratio B/A is %s instead of %s: short batches run in caches that the other candidate filled; set a Budget, which measures with a lead-in", v["lead_ms"], finer(v["warm"]), finer(v["cold"]))
	case CodeCollector:
		return fmt.Sprintf("with its garbage collections the ratio B/A is %s instead of %s: a candidate allocates, and short batches leave collections out; set a Budget, which counts them in", finer(v["with"]), finer(v["without"]))
	case CodeCollectorUnseen:
		return "a candidate allocates, but its garbage collections did not come in the time that could be spent on waiting for them (cost unknown); the times are those of the code without them"
	case CodeCachesLeftOut, CodeCollectorLeftOut:
		return leftOut(w.Code, v["batch_seconds"])
	case CodeUnseenWinner:
		return "the faster candidate allocates more than the other, and stretches with garbage collections do not confirm that it is faster, so no winner is named"
	case CodeOneInstance:
		return "one instance of each candidate was measured; where its data and its machine code happen to lie in memory can alone make a few percent of difference; New rebuilds the data, and several processes and builds vary the rest"
	case CodeOneBuild:
		return "the machine code of each candidate lies in one place in this build, which can alone make a few percent of difference (layout); other builds may differ"
	case CodeShortBatch:
		return fmt.Sprintf("a batch lasts %.0f ns, and reading the clock alone takes %.0f ns: raise InnerLoops, or leave it at zero", v["batch_ns"], v["read_ns"])
	case CodeMixed:
		return fmt.Sprintf("elapsed time and processor time point in opposite directions (B/A %s and %s): one candidate is faster and needs more processor time", finer(v["wall"]), finer(v["cpu"]))
	case CodeContradicted:
		return "the check after the measurement contradicts the direction of the difference, so no winner is named"
	case CodeSpread:
		return fmt.Sprintf("%s is the faster one and its times spread %.1f times as widely", arm, v["ratio"])
	case CodePreempted:
		return fmt.Sprintf("the operating system took the processor away during %s of the batches: the machine is busy", Percent(v["share"]))
	case CodeShortUnits:
		return fmt.Sprintf("the budget is short for operations this long: a unit holds %.0f pairs instead of %.0f, so slow noise may not be covered", v["pairs"], v["planned"])
	case CodeBudgetSpent:
		return fmt.Sprintf("the budget ended before the answer was clear; a budget of about %s would probably do", Seconds(v["seconds"]))
	}
	return runWarning(w, arm)
}

// Seconds renders a duration in whole and readable units.
func Seconds(s float64) string {
	switch {
	case s < 10:
		return fmt.Sprintf("%.1f s", s)
	case s < 120:
		return fmt.Sprintf("%.0f s", s)
	case s < 7200:
		return fmt.Sprintf("%.0f min", s/60)
	}
	return fmt.Sprintf("%.0f h", s/3600)
}

func higherOrLower(shift float64) string {
	if shift > 0 {
		return "higher"
	}
	return "lower"
}

func abs(v float64) float64 {
	if v < 0 {
		return -v
	}
	return v
}
