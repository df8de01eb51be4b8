//go:build !linux

package peers

import (
	"errors"
	"io"
	"time"
)

// runPaced needs a server that spins on one thread over all its connections.
func runPaced(io.Writer, time.Duration) error {
	return errors.New("the paced server needs Linux")
}
