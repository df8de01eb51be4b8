package rtcompare

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

const (
	tieRateWarning     = 0.05
	falseSignalWarning = 0.25
	spreadWarning      = 2
	preemptedWarning   = 0.20
	// placementWarning is the log ratio below which the place of data and code
	// in memory can be the whole difference: separately built instances of the
	// same thing, and two copies of the same machine code, differ by that much.
	placementWarning = 0.05
	// shortBatchReads is how many reads of the clock a batch should outlast.
	shortBatchReads = 20
)

// warnings collects what weakens a report, in a fixed order.
func (c *comparison) warnings(r *Report, ruled ruling, index int) []record.Warning {
	var all []record.Warning
	warn := func(code string, arm int, values map[string]float64) {
		all = append(all, record.Warning{Code: code, Arm: arm, Values: values})
	}
	delta, _, _ := r.Decision.Delta()
	switch {
	case !r.Validated:
		warn(view.CodeNotValidated, index, nil)
	case r.Decision.Verdict != Equivalent && math.Abs(delta) <= r.NoiseFloor:
		warn(view.CodeBelowFloor, index, map[string]float64{"delta": math.Abs(delta), "floor": r.NoiseFloor})
	}
	if r.Estimate.Excludes(0) && math.Abs(r.Estimate.Delta) <= QuantizationGate*r.Quantization {
		warn(view.CodeRounding, index, map[string]float64{"step": r.Quantization})
	}
	if r.Decision.Verdict != Equivalent && r.Decision.Low <= 0 && r.Decision.High >= 0 {
		warn(view.CodeIncludesZero, index, nil)
	}
	if r.LiveHeap > LargeHeapThreshold {
		warn(view.CodeLargeHeap, index, map[string]float64{"bytes": float64(r.LiveHeap)})
	}
	if r.Suspended > 0 {
		warn(view.CodeSuspended, index, map[string]float64{"seconds": r.Suspended.Seconds()})
	}
	all = append(all, driftWarnings(r, index)...)
	all = append(all, c.protocolWarnings(r, index)...)
	for _, w := range ruled.warnings {
		// The machine's sleep and missing validation are said above.
		if w.Code != view.CodeSuspended && !(w.Code == judge.CodeNoIdentical && !r.Validated) {
			all = append(all, w)
		}
	}
	return all
}

// driftWarnings mention trends that are larger than what the result resolves.
// Over the units of a sequential run a trend common to both candidates cancels
// and is not worth a word.
func driftWarnings(r *Report, index int) []record.Warning {
	resolution := max(r.NoiseFloor, (r.Estimate.High-r.Estimate.Low)/2, (r.Decision.High-r.Decision.Low)/2)
	worth := func(d DriftReport) bool { return d.Drifted(DriftLevel) && math.Abs(d.RelativeShift) > resolution }
	var all []record.Warning
	for i, d := range []DriftReport{r.DriftA, r.DriftB} {
		if !r.Protocol.Sequential && worth(d) {
			all = append(all, record.Warning{Code: view.CodeDrift, Arm: i * index, Values: map[string]float64{"shift": d.RelativeShift}})
		}
	}
	if worth(r.DriftRatio) {
		all = append(all, record.Warning{Code: view.CodeRatioDrift, Arm: index, Values: map[string]float64{"shift": r.DriftRatio.RelativeShift}})
	}
	return all
}

// protocolWarnings are about how the comparison was run.
func (c *comparison) protocolWarnings(r *Report, index int) []record.Warning {
	var all []record.Warning
	warn := func(code string, arm int, values map[string]float64) {
		all = append(all, record.Warning{Code: code, Arm: arm, Values: values})
	}
	m := c.measured
	if r.Validated && !c.opt.sequential() {
		if done := r.ValidationA.Runs; done < m.plannedRuns {
			warn(view.CodeValidationCut, index, map[string]float64{"planned": float64(m.plannedRuns), "done": float64(done)})
		}
		if ties := max(r.ValidationA.TieRate, r.ValidationB.TieRate); ties > tieRateWarning {
			warn(view.CodeTieRate, index, map[string]float64{"share": ties})
		}
		if signals := max(r.ValidationA.FalseSignalRate, r.ValidationB.FalseSignalRate); signals > falseSignalWarning {
			warn(view.CodeFalseSignals, index, map[string]float64{"share": signals, "expected": 2 * (1 - c.opt.Level)})
		}
	}
	if done := len(r.SamplesA); !c.opt.sequential() && done < m.plannedPairs {
		warn(view.CodeSeriesCut, index, map[string]float64{"planned": float64(m.plannedPairs), "done": float64(done)})
	}
	if m.shortUnits && !r.Decision.Collections {
		warn(view.CodeShortUnits, index, map[string]float64{"pairs": float64(m.protocol.PairsPerUnit), "planned": unitPairs})
	}
	if share := float64(r.Protocol.Preempted) / float64(max(1, r.Protocol.Batches)); share > preemptedWarning {
		warn(view.CodePreempted, index, map[string]float64{"share": share})
	}
	if w, ok := spreadWarningOf(r, index); ok {
		all = append(all, w)
	}
	rebuilt := c.candidates[0].New != nil && c.candidates[index].New != nil
	if r.Decision.names() && math.Abs(r.Decision.LogRatio) < placementWarning {
		code := view.CodeOneInstance
		if rebuilt {
			code = view.CodeOneBuild
		}
		warn(code, index, nil)
	}
	if batch := float64(r.Protocol.InnerLoops) * min(r.NsPerOpA, r.NsPerOpB); batch > 0 && batch < shortBatchReads*float64(r.Protocol.ReadCost) {
		warn(view.CodeShortBatch, index, map[string]float64{"batch_ns": batch, "read_ns": float64(r.Protocol.ReadCost)})
	}
	if c.opt.sequential() && r.Decision.Verdict == Inconclusive && !r.Decision.Mixed {
		if seconds, ok := c.budgetNeeded(index); ok {
			warn(view.CodeBudgetSpent, index, map[string]float64{"seconds": seconds})
		}
	}
	return all
}

// spreadWarningOf warns when the faster side's times scatter at least twice as
// widely: its typical time is better, its slow moments may not be.
func spreadWarningOf(r *Report, index int) (record.Warning, bool) {
	ratio, sure, arm := r.Spread.Ratio, r.Spread.Low > 1, index
	if r.Decision.Verdict == AFaster {
		ratio, sure, arm = 1/ratio, r.Spread.High < 1, 0
	}
	if !r.Decision.names() || !sure || !(ratio >= spreadWarning) || math.IsInf(ratio, 0) {
		return record.Warning{}, false
	}
	return record.Warning{Code: view.CodeSpread, Arm: arm, Values: map[string]float64{"ratio": ratio}}, true
}

// budgetNeeded is the budget that would probably decide.
func (c *comparison) budgetNeeded(index int) (seconds float64, ok bool) {
	ruled := c.judge(c.measured.units, index)
	j := ruled.judgements[0]
	if j.UnitsNeeded == 0 || j.Units == 0 {
		return 0, false
	}
	return c.measured.protocol.Duration.Seconds() * float64(j.UnitsNeeded) / float64(j.Units), true
}
