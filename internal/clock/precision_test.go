package clock

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// script is a clock whose tick and cost are known. Time passes only by reading
// it: cost plus up to spread nanoseconds, evenly, per read. One read in pause
// takes much longer, as if the process had been preempted.
type script struct {
	tick, cost, spread float64
	rounding           int // readings are up to this much too high
	pause              int

	rng  *rand.Rand
	real float64
}

func (s *script) now() time.Duration {
	if s.rng == nil {
		s.rng = rand.New(rand.NewPCG(1, 2))
		s.real = 12345
	}
	s.real += s.cost + s.spread*s.rng.Float64()
	if s.pause > 0 && s.rng.IntN(s.pause) == 0 {
		s.real += 1e4 + 1e6*s.rng.Float64()
	}
	shown := math.Floor(math.Floor(s.real/s.tick) * s.tick)
	if s.rounding > 0 {
		shown += float64(s.rng.IntN(s.rounding + 1))
	}
	return time.Duration(shown)
}

func TestMeasure(t *testing.T) {
	for _, c := range []struct {
		name              string
		clock             script
		reads             int
		tickLow, tickUp   time.Duration
		costLow, costUp   time.Duration
		smallLow, smallUp time.Duration
	}{
		{"10 ns, rounded by 1 ns", script{tick: 10, cost: 34, spread: 12, rounding: 1, pause: 500}, 40_000, 10, 10, 38, 42, 29, 31},
		{"10 ns, not exactly", script{tick: 9.9963, cost: 34, spread: 12, pause: 500}, 40_000, 10, 10, 38, 42, 29, 31},
		{"10 ns, hardly any spread", script{tick: 10, cost: 39.5, spread: .4}, 40_000, 10, 10, 39, 41, 30, 31},
		{"Windows, 100 ns", script{tick: 100, cost: 24, spread: 2, pause: 500}, 40_000, 100, 100, 24, 26, 100, 100},
		{"macOS, 24 MHz", script{tick: 1e9 / 24e6, cost: 20, spread: 30, pause: 500}, 40_000, 41, 42, 33, 37, 41, 42},
		{"macOS, slow reads", script{tick: 1e9 / 24e6, cost: 70, spread: 30}, 40_000, 41, 42, 83, 87, 41, 84},
		{"1 ns", script{tick: 1, cost: 18, spread: 9, pause: 500}, 40_000, 1, 3, 21, 24, 18, 18},
		{"a cycle of 3 GHz", script{tick: 1 / 3.0, cost: 12, spread: 7}, 40_000, 1, 3, 14, 17, 11, 12},
		{"1 ns, preempted all the time", script{tick: 1, cost: 18, spread: 6, pause: 200}, 40_000, 1, 3, 20, 23, 18, 18},
		{"8 ns, 122 MHz", script{tick: 8.192, cost: 30, spread: 20}, 40_000, 8, 8, 38, 42, 24, 33},
		{"40 ns, 25 MHz", script{tick: 40, cost: 55, spread: 20}, 40_000, 40, 40, 63, 67, 40, 40},
		{"70 ns behind a system call", script{tick: 69.84, cost: 700, spread: 300}, 40_000, 69, 71, 840, 860, 698, 699},
		{"1 µs", script{tick: 1000, cost: 24, spread: 2}, 100_000, 1000, 1000, 24, 26, 1000, 1000},
		{"15.6 ms", script{tick: 15.625e6, cost: 40, spread: 10}, 1 << 21, 15_625_000, 15_625_000, 0, 50, 15_625_000, 15_625_000},
		{"few reads are made enough", script{tick: 100, cost: 150, spread: 100}, -5, 100, 100, 100, 300, 100, 300},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Measure(c.clock.now, c.reads)
			if r.Tick < c.tickLow || r.Tick > c.tickUp {
				t.Errorf("tick %v, want %v to %v", r.Tick, c.tickLow, c.tickUp)
			}
			if r.ReadCost < c.costLow || r.ReadCost > c.costUp {
				t.Errorf("read cost %v, want %v to %v", r.ReadCost, c.costLow, c.costUp)
			}
			if r.SmallestGap < c.smallLow || r.SmallestGap > c.smallUp {
				t.Errorf("smallest gap %v, want %v to %v", r.SmallestGap, c.smallLow, c.smallUp)
			}
			if r.Gaps <= 0 {
				t.Errorf("rests on %d gaps", r.Gaps)
			}
		})
	}
}

func TestMeasureOddClocks(t *testing.T) {
	t.Run("stands still", func(t *testing.T) {
		r := Measure(func() time.Duration { return 5 }, 1000)
		if r != (Reading{}) {
			t.Errorf("got %+v, want nothing", r)
		}
	})
	t.Run("same gap always", func(t *testing.T) {
		var at time.Duration
		r := Measure(func() time.Duration { at += 40; return at }, 1000)
		if r.Tick != 40 || r.ReadCost != 40 || r.SmallestGap != 40 {
			t.Errorf("got %+v, want 40 ns everywhere", r)
		}
	})
	t.Run("goes back", func(t *testing.T) {
		at := time.Duration(1e9)
		r := Measure(func() time.Duration { at--; return at }, 1000)
		if r != (Reading{}) {
			t.Errorf("got %+v, want nothing", r)
		}
	})
}

// A coarse clock must not keep the process waiting for gaps.
func TestMeasureUntilIsBounded(t *testing.T) {
	reads := 0
	r := measureUntil(func() time.Duration { reads++; return 0 }, enoughGaps, 1<<16)
	if r != (Reading{}) || reads > 2<<16+1000 {
		t.Errorf("%+v after %d reads", r, reads)
	}
	fine := script{tick: 10, cost: 34, spread: 12}
	reads = 0
	r = measureUntil(func() time.Duration { reads++; return fine.now() }, enoughGaps, 1<<20)
	if r.Gaps < enoughGaps || r.Tick != 10 || reads > 1<<17 {
		t.Errorf("%+v after %d reads", r, reads)
	}
}

func TestPrecision(t *testing.T) {
	r := Precision()
	if r.Tick < 1 || r.SmallestGap < r.Tick || r.Gaps < 1 {
		t.Errorf("implausible: %+v", r)
	}
	if again := Precision(); again != r {
		t.Errorf("measured again: %+v, then %+v", r, again)
	}
	t.Logf("tick %v, read cost %v, smallest gap %v, %d gaps", r.Tick, r.ReadCost, r.SmallestGap, r.Gaps)
}
