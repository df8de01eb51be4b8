package rtcompare

import (
	"testing"
	"time"
)

func TestMaxDurationCuts(t *testing.T) {
	tests := []struct {
		name          string
		runs, repeats int
		limit         time.Duration
		doneRuns      int
		donePairs     int
		cutRuns       bool
		cutPairs      bool
	}{
		{"at once", 40, 101, time.Nanosecond, 10, MinimumDataPoints, true, true},
		{"few runs are not cut", 5, MinimumDataPoints, time.Nanosecond, 5, MinimumDataPoints, false, false},
		{"half of it for identical code", 40, 101, 200 * time.Millisecond, -1, -1, true, false},
		{"plenty", 12, 21, time.Hour, 12, 21, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine()
			opt := short()
			opt.MaxDuration, opt.ValidationRuns, opt.Collect.Repeats = tt.limit, tt.runs, tt.repeats
			r := m.compare(t, m.pair(100, 100), opt)
			if got := r.ValidationA.Runs; tt.doneRuns >= 0 && got != tt.doneRuns {
				t.Errorf("%d runs of identical code", got)
			}
			if got := len(r.SamplesA); tt.donePairs >= 0 && got != tt.donePairs {
				t.Errorf("%d pairs", got)
			}
			if warned(r.Warnings, "MaxDuration cut the runs") != tt.cutRuns || warned(r.Warnings, "MaxDuration cut the measurement") != tt.cutPairs {
				t.Errorf("warnings %q", r.Warnings)
			}
			if tt.limit > time.Millisecond && r.Protocol.Duration > tt.limit*11/10 {
				t.Errorf("took %v of %v", r.Protocol.Duration, tt.limit)
			}
		})
	}
}

// Operations of a millisecond leave no time for 101 pairs in every run.
func TestMaxDurationShortensTheRuns(t *testing.T) {
	for _, tt := range []struct {
		skip  bool
		pairs int
	}{{false, 61}, {true, DefaultRepeats}} {
		m := newMachine()
		opt := CompareOptions{MaxDuration: 5 * time.Second, SkipValidation: tt.skip, Collect: CollectOptions{SkipWarmup: true}}
		r := m.compare(t, m.pair(1e6, 1e6), opt)
		if got := len(r.SamplesA); got < tt.pairs-2 || got > tt.pairs || (!tt.skip && r.ValidationA.Runs < fewestValidationRuns) {
			t.Errorf("skipped %v: %d pairs after %d runs", tt.skip, got, r.ValidationA.Runs)
		}
		if warned(r.Warnings, "MaxDuration cut the measurement") == tt.skip || r.Protocol.Duration > 6*time.Second {
			t.Errorf("skipped %v: took %v, warnings %q", tt.skip, r.Protocol.Duration, r.Warnings)
		}
	}
}
