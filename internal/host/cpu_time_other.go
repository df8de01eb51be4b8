//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package host

import "time"

// ProcessCPU would return the CPU time of this process. It is not known here,
// and ok is always false.
func ProcessCPU() (used time.Duration, ok bool) { return 0, false }
