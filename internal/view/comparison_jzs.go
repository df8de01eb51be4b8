package view

import (
	"fmt"
	"math"
	"strconv"
)

// JZS is one comparison of two sides by finefile's rule, a Bayes factor with a
// Cauchy prior (Jeffreys, Zellner and Siow; Rouder and others 2009). All log
// ratios are of throughput, that of A over that of B: positive when A is
// faster.
type JZS struct {
	Name string
	// A and B are the sides: their names, and the runs that go into results.
	A, B Side
	// Verdict is "different", "indistinguishable", "max-rounds" or "timeout".
	Verdict string
	// Rounds were measured; they were averaged into Batches of BatchSize.
	Rounds, Batches, BatchSize int
	// Certainty is the probability that ends the comparison, CredibleMass that
	// of the interval, PriorScale the scale of the prior.
	Certainty, CredibleMass, PriorScale float64
	// Interleave is "abba" or "alternate".
	Interleave string
	LogBF10    float64
	// LogRatio is the estimate, Low and High its credible interval, SD the
	// standard deviation of the batches' means.
	LogRatio, Low, High, SD float64
	// Differences and DifferentByRound have one value for each round.
	Differences, DifferentByRound []float64
	// Different is the probability that the sides differ at all.
	Different float64
	// MinEffect is the smallest ratio minus one that matters, and Practical the
	// probability of a difference beyond it. 0 leaves both out.
	MinEffect, Practical float64
}

// Sentence says what the rule decided.
func (j *JZS) Sentence() string {
	faster, slower := j.A.Letter, j.B.Letter
	if j.LogRatio < 0 {
		faster, slower = slower, faster
	}
	more := Percent(math.Expm1(math.Abs(j.LogRatio)))
	switch {
	case j.Verdict == "different" && j.A.Server && j.B.Server:
		return fmt.Sprintf("%s answers %s more requests per second than %s", faster, more, slower)
	case j.Verdict == "different":
		return fmt.Sprintf("%s does %s more in the same time than %s", faster, more, slower)
	case j.Verdict == "indistinguishable" && j.MinEffect > 0:
		return fmt.Sprintf("%s and %s cannot be told apart by more than %s", j.A.Letter, j.B.Letter, levelPercent(j.MinEffect))
	case j.Verdict == "indistinguishable":
		return fmt.Sprintf("%s and %s cannot be told apart", j.A.Letter, j.B.Letter)
	case j.Verdict == "timeout":
		return fmt.Sprintf("undecided whether %s or %s is faster when the time was up (inconclusive)", j.A.Letter, j.B.Letter)
	}
	return fmt.Sprintf("undecided whether %s or %s is faster after the most rounds allowed (inconclusive)", j.A.Letter, j.B.Letter)
}

// Interval is the ratio of the throughputs with its credible interval: that of
// the faster side to the slower one where they were found different, else that
// of A to B.
func (j *JZS) Interval() string {
	ratio, low, high := j.LogRatio, j.Low, j.High
	meaning := ""
	switch {
	case j.Verdict != "different":
		meaning = fmt.Sprintf("%s / %s ", j.A.Letter, j.B.Letter)
	case ratio < 0:
		ratio, low, high = -ratio, -high, -low
	}
	return meaning + fmt.Sprintf("%s  %s, by Bayes factor (credible interval)", Times(math.Exp(ratio), math.Exp(low), math.Exp(high)), levelPercent(j.CredibleMass))
}

// Evidence says how probable a difference is.
func (j *JZS) Evidence() string {
	text := fmt.Sprintf("Probability that they differ at all: %s (Bayes factor %s)", Percent(j.Different), bayesFactor(j.LogBF10))
	if j.MinEffect > 0 {
		text += fmt.Sprintf("; that they differ by more than %s: %s", levelPercent(j.MinEffect), Percent(j.Practical))
	}
	return text + "."
}

// How says what was measured.
func (j *JZS) How() string {
	return fmt.Sprintf("%s in %s of %s, %s and %s; ends at a probability of %s.", counted(j.Rounds, "round", "rounds"),
		counted(j.Batches, "batch", "batches"), counted(j.BatchSize, "round", "rounds"), counted(j.A.Runs(), "run of A", "runs of A"),
		counted(j.B.Runs(), "run of B", "runs of B"), levelPercent(j.Certainty))
}

// Progress is a line about the rounds so far; runs counts those of both sides.
func (j *JZS) Progress(runs int) string {
	text := fmt.Sprintf("round %d, %s: %s / %s %s, different with %s", j.Rounds, counted(runs, "run", "runs"), j.A.Letter, j.B.Letter,
		decimal(math.Exp(j.LogRatio), 4), Percent(j.Different))
	if j.MinEffect > 0 {
		text += fmt.Sprintf(", by more than %s with %s", levelPercent(j.MinEffect), Percent(j.Practical))
	}
	return text
}

// bayesFactor renders a factor with three digits, or as a power of e where it
// is too large.
func bayesFactor(logFactor float64) string {
	if math.Abs(logFactor) > 15 {
		return "e^" + strconv.FormatFloat(logFactor, 'f', 1, 64)
	}
	return significant(math.Exp(logFactor), 3)
}
