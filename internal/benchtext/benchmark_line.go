package benchtext

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

var benchmarkPrefix = []byte("Benchmark")

// benchmarkLine takes a line that begins with "Benchmark". A name with nothing
// behind it is how `go test -v` says that a benchmark begins.
func (r *Reader) benchmarkLine(s *stream, line []byte) bool {
	text := line[len(benchmarkPrefix):]
	name, rest := nextField(text)
	if len(name) == len(text) {
		return false
	}
	err := r.measurements(rest)
	if err == nil {
		r.giveUpTorn(s)
		return r.found(s, name)
	}
	var notFinite *notFiniteError
	if errors.As(err, &notFinite) {
		r.err = fmt.Errorf("%s: Benchmark%s: %w", r.position(), name, err)
		return false
	}
	r.giveUpTorn(s)
	return r.damaged(s, name, text[len(name):], err)
}

// found completes the result from the numbers that were just read.
func (r *Reader) found(s *stream, name []byte) bool {
	if r.result.Name != string(name) {
		known, ok := r.pool.names[string(name)]
		if !ok {
			known = string(name)
			r.pool.names[known] = known
		}
		r.result.Name = known
	}
	r.result.Config = s.settings.snapshot(r.pool)
	if r.pool.configBytes > maxConfigBytes {
		r.err = fmt.Errorf("%s: the configuration changes too often; more than %d MiB of different ones", r.position(), maxConfigBytes>>20)
		return false
	}
	r.result.Position.File, r.result.Position.Line = r.file, r.line
	return true
}

// notFiniteError says that a measurement is no number to calculate with.
type notFiniteError struct{ value, unit string }

func (e *notFiniteError) Error() string {
	return fmt.Sprintf("the measurement %s %s is not a finite number; remove the line or repair the benchmark", e.value, e.unit)
}

// measurements reads the count of iterations and the pairs of value and unit
// behind a name into the result.
func (r *Reader) measurements(text []byte) error {
	field, text := nextField(text)
	if len(field) == 0 {
		return errors.New("the count of iterations is missing")
	}
	iterations, err := parseCount(field)
	if err != nil {
		return fmt.Errorf("%q is not a count of iterations", shorten(field))
	}
	r.result.Iterations = iterations
	numbers, shape, same := r.result.Numbers[:0], r.pool.last, true
	for len(text) > 0 {
		var value, unit []byte
		value, text = nextField(text)
		number, err := parseNumber(value)
		if err != nil {
			return fmt.Errorf("%q is not a measurement%s", shorten(value), reason(err))
		}
		if unit, text = nextField(text); len(unit) == 0 {
			return fmt.Errorf("the measurement %s has no unit", shorten(value))
		}
		if !isFinite(number) {
			return &notFiniteError{string(shorten(value)), string(shorten(unit))}
		}
		if i := len(numbers); same && (i >= len(shape.Units) || shape.Units[i].Written != string(unit)) {
			shape, same = r.pool.startShape(shape.Units[:i]), false
		}
		if numbers = append(numbers, number); !same {
			shape.Units = append(shape.Units, r.pool.unit(unit))
		}
	}
	r.result.Numbers = numbers
	if len(numbers) == 0 {
		return errors.New("the measurements are missing")
	}
	if same && len(numbers) < len(shape.Units) {
		shape, same = r.pool.startShape(shape.Units[:len(numbers)]), false
	}
	if !same {
		shape = r.pool.shape(shape)
	}
	r.pool.last, r.result.Shape = shape, shape
	return nil
}

// startShape begins a shape with units of another.
func (p *pool) startShape(units []Unit) *Shape {
	return &Shape{Units: append(make([]Unit, 0, len(units)+1), units...)}
}

// shape returns the shape with the same units that was seen before, or keeps
// this one.
func (p *pool) shape(s *Shape) *Shape {
	var key strings.Builder
	for _, u := range s.Units {
		key.WriteString(u.Written)
		key.WriteByte(' ')
	}
	if known, ok := p.shapes[key.String()]; ok {
		return known
	}
	p.shapes[key.String()] = s
	return s
}

func (p *pool) unit(written []byte) Unit {
	u, ok := p.units[string(written)]
	if !ok {
		u = newUnit(string(written))
		p.units[u.Written] = u
	}
	return u
}

// reason names a range error; a syntax error is said already.
func reason(err error) string {
	if errors.Is(err, strconv.ErrRange) {
		return ": it is out of range"
	}
	return ""
}

// shorten keeps a message about a piece of input readable.
func shorten(text []byte) []byte {
	const longest = 60
	if len(text) <= longest {
		return text
	}
	return append(bytes.Clone(text[:longest]), "…"...)
}
