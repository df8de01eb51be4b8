package machine

import "syscall"

// dieWithParent makes the kernel kill a child when its parent ends.
func dieWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
