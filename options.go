package rtcompare

import (
	"errors"
	"fmt"
	"math"
	"time"
)

const (
	// DefaultRepeats is the number of samples Collect takes per candidate. It
	// is odd, so that the median is one of them.
	DefaultRepeats = 101
	// MinimumDataPoints is the smallest number of measurements per candidate
	// that an estimate is made from.
	MinimumDataPoints = 11
	// DefaultWarmup is the smallest number of unmeasured batches per candidate.
	DefaultWarmup = 1
	// DefaultWarmupDuration is the shortest warm-up, of all candidates
	// together. What ran alone before leaves the caches full of its own data;
	// washing that out takes time, not a number of batches.
	DefaultWarmupDuration = 300 * time.Millisecond
	// DefaultMaxInnerLoops is the largest batch size that calibration tries.
	DefaultMaxInnerLoops uint64 = 100_000_000
	// DefaultMaxQuantizationError is the share of a batch that one step of the
	// clock may amount to.
	DefaultMaxQuantizationError = 0.001
	// DefaultConfidenceLevel is the level of intervals, where none is asked
	// for.
	DefaultConfidenceLevel = 0.95
	// DefaultResamples is what Estimate.Resamples records where no other number
	// was asked for. Estimates are exact; no number of resamples changes them.
	DefaultResamples uint64 = 5_000
	// DefaultValidationRuns is the number of runs of identical code per
	// candidate.
	DefaultValidationRuns = 40
	// DefaultValidationLevel is the level FalseSignalRate is counted at.
	DefaultValidationLevel = 0.95
	// DefaultMargin is the largest relative difference that does not matter,
	// where CompareOptions.Margin is zero.
	DefaultMargin = 0.01
	// DefaultBudgetLevel is the level of a comparison with a Budget or a
	// Precision. It is higher than [DefaultConfidenceLevel] because such a
	// comparison is looked at after every unit.
	DefaultBudgetLevel = 0.99
)

// CollectOptions says how samples are taken. Zero values select the documented
// defaults; negative counts are errors.
type CollectOptions struct {
	// Repeats is the number of samples per candidate; zero means
	// [DefaultRepeats], and the smallest is [MinimumDataPoints].
	Repeats int
	// InnerLoops is the number of operations in a batch. Zero calibrates it,
	// see [CalibrateInnerLoops]; the largest that any candidate needs is used
	// for all of them.
	InnerLoops uint64
	// MaxQuantizationError is the share of a batch that one step of the clock
	// may amount to when InnerLoops is calibrated; zero means
	// [DefaultMaxQuantizationError].
	MaxQuantizationError float64
	// MaxInnerLoops is the largest batch size that calibration tries; zero
	// means [DefaultMaxInnerLoops].
	MaxInnerLoops uint64
	// Order is the order of the candidates within each round.
	Order Order
	// Warmup is the smallest number of unmeasured batches per candidate before
	// the first sample; zero means [DefaultWarmup].
	Warmup int
	// WarmupDuration is the shortest warm-up of all candidates together; zero
	// means [DefaultWarmupDuration].
	WarmupDuration time.Duration
	// SkipWarmup leaves the warm-up out.
	SkipWarmup bool
	// GCBetween runs a garbage collection before every batch, untimed. It costs
	// a lot of time and leaves cold caches; it is for candidates that are
	// disturbed by each other's garbage.
	GCBetween bool
	// DisableGC switches the automatic collector off while measuring and
	// restores it afterwards. It is process-wide, lets the heap grow, and makes
	// allocation look cheaper than it is.
	DisableGC bool
	// Seed draws the order when Order is [OrderRandom]; zero draws a random
	// one.
	Seed uint64
}

// CompareOptions configures [Compare]. The zero value selects the published
// fixed protocol.
type CompareOptions struct {
	// Collect holds the measurement options.
	Collect CollectOptions
	// Thresholds are relative speed-ups to report a confidence for: 0.05 asks
	// whether A needs at least 5 % less time than B.
	Thresholds []float64
	// ValidationRuns is the number of runs of identical code per candidate;
	// zero means [DefaultValidationRuns], and the smallest is 2.
	ValidationRuns int
	// SkipValidation leaves the comparisons of identical code out. Nothing then
	// shows what this setup invents, and slow noise is not in the interval.
	SkipValidation bool
	// Level is the level of the intervals; zero means [DefaultConfidenceLevel],
	// or [DefaultBudgetLevel] with a Budget or Precision.
	Level float64
	// Resamples is accepted, checked and recorded. Since estimates are computed
	// exactly it changes nothing.
	Resamples uint64
	// Progress, when set, is told how far the comparison is. It is called
	// between batches, by the goroutine that measures.
	Progress func(Progress)
	// MaxDuration, when positive, limits the whole comparison. The runs of
	// identical code stop at half of it, but not before 10 of them, and the
	// measurement at the end of it, but not before [MinimumDataPoints] pairs. A
	// warning says what was cut.
	MaxDuration time.Duration
	// Seed is accepted and recorded in the report. Estimates do not depend on
	// it.
	Seed uint64

	// Budget switches to the sequential protocol and is the time it may take.
	// The comparison ends as soon as the verdict is certain. A Budget excludes
	// Collect.Repeats and ValidationRuns.
	Budget time.Duration
	// Precision also switches to the sequential protocol, which then ends when
	// half the width of the interval of ln(B/A) is at most this, or with the
	// Budget, which is a minute where none is set.
	Precision float64
	// Margin is the largest relative difference that does not matter; zero
	// means [DefaultMargin].
	Margin float64
	// SkipChecks leaves out the short checks that the fixed protocol makes
	// after its samples: whether a batch is slowed by the other candidate's use
	// of the caches, and what garbage collections add.
	SkipChecks bool
}

