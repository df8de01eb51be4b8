package host

import "syscall"

// rusageThread is RUSAGE_THREAD, which package syscall does not name.
const rusageThread = 1

// ThreadSwitches returns how often the operating system took the CPU away from
// the calling thread since that thread started, and which thread it is. Two
// readings can be compared only if their threads are equal: a goroutine may move
// to another thread at any moment, and need not be locked to one. It takes about
// a microsecond and does not allocate. ok is false where the count is not to be
// had.
func ThreadSwitches() (involuntary int64, thread int64, ok bool) {
	// The goroutine may move between two of these calls, too.
	for range 3 {
		first := syscall.Gettid()
		var usage syscall.Rusage
		if syscall.Getrusage(rusageThread, &usage) != nil {
			return 0, 0, false
		}
		if syscall.Gettid() == first {
			return int64(usage.Nivcsw), int64(first), true
		}
	}
	return 0, 0, false
}
