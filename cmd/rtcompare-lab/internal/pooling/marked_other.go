//go:build !linux

package pooling

import (
	"math/rand/v2"
	"syscall"
)

// Elsewhere the kill test says so before it comes to any of this.

func dieWithParent() *syscall.SysProcAttr { return nil }

func marked(string) []int { return nil }

func (run *scriptedRun) killChild(*rand.Rand, <-chan error) bool { return false }
