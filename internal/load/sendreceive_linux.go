//go:build linux && !386

package load

import "syscall"

// The calls that know they deal with a socket cost a few per cent less than
// read and write.
const (
	receiveCall = syscall.SYS_RECVFROM
	sendCall    = syscall.SYS_SENDTO
)
