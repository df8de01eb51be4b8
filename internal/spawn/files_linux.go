package spawn

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// passed are the files that are opened here and passed to the spawner.
type passed struct {
	stdin          *os.File
	stdout, stderr passedOutput
}

// passedOutput is one file for output, and where its bytes are to be found
// after the run.
type passedOutput struct {
	file *os.File
	kind OutputKind
}

// openFiles opens what a command needs.
func openFiles(c *Command) (*passed, error) {
	p := new(passed)
	var err error
	if c.Stdin != "" {
		if p.stdin, err = os.Open(c.Stdin); err != nil {
			return p, &StartError{Program: c.Argv[0], File: c.Stdin, Reason: "its input cannot be read: " + cause(err), Err: err}
		}
	}
	if p.stdout, err = openOutput(c, c.Stdout); err != nil {
		return p, err
	}
	p.stderr, err = openOutput(c, c.Stderr)
	return p, err
}

func openOutput(c *Command, o Output) (passedOutput, error) {
	p := passedOutput{kind: o.Kind}
	var err error
	switch o.Kind {
	case File:
		p.file, err = os.OpenFile(o.Path, fileFlags(o), 0o666)
		if err != nil {
			return p, &StartError{Program: c.Argv[0], File: o.Path, Reason: "its output cannot be written: " + cause(err), Err: err}
		}
	case Head:
		p.file, err = memoryFile()
		if err != nil {
			return p, fmt.Errorf("keeping the output of %q: %w", c.Argv[0], err)
		}
	}
	return p, nil
}

// memoryFile makes a file without a name: in memory, or else among the
// temporary files.
func memoryFile() (*os.File, error) {
	if fd, err := unix.MemfdCreate("output", unix.MFD_CLOEXEC); err == nil {
		return os.NewFile(uintptr(fd), "output"), nil
	}
	f, err := os.CreateTemp("", "rtcompare-output-*")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// numbers are the file descriptors in the order of the message.
func (p *passed) numbers() []int {
	var all []int
	for _, f := range []*os.File{p.stdin, p.stdout.file, p.stderr.file} {
		if f != nil {
			all = append(all, int(f.Fd()))
		}
	}
	return all
}

func (p *passed) close() {
	for _, f := range []*os.File{p.stdin, p.stdout.file, p.stderr.file} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// keep returns what was kept of the stream.
func (p passedOutput) keep(k kept) ([]byte, bool, error) {
	if p.kind != Head {
		return k.bytes, k.cut, nil
	}
	b := make([]byte, k.size)
	n, err := p.file.ReadAt(b, 0)
	if errors.Is(err, io.EOF) && int64(n) == k.size {
		err = nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading back the output of a command: %w", err)
	}
	return b[:n], k.cut, nil
}
