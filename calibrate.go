package rtcompare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
)

// shortestUsefulBatch keeps batches above the reach of single interrupts and of
// the two clock reads around them, whatever the step of the clock.
const shortestUsefulBatch = 20 * time.Microsecond

// Calibration is what CalibrateInnerLoops found.
type Calibration struct {
	// InnerLoops is the batch size, for CollectOptions.InnerLoops.
	InnerLoops uint64
	// NsPerOp is about what one operation costs, in nanoseconds: one trial, for
	// a first look only.
	NsPerOp float64
	// BatchDuration is how long the shortest trial batch lasted, in
	// nanoseconds.
	BatchDuration float64
	// ClockPrecision is the step of the clock in nanoseconds, see
	// [GetSampleTimePrecision].
	ClockPrecision int64
	// QuantizationError is ClockPrecision / BatchDuration.
	QuantizationError float64
}

// CalibrationOptions configures CalibrateInnerLoops. The zero value is usable.
type CalibrationOptions struct {
	// MaxQuantizationError is the share of a batch that one step of the clock
	// may amount to; zero means [DefaultMaxQuantizationError].
	MaxQuantizationError float64
	// MaxInnerLoops is the largest batch size that is tried; zero means
	// [DefaultMaxInnerLoops].
	MaxInnerLoops uint64
	// GCBetween and DisableGC mirror the options of Collect.
	GCBetween bool
	DisableGC bool
}

// CalibrateInnerLoops finds the batch size at which one step of the clock is at
// most MaxQuantizationError of a batch, and a batch lasts at least 20 µs.
//
// The error that the clock leaves in one operation's time depends on how long
// the batch lasts and on nothing else, so the search is for the smallest batch
// that lasts long enough. Every size is tried three times and judged by the
// shortest. An error names the candidate: a nil Batch, an option out of range,
// or a batch that did not get longer with n, which nearly always means that it
// ignores n.
func CalibrateInnerLoops(c Candidate, opt CalibrationOptions) (Calibration, error) {
	if err := checkCandidates([]Candidate{c}); err != nil {
		return Calibration{}, err
	}
	if err := checkQuantizationError(opt.MaxQuantizationError); err != nil {
		return Calibration{}, err
	}
	collect := CollectOptions{
		MaxQuantizationError: opt.MaxQuantizationError, MaxInnerLoops: opt.MaxInnerLoops,
		GCBetween: opt.GCBetween, DisableGC: opt.DisableGC,
	}.withDefaults()
	env := realEnvironment()
	defer disableCollector(collect.DisableGC)()
	session, err := function(c, 0, collect, env).Open(context.Background(), engine.Slot{})
	if err != nil {
		return Calibration{}, err
	}
	found, err := calibrateSession(context.Background(), session, label(c, 0), collect, env)
	if closeErr := session.Close(); err == nil {
		err = closeErr
	}
	return found, err
}

func calibrateSession(ctx context.Context, session engine.Session, name string, opt CollectOptions, env environment) (Calibration, error) {
	target, tick := batchTarget(opt, env)
	found, err := engine.Calibrate(ctx, session, engine.CalibrationPlan{Target: target, MaxN: int64(opt.MaxInnerLoops)})
	if err != nil {
		return Calibration{}, explainCalibration(err, name)
	}
	batch := float64(found.Shortest)
	return Calibration{
		InnerLoops: uint64(found.N), NsPerOp: batch / float64(found.N), BatchDuration: batch,
		ClockPrecision: int64(tick), QuantizationError: tick / batch,
	}, nil
}

// batchTarget is how long a batch has to last.
func batchTarget(opt CollectOptions, env environment) (target time.Duration, tick float64) {
	tick = env.tickNanoseconds()
	target = time.Duration(math.Ceil(tick / opt.MaxQuantizationError))
	return max(target, shortestUsefulBatch), tick
}

func explainCalibration(err error, name string) error {
	if errors.Is(err, engine.ErrTooShort) {
		return fmt.Errorf("calibrating %s: %w; a Batch that ignores its n is the usual cause, work that the compiler computes in advance the next; raise MaxInnerLoops if an operation is really that short", name, err)
	}
	return fmt.Errorf("calibrating %s: %w", name, err)
}

// disableCollector switches the automatic collector off and returns what
// switches it on again.
func disableCollector(disable bool) (restore func()) {
	if !disable {
		return func() {}
	}
	previous := debug.SetGCPercent(-1)
	return func() { debug.SetGCPercent(previous) }
}
