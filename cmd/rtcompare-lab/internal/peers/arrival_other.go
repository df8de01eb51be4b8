//go:build !linux

package peers

import (
	"net"
	"time"
)

// stampArrivals changes nothing where the kernel has no such service.
func stampArrivals(*net.TCPConn) error { return nil }

// readStamped reads what is there, and returns the time after that.
func readStamped(connection *net.TCPConn, buffer []byte) (n int, arrived time.Duration, err error) {
	n, err = connection.Read(buffer)
	return n, dayClock(), err
}
