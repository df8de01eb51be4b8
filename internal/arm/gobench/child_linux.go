package gobench

import "syscall"

// groupOfItsOwn lets the process be ended with all it has started, and with the
// thread that started it.
func groupOfItsOwn() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
