//go:build unix

package multiproc_test

import "syscall"

func exists(pid int) bool { return syscall.Kill(pid, 0) == nil }

// killedText is how the end of a killed process reads.
const killedText = "signal: killed"
