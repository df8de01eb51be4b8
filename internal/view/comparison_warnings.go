package view

import (
	"fmt"
	"math"

	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
)

// The codes of warnings about runs of commands and servers.
const (
	CodeFirstRunSlow  = "first-run-slow"
	CodeOutliers      = "outliers"
	CodeShellTime     = "shell-time"
	CodeExitsIgnored  = "exits-ignored"
	CodeTimedOut      = "timed-out"
	CodeLeftBehind    = "left-behind"
	CodeMachineBusy   = "machine-busy"
	CodeGeneratorBusy = "generator-busy"
	CodeRequestErrors = "request-errors"
	CodeTornRecord    = "torn-record"
	// CodeMemoryAtFloor: both sides need no more memory than what starts them.
	CodeMemoryAtFloor = "memory-at-floor"
	// CodeShellOutweighs: a command takes no longer than what starts it.
	CodeShellOutweighs = "shell-outweighs-command"
)

// WarningText renders a warning about a run of commands or servers as one plain
// sentence. What the library says with its own options is said with flags.
func (c *Comparison) WarningText(w record.Warning) string {
	names := make([]string, len(c.Sides))
	for i := range c.Sides {
		names[i] = c.Sides[i].Letter
	}
	v := w.Values
	switch w.Code {
	case judge.CodeFewUnits:
		return "too little was measured for a verdict; a longer --time is needed"
	case judge.CodeRunsDiffer:
		return fmt.Sprintf("identical candidates differ %.1f times as much as the scatter of the runs explains; a longer --time would cover it", v["factor"])
	case judge.CodeTied:
		return fmt.Sprintf("%s of the pairs have exactly equal values: they are coarse for such a small difference", Percent(v["share"]))
	case judge.CodeNotFinite:
		return "a run took no time at all or gave no value, so no ratio can be formed"
	case judge.CodeNoise:
		return fmt.Sprintf("identical candidates differ by up to %s here: too noisy to judge anything", Percent(v["half_width"]))
	case judge.CodeHarnessBias:
		return fmt.Sprintf("identical runs of %s differed by %s in the same direction all along: something favours one place in the order of the runs", armName(w.Arm, names), Percent(abs(v["bias"])))
	case judge.CodePosition:
		return fmt.Sprintf("whichever candidate comes second in a pair is about %s %s (order effect); both orders were measured equally often, and the decision is their mean", Percent(abs(v["effect"])), slowerOrFaster(v["effect"]))
	case CodeMixed:
		return fmt.Sprintf("%s differs from the other in opposite directions: its time is %s times the other's, its CPU time %s times", armName(w.Arm, names), finer(v["wall"]), finer(v["cpu"]))
	case CodeDrift:
		return fmt.Sprintf("%s drifted: it was %s %s in the second half than in the first; a longer --warmup or a quieter machine would help", armName(w.Arm, names), Percent(abs(v["shift"])), higherOrLower(v["shift"]))
	case CodeRatioDrift:
		return fmt.Sprintf("the ratio of the two drifted: it was %s %s in the second half than in the first; a longer --warmup would help", Percent(abs(v["shift"])), higherOrLower(v["shift"]))
	case CodeBudgetSpent:
		return fmt.Sprintf("the time ended before the answer was clear; --time %s would probably do", duration(v["seconds"]))
	}
	return Warning(w, names)
}

func armName(arm int, names []string) string {
	if arm >= 0 && arm < len(names) {
		return names[arm]
	}
	return "a candidate"
}

func slowerOrFaster(effect float64) string {
	if effect < 0 {
		return "faster"
	}
	return "slower"
}

// runWarning words a warning about runs; what it does not know it calls by its
// code.
func runWarning(w record.Warning, arm string) string {
	v := w.Values
	switch w.Code {
	case CodeFirstRunSlow:
		return fmt.Sprintf("the first run of %s took %s, much longer than the rest (%s): caches were cold; --warmup runs it before measuring, --prepare makes every run start cold", arm, AnyUnit.Time(v["first_ns"]), AnyUnit.Time(v["median_ns"]))
	case CodeOutliers:
		return fmt.Sprintf("%s: %s far from the others (outliers, modified z above 14.8), so something else was running; none was left out, and the median hardly feels it", arm, counted(int(v["count"]), "run lies", "runs lie"))
	case CodeShellTime:
		return fmt.Sprintf("%s takes less than 5 ms, and the time of the shell, %s, could only be subtracted on average; --shell=none starts the command without one", arm, AnyUnit.Time(v["shell_ns"]))
	case CodeExitsIgnored:
		return fmt.Sprintf("%s failed in %s (exit code not zero), which counted all the same, because failures are ignored", arm, counted(int(v["count"]), "run", "runs"))
	case CodeTimedOut:
		return fmt.Sprintf("%s ran into the time limit in %s and was ended there: the limit counts as the time, so the true one is longer", arm, counted(int(v["count"]), "run", "runs"))
	case CodeLeftBehind:
		return fmt.Sprintf("%s left %s running when it ended; these were ended too, so that the next runs were not disturbed, but the rest of their work is not in the times", arm, counted(int(v["count"]), "process", "processes"))
	case CodeMachineBusy:
		return fmt.Sprintf("%s waited for a free processor during %s of its time (run queue delay): the machine is busy", arm, Percent(v["share"]))
	case CodeGeneratorBusy:
		return fmt.Sprintf("the load generator was busy %s of the time while %s answered, so the true difference between servers may be larger; give it more loops, or another machine", Percent(v["share"]), arm)
	case CodeRequestErrors:
		return fmt.Sprintf("%.0f of %.0f requests to %s failed (%s) and were counted all the same, because failures are ignored", v["failed"], v["requests"], arm, Percent(v["failed"]/math.Max(1, v["requests"])))
	case CodeMemoryAtFloor:
		return fmt.Sprintf("the memory of %s and of what it is compared with is below what the process that starts them uses itself, so the two cannot be told apart", arm)
	case CodeShellOutweighs:
		return fmt.Sprintf("%s takes no longer than the shell that starts it, so nothing is left to compare; --shell=none starts the command without one", arm)
	case CodeTornRecord:
		return "the record ends in the middle of a line, so the run was cut short; what was complete is shown"
	}
	return w.Code
}
