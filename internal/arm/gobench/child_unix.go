//go:build unix && !linux

package gobench

import "syscall"

// groupOfItsOwn lets the process be ended with all it has started.
func groupOfItsOwn() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
