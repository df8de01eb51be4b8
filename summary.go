package rtcompare

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/view"
)

// summary hands a report's facts to the view.
func (r Report) summary() view.Summary {
	s := view.Summary{
		NsA: r.NsPerOpA, NsB: r.NsPerOpB, Verdict: string(recordVerdict(r.Decision.Verdict)), Resolved: r.Resolved,
		Mixed: r.Decision.Mixed, WithinMargin: r.Decision.WithinMargin, Margin: r.Decision.Margin,
		Validated: r.Validated, NoiseFloor: r.NoiseFloor, Identical: max(r.Decision.IdenticalRuns, len(r.ValidationA.Deltas)+len(r.ValidationB.Deltas)),
		Smallest: r.Decision.SmallestDifference, PValue: r.Decision.PValue,
		Autocorrelation: r.Autocorrelation, BlockLength: r.BlockLength, Collections: r.Decision.Collections,
		Sequential: r.Protocol.Sequential, Units: r.Decision.Units, Pairs: len(r.SamplesA),
		LeadIn: r.Protocol.LeadIn, Duration: r.Protocol.Duration,
		CostA: viewCost(r.CostA), CostB: viewCost(r.CostB), Typical: math.NaN(), Processor: math.NaN(),
		SpreadRatio: r.Spread.Ratio, SpreadLow: r.Spread.Low, SpreadHigh: r.Spread.High,
		Warnings: r.Warnings, Machine: r.Machine,
	}
	s.Preempted = -1
	if r.Protocol.Preempted >= 0 && r.Protocol.Batches > 0 {
		s.Preempted = float64(r.Protocol.Preempted) / float64(r.Protocol.Batches)
	}
	s.Difference = view.Difference{A: named(r.NameA, "A"), B: named(r.NameB, "B"), LogRatio: r.Decision.LogRatio, Low: r.Decision.Low, High: r.Decision.High, Level: r.Decision.Level}
	if r.Decision.Verdict == NotJudged {
		s.Difference = estimateDifference(s.A, s.B, r.Estimate.Delta, r.Estimate.Low, r.Estimate.High, r.Estimate.Level)
	}
	if r.Typical != nil {
		s.Typical = r.Typical.LogRatio
	}
	if r.Processor != nil {
		s.Processor = r.Processor.LogRatio
	}
	for _, c := range r.Confidence {
		s.Thresholds = append(s.Thresholds, view.Threshold{Share: c.Threshold, Confidence: c.Confidence})
	}
	return s
}

func viewCost(c Cost) view.Cost {
	return view.Cost{Bytes: c.BytesPerOp, Allocs: c.AllocsPerOp, CPU: c.CPUNsPerOp, WithCollections: c.NsPerOpWithCollections}
}

func named(name, fallback string) string {
	if name == "" {
		return fallback
	}
	return name
}

// estimateDifference converts shares of time, 1 - A/B, to log ratios ln(B/A).
func estimateDifference(a, b string, delta, low, high, level float64) view.Difference {
	return view.Difference{A: a, B: b, LogRatio: -math.Log1p(-delta), Low: -math.Log1p(-low), High: -math.Log1p(-high), Level: level}
}

// String renders the pooled result and its figures as a few lines of plain
// English. Their form may change.
func (p Pooled) String() string {
	a, b := named(p.NameA, "A"), named(p.NameB, "B")
	text := p.Text(a, b)
	for i, f := range p.Figures {
		if i == 0 {
			text += "\n\nMedians over the processes:"
		}
		text += "\n  - " + f.Text(a, b)
	}
	return text
}

// Text is the same without the figures and with other names for the candidates.
func (p Pooled) Text(a, b string) string {
	v := view.Pooled{
		Difference: estimateDifference(a, b, p.Delta, p.Low, p.High, p.Level), Processes: p.Processes,
		SpreadBetween: p.SpreadBetween, SpreadWithin: p.SpreadWithin, Inflation: p.Inflation, Unexplained: p.I2,
		MayReadInflation: p.SpreadWithin > 0, Validated: p.Validated, Resolved: p.Resolved, NoiseFloor: p.NoiseFloor, Warnings: p.Warnings,
		Units: p.Units, Equivalent: p.Decision.Verdict == Equivalent, WithinMargin: p.Decision.WithinMargin, Margin: p.Decision.Margin, Mixed: p.Decision.Mixed,
	}
	if p.Unit != UnitProcess {
		v.Unit = p.Unit.String()
		v.Sources = []view.Source{
			{Where: "within a process", Size: p.Scatter.Within}, {Where: "between processes", Size: p.Scatter.Processes},
			{Where: "between layouts", Size: p.Scatter.Layouts}, {Where: "between machines", Size: p.Scatter.Machines},
		}
	}
	return view.PooledReport(v)
}
