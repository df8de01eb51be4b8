package proc

import "syscall"

// dieWithParent asks the kernel to kill the child when the thread that started
// it ends. It covers the time before the child calls Follow, and a child that
// never does.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// setSignal is F_SETSIG, which package syscall does not name.
const setSignal = 10

// killWhenClosed makes the kernel itself kill the process group when the other
// end of a pipe closes. So no goroutine has to wait in a process that measures,
// and the runtime still notices when all goroutines sleep for good.
func killWhenClosed(fd int) bool {
	control := func(command, argument int) (int, bool) {
		value, _, failed := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd), uintptr(command), uintptr(argument))
		return int(value), failed == 0
	}
	if _, ok := control(syscall.F_SETOWN, -syscall.Getpid()); !ok {
		return false
	}
	if _, ok := control(setSignal, int(syscall.SIGKILL)); !ok {
		return false
	}
	flags, ok := control(syscall.F_GETFL, 0)
	if !ok {
		return false
	}
	if _, ok := control(syscall.F_SETFL, flags|syscall.O_ASYNC); !ok {
		return false
	}
	if closedAlready(fd, flags) {
		processGroup(syscall.Getpid()).kill()
	}
	// The lifeline kills the whole group, if this process is not killed alone
	// before.
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, 0, 0)
	return true
}

// closedAlready reports whether the parent was gone before the kernel could be
// asked: no signal comes for what has happened.
func closedAlready(fd, flags int) bool {
	if syscall.SetNonblock(fd, true) != nil {
		return false
	}
	n, err := syscall.Read(fd, make([]byte, 1))
	_, _, _ = syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd), uintptr(syscall.F_SETFL), uintptr(flags|syscall.O_ASYNC))
	return n == 0 && err == nil
}
