//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package multiproc

import (
	"os"
	"syscall"
)

// lockFile keeps other runs away from a journal for as long as the file is open.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
