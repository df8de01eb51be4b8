package clock

import "time"

// Clocks is the pair of clocks a Stopwatch compares. The zero value is the
// machine's own pair; tests put scripted ones in.
type Clocks struct {
	// Wall is the time of day. Nil means time.Now.
	Wall func() time.Time
	// Awake is a monotonic clock that stands still while the machine is
	// suspended. Nil means the machine's.
	Awake func() time.Duration
}

// Start reads both clocks and returns a running Stopwatch.
func (c Clocks) Start() Stopwatch {
	if c.Wall == nil {
		c.Wall = time.Now
	}
	if c.Awake == nil {
		c.Awake = awake
	}
	return Stopwatch{clocks: c, wall: wallOnly(c.Wall()), awake: c.Awake()}
}

// Stopwatch tells how long the machine was suspended since it was started.
// Make one with Clocks.Start. The zero value was never started and sees no gap.
type Stopwatch struct {
	clocks Clocks
	wall   time.Time
	awake  time.Duration
}

// Gap returns how much further the wall clock has gone since the start than the
// clock that stands still during a suspension. It is 0 if that is threshold or
// less, so that corrections of the wall clock by a time server do not count, and
// 0 if the wall clock was set back. A wall clock set forward looks like a
// suspension; nothing tells the two apart.
func (s Stopwatch) Gap(threshold time.Duration) time.Duration {
	if s.clocks.Wall == nil || s.clocks.Awake == nil {
		return 0
	}
	gap := wallOnly(s.clocks.Wall()).Sub(s.wall) - (s.clocks.Awake() - s.awake)
	if gap <= threshold || gap < 0 {
		return 0
	}
	return gap
}

// wallOnly strips the monotonic reading, which Sub would use otherwise.
func wallOnly(t time.Time) time.Time { return t.Round(0) }
