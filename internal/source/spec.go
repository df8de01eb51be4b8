package source

import (
	"errors"
	"fmt"
	"strings"
)

// Kind is where the sources of a version come from.
type Kind int

const (
	// WorkingTree is the working tree of the repository.
	WorkingTree Kind = iota
	// Revision is a commit, by any name that git knows.
	Revision
	// MergeBase is the commit at which the current branch left the main branch.
	MergeBase
	// Directory is a directory, in a repository or not.
	Directory
	// Binary is a test binary that is ready to run.
	Binary
)

// Spec names a version. Its zero value is the working tree.
type Spec struct {
	Kind Kind
	// Value is the revision or the path; empty for the working tree and the
	// merge base.
	Value string
}

// Parse reads a version as a user writes it: dir:PATH, bin:PATH, or a revision.
// An empty text is an error.
func Parse(text string) (Spec, error) {
	if path, ok := strings.CutPrefix(text, "dir:"); ok {
		return withPath(Directory, path, text)
	}
	if path, ok := strings.CutPrefix(text, "bin:"); ok {
		return withPath(Binary, path, text)
	}
	switch {
	case text == "":
		return Spec{}, errors.New("the version is empty: name a git revision, dir:PATH or bin:PATH")
	case strings.HasPrefix(text, "-"):
		return Spec{}, fmt.Errorf("version %q: a revision does not begin with a dash", text)
	case strings.ContainsAny(text, "\x00\n"):
		return Spec{}, fmt.Errorf("version %q: a revision has no line breaks and no NUL in it", text)
	}
	return Spec{Kind: Revision, Value: text}, nil
}

func withPath(kind Kind, path, text string) (Spec, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return Spec{}, fmt.Errorf("version %q: there is no path behind the colon", text)
	}
	return Spec{Kind: kind, Value: path}, nil
}

// String is the version as a user would write it.
func (s Spec) String() string {
	switch s.Kind {
	case Directory:
		return "dir:" + s.Value
	case Binary:
		return "bin:" + s.Value
	case Revision:
		return s.Value
	case MergeBase:
		return "merge base"
	}
	return "working tree"
}
