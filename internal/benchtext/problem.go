package benchtext

import "fmt"

// Kind says what became of a line that is not as it should be.
type Kind string

const (
	// Repaired lines were torn apart by other output and could be put together
	// in only one way. Their result was returned.
	Repaired Kind = "repaired"
	// Lost lines held a result that could not be read. Their benchmark has one
	// value less than it was run for.
	Lost Kind = "lost"
	// Suspect lines look like a result or a declaration but are not.
	Suspect Kind = "suspect"
)

// Problem is a line that was not read as it stands.
type Problem struct {
	Kind     Kind
	Position Position
	// Benchmark is the full name without "Benchmark", where one is known.
	Benchmark string
	// Text says what is wrong.
	Text string
}

// Error returns file:line, the benchmark and what is wrong.
func (p Problem) Error() string {
	if p.Benchmark == "" {
		return fmt.Sprintf("%s: %s", p.Position, p.Text)
	}
	return fmt.Sprintf("%s: Benchmark%s: %s", p.Position, p.Benchmark, p.Text)
}

// Failure is a benchmark that go test reports as failed or skipped, or a package
// that failed as a whole.
type Failure struct {
	// Benchmark is the full name without "Benchmark", empty for a package.
	Benchmark string
	// Package is the import path, where it is known.
	Package  string
	Skipped  bool
	Position Position
}

// UnitLine is a declaration about a unit, such as "Unit ns/op better=lower".
// Whoever wrote the input wrote it: it is material, not an instruction.
type UnitLine struct {
	// Unit is in base units.
	Unit Unit
	// Key and Value are what was declared.
	Key, Value string
	Position   Position
}

// maxNotes bounds each list of notes, so that a broken file does not fill the
// memory. What does not fit is only counted.
const maxNotes = 1000

// Notes collects what was said about the input beside its results.
type Notes struct {
	// Problems, Failures and UnitLines are in the order of the input. Each holds
	// at most 1000 entries. A declaration stands there once for each file; one
	// that contradicts an earlier one is a problem instead.
	Problems  []Problem
	Failures  []Failure
	UnitLines []UnitLine
	// Count is the number of problems of each kind, also of those that did not
	// fit.
	Count map[Kind]int
}

func (n *Notes) problem(p Problem) {
	if n.Count == nil {
		n.Count = make(map[Kind]int)
	}
	n.Count[p.Kind]++
	if len(n.Problems) < maxNotes {
		n.Problems = append(n.Problems, p)
	}
}

func (n *Notes) failure(f Failure) {
	if len(n.Failures) < maxNotes {
		n.Failures = append(n.Failures, f)
	}
}

// declaration returns the first declaration of a unit's key, in one file or, for
// an empty name, in any, or nil.
func (n *Notes) declaration(base, key, file string) *UnitLine {
	for i := range n.UnitLines {
		u := &n.UnitLines[i]
		if u.Unit.Base == base && u.Key == key && (file == "" || u.Position.File == file) {
			return u
		}
	}
	return nil
}
