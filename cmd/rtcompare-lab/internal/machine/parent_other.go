//go:build !linux

package machine

import "syscall"

// dieWithParent changes nothing where the kernel has no such service.
func dieWithParent() *syscall.SysProcAttr { return nil }
