//go:build !linux

package load

import "time"

// sleep is Go's: its timers are exact enough here.
func sleep(d time.Duration) { time.Sleep(d) }
