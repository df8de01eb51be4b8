//go:build !windows

package clock

import "time"

// base is the origin of Now.
var base = time.Now()

// now takes the monotonic part only. time.Since reads one clock where time.Now
// reads two, and is as cheap as the runtime's own nanotime.
func now() time.Duration { return time.Since(base) }

// awake is the clock that stands still while the machine is suspended. On these
// systems that is the one the Go runtime uses anyway.
func awake() time.Duration { return now() }
