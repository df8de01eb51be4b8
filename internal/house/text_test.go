package house_test

import (
	"strings"
	"testing"
)

// Files stay short enough to be read at one sitting.
const (
	longFile    = 250 // lines: said, not held against anyone
	tooLongFile = 400
)

// workplaceWords are words that mean something only where this was written:
// folders of that machine, its notes, its way of numbering tasks. They are put
// together here so that this file does not hold them.
var workplaceWords = []string{
	"/work" + "/main",
	"/work" + "/shared",
	"../" + "shared/",
	"spec/" + "measurement",
	"spec/" + "statistics",
	"spec/" + "library",
	"design" + ".md",
	"measurement" + ".md",
	"statistics" + ".md",
	"traps" + ".md",
	"farm" + "-bench",
	"issue" + " #",
}

// TestNoWorkplaceWords reads every file of the repository, whatever its kind.
func TestNoWorkplaceWords(t *testing.T) {
	for _, name := range repositoryFiles(t) {
		text := strings.ToLower(readFile(t, name))
		for _, word := range workplaceWords {
			before, _, found := strings.Cut(text, word)
			if found {
				t.Errorf("%s:%d: %q means nothing to a reader elsewhere", name, 1+strings.Count(before, "\n"), word)
			}
		}
	}
}

// TestFileLength holds code to a length; tests and tables of data may be longer.
func TestFileLength(t *testing.T) {
	for _, name := range repositoryFiles(t) {
		if !isCode(name) {
			continue
		}
		text := readFile(t, name)
		switch lines := strings.Count(text, "\n"); {
		case isGenerated(text):
		case lines > tooLongFile:
			t.Errorf("%s has %d lines: split it, one idea a file", name, lines)
		case lines > longFile:
			t.Logf("%s has %d lines, more than %d", name, lines, longFile)
		}
	}
}

// isGenerated knows the line that the go command asks of generated files.
func isGenerated(text string) bool {
	return strings.Contains("\n"+text, "\n// Code generated ") && strings.Contains(text, " DO NOT EDIT.\n")
}
