package workload

import (
	"testing"
	"time"
)

func TestBuildsFitIntoTheirTime(t *testing.T) {
	for _, tt := range []struct {
		round         time.Duration
		given         [2]int
		repeats, runs int
	}{
		{0, [2]int{}, 31, 10},
		{50 * time.Millisecond, [2]int{}, 31, 10},
		{100 * time.Millisecond, [2]int{}, 21, 10},
		{194 * time.Millisecond, [2]int{}, 11, 10},
		{300 * time.Millisecond, [2]int{}, 11, 6},
		{600 * time.Millisecond, [2]int{}, 11, 2},
		{time.Hour, [2]int{}, 11, 2},
		{300 * time.Millisecond, [2]int{31, 0}, 31, 2},
		{300 * time.Millisecond, [2]int{0, 5}, 13, 5},
		{time.Hour, [2]int{51, 20}, 51, 20},
	} {
		var given Options
		given.Build.Collect.Repeats, given.Build.ValidationRuns = tt.given[0], tt.given[1]
		got := shortened(given.build(), given.Build, buildTime, tt.round)
		if got.Collect.Repeats != tt.repeats || got.ValidationRuns != tt.runs {
			t.Errorf("a round of %v, given %v: %d builds and %d runs, want %d and %d", tt.round, tt.given, got.Collect.Repeats, got.ValidationRuns, tt.repeats, tt.runs)
		}
	}
}

// TestBuildDefaults checks that what the options say is left alone, and that the
// length follows the builds where they say nothing.
func TestBuildDefaults(t *testing.T) {
	slow := Structure[int]{Name: "slow", New: func() int { time.Sleep(450 * time.Millisecond); return 0 }, Apply: func(int, []Op) {}}
	for _, tt := range []struct {
		name          string
		change        func(*Options)
		repeats, runs int
	}{
		{"open", func(*Options) {}, 11, 2},
		{"runs given", func(o *Options) { o.Build.ValidationRuns = 30 }, 11, 30},
		{"both given", func(o *Options) { o.Build.Collect.Repeats, o.Build.ValidationRuns = 99, 30 }, 99, 30},
		{"budget", func(o *Options) { o.Build.Budget = time.Second }, 0, 0},
	} {
		var opt Options
		tt.change(&opt)
		trial, err := newTrial(10, []Subject{Bind(slow), Bind(slow)}, opt, false)
		if err != nil {
			t.Fatal(err)
		}
		got, err := trial.sizedBuild()
		if err != nil || got.Collect.Repeats != tt.repeats || got.ValidationRuns != tt.runs || !got.Collect.GCBetween {
			t.Errorf("%s: %d builds, %d runs, %v, want %d and %d", tt.name, got.Collect.Repeats, got.ValidationRuns, err, tt.repeats, tt.runs)
		}
	}
}
