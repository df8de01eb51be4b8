//go:build !unix

package multiproc_test

import "os"

func exists(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	return p.Release() == nil
}

// killedText is how the end of a killed process reads.
const killedText = "exit status 1"
