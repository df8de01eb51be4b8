// Package published_test is a program as a user of v0.8.1 would have written it:
// it uses every exported name, field and method of that version, and it need
// only compile. A test of the house checks that nothing is left out.
package published_test

import (
	"context"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare"
)

// TestCompiles has passed when it starts: nothing of the program is run.
func TestCompiles(*testing.T) {
	_ = []any{
		constants, options, candidates, measuring, estimating, confidences,
		validations, drift, reports, pooling, spacers, (*draws).all,
	}
}

// is compiles when the value can be used as a T.
func is[T any](T) {}

func constants() {
	is[string](rtcompare.StageCalibrating)
	is[string](rtcompare.StageValidating)
	is[string](rtcompare.StageMeasuring)
	is[string](rtcompare.StageResampling)
	is[float64](rtcompare.AutocorrelationThreshold)
	is[float64](rtcompare.DefaultConfidenceLevel)
	is[uint64](rtcompare.DefaultMaxInnerLoops)
	is[float64](rtcompare.DefaultMaxQuantizationError)
	is[int](rtcompare.DefaultRepeats)
	is[uint64](rtcompare.DefaultResamples)
	is[float64](rtcompare.DefaultValidationLevel)
	is[int](rtcompare.DefaultValidationRuns)
	is[int](rtcompare.DefaultWarmup)
	is[time.Duration](rtcompare.DefaultWarmupDuration)
	is[float64](rtcompare.DriftLevel)
	is[uint64](rtcompare.LargeHeapThreshold)
	is[int](rtcompare.MinimumDataPoints)
	is[float64](rtcompare.NoiseFloorQuantile)
	is[float64](rtcompare.QuantizationGate)
	is[time.Duration](rtcompare.SuspendThreshold)
	// An untyped constant fits wherever its value does.
	is[float32](rtcompare.DriftLevel)
	is[uint16](rtcompare.DefaultRepeats)
	is[int64](rtcompare.LargeHeapThreshold)
}

func options() {
	is[rtcompare.CalibrationOptions](rtcompare.CalibrationOptions{
		MaxQuantizationError: rtcompare.DefaultMaxQuantizationError,
		MaxInnerLoops:        rtcompare.DefaultMaxInnerLoops,
		GCBetween:            true,
		DisableGC:            true,
	})
	collect := rtcompare.CollectOptions{
		Repeats:              rtcompare.DefaultRepeats,
		InnerLoops:           1,
		MaxQuantizationError: rtcompare.DefaultMaxQuantizationError,
		MaxInnerLoops:        rtcompare.DefaultMaxInnerLoops,
		Order:                rtcompare.OrderABBA,
		Warmup:               rtcompare.DefaultWarmup,
		WarmupDuration:       rtcompare.DefaultWarmupDuration,
		SkipWarmup:           true,
		GCBetween:            true,
		DisableGC:            true,
		Seed:                 1,
	}
	is[rtcompare.CompareOptions](rtcompare.CompareOptions{
		Collect:        collect,
		Thresholds:     []float64{0, 0.05},
		ValidationRuns: rtcompare.DefaultValidationRuns,
		SkipValidation: true,
		Level:          rtcompare.DefaultConfidenceLevel,
		Resamples:      rtcompare.DefaultResamples,
		Progress:       func(p rtcompare.Progress) { println(p.Stage, p.Done, p.Total) },
		MaxDuration:    time.Minute,
		Seed:           1,
	})
	is[rtcompare.EstimateOptions](rtcompare.EstimateOptions{
		Level: rtcompare.DefaultConfidenceLevel, Resamples: 1, BlockLength: 1, Seed: 1, Paired: true,
	})
	is[rtcompare.ValidationOptions](rtcompare.ValidationOptions{
		Collect: collect, Runs: 1, Resamples: 1, Level: rtcompare.DefaultValidationLevel, Seed: 1,
	})
}

func candidates() {
	batch := func(n uint64) {
		for range n {
			println()
		}
	}
	is[rtcompare.Candidate](rtcompare.Candidate{
		Name: "a", Setup: func() {}, Batch: batch, Teardown: func() {},
	})
	is[rtcompare.Batch](rtcompare.Batch(batch))

	for _, order := range []rtcompare.Order{
		rtcompare.OrderABBA, rtcompare.OrderRandom, rtcompare.OrderSequential, rtcompare.Order(0),
	} {
		is[string](order.String())
		is[int](int(order))
	}
}

func measuring() {
	type (
		candidate = rtcompare.Candidate
		options   = rtcompare.CompareOptions
		report    = rtcompare.Report
	)
	is[func(candidate, candidate, options) (report, error)](rtcompare.Compare)
	is[func(context.Context, candidate, candidate, options) (report, error)](rtcompare.CompareContext)
	is[func(candidate, candidate, rtcompare.CollectOptions) ([]float64, []float64, error)](rtcompare.Collect)
	is[func(candidate, rtcompare.CalibrationOptions) (rtcompare.Calibration, error)](rtcompare.CalibrateInnerLoops)
	is[func() int64](rtcompare.GetSampleTimePrecision)

	var c rtcompare.Calibration
	is[uint64](c.InnerLoops)
	is[float64](c.NsPerOp)
	is[float64](c.BatchDuration)
	is[int64](c.ClockPrecision)
	is[float64](c.QuantizationError)
}

func estimating() {
	is[func(a, b []float64, opt rtcompare.EstimateOptions) (rtcompare.Estimate, error)](rtcompare.EstimateDifference)
	is[func(int) int](rtcompare.AutoBlockLength)
	is[func(float64) float64](rtcompare.F2T)
	is[func([]float64) float64](rtcompare.Median)

	e := rtcompare.Estimate{Delta: 0.1, Low: 0.05, High: 0.15, Level: 0.95, Resamples: 1, BootstrapMedian: 0.1}
	if e.Excludes(0) {
		ratio, low, high := e.Ratio()
		println(e.String(), ratio, low, high)
	}
}

func confidences() {
	type (
		floats = []float64
		result = rtcompare.Confidences
	)
	is[func(a, b, gains floats, resamples uint64, block int, seed uint64) result](rtcompare.BlockBootstrapConfidence)
	is[func(a, b, gains floats, resamples, seed uint64) result](rtcompare.BootstrapConfidence)
	is[func(a, b, gains floats, resamples uint64) (result, error)](rtcompare.CompareSamples)
	is[func(a, b, thresholds floats, opt rtcompare.EstimateOptions) (result, error)](rtcompare.ConfidencesFor)

	c := rtcompare.Confidences{{Threshold: 0.1, Confidence: 0.9}}
	is[[]rtcompare.ThresholdConfidence](c)
	is[func(float64) (float64, bool)](c.At)
	for _, t := range c {
		println(t.Threshold, t.Confidence)
	}
}
