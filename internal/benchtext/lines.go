package benchtext

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// lineReader cuts a stream into lines and bounds their length.
type lineReader struct {
	in      *bufio.Reader
	longest int
	long    []byte // a line that did not fit into the buffer of in
}

const bufferSize = 1 << 17

func newLineReader(in io.Reader, longest int) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, min(bufferSize, max(16, longest))), longest: longest}
}

// next returns the next line without its end. tooLong is set for a line of more
// than the longest allowed, whose text is dropped. The error is io.EOF after the
// last line.
func (l *lineReader) next() (line []byte, tooLong bool, err error) {
	line, err = l.in.ReadSlice('\n')
	if err == nil {
		return withoutEnd(line), len(line)-1 > l.longest, nil
	}
	if !errors.Is(err, bufio.ErrBufferFull) {
		return l.last(line, err)
	}
	l.long = append(l.long[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.in.ReadSlice('\n')
		if tooLong = tooLong || len(l.long)+len(line) > l.longest+1; !tooLong {
			l.long = append(l.long, line...)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	if tooLong {
		return nil, true, nil
	}
	return withoutEnd(l.long), false, nil
}

// last handles a final line without an end.
func (l *lineReader) last(line []byte, err error) ([]byte, bool, error) {
	if errors.Is(err, io.EOF) && len(line) > 0 {
		return withoutEnd(line), false, nil
	}
	return nil, false, err
}

// withoutEnd cuts off a line feed and a carriage return before it.
func withoutEnd(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// tooLongText says that a line was dropped for its length.
func tooLongText(longest int) string {
	return fmt.Sprintf("the line is longer than %d bytes and was not read", longest)
}
