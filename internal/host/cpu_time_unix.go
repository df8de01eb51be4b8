//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package host

import (
	"syscall"
	"time"
)

// ProcessCPU returns the CPU time, user and system, that all threads of this
// process have used since it started. The garbage collector's are among them. ok
// is false where the system does not tell.
func ProcessCPU() (used time.Duration, ok bool) {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0, false
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()), true
}
