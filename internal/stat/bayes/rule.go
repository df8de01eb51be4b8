package bayes

import (
	"fmt"
	"math"
)

// Rule is what a comparison is judged by. The zero value is not valid;
// [DefaultRule] is what a comparison has where nothing else is asked for.
type Rule struct {
	// BatchRounds is the smallest number of rounds in a batch. 1 takes every
	// round as it is, which is right only if rounds are independent.
	BatchRounds int
	// MinRounds is the first round after which there may be a verdict,
	// MaxRounds the one after which the comparison ends without.
	MinRounds, MaxRounds int
	// Certainty is the probability that is enough for a verdict, between a half
	// and one.
	Certainty float64
	// CredibleMass is the probability that the interval holds, between a half
	// and one.
	CredibleMass float64
	// MinEffect is the largest ratio minus one that does not matter: 0.01 is
	// one percent. Zero asks whether the sides differ at all.
	MinEffect float64
	// PriorScale is the scale of the Cauchy prior on the standardised effect.
	PriorScale float64
}

// DefaultRule returns the rule of a comparison that sets nothing itself.
func DefaultRule() Rule {
	return Rule{
		BatchRounds: 4, MinRounds: LeastRounds(4), MaxRounds: 200,
		Certainty: 0.99, CredibleMass: 0.95, MinEffect: 0.01, PriorScale: 0.707,
	}
}

// LeastRounds is MinRounds where it is not set: 16, or four batches of the
// smallest size.
func LeastRounds(batchRounds int) int { return max(16, 4*batchRounds) }

// Validate returns an error that names the first setting that is out of range.
func (r Rule) Validate() error {
	switch {
	case r.BatchRounds < 1:
		return fmt.Errorf("batch-rounds is %d and has to be at least 1", r.BatchRounds)
	case r.MinRounds < 2*r.BatchRounds:
		return fmt.Errorf("min-rounds is %d and has to be at least two batches, %d", r.MinRounds, 2*r.BatchRounds)
	case r.MaxRounds < r.MinRounds:
		return fmt.Errorf("max-rounds is %d and has to be at least min-rounds, %d", r.MaxRounds, r.MinRounds)
	case !(r.Certainty > 0.5 && r.Certainty < 1):
		return fmt.Errorf("certainty is %g and has to lie between 0.5 and 1", r.Certainty)
	case !(r.CredibleMass > 0.5 && r.CredibleMass < 1):
		return fmt.Errorf("credible-mass is %g and has to lie between 0.5 and 1", r.CredibleMass)
	case !(r.MinEffect >= 0) || math.IsInf(r.MinEffect, 0):
		return fmt.Errorf("min-effect is %g and has to be a ratio minus one that is not negative", r.MinEffect)
	case !(r.PriorScale > 0) || math.IsInf(r.PriorScale, 0):
		return fmt.Errorf("prior-scale is %g and has to be positive", r.PriorScale)
	}
	return nil
}

// Verdict is what is known after a round.
type Verdict string

// The verdicts. Their texts are those of finefile's results.
const (
	// Undecided: another round is needed.
	Undecided Verdict = ""
	// Different: the sides differ, by more than MinEffect where that is set.
	Different Verdict = "different"
	// Indistinguishable: they do not.
	Indistinguishable Verdict = "indistinguishable"
	// OutOfRounds: MaxRounds were measured without an answer.
	OutOfRounds Verdict = "max-rounds"
)

// Decide returns the verdict after the last round of an analysis. It does not
// know about time: a caller with a deadline looks at it after an Undecided.
func Decide(a Analysis, r Rule) Verdict {
	if a.Rounds >= r.MinRounds {
		switch p := a.Decisive(); {
		case p >= r.Certainty:
			return Different
		case p <= 1-r.Certainty:
			return Indistinguishable
		}
	}
	if a.Rounds >= r.MaxRounds {
		return OutOfRounds
	}
	return Undecided
}
