package load

import (
	"bytes"
)

// Limits on what a server may send before its answer counts as malformed. They
// bound the memory of a connection.
const (
	longestLine    = 8 << 10
	mostHeaders    = 256
	mostInterim    = 16 // answers with status 1xx before the real one
	longestChecked = 64 << 20
)

// parserState is what the parser expects next.
type parserState uint8

const (
	atStatus parserState = iota
	atHeader
	inBody      // remaining bytes of a body of known length
	inOpenBody  // a body that ends with the connection
	atChunkSize //
	inChunk     // remaining bytes of a chunk
	atChunkEnd  // the empty line after a chunk
	atTrailer
	complete
)

// parser reads one HTTP/1 answer from the pieces in which it arrives. It keeps
// nothing of them but a line that is not complete yet, and the body if asked
// to. See RFC 9112, sections 4 to 7. The zero value is ready for the answer to a
// GET.
type parser struct {
	// head is set for the answer to HEAD, which has no body.
	head bool
	// keep asks for the body in body.
	keep bool

	state     parserState
	status    int
	received  int64 // bytes so far, of interim answers too
	remaining int64
	body      []byte
	partial   []byte // the beginning of a line

	headers, interim int
	length           int64 // Content-Length; -1 where there is none
	chunked, old     bool  // old is HTTP/1.0
	closes, stays    bool  // Connection: close, keep-alive
	reusable         bool  // known when complete
}

// begin makes the parser ready for the next answer.
func (p *parser) begin(head, keep bool) {
	p.head, p.keep = head, keep
	p.received, p.interim = 0, 0
	p.body, p.partial = p.body[:0], p.partial[:0]
	p.expectStatus()
}

func (p *parser) expectStatus() {
	p.state, p.status, p.headers, p.length = atStatus, 0, 0, -1
	p.chunked, p.old, p.closes, p.stays, p.reusable = false, false, false, false, false
}

// feed takes the next piece and returns what lies behind the end of the answer.
// The answer is there when state is complete.
func (p *parser) feed(data []byte) (rest []byte, err *Error) {
	p.received += int64(len(data))
	for len(data) > 0 && p.state != complete && err == nil {
		switch p.state {
		case inBody, inChunk:
			data, err = p.counted(data)
		case inOpenBody:
			err = p.store(data)
			data = nil
		default:
			data, err = p.lines(data)
		}
	}
	return data, err
}

// end says that the server closed the connection. It is an error unless that
// is how the body ends.
func (p *parser) end() *Error {
	switch {
	case p.state == inOpenBody:
		p.state = complete
		return nil
	case p.received == 0:
		return errNoAnswer
	case p.state <= atHeader:
		return errTruncatedHeader
	}
	return errTruncatedBody
}

// lines consumes one line, or keeps the beginning of one.
func (p *parser) lines(data []byte) (rest []byte, err *Error) {
	end := bytes.IndexByte(data, '\n')
	if end < 0 {
		if len(p.partial)+len(data) > longestLine {
			return nil, malformed("a line of more than 8 KiB")
		}
		p.partial = append(p.partial, data...)
		return nil, nil
	}
	line := data[:end]
	if len(p.partial)+len(line) > longestLine {
		return nil, malformed("a line of more than 8 KiB")
	}
	if len(p.partial) > 0 {
		p.partial = append(p.partial, line...)
		line = p.partial
		p.partial = p.partial[:0]
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return data[end+1:], p.line(line)
}

// line handles one line without its end.
func (p *parser) line(line []byte) *Error {
	switch p.state {
	case atStatus:
		return p.statusLine(line)
	case atHeader:
		if len(line) == 0 {
			return p.headerEnd()
		}
		return p.header(line)
	case atChunkSize:
		return p.chunkSize(line)
	case atChunkEnd:
		if len(line) > 0 {
			return malformed("a chunk longer than its size says")
		}
		p.state = atChunkSize
		return nil
	}
	if len(line) == 0 { // the end of the trailer
		p.finish()
		return nil
	}
	return p.countHeader()
}

func (p *parser) finish() {
	p.state = complete
	if p.old {
		p.reusable = p.stays && !p.closes
	} else {
		p.reusable = !p.closes
	}
}

// counted consumes bytes of a body or chunk of known length.
func (p *parser) counted(data []byte) (rest []byte, err *Error) {
	n := min(p.remaining, int64(len(data)))
	if err := p.store(data[:n]); err != nil {
		return nil, err
	}
	if p.remaining -= n; p.remaining == 0 {
		if p.state == inChunk {
			p.state = atChunkEnd
		} else {
			p.finish()
		}
	}
	return data[n:], nil
}

func (p *parser) store(data []byte) *Error {
	if !p.keep {
		return nil
	}
	if len(p.body)+len(data) > longestChecked {
		return errBodyTooLong
	}
	p.body = append(p.body, data...)
	return nil
}
