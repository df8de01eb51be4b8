package rtcompare

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// meanLaw is the t law of a mean: its half-width at an error rate, and the
// p-value of a distance from it.
type meanLaw struct{ standardError, degrees float64 }

func (l meanLaw) half(alpha float64) float64 {
	if l.standardError == 0 {
		return 0
	}
	return stat.StudentQuantile(1-min(1, alpha)/2, l.degrees) * l.standardError
}

func (l meanLaw) pValue(distance float64) float64 {
	if l.standardError == 0 {
		if distance == 0 {
			return 1
		}
		return 0
	}
	return stat.StudentTwoSidedP(distance/l.standardError, l.degrees)
}

// lawOf is the law of the units' mean. With a first stage, its scatter and its
// degrees of freedom stand for all (Stein 1945).
func lawOf(logs []float64, firstStage int) (mean float64, law meanLaw) {
	mean, deviation := stat.MeanAndSD(logs)
	degrees := len(logs) - 1
	if firstStage > 0 {
		_, deviation = stat.MeanAndSD(logs[:firstStage])
		degrees = firstStage - 1
	}
	return mean, meanLaw{deviation / math.Sqrt(float64(len(logs))), float64(degrees)}
}

// decide sets the pooled decision, and Delta with its bounds from it.
func (p *Pooled) decide(reports []Report, units []observation) {
	logs, _ := columns(units)
	mean, law := lawOf(logs, p.FirstStage)
	alpha := 1 - p.Level
	half := law.half(alpha)
	d := Decision{
		Verdict: Inconclusive, LogRatio: mean, Low: mean - half, High: mean + half, Level: p.Level,
		PValue: law.pValue(mean), Margin: marginOf(reports), Units: len(units),
		SmallestDifference: half + stat.NormalQuantile(pooledPower)*law.standardError,
	}
	equivalence := law.half(2 * alpha)
	inside := math.Abs(mean)+equivalence < logMargin(d.Margin)
	switch {
	case d.Low > 0:
		d.Verdict, d.WithinMargin = AFaster, inside
	case d.High < 0:
		d.Verdict, d.WithinMargin = BFaster, inside
	case inside:
		d.Verdict = Equivalent
	}
	d.evidence(reports)
	if d.names() && p.processorOpposes(reports, d) {
		d.Verdict, d.Mixed, d.WithinMargin = Inconclusive, true, false
	}
	p.Decision = d
	p.Delta, p.Low, p.High = d.Delta()
}

// pooledPower is the probability with which SmallestDifference is found.
const pooledPower = 0.90

// marginOf is the widest margin that a report was judged with, or the default.
func marginOf(reports []Report) float64 {
	margin := 0.0
	for _, r := range reports {
		margin = max(margin, r.Decision.Margin)
	}
	if margin == 0 {
		return DefaultMargin
	}
	return margin
}

// evidence counts what all reports together rest on.
func (d *Decision) evidence(reports []Report) {
	squares := 0.0
	for _, r := range reports {
		d.Pairs += max(r.Decision.Pairs, min(len(r.SamplesA), len(r.SamplesB)))
		d.Collections = d.Collections || r.Decision.Collections
		for _, deltas := range [][]float64{r.ValidationA.Deltas, r.ValidationB.Deltas} {
			for _, delta := range deltas {
				if log := math.Log1p(-delta); !math.IsNaN(log) && !math.IsInf(log, 0) {
					squares += log * log
					d.IdenticalRuns++
				}
			}
		}
	}
	if d.IdenticalRuns > 0 {
		d.IdenticalSpread = math.Sqrt(squares / float64(d.IdenticalRuns))
	}
}

// processorOpposes pools processor time where every report has it, and reports
// whether it names the other candidate: then neither is simply the better one.
func (p *Pooled) processorOpposes(reports []Report, d Decision) bool {
	seen := make([]observation, len(reports))
	for i, r := range reports {
		if r.Processor == nil || math.IsNaN(r.Processor.LogRatio) || math.IsInf(r.Processor.LogRatio, 0) {
			return false
		}
		seen[i].logRatio = r.Processor.LogRatio
	}
	logs, _ := columns(unitsOf(reports, seen, p.Unit))
	mean, law := lawOf(logs, p.FirstStage)
	half := law.half(1 - p.Level)
	return (d.Verdict == AFaster && mean+half < 0) || (d.Verdict == BFaster && mean-half > 0)
}
