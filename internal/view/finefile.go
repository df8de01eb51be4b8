package view

import (
	"fmt"
	"math"
	"strings"
)

// The lines of this file are those that finefile prints, so that scripts that
// read them keep working.

// FinefileHeader is the line before a comparison.
func (j *JZS) FinefileHeader() string {
	return fmt.Sprintf("Compare: %s (a = %s, b = %s)", j.Name, j.A.Name, j.B.Name)
}

// FinefileProgress is the line about the rounds so far; runs counts those of
// both sides.
func (j *JZS) FinefileProgress(runs int) string {
	line := fmt.Sprintf("  round %3d (%3d runs)   ratio %.4f   P(different) %s", j.Rounds, runs, math.Exp(j.LogRatio), tenths(j.Different))
	if j.MinEffect > 0 {
		line += fmt.Sprintf("   P(> %s) %s", tenths(j.MinEffect), tenths(j.Practical))
	}
	return line
}

// FinefileResult are the lines after a comparison.
func (j *JZS) FinefileResult() string {
	var out strings.Builder
	fmt.Fprintf(&out, "  %s\n", j.finefileVerdict())
	fmt.Fprintf(&out, "  Throughput ratio %s/%s:  %.4f  [%.4f, %.4f] (%s credible)\n", j.A.Name, j.B.Name,
		math.Exp(j.LogRatio), math.Exp(j.Low), math.Exp(j.High), tenths(j.CredibleMass))
	fmt.Fprintf(&out, "  P(different) %s   BF10 %s   after %d rounds (%d batches of %d)\n", tenths(j.Different), finefileFactor(j.LogBF10), j.Rounds, j.Batches, j.BatchSize)
	if j.MinEffect > 0 {
		fmt.Fprintf(&out, "  P(difference exceeds %s) %s\n", tenths(j.MinEffect), tenths(j.Practical))
	}
	return out.String()
}

func (j *JZS) finefileVerdict() string {
	faster, slower := j.A.Name, j.B.Name
	if j.LogRatio < 0 {
		faster, slower = slower, faster
	}
	switch j.Verdict {
	case "different":
		return fmt.Sprintf("Different: %s is %s faster than %s", faster, tenths(math.Expm1(math.Abs(j.LogRatio))), slower)
	case "indistinguishable":
		return fmt.Sprintf("Indistinguishable: %s and %s", j.A.Name, j.B.Name)
	case "timeout":
		return "Inconclusive (timed out)"
	}
	return "Inconclusive (hit max-rounds)"
}

func tenths(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }

// finefileFactor renders a Bayes factor with three digits.
func finefileFactor(logFactor float64) string {
	if factor := math.Exp(logFactor); !math.IsInf(factor, 0) && factor < 1e15 {
		return significant(factor, 3)
	}
	return fmt.Sprintf("e^%.1f", logFactor)
}
