package rtcompare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

const (
	// NoiseFloorQuantile is the quantile of the differences between identical
	// code that NoiseFloor is. A quantile settles as runs are added; a maximum
	// would grow with them.
	NoiseFloorQuantile = 0.90
	// AutocorrelationThreshold is the lag-1 autocorrelation above which
	// estimates are made from blocks instead of single values.
	AutocorrelationThreshold = 0.2
	// DriftLevel is the level at which a run counts as drifting.
	DriftLevel = 0.05
	// fewestValidationRuns are run whatever MaxDuration says.
	fewestValidationRuns = 10
)

// ValidationOptions configures ValidateHarness and ValidatePair. The zero value
// is usable.
type ValidationOptions struct {
	// Collect holds the options that the comparison will use.
	Collect CollectOptions
	// Runs is the number of runs of identical code; zero means
	// [DefaultValidationRuns], and the smallest is 2.
	Runs int
	// Resamples is accepted and changes nothing: confidences are exact.
	Resamples uint64
	// Level is the confidence beyond which a run counts as a false signal; zero
	// means [DefaultValidationLevel]. It has to lie between 0.5 and 1.
	Level float64
	// Seed is accepted and changes nothing.
	Seed uint64
}

// HarnessValidation is what runs of identical code showed: the same candidate
// measured as both sides of a comparison.
type HarnessValidation struct {
	// Runs is the number of runs, InnerLoops the batch size in all of them.
	Runs       int
	InnerLoops uint64
	// NoiseFloor is the [NoiseFloorQuantile] quantile of the absolute relative
	// differences. About one run in ten exceeds it by construction.
	NoiseFloor float64
	// MaxObservedNoise is the largest of them and grows with Runs,
	// TypicalNoise their median.
	MaxObservedNoise float64
	TypicalNoise     float64
	// MeanConfidence and MedianConfidence are of the confidence that the first
	// half is faster, ties split between both. A fair harness centres on 0.5.
	MeanConfidence   float64
	MedianConfidence float64
	// TieRate is the median probability that the bootstrapped difference is
	// exactly zero. A high one means that batches are short for the clock.
	TieRate float64
	// FalseSignalRate is the share of runs whose confidence lies outside
	// [1-Level, Level]; about 2(1-Level) is expected.
	FalseSignalRate float64
	Level           float64
	// DriftRate is the share of runs with a trend in either series at
	// [DriftLevel], MedianDriftShift the median absolute shift between the
	// halves of all series.
	DriftRate        float64
	MedianDriftShift float64
	// Autocorrelation is the median lag-1 autocorrelation of all series.
	Autocorrelation float64
	// Deltas and Confidences are the runs' values, in order.
	Deltas      []float64
	Confidences []float64
}

// ValidateHarness measures a candidate against itself and reports what this
// setup shows as a difference where there is none.
//
// Use [ValidatePair] for two candidates that are going to be compared: run one
// after the other, the one validated last starts with the caches to itself. An
// error names the option, or the candidate that failed.
func ValidateHarness(c Candidate, opt ValidationOptions) (HarnessValidation, error) {
	found, err := validate([]Candidate{c}, opt)
	if err != nil {
		return HarnessValidation{}, err
	}
	return found[0], nil
}

// ValidatePair validates two candidates together, interleaved batch by batch:
// each round is a b b' a', in turn forward and backward. One batch size, the
// larger of what the two need, serves both.
func ValidatePair(a, b Candidate, opt ValidationOptions) (va, vb HarnessValidation, err error) {
	found, err := validate([]Candidate{a, b}, opt)
	if err != nil {
		return va, vb, err
	}
	return found[0], found[1], nil
}

func validate(candidates []Candidate, opt ValidationOptions) ([]HarnessValidation, error) {
	if err := checkCandidates(candidates); err != nil {
		return nil, err
	}
	if err := opt.check(); err != nil {
		return nil, err
	}
	if opt.Runs == 0 {
		opt.Runs = DefaultValidationRuns
	}
	if opt.Level == 0 {
		opt.Level = DefaultValidationLevel
	}
	h := newHarness(candidates, opt.Collect, realEnvironment())
	defer disableCollector(opt.Collect.DisableGC)()
	if err := h.size(context.Background(), nil); err != nil {
		return nil, err
	}
	units, err := h.identical(context.Background(), opt.Runs, -1, nil)
	if err != nil {
		return nil, err
	}
	found := make([]HarnessValidation, len(candidates))
	for i := range found {
		found[i] = summarize(units, i, opt.Level)
	}
	return found, nil
}

func (o ValidationOptions) check() error {
	if err := o.Collect.check(); err != nil {
		return err
	}
	if o.Runs < 0 || o.Runs == 1 {
		return fmt.Errorf("option Runs is %d and has to be at least 2", o.Runs)
	}
	if o.Level != 0 && !(o.Level > 0.5 && o.Level < 1) {
		return fmt.Errorf("option Level is %v and has to lie between 0.5 and 1", o.Level)
	}
	return nil
}

// identical runs every candidate against itself. The first run warms up in
// full, the later ones by count alone. From the deadline on, if it is not
// negative, no further run starts once ten are done.
func (h *harness) identical(ctx context.Context, runs int, deadline time.Duration, progress func(Progress)) ([]record.Unit, error) {
	report := func(done int) {
		if progress != nil {
			progress(Progress{Stage: StageValidating, Done: done, Total: runs})
		}
	}
	units := make([]record.Unit, 0, runs)
	report(0)
	for index := range runs {
		if deadline >= 0 && index >= min(fewestValidationRuns, runs) && h.env.now() > deadline {
			break
		}
		unit, err := h.identicalRun(ctx, index)
		if err != nil {
			return units, fmt.Errorf("validating: %w", err)
		}
		units = append(units, unit)
		report(index + 1)
	}
	return units, nil
}

