package engine

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/order"
)

// asked lists the batch sizes of all visits.
func asked(log []event) []int64 {
	var sizes []int64
	for _, e := range log {
		if e.what == "do" {
			sizes = append(sizes, e.request.N)
		}
	}
	return sizes
}

func TestCalibrate(t *testing.T) {
	ms := float64(time.Millisecond)
	constant := script{nanoseconds: func(b batch) float64 { return 500 / float64(b.n) }}
	zeroThenSteady := script{nanoseconds: func(b batch) float64 {
		if b.n < 100 {
			return 0
		}
		return 10
	}}
	firstTrialsStretched := script{nanoseconds: func(b batch) float64 {
		if b.number%3 < 2 {
			return 50
		}
		return 10
	}}
	tests := []struct {
		name  string
		arm   script
		maxN  int64
		sizes []int64 // each of them is tried three times
		want  int64
		short bool
	}{
		{"long enough at once", steady(ms), 1 << 30, []int64{1}, 1, false},
		{"a little more than the target", steady(10), 1 << 30, []int64{1, 100, 1200}, 1200, false},
		{"no time at all grows a hundredfold", zeroThenSteady, 1 << 30, []int64{1, 100, 1200}, 1200, false},
		{"the shortest trial counts", firstTrialsStretched, 1 << 30, []int64{1, 100, 1200}, 1200, false},
		{"the cap is the last try", steady(10), 999, []int64{1, 100, 999}, 0, true},
		{"the cap suffices", steady(10), 1100, []int64{1, 100, 1100}, 1100, false},
		{"a batch that ignores n", constant, 5000, []int64{1, 24, 576, 5000}, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			session := w.loop(t, order.Plain(1), nil, tt.arm).Sessions[0]
			plan := CalibrationPlan{Target: 10 * time.Microsecond, MaxN: tt.maxN}
			c, err := Calibrate(context.Background(), session, plan)
			if tt.short != errors.Is(err, ErrTooShort) || c.N != tt.want {
				t.Errorf("N %d, error %v", c.N, err)
			}
			if err == nil && c.Shortest < plan.Target {
				t.Errorf("shortest %v is below the target", c.Shortest)
			}
			var want []int64
			for _, n := range tt.sizes {
				want = append(want, n, n, n)
			}
			if got := asked(w.log); !slices.Equal(got, want) {
				t.Errorf("tried %v, want %v", got, want)
			}
		})
	}
}

// A batch that never gets longer must end, however high the cap.
func TestCalibrateEndsWithoutACap(t *testing.T) {
	w := &world{}
	barely := script{nanoseconds: func(b batch) float64 { return 9000 / float64(b.n) }}
	session := w.loop(t, order.Plain(1), nil, barely).Sessions[0]
	_, err := Calibrate(context.Background(), session, CalibrationPlan{Target: 10 * time.Microsecond, MaxN: math.MaxInt64 / 4})
	if !errors.Is(err, ErrTooShort) {
		t.Fatalf("error %v", err)
	}
	if sizes := asked(w.log); len(sizes) > 3*calibrationSteps {
		t.Errorf("%d trials", len(sizes))
	}
}

// The scheduler does not stretch a short batch to many milliseconds, so one
// trial of such a length is enough.
func TestLongTrialsAreNotRepeated(t *testing.T) {
	w := &world{}
	loop := w.loop(t, order.Plain(2), nil, steady(25e6), steady(30e6))
	found, err := CalibrateAll(context.Background(), loop.Sessions, CalibrationPlan{Target: time.Millisecond, MaxN: 10})
	if err != nil || found[0].N != 1 || found[1].Shortest != 30*time.Millisecond {
		t.Errorf("%+v, error %v", found, err)
	}
	if got := trace(w.log, "do"); got != "a b" {
		t.Errorf("tried %s", got)
	}
}

// Arms are sized turn by turn with the same batches, so that they stay in step,
// and an error says whose it is.
func TestArmsAreSizedTogether(t *testing.T) {
	w := &world{}
	loop := w.loop(t, order.Plain(2), nil, steady(100), steady(10))
	found, err := CalibrateAll(context.Background(), loop.Sessions, CalibrationPlan{Target: 10 * time.Microsecond, MaxN: 1 << 30})
	if err != nil || found[0].N != 1200 || found[1].N != 1200 {
		t.Errorf("%+v, error %v", found, err)
	}
	if got := trace(w.log, "do"); !strings.HasPrefix(got, "a b a b a b") || len(asked(w.log)) != 3*3*2 {
		t.Errorf("tried %s", got)
	}
	_, err = CalibrateAll(context.Background(), loop.Sessions, CalibrationPlan{Target: 10 * time.Microsecond, MaxN: 500})
	var of *ArmError
	if !errors.As(err, &of) || of.Arm != 1 || !errors.Is(err, ErrTooShort) {
		t.Errorf("error %v", err)
	}
}

func TestGrow(t *testing.T) {
	const target = 1000
	tests := []struct {
		name     string
		n        int64
		shortest time.Duration
		want     int64
	}{
		{"as far as the target is away, and a little more", 10, 500, 24},
		{"at most a hundredfold", 10, 1, 1000},
		{"a hundredfold from nothing", 7, 0, 700},
		{"at least one more", 1, 1100, 2},
		{"doubles where the estimate would shrink", 10, 5000, 20},
		{"never overflows", math.MaxInt64 / 3, 0, math.MaxInt64 / 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := grow(tt.n, tt.shortest, target); got != tt.want {
				t.Errorf("grow(%d, %v) = %d, want %d", tt.n, tt.shortest, got, tt.want)
			}
		})
	}
}

func TestCalibrateStopsWithContextOrError(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := &world{}
	session := w.loop(t, order.Plain(1), nil, steady(1)).Sessions[0]
	w.at = func(call int, _ event) error {
		if call == 1+2 {
			cancel()
		}
		return nil
	}
	if _, err := Calibrate(ctx, session, CalibrationPlan{Target: time.Second, MaxN: 1 << 40}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if got := len(asked(w.log)); got != 2 {
		t.Errorf("%d batches before the end", got)
	}
	w.at = func(int, event) error { return errFake }
	if _, err := Calibrate(context.Background(), session, CalibrationPlan{Target: time.Second, MaxN: 1 << 40}); !errors.Is(err, errFake) {
		t.Errorf("error %v", err)
	}
}

// The largest size that any arm needs is used for all.
func TestSequentialUsesOneBatchSize(t *testing.T) {
	w := &world{}
	outcome := w.sequential(t, small(), w.hooks(), steady(100), steady(20))
	if outcome.N != 6000 {
		t.Errorf("N is %d, want what the faster arm needs", outcome.N)
	}
	for _, e := range after(w.log, StageMeasuring) {
		if e.what == "do" && e.request.N != outcome.N {
			t.Fatalf("%s was measured with %d operations", e.name(), e.request.N)
		}
	}
}

func TestSequentialTakesAGivenBatchSize(t *testing.T) {
	w := &world{}
	design := small()
	design.N = 77
	outcome := w.sequential(t, design, Hooks{}, steady(3000), steady(2000))
	if sizes := asked(w.log); outcome.N != 77 || slices.Max(sizes) != 77 || slices.Min(sizes) != 77 {
		t.Errorf("N %d, batches from %d to %d", outcome.N, slices.Min(sizes), slices.Max(sizes))
	}
}
