//go:build linux && 386

package load

import "syscall"

// Here sockets have one call for everything; read and write do as well.
const (
	receiveCall = syscall.SYS_READ
	sendCall    = syscall.SYS_WRITE
)
