package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Position is a place in a configuration file.
type Position struct {
	File   string // as the user named it; "-" is standard input
	Line   int    // from 1; 0 when only the file is known
	Column int    // in characters, from 1
}

// String returns file:line:column, the form that editors and terminals follow.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Problem is one thing that is wrong with a configuration.
type Problem struct {
	At   Position // where; the zero value stands for no place in particular
	Text string   // what is wrong
	Hint string   // what would be right; may be empty
}

// Error returns "file:line:column: text; hint".
func (p Problem) Error() string {
	text := p.Text
	if p.Hint != "" {
		text += "; " + p.Hint
	}
	if p.At == (Position{}) {
		return text
	}
	return p.At.String() + ": " + text
}

// Problems are all that is wrong with a configuration. It is the error that
// [Load] returns when files could be read but not accepted.
type Problems []Problem

// Error returns one problem a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.Error()
	}
	return strings.Join(lines, "\n")
}

// mostProblems is how many are told: the file is some other file if it has more.
const mostProblems = 1000

// full reports whether further problems are left out.
func (p Problems) full() bool { return len(p) >= mostProblems }

// add notes a problem.
func (p *Problems) add(at Position, hint, format string, args ...any) {
	if p.full() {
		return
	}
	*p = append(*p, Problem{At: at, Text: fmt.Sprintf(format, args...), Hint: hint})
}

// sorted returns the problems in the order of the files and of their positions,
// each once: a wrong default would otherwise be told for every command.
func (p Problems) sorted(files []string) Problems {
	order := make(map[string]int, len(files))
	for i, file := range files {
		order[file] = i
	}
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(order[a.At.File], order[b.At.File]),
			cmp.Compare(a.At.Line, b.At.Line),
			cmp.Compare(a.At.Column, b.At.Column),
			cmp.Compare(a.Text, b.Text),
		)
	})
	return slices.Compact(p)
}

// err returns the problems as an error, nil when there are none.
func (p Problems) err(files []string) error {
	if len(p) == 0 {
		return nil
	}
	full := p.full()
	p = p.sorted(files)
	if full {
		p = append(p, Problem{Text: "further problems are left out"})
	}
	return p
}
