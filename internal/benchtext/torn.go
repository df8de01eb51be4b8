package benchtext

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// torn is a result line that was interrupted. go test prints the name and a tab
// before a benchmark runs, and count and measurements after it; what the
// benchmark prints meanwhile stands between the two.
type torn struct {
	name     string
	position Position
}

// damaged takes a line that begins like a result and is none. rest is what
// stands behind the name.
func (r *Reader) damaged(s *stream, name, rest []byte, cause error) bool {
	if status, ok := statusIn(rest); ok {
		r.notes.failure(Failure{Benchmark: string(name), Package: s.packageName(), Skipped: status, Position: r.position()})
		return false
	}
	behind, interrupted := afterNameAndTab(name, rest)
	if !interrupted {
		kind := Suspect
		if _, err := parseCount(firstField(rest)); err == nil && isBenchmarkName(name) {
			kind = Lost
		}
		r.problem(kind, string(name), "not a result: "+cause.Error())
		return false
	}
	if r.options.NoRepair {
		r.problem(Lost, string(name), "not a result: "+cause.Error())
		return false
	}
	s.torn = torn{name: string(name), position: r.position()}
	return r.continueTorn(s, behind)
}

// continueTorn looks for the second half of a torn result at the end of a line.
func (r *Reader) continueTorn(s *stream, line []byte) bool {
	if isEnd(line) {
		r.giveUpTorn(s)
		r.otherLine(s, line)
		return false
	}
	tail, certain := resultTail(line)
	if tail == nil {
		return false
	}
	t := s.torn
	s.torn = torn{}
	if !certain || r.measurements(tail) != nil {
		r.notes.problem(Problem{Lost, t.position, t.name,
			fmt.Sprintf("other output tore the result apart; where its numbers begin in line %d is not certain", r.line)})
		return false
	}
	r.notes.problem(Problem{Repaired, t.position, t.name,
		fmt.Sprintf("other output stood between the name and the numbers in line %d", r.line)})
	return r.found(s, []byte(t.name))
}

// giveUpTorn reports a torn result whose second half never came.
func (r *Reader) giveUpTorn(s *stream) {
	if s.torn.name == "" {
		return
	}
	r.notes.problem(Problem{Lost, s.torn.position, s.torn.name, "its numbers are missing"})
	s.torn = torn{}
}

// afterNameAndTab reports whether a name is followed as go test does it, by
// spaces that fill a column and a tab, and returns what comes after the tab.
func afterNameAndTab(name, rest []byte) ([]byte, bool) {
	rest = bytes.TrimLeft(rest, " ")
	if len(rest) == 0 || rest[0] != '\t' || !isBenchmarkName(name) {
		return nil, false
	}
	return rest[1:], true
}

// isBenchmarkName reports whether go test would run a function of this name.
func isBenchmarkName(name []byte) bool {
	r, _ := utf8.DecodeRune(name)
	return len(name) > 0 && !unicode.IsLower(r)
}

// countWidth is the width to which go test pads the count of iterations with
// spaces on its left.
const countWidth = 8

// resultTail finds count and measurements at the end of a line of other output:
// the first tab behind a count from which on every piece between tabs is a value
// and a unit. certain is set where the count cannot begin anywhere else.
func resultTail(line []byte) (tail []byte, certain bool) {
	for tab := bytes.IndexByte(line, '\t'); tab >= 0; {
		start := tab
		for start > 0 && line[start-1]-'0' <= 9 {
			start--
		}
		if start < tab && onlyPairs(line[tab+1:]) {
			return line[start:], countIsCertain(line[:start], tab-start)
		}
		next := bytes.IndexByte(line[tab+1:], '\t')
		if next < 0 {
			return nil, false
		}
		tab += 1 + next
	}
	return nil, false
}

// countIsCertain reports whether a count of so many digits can only begin where
// its digits begin. A short count stands behind the spaces that pad it. Eight
// digits need none. Digits of other output right before a longer one would look
// like a part of it.
func countIsCertain(before []byte, digits int) bool {
	switch {
	case len(before) == 0:
		return digits >= countWidth
	case digits < countWidth:
		padding := len(before) - len(bytes.TrimRight(before, " "))
		return padding >= countWidth-digits
	}
	return digits == countWidth
}

// onlyPairs reports whether a text is nothing but pieces between tabs that are a
// number and a unit, with a time or what was reported in its place first.
func onlyPairs(text []byte) bool {
	for {
		piece, rest, more := bytes.Cut(text, []byte("\t"))
		value, unit := nextField(bytes.TrimSpace(piece))
		if _, err := parseNumber(value); err != nil || len(unit) == 0 || bytes.ContainsAny(unit, " ") {
			return false
		}
		if !more {
			return true
		}
		text = rest
	}
}

func firstField(text []byte) []byte {
	field, _ := nextField(skipSpace(text))
	return field
}
