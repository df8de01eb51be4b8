package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// ErrTooShort says that a batch did not get longer as it was given more
// operations to run.
var ErrTooShort = errors.New("the batch did not become long enough")

// ArmError says which arm an error belongs to.
type ArmError struct {
	Arm int
	Err error
}

func (e *ArmError) Error() string { return fmt.Sprintf("arm %d: %v", e.Arm, e.Err) }

// Unwrap returns the error itself.
func (e *ArmError) Unwrap() error { return e.Err }

// CalibrationPlan says how long a batch has to last.
type CalibrationPlan struct {
	// Target is the shortest acceptable batch.
	Target time.Duration
	// MaxN is the largest number of operations that is tried.
	MaxN int64
}

// Calibration is the batch size that was found.
type Calibration struct {
	N int64
	// Shortest is the shortest of the trial batches at that size.
	Shortest time.Duration
}

const (
	calibrationTrials = 3
	// calibrationSteps bounds the search whatever the batch does.
	calibrationSteps = 64
	// calibrationHeadroom aims a little above the target, so that one more step
	// is rarely needed.
	calibrationHeadroom  = 1.2
	calibrationMaxGrowth = 100
)

// Calibrate finds the smallest batch that lasts at least as long as the plan
// asks. Every size is tried three times and judged by the shortest trial, so
// that a batch stretched by the scheduler is not taken for a long one.
func Calibrate(ctx context.Context, session Session, plan CalibrationPlan) (Calibration, error) {
	all, err := CalibrateAll(ctx, []Session{session}, plan)
	var of *ArmError
	if errors.As(err, &of) {
		return Calibration{}, of.Err
	}
	if err != nil {
		return Calibration{}, err
	}
	return all[0], nil
}

// CalibrateAll finds one batch size for several arms: the smallest at which
// every arm's batch is long enough. All arms run the same batches, turn by
// turn, so that they stay in step: two arms that go through the same inputs
// would otherwise meet each other's traces at a constant distance, and one of
// them would always come to inputs that the other has just warmed up. An error
// that belongs to an arm is an [ArmError].
func CalibrateAll(ctx context.Context, sessions []Session, plan CalibrationPlan) ([]Calibration, error) {
	n := int64(1)
	for range calibrationSteps {
		shortest, err := shortestBatches(ctx, sessions, n)
		if err != nil {
			return nil, err
		}
		fastest := 0
		for i := range shortest {
			if shortest[i] < shortest[fastest] {
				fastest = i
			}
		}
		if shortest[fastest] >= plan.Target {
			found := make([]Calibration, len(sessions))
			for i := range found {
				found[i] = Calibration{N: n, Shortest: shortest[i]}
			}
			return found, nil
		}
		if n >= plan.MaxN {
			return nil, &ArmError{Arm: fastest, Err: fmt.Errorf("a batch of %d operations lasts %v and has to last %v: %w", n, shortest[fastest], plan.Target, ErrTooShort)}
		}
		n = min(grow(n, shortest[fastest], plan.Target), plan.MaxN)
	}
	return nil, fmt.Errorf("no batch of %v found in %d steps: %w", plan.Target, calibrationSteps, ErrTooShort)
}

// longTrial is the length from which one trial batch is enough: the scheduler
// does not stretch a short batch that far.
const longTrial = 20 * time.Millisecond

// shortestBatches runs every session's trial batches in turn and returns the
// shortest of each. It ends after the first turn if all are long.
func shortestBatches(ctx context.Context, sessions []Session, n int64) ([]time.Duration, error) {
	shortest := make([]time.Duration, len(sessions))
	for trial := range calibrationTrials {
		for i, session := range sessions {
			if ctx.Err() != nil {
				return nil, Stopped(ctx)
			}
			sample := notRead
			if err := session.Do(ctx, Request{N: n}, &sample); err != nil {
				return nil, err
			}
			if wall := time.Duration(sample.Wall); trial == 0 || wall < shortest[i] {
				shortest[i] = wall
			}
		}
		if slices.Min(shortest) >= longTrial {
			break
		}
	}
	return shortest, nil
}

// grow returns the next batch size: as much larger as the target is away, at
// least by one and at most a hundredfold.
func grow(n int64, shortest, target time.Duration) int64 {
	factor := float64(calibrationMaxGrowth)
	if shortest > 0 {
		factor = calibrationHeadroom * float64(target) / float64(shortest)
	}
	if !(factor > 1) {
		factor = 2
	}
	factor = min(factor, calibrationMaxGrowth)
	next := float64(n) * factor
	if next >= math.MaxInt64/2 {
		return math.MaxInt64 / 2
	}
	return max(n+1, int64(math.Ceil(next)))
}
