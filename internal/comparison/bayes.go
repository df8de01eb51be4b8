package comparison

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat/bayes"
)

// BayesVersion names finefile's rule in judgements.
const BayesVersion = "jzs"

// Rule is the settings as the rule takes them.
func (s BayesSettings) Rule() bayes.Rule {
	return bayes.Rule{
		BatchRounds: s.BatchRounds, MinRounds: s.MinRounds, MaxRounds: s.MaxRounds,
		Certainty: s.Certainty, CredibleMass: s.CredibleMass, MinEffect: s.MinEffect, PriorScale: s.PriorScale,
	}
}

// alternating is a coin that falls on either side in turn: it makes rounds of
// a b b a and b a a b alternate.
type alternating struct{ tails bool }

// Uint64 implements [order.Coin].
func (c *alternating) Uint64() uint64 {
	defer func() { c.tails = !c.tails }()
	if c.tails {
		return 1 << 63
	}
	return 0
}

// bayesDesign is finefile's order: every unit is one of its rounds, in which
// each side has two whole runs, or one where rounds are a b and b a.
func (r *run) bayesDesign(design *engine.OutsideDesign) {
	s := r.plan.Settings.Bayes
	design.Once, design.Rounds, design.Pilotless = true, 2, true
	design.Order, design.Coin = order.Blocks, &alternating{}
	if s.Alternate {
		design.Rounds, design.Order = 1, order.ABBA
	}
	design.AtLeast, design.AtMost = 2*s.BatchRounds, s.MaxRounds
}

// LogThroughputDifferences returns one difference per round: the mean log
// throughput of the first arm's runs minus that of the second's, operations per
// second. It is positive where the first is faster.
func LogThroughputDifferences(units []record.Unit) []float64 {
	var differences []float64
	for i := range units {
		a, b := units[i].Find(0, 0), units[i].Find(1, 0)
		if a != nil && b != nil {
			differences = append(differences, logThroughput(a)-logThroughput(b))
		}
	}
	return differences
}

func logThroughput(c *record.Cell) float64 {
	sum := 0.0
	for _, wall := range c.Wall {
		sum += math.Log(float64(c.N) / (float64(max(1, wall)) / 1e9))
	}
	return sum / float64(max(1, len(c.Wall)))
}

// JudgeBayes words the rule's analysis as a judgement. Its interval is the
// credible one, and its error rate the mass outside of it.
func JudgeBayes(units []record.Unit, s BayesSettings) (record.Judgement, bayes.Analysis, bool) {
	analysis, ok := bayes.Analyse(LogThroughputDifferences(units), s.Rule())
	j := record.Judgement{
		Version: BayesVersion, Arm: 1, Metric: "wall", Verdict: record.Inconclusive, ErrorRate: 1 - s.CredibleMass,
		Margin: math.Log1p(s.MinEffect), Units: len(units), Pairs: visits(units), PValue: 1,
		Low: math.Inf(-1), High: math.Inf(1), EquivalenceLow: math.Inf(-1), EquivalenceHigh: math.Inf(1), SmallestVisible: math.Inf(1),
	}
	if !ok {
		return j, analysis, false
	}
	j.LogRatio, j.Low, j.High = analysis.LogRatio, analysis.Low, analysis.High
	j.EquivalenceLow, j.EquivalenceHigh = analysis.Low, analysis.High
	switch bayes.Decide(analysis, s.Rule()) {
	case bayes.Different:
		j.Verdict = record.Faster
		if analysis.LogRatio > 0 {
			j.Verdict = record.Slower
		}
	case bayes.Indistinguishable:
		j.Verdict = record.Equivalent
	}
	return j, analysis, true
}

func (r *run) lookBayes(units []record.Unit) bool {
	s := *r.plan.Settings.Bayes
	j, analysis, ok := JudgeBayes(units, s)
	r.judged = []record.Judgement{j}
	return ok && bayes.Decide(analysis, s.Rule()) != bayes.Undecided
}
