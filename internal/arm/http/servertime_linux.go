package httparm

import (
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// processTime is the processor time of all threads of a process. The kernel has a
// clock for it, which one call reads; see clock_getcpuclockid(3) for its number.
// Where that is not to be had the threads are added up.
func processTime(directory string, pid int) (time.Duration, bool) {
	var now unix.Timespec
	const (
		scheduler = 2       // of the three clocks of a process the exact one
		mostPIDs  = 1 << 22 // the kernel's own limit; the number below has no room for more
	)
	if pid < mostPIDs && directory == "/proc/"+strconv.Itoa(pid) && unix.ClockGettime(int32(^pid<<3|scheduler), &now) == nil {
		return time.Duration(now.Nano()), true
	}
	return threadTimes(directory)
}
