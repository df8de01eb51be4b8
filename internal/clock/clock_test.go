package clock

import (
	"math"
	"testing"
	"time"
)

func TestNowAdvances(t *testing.T) {
	first := Now()
	if first < 0 {
		t.Fatalf("time before the start of the process: %v", first)
	}
	for range 1000 {
		next := Now()
		if next < first {
			t.Fatalf("went back from %v to %v", first, next)
		}
		first = next
	}
}

func TestNowDoesNotAllocate(t *testing.T) {
	var last time.Duration
	if n := testing.AllocsPerRun(100, func() { last = Now() }); n != 0 {
		t.Errorf("%v allocations per read", n)
	}
	_ = last
}

func TestTicksToDuration(t *testing.T) {
	for _, c := range []struct {
		name             string
		ticks, frequency int64
		want             time.Duration
	}{
		{"nothing", 0, 10_000_000, 0},
		{"one step of 10 MHz", 1, 10_000_000, 100},
		{"a second and a step", 10_000_001, 10_000_000, time.Second + 100},
		{"an hour, where the product overflows", 36_000_000_000, 10_000_000, time.Hour},
		{"a year at 10 MHz", 365 * 24 * 3600 * 10_000_000, 10_000_000, 365 * 24 * time.Hour},
		{"24 MHz rounds down", 1, 24_000_000, 41},
		{"3.2 GHz", 3_200_000_001, 3_200_000_000, time.Second},
		{"negative", -10_000_001, 10_000_000, -time.Second - 100},
		{"no frequency", 5, 0, 0},
		{"broken frequency", 5, -1, 0},
		{"largest rest", math.MaxInt64, 4_000_000_000, 2305843009213693951},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := ticksToDuration(c.ticks, c.frequency); got != c.want {
				t.Errorf("ticksToDuration(%d, %d) = %d, want %d", c.ticks, c.frequency, got, c.want)
			}
		})
	}
}
