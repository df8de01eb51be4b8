//go:build unix

package spawn

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// signalName is the standard name of a signal, such as SIGKILL.
func signalName(number int) string { return unix.SignalName(syscall.Signal(number)) }
