package host

import (
	"syscall"
	"time"
)

// ProcessCPU returns the CPU time, user and system, that all threads of this
// process have used since it started. The garbage collector's are among them. It
// advances in steps of about 15.6 ms. ok is false where the system does not
// tell.
func ProcessCPU() (used time.Duration, ok bool) {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0, false
	}
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(process, &created, &exited, &kernel, &user) != nil {
		return 0, false
	}
	return hundreds(kernel) + hundreds(user), true
}

// hundreds converts a length of time, which counts steps of 100 ns. Filetime's
// own method would take it for a date.
func hundreds(t syscall.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
