package cli

import (
	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/record"
)

// answerCode is the exit code of a finished comparison under --fail-on. Without
// it every answer is fine. Being slower by less than the margin is no
// regression: the margin says that it does not matter.
func answerCode(r record.Record, s comparison.Settings, better string, failOn string) int {
	if failOn == "" {
		return ExitOK
	}
	code := ExitOK
	judged := false
	for _, j := range r.Judgements {
		if j.Base != s.Reference || j.Metric != s.Metric {
			continue
		}
		judged = true
		code = worst(code, pairCode(j, better, failOn))
	}
	if !judged {
		return ExitNoAnswer
	}
	return code
}

func pairCode(j record.Judgement, better, failOn string) int {
	switch j.Verdict {
	case record.Unmeasurable:
		return ExitNoAnswer
	case record.Inconclusive:
		if failOn == failOnNotEquivalent {
			return ExitNoAnswer
		}
		return ExitOK
	case record.Equivalent:
		return ExitOK
	}
	worse := j.Verdict == record.Slower
	if better == "higher" {
		worse = !worse
	}
	if j.WithinMargin || (failOn == failOnSlower && !worse) {
		return ExitOK
	}
	return ExitRegression
}
