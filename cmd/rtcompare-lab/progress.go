package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progressLine returns a function that rewrites one line on a terminal, at most
// ten times a second. It is nil where nobody watches.
func progressLine(out io.Writer) func(name string, done, total int) {
	if !isTerminal(out) {
		return nil
	}
	var mutex sync.Mutex
	var last time.Time
	return func(name string, done, total int) {
		mutex.Lock()
		defer mutex.Unlock()
		if now := time.Now(); done < total && now.Sub(last) < 100*time.Millisecond {
			return
		} else {
			last = now
		}
		fmt.Fprintf(out, "\r\x1b[K%s: %d of %d", name, done, total)
		if done == total {
			fmt.Fprint(out, "\r\x1b[K")
		}
	}
}
