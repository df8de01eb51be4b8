package rtcompare

import (
	"time"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

const (
	// LargeHeapThreshold is the live heap from which a report warns that the
	// data's place in memory may decide the result.
	LargeHeapThreshold = 16 << 20
	// QuantizationGate is how many steps of the clock per batch a difference
	// has to exceed to be resolved: one can be rounding alone, one and a half
	// cannot.
	QuantizationGate = 1.5
	// SuspendThreshold is how far the wall clock has to run ahead of the
	// monotonic one for the machine to have slept.
	SuspendThreshold = time.Second
)

// Report is everything that Compare found. Decision and Warnings are the
// answer, the rest is the evidence for it.
type Report struct {
	// NsPerOpA and NsPerOpB are the median times per operation in nanoseconds.
	NsPerOpA, NsPerOpB float64
	// SamplesA and SamplesB are the batches in nanoseconds per operation, in
	// measured order. Samples with the same index are pairs.
	SamplesA, SamplesB []float64
	// Estimate is the relative difference of these samples, with an interval
	// that covers their scatter only. It is recomputed by [EstimateDifference]
	// from SamplesA, SamplesB, Estimate.Level and BlockLength, with Paired set.
	Estimate Estimate
	// Confidence holds one entry per requested threshold, and is nil where none
	// was requested.
	Confidence Confidences
	// Validated is set when identical code was measured. Where it is not,
	// NoiseFloor is zero because it is unknown.
	Validated bool
	// ValidationA and ValidationB are what identical code showed. With a
	// Budget, each unit is one of their runs.
	ValidationA, ValidationB HarnessValidation
	// NoiseFloor is the larger of the two noise floors; with a Budget, for the
	// mean of the units.
	NoiseFloor float64
	// Autocorrelation is the larger of the two candidates' lag-1
	// autocorrelations, from which BlockLength was chosen.
	Autocorrelation float64
	// BlockLength is the block length of Estimate; one means none.
	BlockLength int
	// Seed is CompareOptions.Seed, or a random one. Nothing depends on it.
	Seed uint64
	// DriftA and DriftB test each series for a trend. Zero N: not tested.
	DriftA, DriftB DriftReport
	// LiveHeap is the live heap in bytes as of the last collection, zero if
	// unknown.
	LiveHeap uint64
	// Suspended is for how long the machine slept, if it did.
	Suspended time.Duration
	// DriftRatio tests the ratios B/A of the pairs for a trend. Zero N: not
	// tested.
	DriftRatio DriftReport
	// Quantization is one step of the clock as a share of a batch of the
	// faster candidate.
	Quantization float64
	// Resolved is set when Decision names a faster candidate and its difference
	// exceeds NoiseFloor. False does not mean that the two are equal: see
	// Decision.Verdict.
	Resolved bool
	// Warnings are plain sentences about everything that weakens the result.
	Warnings []string

	// Decision is the verdict, with bounds that contain what identical code
	// showed.
	Decision Decision
	// Typical is, where Decision counts garbage collections in, what short
	// batches without them show; nil elsewhere.
	Typical *Decision
	// Processor is the same comparison in processor time, all threads of the
	// process together, where it was measured; nil elsewhere.
	Processor *Decision
	// CostA and CostB are what an operation costs besides elapsed time.
	CostA, CostB Cost
	// Spread compares how widely the two candidates' times scatter.
	Spread Spread
	// Protocol says how the comparison was run.
	Protocol Protocol
	// Machine holds plain sentences about the machine during the comparison,
	// such as a busy processor. They void nothing by themselves.
	Machine []string
	// NameA and NameB are the candidates' names, or their letters.
	NameA, NameB string
	// Origin says in which process, layout and machine the report was
	// measured. Pooling reads it; Compare leaves it empty.
	Origin Origin
	// Figures are further numbers that were found together with the comparison.
	// Compare leaves it nil; package workload puts memory and the costs of the
	// kinds of operation here.
	Figures []Figure

	evidence *evidence
}

// Cost is what one operation costs besides elapsed time. A number that was not
// measured is -1.
type Cost struct {
	// BytesPerOp and AllocsPerOp are allocations, from totals that were not
	// rounded.
	BytesPerOp, AllocsPerOp float64
	// CPUNsPerOp is processor time in nanoseconds, all threads together.
	CPUNsPerOp float64
	// NsPerOpWithCollections is the median elapsed time of long stretches.
	NsPerOpWithCollections float64
	// CollectionsPerStretch is the mean number of collections in a stretch.
	CollectionsPerStretch float64
}

// Spread is the ratio of how widely B's times scatter to how widely A's do. The
// scatter of a side is the distance from its median to its 90th percentile. Low
// and High bound the ratio at the decision's level; they are NaN where they are
// unknown.
type Spread struct{ Ratio, Low, High float64 }

// Protocol says how a comparison was run.
type Protocol struct {
	// Sequential is set for a comparison with a Budget or a Precision.
	Sequential bool
	// InnerLoops is the batch size.
	InnerLoops uint64
	// LeadIn is about how long the same candidate ran untimed before each
	// batch, and LeadInLoops the number of operations that took.
	LeadIn      time.Duration
	LeadInLoops uint64
	// PairsPerUnit is the number of pairs in a unit.
	PairsPerUnit int
	// Decided is set when the answer ended the comparison, not the budget.
	Decided bool
	// Duration is how long the comparison took.
	Duration time.Duration
	// Batches is the number of timed batches of the comparison itself, and
	// Preempted in how many of them the operating system took the processor
	// away; -1 where that is not known. None is dropped.
	Batches, Preempted int
	// Tick and ReadCost are the step of the clock and what a reading costs.
	Tick, ReadCost time.Duration
}

// evidence is what a record of the comparison holds.
type evidence struct {
	head       record.Head
	units      []record.Unit
	judgements []record.Judgement
}

// headline is the difference that pooling and printing use: the decision's
// where there is one, else the estimate's.
func (r Report) headline() (delta, low, high, level float64) {
	if r.Decision.Verdict == NotJudged {
		return r.Estimate.Delta, r.Estimate.Low, r.Estimate.High, r.Estimate.Level
	}
	delta, low, high = r.Decision.Delta()
	return delta, low, high, r.Decision.Level
}

// String renders the report as a few lines of plain English. Their form may
// change; use the fields, or [Report.WriteRecord], in programs.
func (r Report) String() string { return view.Report(r.summary()) }

func percent(share float64) string       { return view.Percent(share) }
func signedPercent(share float64) string { return view.SignedPercent(share) }
