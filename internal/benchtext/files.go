package benchtext

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Input is one file to read.
type Input struct {
	// Path is the path, or "-" for standard input.
	Path string
	// Label is the name of the input in tables.
	Label string
}

// ParseInputs takes arguments of the form path, label=path or "-". A path that
// stands there more than once without a label gets the label path#0, path#1, …,
// so that its results do not mix. No argument means standard input.
func ParseInputs(arguments []string) []Input {
	if len(arguments) == 0 {
		arguments = []string{"-"}
	}
	inputs := make([]Input, len(arguments))
	times, labelled := map[string]int{}, make([]bool, len(arguments))
	for i, argument := range arguments {
		label, path, ok := strings.Cut(argument, "=")
		if !ok {
			label, path = argument, argument
			times[path]++
		}
		inputs[i], labelled[i] = Input{Path: path, Label: label}, ok
	}
	number := map[string]int{}
	for i := range inputs {
		path := inputs[i].Path
		if !labelled[i] && times[path] > 1 {
			inputs[i].Label = fmt.Sprintf("%s#%d", path, number[path])
			number[path]++
		}
	}
	return inputs
}

// ErrRecord says that an input is a record of this program, not the output of
// go test.
var ErrRecord = errors.New("this is a record of a run, not the output of go test")

// Files reads several inputs in turn as if they were one. The zero value with
// Inputs set reads files of the operating system.
type Files struct {
	Inputs  []Input
	Options Options
	// Open opens a path; nil means os.Open.
	Open func(path string) (io.ReadCloser, error)
	// Stdin is standard input; nil means os.Stdin.
	Stdin io.Reader

	reader *Reader
	file   io.Closer
	next   int // index of the next input
	pool   *pool
	notes  Notes
	err    error
	inputs []int // number of results of each input
}

// Scan goes on to the next result of all inputs and reports whether there is
// one.
func (f *Files) Scan() bool {
	for f.err == nil {
		if f.reader == nil && !f.open() {
			return false
		}
		if f.reader.Scan() {
			f.inputs[f.next-1]++
			return true
		}
		f.err = f.reader.Err()
		f.close()
	}
	return false
}

// Result returns the result that Scan found. It is overwritten by the next Scan.
// Without a result it is empty.
func (f *Files) Result() *Result {
	if f.reader == nil {
		return &Result{Shape: &Shape{}, Config: &Config{}}
	}
	return f.reader.Result()
}

// Err returns what ended the reading early: an input that cannot be opened or
// read, a record ([ErrRecord]), or a measurement that is not finite.
func (f *Files) Err() error { return f.err }

// Notes returns what was said about all inputs so far.
func (f *Files) Notes() *Notes { return &f.notes }

// Results returns how many results each input gave so far, in the order of
// Inputs.
func (f *Files) Results() []int { return f.inputs }

// open opens the next input. It reports false after the last and on an error.
func (f *Files) open() bool {
	if f.next >= len(f.Inputs) {
		return false
	}
	if f.pool == nil {
		f.pool, f.inputs = newPool(), make([]int, len(f.Inputs))
	}
	input := f.Inputs[f.next]
	raw, err := f.openPath(input.Path)
	if err != nil {
		f.err = fmt.Errorf("opening an input: %w", err)
		return false
	}
	f.file = raw
	text, err := Unpack(raw)
	if err != nil {
		f.err = fmt.Errorf("reading %s: %w", input.Path, err)
		f.close()
		return false
	}
	if IsRecord(text) {
		f.err = fmt.Errorf("%s: %w", input.Path, ErrRecord)
		f.close()
		return false
	}
	f.reader = newReader(text, input.Path, input.Label, f.Options, f.pool, &f.notes)
	f.next++
	return true
}

func (f *Files) openPath(path string) (io.ReadCloser, error) {
	switch {
	case path == "-" && f.Stdin != nil:
		return io.NopCloser(f.Stdin), nil
	case path == "-":
		return io.NopCloser(os.Stdin), nil
	case f.Open != nil:
		return f.Open(path)
	}
	return os.Open(path)
}

// close closes what is open. Reading is over, so that an error of closing says
// nothing about the results.
func (f *Files) close() {
	if f.file != nil {
		_ = f.file.Close()
	}
	f.file, f.reader = nil, nil
}

// Unpack returns the text of a stream that may be gzipped, which its first two
// bytes tell.
func Unpack(in io.Reader) (*bufio.Reader, error) {
	buffered := bufio.NewReaderSize(in, bufferSize)
	if magic, err := buffered.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
		return buffered, nil
	}
	zipped, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, fmt.Errorf("it begins like a gzip file: %w", err)
	}
	return bufio.NewReaderSize(zipped, bufferSize), nil
}

// IsRecord reports whether a text begins like a record of this program. It reads
// nothing away.
func IsRecord(text *bufio.Reader) bool {
	start, _ := text.Peek(64)
	return bytes.HasPrefix(bytes.TrimLeft(start, " \t\r\n"), []byte(`{"head":`))
}
