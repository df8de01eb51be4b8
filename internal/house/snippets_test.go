package house_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentPrograms compiles the Go programs in the documents, those fenced
// blocks that start with a package clause, as a module of their own that requires
// this one: what a reader gets who copies them.
func TestDocumentPrograms(t *testing.T) {
	var programs []program
	for _, name := range []string{"README.md", "HOWTO.md", "BACKGROUND.md"} {
		if exists(t, name) {
			programs = append(programs, programsIn(name, readFile(t, name))...)
		}
	}
	if len(programs) == 0 {
		t.Fatal("the documents hold no programs, or this test no longer finds them")
	}
	dir := t.TempDir()
	writeUserModule(t, dir)
	for _, p := range programs {
		p.write(t, dir)
	}
	// Offline, since all that the module needs has been fetched for this one; and
	// -mod=mod, since the go.mod of a reader would be completed the same way.
	goCommand(t, dir, []string{"GOFLAGS=-mod=mod -buildvcs=false", "GOPROXY=off", "GOWORK=off"}, "vet", "./...")
}

// A program is one Go file in a document.
type program struct{ folder, file, text string }

var packageClause = regexp.MustCompile(`^\s*package \w+`)

// programsIn returns the programs of a document. A folder's name says where the
// block stands, since it is what the compiler's messages begin with.
func programsIn(document, text string) []program {
	var programs []program
	for _, b := range markdownBlocks(text) {
		if b.language != "go" || !packageClause.MatchString(b.text) {
			continue
		}
		p := program{folder: fmt.Sprintf("%s_line_%d", strings.TrimSuffix(document, ".md"), b.line), file: "main.go", text: b.text}
		if strings.Contains(b.text, "\t\"testing\"") || strings.Contains(b.text, `import "testing"`) {
			p.file = "main_test.go"
		}
		programs = append(programs, p)
	}
	return programs
}

func (p program) write(t *testing.T, dir string) {
	t.Helper()
	folder := filepath.Join(dir, p.folder)
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, p.file), []byte(p.text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// writeUserModule writes the go.mod and go.sum of a module that uses this one.
func writeUserModule(t *testing.T, dir string) {
	t.Helper()
	mod := readFile(t, "go.mod")
	goLine := regexp.MustCompile(`(?m)^go .*$`).FindString(mod)
	text := fmt.Sprintf("module example.com/reader\n\n%s\n\nrequire %s v0.0.0\n\nreplace %[2]s => %s\n",
		goLine, modulePath, root(t))
	for name, content := range map[string]string{"go.mod": text, "go.sum": readFile(t, "go.sum")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestProgramsIn checks which blocks count as programs.
func TestProgramsIn(t *testing.T) {
	const text = "# T\n```go\npackage main\n```\n```go\nx := 1\n```\n```\npackage no\n```\n" +
		"```go\npackage p_test\n\nimport (\n\t\"testing\"\n)\n```\n"
	got := programsIn("README.md", text)
	if len(got) != 2 || got[0].folder != "README_line_3" || got[0].file != "main.go" || got[1].file != "main_test.go" {
		t.Errorf("programs %+v", got)
	}
}
