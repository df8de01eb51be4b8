package benchtext

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// testEvent is what matters of an event of `go test -json`, see `go doc
// test2json`.
type testEvent struct {
	Action, Package, Test, Output string
}

// maxPackages bounds the packages whose output may be interleaved in one input.
const maxPackages = 10000

// event takes a line that begins like a JSON object. isEvent is false where it
// is none of `go test -json`.
func (r *Reader) event(line []byte) (found, isEvent bool) {
	var e testEvent
	if !scanEvent(line, &e) && json.Unmarshal(line, &e) != nil {
		return false, false
	}
	if e.Action == "" {
		return false, false
	}
	r.begun, r.events = true, true
	if e.Action != "output" {
		r.statusEvent(e)
		return false, true
	}
	s, ok := r.packages[e.Package]
	if !ok {
		if len(r.packages) >= maxPackages {
			r.err = fmt.Errorf("%s: more than %d packages in one event stream", r.position(), maxPackages)
			return false, true
		}
		s = r.newStream(e.Package)
		r.packages[e.Package] = s
	}
	return r.output(s, []byte(e.Output)), true
}

// output takes a piece of what a package printed. Pieces end where the program
// flushed, not where its lines end.
func (r *Reader) output(s *stream, text []byte) bool {
	line, rest, whole := bytes.Cut(text, []byte("\n"))
	if len(s.partial)+len(line) > r.options.longestLine() {
		r.problem(Lost, "", tooLongText(r.options.longestLine()))
		s.partial = s.partial[:0]
		return false
	}
	if !whole {
		s.partial = append(s.partial, line...)
		return false
	}
	if len(s.partial) > 0 {
		line = append(s.partial, line...)
		s.partial = line[:0]
	}
	// More than one line in an event does not come from go test, but would not
	// be unclear either: Scan goes on with the rest.
	r.rest, r.restOf = rest, s
	return r.textLine(s, withoutEnd(line))
}

// statusEvent takes an event about a test or package as a whole.
func (r *Reader) statusEvent(e testEvent) {
	if e.Action != "fail" || e.Test != "" {
		return
	}
	r.notes.failure(Failure{Package: e.Package, Position: r.position()})
}

// scanEvent reads a flat JSON object of strings as go test writes them, faster
// than encoding/json. It reports false for anything else, which encoding/json
// then decides.
func scanEvent(line []byte, e *testEvent) bool {
	rest := bytes.TrimSpace(line)
	if len(rest) < 2 || rest[0] != '{' || rest[len(rest)-1] != '}' {
		return false
	}
	rest = rest[1 : len(rest)-1]
	for len(rest) > 0 {
		var key, value string
		var ok bool
		if key, rest, ok = scanString(rest); !ok || len(rest) == 0 || rest[0] != ':' {
			return false
		}
		if rest = rest[1:]; len(rest) > 0 && rest[0] != '"' {
			comma := bytes.IndexByte(rest, ',')
			if bytes.ContainsAny(rest[:max(0, comma)], "{[\"") || comma < 0 && bytes.ContainsAny(rest, "{[\"") {
				return false
			}
			if comma < 0 {
				break
			}
			rest = rest[comma+1:]
			continue
		}
		if value, rest, ok = scanString(rest); !ok {
			return false
		}
		e.set(key, value)
		if len(rest) > 0 {
			if rest[0] != ',' {
				return false
			}
			rest = rest[1:]
		}
	}
	return true
}

func (e *testEvent) set(key, value string) {
	switch key {
	case "Action":
		e.Action = value
	case "Package":
		e.Package = value
	case "Test":
		e.Test = value
	case "Output":
		e.Output = value
	}
}

// scanString reads a JSON string at the start of a text.
func scanString(text []byte) (value string, rest []byte, ok bool) {
	if len(text) == 0 || text[0] != '"' {
		return "", nil, false
	}
	escaped := false
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			if !escaped {
				return string(text[1:i]), text[i+1:], true
			}
			value, ok = unquote(text[:i+1])
			return value, text[i+1:], ok
		}
	}
	return "", nil, false
}

// unquote resolves the escapes of a JSON string: the common ones here, all
// others by encoding/json.
func unquote(quoted []byte) (string, bool) {
	out := make([]byte, 0, len(quoted))
	for i := 1; i < len(quoted)-1; i++ {
		c := quoted[i]
		if c == '\\' {
			i++
			switch quoted[i] {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case '"', '\\', '/':
				c = quoted[i]
			default:
				var value string
				err := json.Unmarshal(quoted, &value)
				return value, err == nil
			}
		}
		out = append(out, c)
	}
	return string(out), true
}
