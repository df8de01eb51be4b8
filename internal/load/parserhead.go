package load

import "bytes"

// statusLine reads "HTTP/1.1 200 OK".
func (p *parser) statusLine(line []byte) *Error {
	const prefix = "HTTP/1."
	if len(line) < len(prefix)+5 || string(line[:len(prefix)]) != prefix {
		return malformed("no HTTP/1 status line")
	}
	minor, rest := line[len(prefix)], line[len(prefix)+1:]
	if minor < '0' || minor > '9' || rest[0] != ' ' {
		return malformed("no HTTP/1 status line")
	}
	status := 0
	for _, c := range rest[1:4] {
		if c < '0' || c > '9' {
			return malformed("a status that is not a number")
		}
		status = 10*status + int(c-'0')
	}
	if status < 100 || (len(rest) > 4 && rest[4] != ' ') {
		return malformed("a status that is not a number of three digits")
	}
	p.status, p.old, p.state = status, minor == '0', atHeader
	return nil
}

func (p *parser) countHeader() *Error {
	if p.headers++; p.headers > mostHeaders {
		return malformed("more than 256 header lines")
	}
	return nil
}

// header reads one header line. Only three of them say where an answer ends.
func (p *parser) header(line []byte) *Error {
	if err := p.countHeader(); err != nil {
		return err
	}
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || line[0] == ' ' || line[0] == '\t' || line[colon-1] == ' ' || line[colon-1] == '\t' {
		return malformed("a header line without a name")
	}
	name, value := line[:colon], line[colon+1:]
	switch {
	case isName(name, "content-length"):
		return p.contentLength(trim(value))
	case isName(name, "transfer-encoding"):
		// HTTP/1.0 does not know it (RFC 9112, section 6.1).
		if !p.old && (p.chunked || !isName(trim(value), "chunked")) {
			return malformed("a transfer encoding other than chunked")
		}
		p.chunked = !p.old
	case isName(name, "connection"):
		p.connection(value)
	}
	return nil
}

func (p *parser) contentLength(value []byte) *Error {
	n, ok := decimal(value)
	if !ok {
		return malformed("a Content-Length that is not a number")
	}
	if p.length >= 0 && p.length != n {
		return malformed("two different Content-Lengths")
	}
	p.length = n
	return nil
}

// connection reads a list of options, of which two matter.
func (p *parser) connection(value []byte) {
	for len(value) > 0 {
		option := value
		if comma := bytes.IndexByte(value, ','); comma >= 0 {
			option, value = value[:comma], value[comma+1:]
		} else {
			value = nil
		}
		option = trim(option)
		p.closes = p.closes || isName(option, "close")
		p.stays = p.stays || isName(option, "keep-alive")
	}
}

// headerEnd decides how the body ends (RFC 9112, section 6.3).
func (p *parser) headerEnd() *Error {
	switch {
	case p.status < 200 && p.status != 101:
		if p.interim++; p.interim > mostInterim {
			return malformed("too many interim answers")
		}
		p.expectStatus()
	case p.status == 101:
		p.closes = true // what follows is another protocol
		p.finish()
	case p.head || p.status == 204 || p.status == 304:
		p.finish()
	case p.chunked:
		p.state = atChunkSize
	case p.length == 0:
		p.finish()
	case p.length > 0:
		p.state, p.remaining = inBody, p.length
	default:
		p.state = inOpenBody
	}
	return nil
}

// chunkSize reads a hexadecimal size; what follows a semicolon means nothing
// to us.
func (p *parser) chunkSize(line []byte) *Error {
	if semicolon := bytes.IndexByte(line, ';'); semicolon >= 0 {
		line = line[:semicolon]
	}
	line = trim(line)
	size := int64(0)
	for _, c := range line {
		digit := hexDigit(c)
		if digit < 0 || size > (1<<62)>>4 {
			return malformed("a chunk size that is not a hexadecimal number")
		}
		size = size<<4 + int64(digit)
	}
	if len(line) == 0 {
		return malformed("a chunk without a size")
	}
	if size == 0 {
		p.state, p.headers = atTrailer, 0
		return nil
	}
	p.state, p.remaining = inChunk, size
	return nil
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// decimal reads a number of digits only, small enough for a length.
func decimal(text []byte) (n int64, ok bool) {
	for _, c := range text {
		if c < '0' || c > '9' || n > (1<<62)/10 {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, len(text) > 0
}

func trim(text []byte) []byte { return bytes.Trim(text, " \t") }

// isName compares with a name in lower case.
func isName(text []byte, name string) bool {
	if len(text) != len(name) {
		return false
	}
	for i, c := range text {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != name[i] {
			return false
		}
	}
	return true
}
