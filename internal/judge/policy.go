// Package judge turns measured units into a verdict.
//
// It is pure: the same units and the same policy give the same judgement,
// whether the question is asked to stop a run, to print a report, or years
// later from a record. There is one interval function; the verdict, the test
// for equivalence, the p-value and the stopping rule all read it.
package judge

import "github.com/rtcompare/rtcompare/internal/record"

// Version names the rules of this judge in records.
const Version = "1"

// Metric is what is compared.
type Metric string

const (
	// Wall is elapsed time.
	Wall Metric = "wall"
	// CPU is processor time, helpers such as the garbage collector included.
	CPU Metric = "cpu"
)

// Policy is how units are judged. Base and Arm are the arms of the pair.
type Policy struct {
	Row       string
	Base, Arm int
	Metric    Metric
	// Purpose selects the units that carry the comparison; empty means Main.
	Purpose record.Purpose
	// ErrorRate is the share of wrong faster or slower verdicts on identical
	// code that is accepted.
	ErrorRate float64
	// Margin is the largest log ratio that does not matter.
	Margin float64
	// Tick is the step of the clock in nanoseconds.
	Tick float64
	// Overhead is what surrounds a batch and belongs to no operation, in
	// nanoseconds: about the cost of reading the clock. How much of it falls
	// into the measured time may differ between two arms.
	Overhead float64
	// BlockLength is the block length of the bootstrap interval that joins the
	// judgement of a single series; 0 and 1 mean single values.
	BlockLength int
	// Sequential says that the run may be judged after every unit and stopped
	// when it is decided. The interval then holds at every look at once.
	Sequential bool
	// Ladder, where not nil, judges a sequential run at several lengths of its
	// units at once; see the function of that name.
	Ladder []Rung
	// Unfit, when not empty, is the code of the reason for which this run
	// cannot be trusted at all, such as a machine that slept in the middle.
	Unfit string
}

// The codes of the warnings of this package.
const (
	// CodeNoIdentical: nothing was compared with itself, so slow noise is not
	// in the interval.
	CodeNoIdentical = "no-identical"
	// CodeRunsDiffer: identical code differs more from run to run than the
	// scatter within a run explains.
	CodeRunsDiffer = "runs-differ"
	// CodeHarnessBias: identical code differed in the same direction all along.
	CodeHarnessBias = "harness-bias"
	// CodeTied: many pairs have equal times.
	CodeTied = "tied"
	// CodeUnitsCorrelated: a unit resembles the one before it.
	CodeUnitsCorrelated = "units-correlated"
	// CodeNotFinite: a time of zero or an undefined ratio.
	CodeNotFinite = "not-finite"
	// CodeNoise: identical code differs so much that no verdict is possible.
	CodeNoise = "noise"
	// CodePosition: whatever runs second is faster or slower for it.
	CodePosition = "position"
	// CodeFewUnits: too few units for a first verdict.
	CodeFewUnits = "few-units"
)

const (
	// FirstLook is the number of units before which a sequential run gives no
	// verdict. With fewer the spread of the units is hardly known.
	FirstLook = 5
	// SequencePrior is the variance of the prior on the standardised effect in
	// the confidence sequence. A larger one decides large differences sooner.
	SequencePrior = 4
	// tieLimit is the share of tied pairs above which a run that is not decided
	// counts as unmeasurable.
	tieLimit = 0.5
	// tieWarning is the share above which ties are mentioned.
	tieWarning = 0.05
	// noiseLimit is the A/A half-width above which a run that is not decided
	// counts as unmeasurable, together with ten margins.
	noiseLimit = 0.10
	// ticksThatProveNothing: both ends of both batches are rounded to a tick,
	// so one tick of difference can be rounding alone, one and a half cannot.
	ticksThatProveNothing = 1.5
	// power is the probability with which the smallest visible difference is
	// found.
	power = 0.90
	// runsDifferFactor is how much wider the spread of identical runs may be
	// than the run's own interval says before it is worth a warning.
	runsDifferFactor = 1.5
)
