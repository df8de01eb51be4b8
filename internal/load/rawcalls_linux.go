package load

import (
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The calls below never wait, so that they need not tell Go's scheduler that
// they might.

// rawRead reads what is there on a socket. n is 0 at the end of the stream.
func rawRead(fd int, into []byte) (n int, number syscall.Errno) {
	for {
		got, _, number := syscall.RawSyscall6(receiveCall, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(into))), uintptr(len(into)), 0, 0, 0)
		if number == 0 {
			return int(got), 0
		}
		if number != syscall.EINTR {
			return 0, number
		}
	}
}

// rawWrite writes to a socket as much as there is room for.
func rawWrite(fd int, data []byte) (n int, number syscall.Errno) {
	for {
		put, _, number := syscall.RawSyscall6(sendCall, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(data))), uintptr(len(data)), 0, 0, 0)
		if number == 0 {
			return int(put), 0
		}
		if number != syscall.EINTR {
			return 0, number
		}
	}
}

// rawPoll fetches the events that are there already.
func rawPoll(epoll int, events []syscall.EpollEvent) int {
	n, _, number := syscall.RawSyscall6(syscall.SYS_EPOLL_PWAIT, uintptr(epoll), uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events)), 0, 0, 0)
	if number != 0 {
		return 0
	}
	return int(n)
}

// waitFor waits until there are events, at most for the given time. It may
// return early.
func waitFor(epoll int, wait time.Duration) {
	files := [1]unix.PollFd{{Fd: int32(epoll), Events: unix.POLLIN}}
	limit := unix.NsecToTimespec(int64(max(0, wait)))
	_, _ = unix.Ppoll(files[:], &limit, nil) // a signal is an early return
}
