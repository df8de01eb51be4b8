//go:build !linux

package perfctr

import "errors"

// errNotLinux is why nothing is counted here.
var errNotLinux = errors.New("counters are read on Linux only")

// System returns the kernel of this machine, which has no counters that this
// package can read.
func System() Kernel { return other{} }

type other struct{}

// Open always fails.
func (other) Open(Request) (int, error) { return -1, errNotLinux }

// Enable is never called, since nothing opens.
func (other) Enable(int) error { return errNotLinux }

// Disable is never called, since nothing opens.
func (other) Disable(int) error { return errNotLinux }

// Read is never called, since nothing opens.
func (other) Read(int, []byte) (int, error) { return 0, errNotLinux }

// Close is never called, since nothing opens.
func (other) Close(int) error { return errNotLinux }

// Threads returns the process as its only thread.
func (other) Threads(pid int) ([]int, error) { return []int{pid}, nil }

// Paranoid is a setting of Linux.
func (other) Paranoid() (int, bool) { return 0, false }
