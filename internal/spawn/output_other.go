//go:build !linux

package spawn

import (
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// streams are a command's input and outputs.
type streams struct {
	stdout, stderr *collector
	// theirs are files that only the command should hold once it runs, and ours
	// the ends that are read here.
	theirs, ours []*os.File
	copying      sync.WaitGroup
}

// connect opens what the command needs.
func connect(c *Command, cmd *exec.Cmd) (*streams, error) {
	s := new(streams)
	if c.Stdin != "" {
		f, err := os.Open(c.Stdin)
		if err != nil {
			return s, &StartError{Program: c.Argv[0], File: c.Stdin, Reason: "its input cannot be read: " + cause(err), Err: err}
		}
		s.theirs, cmd.Stdin = append(s.theirs, f), f
	}
	var err error
	if s.stdout, err = s.output(c, c.Stdout, os.Stdout, &cmd.Stdout); err != nil {
		return s, err
	}
	s.stderr, err = s.output(c, c.Stderr, os.Stderr, &cmd.Stderr)
	return s, err
}

// output connects one stream. It makes pipes itself, since package exec would
// wait until nobody holds them any more.
func (s *streams) output(c *Command, o Output, own *os.File, to *io.Writer) (*collector, error) {
	switch o.Kind {
	case Null:
		return nil, nil
	case Inherit:
		*to = own
		return nil, nil
	case File:
		f, err := os.OpenFile(o.Path, fileFlags(o), 0o666)
		if err != nil {
			return nil, &StartError{Program: c.Argv[0], File: o.Path, Reason: "its output cannot be written: " + cause(err), Err: err}
		}
		s.theirs, *to = append(s.theirs, f), f
		return nil, nil
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, &StartError{Program: c.Argv[0], File: c.Argv[0], Reason: "making a pipe for its output: " + err.Error(), Err: err}
	}
	s.ours, s.theirs = append(s.ours, read), append(s.theirs, write)
	*to = write
	collected := &collector{kind: o.Kind, limit: o.Limit}
	s.copying.Go(func() { _, _ = io.Copy(collected, read) })
	return collected, nil
}

func (s *streams) started() { s.theirs = closeFiles(s.theirs) }

// drainTime is how long output is read after the end of a command, in case
// something outside of its group holds on to it.
const drainTime = time.Second

// finish waits until everything is read. Streams that are to be kept are read
// for as long as somebody holds them.
func (s *streams) finish(keep bool) {
	done := make(chan struct{})
	go func() {
		s.copying.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(drainTime):
	}
	if keep {
		s.ours = nil
	}
}

func (s *streams) close() {
	s.theirs, s.ours = closeFiles(s.theirs), closeFiles(s.ours)
}

func closeFiles(files []*os.File) []*os.File {
	for _, f := range files {
		_ = f.Close()
	}
	return nil
}

// collector keeps the beginning or the end of what is written to it.
type collector struct {
	kind  OutputKind
	limit int64
	mu    sync.Mutex
	bytes []byte
	cut   bool
}

// Write never fails.
func (c *collector) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.kind {
	case Head:
		room := max(0, int(c.limit)-len(c.bytes))
		c.bytes = append(c.bytes, b[:min(room, len(b))]...)
		c.cut = c.cut || len(b) > room
	case Tail:
		limit := int(min(c.limit, mostTail))
		c.bytes = append(c.bytes, b...)
		if old := len(c.bytes) - limit; old > 0 {
			c.bytes = append(c.bytes[:0], c.bytes[old:]...)
			c.cut = true
		}
	}
	return len(b), nil
}

// kept returns what was kept. A nil collector has kept nothing.
func (c *collector) kept() ([]byte, bool) {
	if c == nil {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]byte(nil), c.bytes...), c.cut
}
