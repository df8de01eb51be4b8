package judge

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// Judge answers whether the policy's arm is faster than the base.
//
// One main unit is judged as a single series of pairs; its interval is the
// hull of the exact rank interval of the median, the bootstrap interval of the
// median, what the clock can produce, and the intervals by t and by rank of the
// differences that identical code showed. Several main units are judged by their medians:
// a t interval over them, or, for a run that may stop at any unit, a t
// confidence sequence (Wang and Ramdas 2025), together with the spread of
// identical code at the same length.
func Judge(units []record.Unit, p Policy) record.Judgement {
	e := gather(units, p)
	j := record.Judgement{
		Version: Version, Row: p.Row, Base: p.Base, Arm: p.Arm, Metric: string(p.Metric), ErrorRate: p.ErrorRate, Margin: p.Margin,
		Units: len(e.units), Pairs: e.pairs, Identical: e.identicalCount(), Resolution: e.resolution,
		Verdict: record.Inconclusive, PValue: 1,
		Low: math.Inf(-1), High: math.Inf(1), EquivalenceLow: math.Inf(-1), EquivalenceHigh: math.Inf(1),
		SmallestVisible: math.Inf(1),
	}
	if e.pairs > 0 {
		j.Tied = float64(e.tied) / float64(e.pairs)
	}
	switch {
	case len(e.units) == 0:
		j.Verdict = record.Unmeasurable
		j.Warnings = append(j.Warnings, record.Warning{Code: CodeFewUnits, Arm: p.Arm})
		return j
	case !e.finite:
		j.Verdict = record.Unmeasurable
		j.Warnings = append(j.Warnings, record.Warning{Code: CodeNotFinite, Arm: p.Arm})
		return j
	}
	j.IdenticalSpread = e.identicalSpread()
	if p.Sequential && len(p.Ladder) > 0 {
		judgeLadder(&j, units, e, p)
	} else {
		parts := partsOf(e, p)
		interval := hull(parts)
		j.LogRatio, _ = stat.MeanAndSD(e.units)
		j.Low, j.High = interval(p.ErrorRate)
		j.EquivalenceLow, j.EquivalenceHigh = interval(min(1, 2*p.ErrorRate))
		j.PValue = pValue(interval, 0)
		j.SmallestVisible = smallestVisible(parts, p.ErrorRate)
	}
	decide(&j, e, p)
	j.Warnings = append(j.Warnings, warnings(j, e, p)...)
	return j
}

// PAgainst returns the p-value of the units against a bound other than zero.
func PAgainst(units []record.Unit, p Policy, bound float64) float64 {
	e := gather(units, p)
	if len(e.units) == 0 || !e.finite {
		return 1
	}
	if p.Sequential && len(p.Ladder) > 0 {
		return pValue(intersection(climb(units, p)), bound)
	}
	return pValue(hull(partsOf(e, p)), bound)
}

func partsOf(e evidence, p Policy) []part {
	if len(e.units) == 1 && !p.Sequential {
		return seriesParts(e, p)
	}
	return unitParts(e, p)
}

// decide sets the verdict. Faster and slower need an interval that excludes
// zero, equivalence one that lies inside the margin. Too much noise or too
// coarse a clock take the place of inconclusive only; an unfit run always wins.
func decide(j *record.Judgement, e evidence, p Policy) {
	inside := -p.Margin < j.EquivalenceLow && j.EquivalenceHigh < p.Margin
	early := p.Sequential && len(e.units) < FirstLook
	switch {
	case p.Unfit != "":
		j.Verdict = record.Unmeasurable
		j.Warnings = append(j.Warnings, record.Warning{Code: p.Unfit, Arm: p.Arm})
	case early:
		j.Verdict = record.Inconclusive
	case j.High < 0:
		j.Verdict, j.WithinMargin = record.Faster, inside
	case j.Low > 0:
		j.Verdict, j.WithinMargin = record.Slower, inside
	case inside:
		j.Verdict = record.Equivalent
	case j.Tied > tieLimit:
		j.Verdict = record.Unmeasurable
	case identicalHalfWidth(e, p) > max(noiseLimit, 10*p.Margin):
		j.Verdict = record.Unmeasurable
		j.Warnings = append(j.Warnings, record.Warning{Code: CodeNoise, Arm: p.Arm, Values: map[string]float64{"half_width": identicalHalfWidth(e, p)}})
	}
	if j.Verdict == record.Inconclusive {
		j.UnitsNeeded = unitsNeeded(j, len(e.units), p.Margin)
	}
}

