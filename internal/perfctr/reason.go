package perfctr

import (
	"errors"
	"fmt"
	"syscall"
)

// The levels of kernel.perf_event_paranoid, from the kernel's documentation
// (admin-guide/perf-security): up to 1 everyone may count what happens inside
// the kernel, up to 2 what their own programs do in user space. Debian and
// Ubuntu add levels above that forbid everything to all but root.
const (
	paranoidKernel = 1
	paranoidUser   = 2
)

// reason says in plain words why an event could not be opened, and what to do.
func reason(e Event, err error, k Kernel) string {
	is := func(errno syscall.Errno) bool { return errors.Is(err, errno) }
	switch {
	case errors.Is(err, errNotLinux):
		return err.Error()
	case is(syscall.ENOENT), is(syscall.ENODEV), is(syscall.EOPNOTSUPP):
		if e.Hardware() {
			return "this machine has no such counter; most virtual machines have none"
		}
		return "this kernel does not count it"
	case is(syscall.EACCES), is(syscall.EPERM):
		return forbidden(e, k)
	case is(syscall.ENOSYS):
		return "the kernel has no counters, or the container hides them (perf_event_open)"
	case is(syscall.EINVAL):
		return "the processor's counters refuse this event"
	case is(syscall.EBUSY):
		return "another program holds the processor's counters"
	case is(syscall.EMFILE), is(syscall.ENFILE):
		return "too many files are open; raise the limit with ulimit -n"
	case is(syscall.ESRCH):
		return "the process has ended"
	}
	return fmt.Sprintf("the kernel refused it: %v", err)
}

// forbidden finds out who said no.
func forbidden(e Event, k Kernel) string {
	level, known := k.Paranoid()
	switch {
	case known && level > paranoidUser:
		return fmt.Sprintf("kernel.perf_event_paranoid is %d, which leaves counters to root; sudo sysctl kernel.perf_event_paranoid=%d allows them", level, allowed(e))
	case known && level > paranoidKernel && e.inKernel:
		return fmt.Sprintf("it happens inside the kernel, and kernel.perf_event_paranoid is %d; sudo sysctl kernel.perf_event_paranoid=%d allows it", level, paranoidKernel)
	}
	return "counting was forbidden, most likely by the rules of a container (seccomp) or because the process belongs to someone else"
}

// allowed is the highest level at which everyone may count an event.
func allowed(e Event) int {
	if e.inKernel {
		return paranoidKernel
	}
	return paranoidUser
}
