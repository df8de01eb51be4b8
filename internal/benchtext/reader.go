package benchtext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// Options say how an input is read. The zero value reads with repairs and lines
// of up to 1 MiB.
type Options struct {
	// LongestLine is the length of the longest line that is read, in bytes; 0
	// means 1 MiB. Longer lines are reported and passed over.
	LongestLine int
	// NoRepair leaves damaged result lines alone, as other readers do. They are
	// reported.
	NoRepair bool
}

func (o Options) longestLine() int {
	if o.LongestLine <= 0 {
		return 1 << 20
	}
	return o.LongestLine
}

// Reader reads one input. Create it with [NewReader].
type Reader struct {
	options Options
	file    string
	lines   *lineReader
	line    int // number of the line read last
	pool    *pool
	notes   *Notes

	// text is the stream of a plain file; packages are those of an event file.
	text     *stream
	packages map[string]*stream
	label    string
	events   bool
	begun    bool   // a line decided that this is no event file, or that it is one
	rest     []byte // of an event that held more than one line
	restOf   *stream
	ended    bool
	closing  []*stream // streams that are still to be closed after the last line

	result Result
	err    error
}

// pool holds what results share, across inputs.
type pool struct {
	configs     map[string]*Config
	configBytes int
	names       map[string]string
	shapes      map[string]*Shape
	units       map[string]Unit
	last        *Shape
}

func newPool() *pool {
	return &pool{configs: map[string]*Config{}, names: map[string]string{}, shapes: map[string]*Shape{},
		units: map[string]Unit{}, last: &Shape{}}
}

// stream is the output of one program: a text file, or a package in an event
// file.
type stream struct {
	settings settings
	pkg      string
	partial  []byte // text of an event whose line has not ended
	torn     torn
}

// NewReader reads from in. file stands in positions; label becomes the value of
// [FileKey] in every configuration, and an empty label leaves it out.
func NewReader(in io.Reader, file, label string, o Options) *Reader {
	return newReader(in, file, label, o, newPool(), new(Notes))
}

func newReader(in io.Reader, file, label string, o Options, p *pool, notes *Notes) *Reader {
	r := &Reader{options: o, file: file, label: label, pool: p, notes: notes,
		lines: newLineReader(in, o.longestLine()), packages: map[string]*stream{}}
	r.text = r.newStream("")
	return r
}

func (r *Reader) newStream(pkg string) *stream {
	s := &stream{pkg: pkg}
	if r.label != "" {
		s.settings.now = []Setting{{Key: FileKey, Value: r.label}}
	}
	return s
}

// Scan goes on to the next result and reports whether there is one. After the
// last it returns false; Err tells an error from the end.
func (r *Reader) Scan() bool {
	for r.err == nil && !r.ended {
		if len(r.rest) > 0 {
			rest := r.rest
			r.rest = nil
			if r.output(r.restOf, rest) {
				return true
			}
			continue
		}
		line, tooLong, err := r.lines.next()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				r.err = fmt.Errorf("reading %s after line %d: %w", r.file, r.line, err)
				return false
			}
			r.end()
			break
		}
		r.line++
		if tooLong {
			r.problem(Lost, "", tooLongText(r.options.longestLine()))
			continue
		}
		if r.inputLine(line) {
			return true
		}
	}
	return r.err == nil && r.scanEnd()
}

// Result returns the result that Scan found. It is overwritten by the next Scan.
func (r *Reader) Result() *Result { return &r.result }

// Err returns what ended the reading before the end of the input: it could not
// be read, a measurement is infinite or not a number, or there are too many
// different configurations or packages.
func (r *Reader) Err() error { return r.err }

// Notes returns what was said about the input so far. It grows with every Scan.
func (r *Reader) Notes() *Notes { return r.notes }

// inputLine takes one line of the input and reports whether it gave a result.
func (r *Reader) inputLine(line []byte) bool {
	if !r.begun || r.events {
		if len(line) > 0 && line[0] == '{' {
			if found, isEvent := r.event(line); isEvent {
				return found
			}
		}
	}
	return r.textLine(r.text, line)
}

// textLine takes one line of what a program printed.
func (r *Reader) textLine(s *stream, line []byte) bool {
	if bytes.HasPrefix(line, benchmarkPrefix) {
		r.begun = true
		return r.benchmarkLine(s, line)
	}
	if s.torn.name != "" {
		return r.continueTorn(s, line)
	}
	if len(line) == 0 {
		return false
	}
	if line[0] == 'U' {
		if field, rest := nextField(line); string(field) == "Unit" {
			r.unitLine(rest)
			return false
		}
	}
	if key, value, ok := configLine(line); ok {
		r.begun = true
		if !s.settings.set(key, value) {
			r.problem(Suspect, "", fmt.Sprintf("more than %d configuration keys; %q was left out", maxKeys, key))
		}
		return false
	}
	r.otherLine(s, line)
	return false
}

// end prepares what is left open for scanEnd.
func (r *Reader) end() {
	r.ended = true
	r.closing = append(r.closing, r.text)
	for _, pkg := range sortedKeys(r.packages) {
		r.closing = append(r.closing, r.packages[pkg])
	}
}

// scanEnd closes the streams one by one: lines without an end are taken, and
// torn results that never ended are reported.
func (r *Reader) scanEnd() bool {
	for len(r.closing) > 0 {
		s := r.closing[0]
		if len(s.partial) > 0 {
			line := s.partial
			s.partial = nil
			if r.textLine(s, line) {
				return true
			}
		}
		r.giveUpTorn(s)
		r.closing = r.closing[1:]
	}
	return false
}

func (r *Reader) position() Position { return Position{File: r.file, Line: r.line} }

func (r *Reader) problem(kind Kind, benchmark, text string) {
	r.notes.problem(Problem{Kind: kind, Position: r.position(), Benchmark: benchmark, Text: text})
}