// defaultPrecisionBudget ends a comparison that has a Precision and no Budget.
const defaultPrecisionBudget = time.Minute

func (o CompareOptions) sequential() bool { return o.Budget != 0 || o.Precision != 0 }

// check looks at every option before anything is measured.
func (o CompareOptions) check() error {
	for i, t := range o.Thresholds {
		if math.IsNaN(t) {
			return fmt.Errorf("option Thresholds[%d] is NaN; F2T gives NaN for a factor that is not positive", i)
		}
	}
	if err := o.Collect.check(); err != nil {
		return err
	}
	if o.Level != 0 && !(o.Level > 0 && o.Level < 1) {
		return fmt.Errorf("option Level is %v and has to lie between 0 and 1", o.Level)
	}
	if o.Level != 0 && o.Level <= 0.5 && !o.SkipValidation {
		return fmt.Errorf("option Level is %v; with validation it has to be above 0.5", o.Level)
	}
	if o.ValidationRuns < 0 || (o.ValidationRuns == 1 && !o.SkipValidation) {
		return fmt.Errorf("validating: option ValidationRuns is %d and has to be at least 2", o.ValidationRuns)
	}
	if math.IsNaN(o.Margin) || math.IsInf(o.Margin, 0) || o.Margin < 0 {
		return fmt.Errorf("option Margin is %v and must not be negative or without bounds; zero means %v", o.Margin, DefaultMargin)
	}
	if math.IsNaN(o.Precision) || math.IsInf(o.Precision, 0) || o.Precision < 0 {
		return fmt.Errorf("option Precision is %v and must not be negative or without bounds; zero means none", o.Precision)
	}
	if o.Budget < 0 {
		return fmt.Errorf("option Budget is %v and must not be negative", o.Budget)
	}
	if o.sequential() && o.Collect.Repeats != 0 {
		return errors.New("option Collect.Repeats excludes Budget and Precision: they decide the number of samples")
	}
	if o.sequential() && o.ValidationRuns != 0 {
		return errors.New("option ValidationRuns excludes Budget and Precision: every unit of theirs compares identical code too")
	}
	return nil
}

// withDefaults fills in what was left at zero.
func (o CompareOptions) withDefaults() CompareOptions {
	if o.Level == 0 {
		o.Level = DefaultConfidenceLevel
		if o.sequential() {
			o.Level = DefaultBudgetLevel
		}
	}
	if o.Resamples == 0 {
		o.Resamples = DefaultResamples
	}
	if o.ValidationRuns == 0 {
		o.ValidationRuns = DefaultValidationRuns
	}
	if o.Margin == 0 {
		o.Margin = DefaultMargin
	}
	if o.sequential() {
		if o.Budget == 0 {
			o.Budget = defaultPrecisionBudget
		}
		if o.MaxDuration > 0 {
			o.Budget = min(o.Budget, o.MaxDuration)
		}
	}
	o.Collect = o.Collect.withDefaults()
	return o
}

func (o CollectOptions) check() error {
	switch {
	case o.Repeats < 0:
		return fmt.Errorf("option Repeats is %d and must not be negative", o.Repeats)
	case o.Repeats != 0 && o.Repeats < MinimumDataPoints:
		return fmt.Errorf("option Repeats is %d and has to be at least %d", o.Repeats, MinimumDataPoints)
	case o.Warmup < 0:
		return fmt.Errorf("option Warmup is %d and must not be negative; SkipWarmup leaves the warm-up out", o.Warmup)
	case o.WarmupDuration < 0:
		return fmt.Errorf("option WarmupDuration is %v and must not be negative; SkipWarmup leaves the warm-up out", o.WarmupDuration)
	case o.Order < OrderABBA || o.Order > OrderSequential:
		return fmt.Errorf("option Order is %v and has to be OrderABBA, OrderRandom or OrderSequential", o.Order)
	case o.InnerLoops > math.MaxInt64:
		return fmt.Errorf("option InnerLoops is %d and larger than any batch can be", o.InnerLoops)
	}
	return checkQuantizationError(o.MaxQuantizationError)
}

func checkQuantizationError(v float64) error {
	if v != 0 && !(v > 0 && v < 1) {
		return fmt.Errorf("option MaxQuantizationError is %v and has to lie between 0 and 1", v)
	}
	return nil
}

func (o CollectOptions) withDefaults() CollectOptions {
	if o.Repeats == 0 {
		o.Repeats = DefaultRepeats
	}
	if o.MaxQuantizationError == 0 {
		o.MaxQuantizationError = DefaultMaxQuantizationError
	}
	if o.MaxInnerLoops == 0 {
		o.MaxInnerLoops = DefaultMaxInnerLoops
	}
	o.MaxInnerLoops = min(o.MaxInnerLoops, math.MaxInt64/4)
	if o.Warmup == 0 {
		o.Warmup = DefaultWarmup
	}
	if o.WarmupDuration == 0 {
		o.WarmupDuration = DefaultWarmupDuration
	}
	return o
}