// identicalHalfWidth is how far apart identical code can look in a run like
// this one, at the error rate.
func identicalHalfWidth(e evidence, p Policy) float64 {
	count := e.identicalCount()
	if count == 0 {
		return 0
	}
	quantile := studentQuantile(count)(p.ErrorRate)
	if len(e.units) == 1 {
		return quantile * e.identicalSpread()
	}
	return quantile * e.identicalSpread() / math.Sqrt(float64(len(e.units)))
}

// smallestVisible is the true difference at which the interval excludes zero
// with the wanted power: the half-width plus the normal quantile of the power
// times the standard error that the half-width stands for. A part that stands
// for none, such as the clock's step, takes the largest of the others.
func smallestVisible(parts []part, alpha float64) float64 {
	halves, largestError := make([]float64, len(parts)), 0.0
	for i, p := range parts {
		low, high := p.bounds(alpha)
		halves[i] = (high - low) / 2
		if p.quantile != nil && halves[i] > 0 && !math.IsInf(halves[i], 1) {
			largestError = max(largestError, halves[i]/p.quantile(alpha))
		}
	}
	largest := 0.0
	for i, p := range parts {
		own := largestError
		if p.quantile != nil {
			own = halves[i] / p.quantile(alpha)
		}
		if math.IsInf(halves[i], 1) {
			return halves[i]
		}
		largest = max(largest, halves[i]+stat.NormalQuantile(power)*own)
	}
	return largest
}

// unitsNeeded is how many units would probably decide: as many more as the
// half-width is too wide for the nearer of the two answers, zero excluded or
// margin kept. 0 means that no number is known.
func unitsNeeded(j *record.Judgement, units int, margin float64) int {
	half := (j.High - j.Low) / 2
	target := max(math.Abs(j.LogRatio), margin-math.Abs(j.LogRatio))
	if math.IsInf(half, 1) {
		// Too few units for any interval: a few more than the first look.
		return 2 * FirstLook
	}
	if !(target > 0) || math.IsNaN(half) {
		return 0
	}
	needed := math.Ceil(float64(units) * (half / target) * (half / target))
	if needed > math.MaxInt32 {
		return 0
	}
	return max(units+1, int(needed))
}

func warnings(j record.Judgement, e evidence, p Policy) []record.Warning {
	var found []record.Warning
	warn := func(code string, values map[string]float64) {
		found = append(found, record.Warning{Code: code, Arm: p.Arm, Values: values})
	}
	if e.identicalCount() == 0 {
		warn(CodeNoIdentical, nil)
	}
	if math.Abs(e.effect) > max(p.Margin, (j.High-j.Low)/2) {
		warn(CodePosition, map[string]float64{"effect": e.effect})
	}
	if j.Tied > tieWarning && perOperation(p.Metric) {
		warn(CodeTied, map[string]float64{"share": j.Tied})
	}
	if len(e.units) == 1 && e.identicalCount() > 0 {
		low, high := stat.SignTestInterval(sorted(e.series[0]), 1-p.ErrorRate)
		own := (high - low) / 2 / normalQuantile(p.ErrorRate)
		if spread := e.identicalSpread(); own > 0 && spread > runsDifferFactor*own {
			warn(CodeRunsDiffer, map[string]float64{"factor": spread / own})
		}
	}
	for i, series := range [][]float64{e.identicalBase, e.identicalArm} {
		if bias, ok := harnessBias(series); ok {
			arm := []int{p.Base, p.Arm}[i]
			found = append(found, record.Warning{Code: CodeHarnessBias, Arm: arm, Values: map[string]float64{"bias": bias}})
		}
	}
	if len(e.units) >= fewestForCorrelation {
		if r := stat.Lag1(e.units); r > correlationWarning {
			warn(CodeUnitsCorrelated, map[string]float64{"lag1": r})
		}
	}
	return found
}

const (
	// fewestForCorrelation units are needed before a lag-1 says anything.
	fewestForCorrelation = 12
	correlationWarning   = 0.4
	// biasLevel is strict, because the question is asked in every run.
	biasLevel = 0.001
)

// harnessBias reports whether identical code differed in one direction beyond
// chance, and by how much.
func harnessBias(series []float64) (bias float64, found bool) {
	if len(series) < FirstLook {
		return 0, false
	}
	mean, low, high := stat.MeanInterval(series, 1-biasLevel)
	return mean, low > 0 || high < 0
}
