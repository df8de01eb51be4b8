package clock

import (
	"testing"
	"time"
)

func TestStopwatchGap(t *testing.T) {
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name                   string
		wall, awake, threshold time.Duration
		want                   time.Duration
	}{
		{"both ran alike", 10 * time.Second, 10 * time.Second, time.Second, 0},
		{"slept an hour", time.Hour + 5*time.Second, 5 * time.Second, time.Second, time.Hour},
		{"exactly the threshold", 11 * time.Second, 10 * time.Second, time.Second, 0},
		{"just above it", 11*time.Second + 1, 10 * time.Second, time.Second, time.Second + 1},
		{"a small correction", 10*time.Second + 300*time.Millisecond, 10 * time.Second, time.Second, 0},
		{"set back", 2 * time.Second, 10 * time.Second, time.Second, 0},
		{"set back, threshold below zero", 2 * time.Second, 10 * time.Second, -time.Hour, 0},
		{"no threshold", 10*time.Second + 1, 10 * time.Second, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			wall, awake := start, 7*time.Minute
			clocks := Clocks{
				Wall:  func() time.Time { return wall },
				Awake: func() time.Duration { return awake },
			}
			watch := clocks.Start()
			wall, awake = wall.Add(c.wall), awake+c.awake
			if got := watch.Gap(c.threshold); got != c.want {
				t.Errorf("gap %v, want %v", got, c.want)
			}
		})
	}
}

// The monotonic reading inside a time.Time must not take part: it stands still
// exactly when the wall clock does not.
func TestStopwatchUsesWallTime(t *testing.T) {
	real := time.Now()
	calls := 0
	clocks := Clocks{
		Wall: func() time.Time {
			calls++
			return real
		},
		Awake: func() time.Duration { return 0 },
	}
	watch := clocks.Start()
	if watch.wall != real.Round(0) {
		t.Errorf("kept %v with its monotonic reading", watch.wall)
	}
	if got := watch.Gap(0); got != 0 || calls != 2 {
		t.Errorf("gap %v after %d reads of the wall clock, want 0 after 2", got, calls)
	}
}

func TestStopwatchZeroValues(t *testing.T) {
	var never Stopwatch
	if got := never.Gap(0); got != 0 {
		t.Errorf("a stopwatch that was never started sees %v", got)
	}
	watch := Clocks{}.Start()
	if got := watch.Gap(24 * time.Hour); got != 0 {
		t.Errorf("the machine's own clocks are %v apart", got)
	}
}
