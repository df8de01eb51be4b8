package config

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Format lays a configuration file out in the one canonical way: one space around =,
// no indent but inside of brackets, one empty line before every table, comments of
// neighbouring lines in one column. It changes nothing but white space, and never
// inside of strings or comments; formatting twice is the same as formatting once.
//
// The file has to be valid TOML; name is used in the error, which is of the type
// [Problems].
func Format(name string, src []byte) ([]byte, error) {
	if _, problems := parse(name, src); len(problems) > 0 {
		return nil, problems.err([]string{name})
	}
	lines := layOut(scan(bytes.TrimPrefix(src, byteOrderMark)))
	lines = spaceTables(lines)
	return write(lines), nil
}

// textLine is a line of the result.
type textLine struct {
	depth   int    // of brackets around it
	code    string // without indent; empty for a line that is blank or only a comment
	comment string
	header  bool // the head of a table
	opens   bool // ends with an opening bracket
	closes  bool // begins with a closing one
}

func (l textLine) blank() bool { return l.code == "" && l.comment == "" }

// layOut puts words into lines, with the space that belongs between them.
func layOut(words []word) []textLine {
	var lines []textLine
	var l layout
	for _, w := range words {
		switch w.kind {
		case newlineWord:
			lines = append(lines, l.endLine())
		case commentWord:
			l.line.comment = w.text
		default:
			l.add(w)
		}
	}
	return append(lines, l.endLine())
}

// layout is the state between two words.
type layout struct {
	line  textLine
	code  strings.Builder
	last  word   // of this line
	open  []byte // brackets that are open
	inKey bool   // before an = sign
}

// add puts a word at the end of the line.
func (l *layout) add(w word) {
	first := l.code.Len() == 0
	if first {
		l.line.depth = len(l.open)
		l.line.closes = w.is(']') || w.is('}')
		if l.line.closes {
			l.line.depth--
		}
		if len(l.open) == 0 {
			l.inKey = true
			l.line.header = w.is('[')
		}
	}
	if !first && !l.line.header && l.spaceBefore(w) {
		l.code.WriteByte(' ')
	}
	l.code.WriteString(w.text)
	l.line.opens = w.is('[') || w.is('{')
	l.last = w
	if l.line.header {
		return
	}
	switch {
	case w.is('['), w.is('{'):
		l.open = append(l.open, w.text[0])
		l.inKey = w.is('{')
	case w.is(']'), w.is('}'):
		l.open = l.open[:max(0, len(l.open)-1)]
		l.inKey = false
	case w.is('='):
		l.inKey = false
	case w.is(','):
		l.inKey = len(l.open) > 0 && l.open[len(l.open)-1] == '{'
	}
}

// spaceBefore reports whether a space stands between the last word and the next.
func (l *layout) spaceBefore(w word) bool {
	switch {
	case w.is(','), l.last.is('['), w.is(']'):
		return false
	case l.last.is('{'):
		return !w.is('}')
	case w.kind == otherWord && l.last.kind == otherWord:
		return !l.inKey // parts of a dotted key; or a date and its time
	}
	return true
}

func (l *layout) endLine() textLine {
	line := l.line
	line.code = l.code.String()
	if line.code == "" {
		line.depth = len(l.open)
	}
	l.line, l.last = textLine{}, word{}
	l.code.Reset()
	return line
}

// spaceTables decides where empty lines stand: one before a table and the comments
// right above it, none after the head of a table, inside of an opening or a closing
// bracket, or at the ends of the file, and never two.
func spaceTables(lines []textLine) []textLine {
	var kept []textLine
	for i, line := range lines {
		if !line.blank() {
			if wantsSpace(kept) && startsTable(lines[i:]) {
				kept = append(kept, textLine{})
			}
			kept = append(kept, line)
			continue
		}
		if len(kept) == 0 {
			continue
		}
		before := kept[len(kept)-1]
		if before.blank() || before.header || before.opens || nextCloses(lines[i:]) {
			continue
		}
		kept = append(kept, line)
	}
	for len(kept) > 0 && kept[len(kept)-1].blank() {
		kept = kept[:len(kept)-1]
	}
	return kept
}

// startsTable reports whether the lines begin with the head of a table, or with
// comments right above one.
func startsTable(lines []textLine) bool {
	for _, line := range lines {
		switch {
		case line.header:
			return true
		case line.code != "" || line.blank():
			return false
		}
	}
	return false
}

// wantsSpace reports whether an empty line may follow the lines: not after another one,
// nor after a comment, which belongs to the table below it.
func wantsSpace(lines []textLine) bool {
	return len(lines) > 0 && lines[len(lines)-1].code != ""
}

// nextCloses reports whether the first line with anything on it begins with a closing
// bracket.
func nextCloses(lines []textLine) bool {
	for _, line := range lines {
		if !line.blank() {
			return line.closes
		}
	}
	return false
}

// write joins lines. Comments behind the code of neighbouring lines share a column.
func write(lines []textLine) []byte {
	var out bytes.Buffer
	for i := 0; i < len(lines); {
		end := i + 1
		for end < len(lines) && aligned(lines[i], lines[end]) {
			end++
		}
		column := 0
		for _, line := range lines[i:end] {
			column = max(column, utf8.RuneCountInString(line.code))
		}
		for _, line := range lines[i:end] {
			line.write(&out, column)
		}
		i = end
	}
	return out.Bytes()
}

// aligned reports whether the comments of two neighbouring lines share a column.
func aligned(a, b textLine) bool {
	for _, line := range []textLine{a, b} {
		if line.code == "" || line.comment == "" || line.header || strings.Contains(line.code, "\n") {
			return false
		}
	}
	return a.depth == b.depth
}

func (l textLine) write(out *bytes.Buffer, column int) {
	if !l.blank() {
		out.WriteString(strings.Repeat("  ", l.depth))
		out.WriteString(l.code)
	}
	if l.comment != "" {
		if l.code != "" {
			out.WriteString(strings.Repeat(" ", max(0, column-utf8.RuneCountInString(l.code))+1))
		}
		out.WriteString(l.comment)
	}
	out.WriteByte('\n')
}
