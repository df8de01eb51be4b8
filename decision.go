package rtcompare

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/record"
)

// Verdict is the answer of a comparison. The zero value, NotJudged, belongs to a
// report that no comparison made.
type Verdict int

const (
	// NotJudged is the verdict of a report that was put together by hand.
	NotJudged Verdict = iota
	// AFaster and BFaster say that the candidate is faster, at the decision's
	// error rate.
	AFaster
	BFaster
	// Equivalent says that the difference lies inside the margin.
	Equivalent
	// Inconclusive says that this run can tell neither. It does not mean that
	// the two are equally fast.
	Inconclusive
	// Unmeasurable says that this setup cannot tell: the machine slept, the
	// clock is too coarse, or identical code differs wildly.
	Unmeasurable
)

// String returns the verdict in words.
func (v Verdict) String() string {
	switch v {
	case AFaster:
		return "A faster"
	case BFaster:
		return "B faster"
	case Equivalent:
		return "equivalent"
	case Inconclusive:
		return "inconclusive"
	case Unmeasurable:
		return "unmeasurable"
	}
	return "not judged"
}

// Decision is the verdict and what it rests on.
//
// Differences are natural logarithms of B's time over A's: +0.1 means that B
// takes about 10 % longer. On this scale a swap of A and B negates every number
// and swaps the verdict, exactly.
//
// The interval is the hull of several ones, each of which covers what the
// others do not: the exact rank interval of the median ratio and its bootstrap
// interval, with the blocks of [Report.BlockLength]; two intervals from the
// differences that identical code showed, a t interval with their root mean
// square and one by their ranks alone; and what the clock can produce, one and a
// half of its steps and the cost of one reading per batch, so that neither ties
// nor the way into a batch ever prove anything. Where whatever runs second in a pair is faster
// or slower for it, the decision is about the mean of both orders, while
// [Report.Estimate] is about the ratios as they are. With a Budget the
// interval is a t confidence sequence over units (Wang and Ramdas 2025), which
// holds at every look at once, joined with the same for identical code.
type Decision struct {
	Verdict Verdict
	// LogRatio is ln(B/A), Low and High bound it at Level.
	LogRatio, Low, High float64
	Level               float64
	// PValue is the smallest error rate at which the interval excludes zero.
	// Zero stands for less than 1e-15.
	PValue float64
	// Margin is the relative difference that does not matter.
	Margin float64
	// WithinMargin is set when one candidate is faster, and by less than the
	// margin.
	WithinMargin bool
	// Mixed is set when elapsed time and processor time point in opposite
	// directions. The verdict is then Inconclusive.
	Mixed bool
	// SmallestDifference is the smallest true ln(B/A) that a run like this one
	// finds with 90 % probability.
	SmallestDifference float64
	// Units is the number of units, Pairs the number of pairs of batches in
	// them, IdenticalRuns the number of comparisons of identical code.
	Units, Pairs, IdenticalRuns int
	// IdenticalSpread is the root mean square of the log ratios of identical
	// code, over series as long as a unit.
	IdenticalSpread float64
	// Collections is set when the times are those of long stretches with their
	// garbage collections, because a candidate allocates.
	Collections bool
}

// Delta returns the difference on the scale of [Estimate]: 1 - A/B, with its
// bounds.
func (d Decision) Delta() (delta, low, high float64) {
	return savedShare(d.LogRatio), savedShare(d.Low), savedShare(d.High)
}

// savedShare is 1 - exp(-x): the share of B's time that A saves at ln(B/A) = x.
func savedShare(logRatio float64) float64 { return -math.Expm1(-logRatio) }

// decisionOf translates a judgement of arm B against base A.
func decisionOf(j record.Judgement, margin float64) Decision {
	verdicts := map[record.Verdict]Verdict{
		record.Faster: BFaster, record.Slower: AFaster, record.Equivalent: Equivalent,
		record.Inconclusive: Inconclusive, record.Unmeasurable: Unmeasurable,
	}
	return Decision{
		Verdict: verdicts[j.Verdict], LogRatio: j.LogRatio, Low: j.Low, High: j.High, Level: 1 - j.ErrorRate,
		PValue: j.PValue, Margin: margin, WithinMargin: j.WithinMargin, SmallestDifference: j.SmallestVisible,
		Units: j.Units, Pairs: j.Pairs, IdenticalRuns: j.Identical, IdenticalSpread: j.IdenticalSpread,
	}
}

// names reports whether the decision names a faster candidate.
func (d Decision) names() bool { return d.Verdict == AFaster || d.Verdict == BFaster }

// opposite reports whether two decisions name different candidates.
func (d Decision) opposite(other Decision) bool {
	return d.names() && other.names() && d.Verdict != other.Verdict
}
