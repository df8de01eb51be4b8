package peers

import (
	"encoding/binary"
	"io"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// stampArrivals asks the kernel to note when what a connection reads has arrived:
// on the loopback that is when the client has sent it, whenever this process gets
// to read it.
func stampArrivals(connection *net.TCPConn) error {
	raw, err := connection.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1) })
	if err != nil {
		return err
	}
	return failed
}

// readStamped reads what is there, and returns when the last of it arrived, on
// the clock of the day.
func readStamped(connection *net.TCPConn, buffer []byte) (n int, arrived time.Duration, err error) {
	raw, err := connection.SyscallConn()
	if err != nil {
		return 0, 0, err
	}
	var control [128]byte
	var length int
	var failed error
	err = raw.Read(func(fd uintptr) bool {
		n, length, _, _, failed = unix.Recvmsg(int(fd), buffer, control[:], 0)
		return failed != unix.EAGAIN && failed != unix.EINTR
	})
	switch {
	case err != nil:
		return 0, 0, err
	case failed != nil:
		return 0, 0, failed
	case n == 0:
		return 0, 0, io.EOF
	}
	if stamp, ok := stampIn(control[:length]); ok {
		return n, stamp, nil
	}
	return n, dayClock(), nil
}

// stampIn finds the time in what came beside the data.
func stampIn(control []byte) (time.Duration, bool) {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return 0, false
	}
	for _, m := range messages {
		if m.Header.Level == unix.SOL_SOCKET && m.Header.Type == unix.SO_TIMESTAMPNS && len(m.Data) >= 16 {
			seconds, nanoseconds := binary.NativeEndian.Uint64(m.Data), binary.NativeEndian.Uint64(m.Data[8:])
			return time.Duration(seconds)*time.Second + time.Duration(nanoseconds), true
		}
	}
	return 0, false
}
