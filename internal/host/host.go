// Package host reads what a result depends on besides the code: facts of the
// machine that go into every record, and the load during a run that may explain
// an odd result.
//
// Everything is read from files below a root directory that is a value, so that
// a test can point it at a copy. Nothing here fails: what cannot be read stays
// empty, and findings warn without ever voiding a result.
package host

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// FS reads the files in which Linux describes itself, below one root directory.
// On other systems there are none, and only what the Go runtime knows is
// reported. The zero value reads the machine it runs on, like Open("/").
type FS struct {
	root string
}

// Open returns an FS for the given root directory: "/" for the machine itself,
// another directory for a copy of its /proc and /sys. It touches no file; a
// directory that does not exist gives empty facts.
func Open(root string) FS { return FS{root: root} }

// isMachine tells whether the root is the machine's own, so that facts from
// elsewhere than files belong to the same machine.
func (fs FS) isMachine() bool { return fs.root == "" || filepath.Clean(fs.root) == "/" }

func (fs FS) path(name string) string {
	if fs.isMachine() {
		return "/" + name
	}
	return filepath.Join(fs.root, name)
}

// text returns a file's content without surrounding space, or "".
func (fs FS) text(name string) string {
	content, err := os.ReadFile(fs.path(name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(content))
}

// exists tells whether there is a file or directory of that name.
func (fs FS) exists(name string) bool {
	_, err := os.Stat(fs.path(name))
	return err == nil
}

// number returns the whole number a file holds.
func (fs FS) number(name string) (int64, bool) {
	n, err := strconv.ParseInt(fs.text(name), 10, 64)
	return n, err == nil
}

// glob returns the names below the root that match a pattern, sorted and
// relative to the root.
func (fs FS) glob(pattern string) []string {
	matches, err := filepath.Glob(fs.path(pattern))
	if err != nil {
		return nil
	}
	names := make([]string, 0, len(matches))
	for _, match := range matches {
		name, err := filepath.Rel(fs.path(""), match)
		if err == nil {
			names = append(names, name)
		}
	}
	return names
}

// field returns the value of the first "key: value" line with that key.
func field(text, key string) string {
	for line := range strings.Lines(text) {
		k, v, found := strings.Cut(line, ":")
		if found && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// counter returns the number after a key in a file of "key number" lines.
func counter(text, key string) (uint64, bool) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 2 && words[0] == key {
			n, err := strconv.ParseUint(words[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
