package load

import (
	"syscall"
	"time"
)

// sleep waits in the kernel, which is exact to some ten microseconds.
func sleep(d time.Duration) {
	left := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&left, nil) // a signal is an early return
}
