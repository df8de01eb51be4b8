package spawn

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// poll sleeps until one of the files has something to say, or until limit has
// passed if that is not negative. An interrupted sleep looks like one in which
// nothing happened.
//
// It does not tell Go's scheduler that it sleeps. The scheduler would wake a
// thread of its own some ten thousand times a second to see whether the call
// takes long, next to the command that is measured, and would have to be called
// back before the time of its end could be read.
func poll(fds []unix.PollFd, limit time.Duration) error {
	for i := range fds {
		fds[i].Revents = 0
	}
	var timeout *unix.Timespec
	if limit >= 0 {
		t := unix.NsecToTimespec(int64(limit))
		timeout = &t
	}
	_, _, errno := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&fds[0])), uintptr(len(fds)), uintptr(unsafe.Pointer(timeout)), 0, 0, 0)
	if errno != 0 && errno != unix.EINTR {
		return errno
	}
	return nil
}

func pollIn(fd int) unix.PollFd { return unix.PollFd{Fd: int32(fd), Events: unix.POLLIN} }
