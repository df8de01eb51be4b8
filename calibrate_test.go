package rtcompare

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
)

// calibrated sizes a candidate's batches on the machine.
func (m *machine) calibrated(c Candidate, opt CollectOptions) (Calibration, error) {
	env := m.environment()
	session, err := function(c, 0, opt, env).Open(context.Background(), engine.Slot{})
	if err != nil {
		return Calibration{}, err
	}
	return calibrateSession(context.Background(), session, label(c, 0), opt.withDefaults(), env)
}

func TestCalibration(t *testing.T) {
	tests := []struct {
		name string
		ns   float64
		tick time.Duration
		opt  CollectOptions
		// target is how long a batch has to last.
		target time.Duration
	}{
		{"at least 20 µs", 100, 1, CollectOptions{}, 20 * time.Microsecond},
		{"a thousand ticks", 100, 100, CollectOptions{}, 100 * time.Microsecond},
		{"a coarser error", 100, 1000, CollectOptions{MaxQuantizationError: 0.01}, 100 * time.Microsecond},
		{"a finer error", 100, 100, CollectOptions{MaxQuantizationError: 1e-4}, time.Millisecond},
		{"long operations", 3e6, 1, CollectOptions{}, 20 * time.Microsecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine()
			m.tick = tt.tick
			c, err := m.calibrated(m.candidate(work{name: "a", ns: tt.ns}), tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			least := math.Ceil(float64(tt.target) / tt.ns)
			if got := float64(c.InnerLoops); got < least-1 || got > max(1, 1.3*least) {
				t.Errorf("%d operations for %v", c.InnerLoops, tt.target)
			}
			if c.BatchDuration < float64(tt.target) || !near(c.NsPerOp*float64(c.InnerLoops), c.BatchDuration, 1) {
				t.Errorf("%+v", c)
			}
			if c.ClockPrecision != int64(tt.tick) || !near(c.QuantizationError, float64(tt.tick)/c.BatchDuration, 1e-15) {
				t.Errorf("%+v", c)
			}
			if limit := tt.opt.withDefaults().MaxQuantizationError; c.QuantizationError > limit {
				t.Errorf("an error of %v, asked for %v", c.QuantizationError, limit)
			}
		})
	}
}

func TestCalibrationNamesABatchThatIgnoresN(t *testing.T) {
	m := newMachine()
	for name, batch := range map[string]Batch{"constant": func(uint64) { m.clock += 50 }, "empty": func(uint64) {}} {
		_, err := m.calibrated(Candidate{Name: name, Batch: batch}, CollectOptions{MaxInnerLoops: 1_000_000})
		if err == nil {
			t.Fatalf("%s: no error", name)
		}
		for _, part := range []string{`candidate A ("` + name + `")`, "ignores its n", "MaxInnerLoops"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("the error does not say %q: %v", part, err)
			}
		}
	}
}

func TestCalibrationRespectsTheCap(t *testing.T) {
	m := newMachine()
	if _, err := m.calibrated(m.candidate(work{name: "a", ns: 1}), CollectOptions{MaxInnerLoops: 500}); err == nil {
		t.Error("no error")
	}
	for _, n := range m.sizes {
		if n > 500 {
			t.Errorf("a batch of %d operations", n)
		}
	}
}

func TestCalibrateInnerLoopsOptions(t *testing.T) {
	ran := 0
	c := counted("a", &ran)
	for _, v := range []float64{-0.1, 1, 2, math.NaN(), math.Inf(1)} {
		_, err := CalibrateInnerLoops(c, CalibrationOptions{MaxQuantizationError: v})
		refused(t, "CalibrateInnerLoops", err, "MaxQuantizationError", ran)
	}
}

func TestCalibrateInnerLoopsForReal(t *testing.T) {
	cheap, err := CalibrateInnerLoops(spinning(2), CalibrationOptions{})
	if err != nil {
		t.Fatal(err)
	}
	dear, err := CalibrateInnerLoops(spinning(200), CalibrationOptions{GCBetween: true, DisableGC: true})
	if err != nil {
		t.Fatal(err)
	}
	if cheap.InnerLoops <= dear.InnerLoops || cheap.ClockPrecision != GetSampleTimePrecision() || cheap.BatchDuration < 20_000 {
		t.Errorf("cheap %+v, dear %+v", cheap, dear)
	}
	// An unused result is measurable all the same.
	if _, err := CalibrateInnerLoops(Candidate{Batch: func(n uint64) {
		x := uint64(1)
		for range n {
			x = x*6364136223846793005 + 1442695040888963407
		}
		spinSink = x
	}}, CalibrationOptions{}); err != nil {
		t.Error(err)
	}
}

func TestGetSampleTimePrecision(t *testing.T) {
	if first, second := GetSampleTimePrecision(), GetSampleTimePrecision(); first < 1 || first != second || first > int64(50*time.Millisecond) {
		t.Errorf("%d and %d ns", first, second)
	}
}
