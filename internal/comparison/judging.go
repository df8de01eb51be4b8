package comparison

import (
	"math"
	"slices"

	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
)

// Judge judges every pair of arms by the metric that carries the verdict, those
// with the reference first, and then the other metrics against the reference.
// The error rate is shared by all pairs (Bonferroni), so that groups of arms
// that cannot be told apart hold together.
func Judge(units []record.Unit, s Settings, arms int, unfit string) []record.Judgement {
	judged := judgeReference(units, s, arms, unfit)
	one := func(base, arm int, metric string) {
		p := s.policy(base, arm, arms, metric)
		p.Unfit = unfitFor(units, base, arm, metric, unfit)
		judged = append(judged, judge.Judge(units, p))
	}
	for base := range arms {
		for arm := base + 1; arm < arms; arm++ {
			if base != s.Reference && arm != s.Reference {
				one(base, arm, s.Metric)
			}
		}
	}
	for _, metric := range s.Others {
		for arm := range arms {
			known := holds(units, arm, metric) && holds(units, s.Reference, metric)
			if arm != s.Reference && known && unfitFor(units, s.Reference, arm, metric, "") == "" {
				one(s.Reference, arm, metric)
			}
		}
	}
	return judged
}

// judgeReference judges the pairs that decide when a run ends.
func judgeReference(units []record.Unit, s Settings, arms int, unfit string) []record.Judgement {
	var judged []record.Judgement
	for arm := range arms {
		if arm == s.Reference {
			continue
		}
		p := s.policy(s.Reference, arm, arms, s.Metric)
		p.Unfit = unfitFor(units, s.Reference, arm, s.Metric, unfit)
		judged = append(judged, judge.Judge(units, p))
	}
	return judged
}

const (
	metricMemory = "memory"
	// CodeMemoryAtFloor: both arms need no more memory than what starts them.
	CodeMemoryAtFloor = "memory-at-floor"
	// CodeShellOutweighs: the time of the shell that is subtracted is as long as
	// what it is subtracted from.
	CodeShellOutweighs = "shell-outweighs-command"
	// countAtFloor is what the command arm counts such runs as.
	countAtFloor = "memory at floor"
)

// unfitFor adds to what makes a whole run unfit what makes one metric of two
// arms unfit: bounds from above on both sides say nothing about their ratio.
// Where only one side is a bound, the other one is larger all the same.
func unfitFor(units []record.Unit, base, arm int, metric, unfit string) string {
	if unfit == "" && metric == metricMemory && mostlyAtFloor(units, base) && mostlyAtFloor(units, arm) {
		return CodeMemoryAtFloor
	}
	timed := metric == string(judge.Wall) || metric == string(judge.CPU)
	if unfit == "" && timed && (nothingLeft(units, base, metric) || nothingLeft(units, arm, metric)) {
		return CodeShellOutweighs
	}
	return unfit
}

// nothingLeft reports whether the shell takes as long as the command itself: a
// time that was used up by subtracting is a nanosecond in the record, and its
// logarithm would outweigh those of a thousand other runs.
func nothingLeft(units []record.Unit, arm int, metric string) bool {
	for i := range units {
		for _, cell := range units[i].Cells {
			times := cell.Wall
			if metric == string(judge.CPU) {
				times = cell.CPU
			}
			if cell.Arm == arm && slices.Contains(times, 1) {
				return true
			}
		}
	}
	return false
}

func mostlyAtFloor(units []record.Unit, arm int) bool {
	runs, bounded := 0, int64(0)
	for i := range units {
		for _, cell := range units[i].Cells {
			if cell.Arm == arm {
				runs += len(cell.Wall)
				bounded += cell.Counts[countAtFloor]
			}
		}
	}
	return 2*bounded > int64(runs)
}

// holds reports whether anything of a metric was read for an arm.
func holds(units []record.Unit, arm int, metric string) bool {
	for i := range units {
		for _, cell := range units[i].Cells {
			if cell.Arm != arm {
				continue
			}
			switch {
			case metric == string(judge.Wall):
				return len(cell.Wall) > 0
			case metric == string(judge.CPU):
				return len(cell.CPU) > 0
			}
			for _, v := range cell.Extra[metric] {
				if !math.IsNaN(v) && v != 0 {
					return true
				}
			}
		}
	}
	return false
}

// clear reports whether the run may end: every pair with the reference has a
// verdict, or is as precise as was asked for.
func clear(judged []record.Judgement, s Settings) bool {
	for _, j := range judged {
		if s.Precision > 0 {
			if !(max(j.High-j.LogRatio, j.LogRatio-j.Low) <= math.Log1p(s.Precision)) {
				return false
			}
			continue
		}
		switch j.Verdict {
		case record.Faster, record.Slower, record.Equivalent:
		default:
			return false
		}
	}
	return len(judged) > 0
}