// balanced is the order for rounds with two replicas. The replicas of one
// candidate share its state, such as its place in a ring of inputs; plain ABBA
// would hand each of them the same inputs again and again, and show that as a
// difference. So the blocks of ABBA begin in a random direction.
func balanced(o Order) order.Kind {
	if o == OrderABBA {
		return order.Blocks
	}
	return order.Kind(o)
}

func (h *harness) identicalRun(ctx context.Context, index int) (unit record.Unit, err error) {
	loop, err := h.open(ctx, order.Nested(len(h.arms)))
	if err != nil {
		return unit, err
	}
	defer func() {
		if closeErr := loop.Close(); err == nil {
			err = closeErr
		}
	}()
	warmup := h.warmup()
	if index > 0 {
		warmup.Duration = 0
	}
	request := engine.Request{N: h.n}
	if err := loop.Warm(ctx, request, warmup, h.env.now); err != nil {
		return unit, err
	}
	loop.Order = order.New(balanced(h.opt.Order), h.coin)
	unit, err = loop.Measure(ctx, request, h.opt.Repeats, record.AA)
	unit.Index = index
	return unit, err
}

// summarize condenses the runs of one candidate against itself.
func summarize(units []record.Unit, arm int, level float64) HarnessValidation {
	v := HarnessValidation{Level: level}
	var ties, shifts, correlations []float64
	drifting, signals := 0, 0
	for i := range units {
		first, second := units[i].Find(arm, 0), units[i].Find(arm, 1)
		if first == nil || second == nil {
			continue
		}
		v.InnerLoops = uint64(first.N)
		x, y := samples(first), samples(second)
		delta, confidence, tied := splitConfidence(judge.PairRatios(&units[i], second, first))
		v.Deltas = append(v.Deltas, delta)
		v.Confidences = append(v.Confidences, confidence)
		ties = append(ties, tied)
		if confidence > level || confidence < 1-level {
			signals++
		}
		drifts := false
		for _, series := range [][]float64{x, y} {
			correlations = append(correlations, stat.Lag1(series))
			if d, err := DetectDrift(series); err == nil {
				shifts = append(shifts, math.Abs(d.RelativeShift))
				drifts = drifts || d.Drifted(DriftLevel)
			}
		}
		if drifts {
			drifting++
		}
	}
	v.Runs = len(v.Deltas)
	if v.Runs == 0 {
		return v
	}
	sizes := absolutes(v.Deltas)
	slices.Sort(sizes)
	v.NoiseFloor, v.TypicalNoise = stat.Quantile(sizes, NoiseFloorQuantile), stat.MedianSorted(sizes)
	v.MaxObservedNoise = sizes[len(sizes)-1]
	v.MeanConfidence, _ = stat.MeanAndSD(v.Confidences)
	v.MedianConfidence, v.TieRate = stat.Median(v.Confidences), stat.Median(ties)
	v.FalseSignalRate, v.DriftRate = float64(signals)/float64(v.Runs), float64(drifting)/float64(v.Runs)
	v.Autocorrelation = stat.Median(correlations)
	if len(shifts) > 0 {
		v.MedianDriftShift = stat.Median(shifts)
	}
	return v
}

// splitConfidence judges the ratios of two series of identical code, first over
// second: the difference, the confidence that the first is faster with ties
// split, and the share of ties.
func splitConfidence(ratios []float64) (delta, confidence, tied float64) {
	slices.Sort(ratios)
	delta = 1 - stat.MedianSorted(ratios)
	if math.IsNaN(delta) || math.IsInf(delta, 0) {
		delta = 0
	}
	law := stat.BootstrapMedianSorted(ratios)
	tied = law.Mass(1)
	return delta, law.Below(1) + tied/2, tied
}

func absolutes(x []float64) []float64 {
	sizes := make([]float64, len(x))
	for i, v := range x {
		sizes[i] = math.Abs(v)
	}
	return sizes
}

// Resolves reports whether a relative difference of this size, of either sign,
// is larger than the noise floor. It is necessary for a real difference, not
// sufficient.
func (v HarnessValidation) Resolves(relativeDifference float64) bool {
	return math.Abs(relativeDifference) > v.NoiseFloor
}

// String renders the validation as a few lines. Their form may change.
func (v HarnessValidation) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "Identical code, %d runs with %d operations per batch:\n", v.Runs, v.InnerLoops)
	fmt.Fprintf(&s, "  noise floor          %s (typical %s, worst %s)\n", percent(v.NoiseFloor), percent(v.TypicalNoise), percent(v.MaxObservedNoise))
	fmt.Fprintf(&s, "  mean confidence      %.3f (0.500 is fair; ties are split)\n", v.MeanConfidence)
	fmt.Fprintf(&s, "  median confidence    %.3f\n", v.MedianConfidence)
	fmt.Fprintf(&s, "  ties                 %s of the bootstrapped differences are exactly zero\n", percent(v.TieRate))
	fmt.Fprintf(&s, "  drifting runs        %s (median shift %s)\n", percent(v.DriftRate), percent(v.MedianDriftShift))
	fmt.Fprintf(&s, "  autocorrelation      %+.2f (above %.1f estimates are made from blocks)\n", v.Autocorrelation, AutocorrelationThreshold)
	fmt.Fprintf(&s, "  false signals        %s at level %g (%s expected)", percent(v.FalseSignalRate), v.Level, percent(2*(1-v.Level)))
	return s.String()
}
