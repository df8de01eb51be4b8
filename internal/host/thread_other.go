//go:build !linux

package host

// ThreadSwitches would return how often the operating system took the CPU away
// from the calling thread. No system but Linux tells that of a thread, and ok is
// always false.
func ThreadSwitches() (involuntary int64, thread int64, ok bool) { return 0, 0, false }
