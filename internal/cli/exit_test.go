package cli

import (
	"errors"
	"fmt"
	"testing"

	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/record"
)

func TestWorst(t *testing.T) {
	order := []int{ExitOK, ExitNoAnswer, ExitCandidate, ExitRegression, ExitUsage, ExitTerminated, ExitInterrupted}
	for i, a := range order {
		for k, b := range order {
			if got, want := worst(a, b), order[max(i, k)]; got != want {
				t.Errorf("worst(%d, %d) = %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestExitCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, ExitOK},
		{errors.New("from elsewhere"), ExitUsage},
		{usage("x"), ExitUsage},
		{candidate(errors.New("x"), ""), ExitCandidate},
		{incomplete("x"), ExitNoAnswer},
		{fmt.Errorf("around: %w", candidate(errors.New("x"), "")), ExitCandidate},
		{errors.Join(nil, incomplete("x")), ExitNoAnswer},
		{quietExit(ExitInterrupted, "x"), ExitInterrupted},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("exitCode(%v) = %d, want %d", c.err, got, c.want)
		}
	}
	if got := exitCode(summed([]error{candidate(errors.New("x"), ""), usage("y"), incomplete("z")})); got != ExitUsage {
		t.Errorf("a usage error among others gives %d", got)
	}
}

// TestAnswerCode goes through every verdict under every word of --fail-on.
func TestAnswerCode(t *testing.T) {
	settings := comparison.Settings{Metric: "wall"}
	for _, c := range []struct {
		verdict                          record.Verdict
		within                           bool
		slower, different, notEquivalent int
	}{
		{record.Faster, false, 0, 1, 1},
		{record.Slower, false, 1, 1, 1},
		{record.Faster, true, 0, 0, 0},
		{record.Slower, true, 0, 0, 0},
		{record.Equivalent, false, 0, 0, 0},
		{record.Inconclusive, false, 0, 0, 3},
		{record.Unmeasurable, false, 3, 3, 3},
	} {
		j := record.Judgement{Base: 0, Arm: 1, Metric: "wall", Verdict: c.verdict, WithinMargin: c.within}
		r := record.Record{Judgements: []record.Judgement{j}}
		for word, want := range map[string]int{"": 0, failOnSlower: c.slower, failOnDifferent: c.different, failOnNotEquivalent: c.notEquivalent} {
			if got := answerCode(r, settings, "lower", word); got != want {
				t.Errorf("%s (within the margin: %v) with --fail-on %q gives %d, want %d", c.verdict, c.within, word, got, want)
			}
		}
	}
	// Where more is better, what the judge calls faster is worse.
	more := record.Record{Judgements: []record.Judgement{{Base: 0, Arm: 1, Metric: "wall", Verdict: record.Faster}}}
	if got := answerCode(more, settings, "higher", failOnSlower); got != ExitRegression {
		t.Errorf("less of what should be much gives %d", got)
	}
	// Other metrics and pairs do not count, and no answer is none.
	other := record.Record{Judgements: []record.Judgement{{Base: 0, Arm: 1, Metric: "cpu", Verdict: record.Slower}, {Base: 1, Arm: 2, Metric: "wall", Verdict: record.Slower}}}
	if got := answerCode(other, settings, "lower", failOnSlower); got != ExitNoAnswer {
		t.Errorf("a run without the asked answer gives %d", got)
	}
}
