package gobuild

import (
	"bytes"
	"sync"
)

// outputLimit is how much of a process's output is kept, from its end.
const outputLimit = 1 << 20

// limitedBuffer keeps the end of what is written to it, by several writers.
type limitedBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (l *limitedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.buffer.Write(p)
	if over := l.buffer.Len() - outputLimit; over > outputLimit {
		l.buffer.Next(over)
	}
	return n, err
}

func (l *limitedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.String()
}
