package demo

import (
	"context"
	"errors"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBuild builds both programs in an environment that would break a careless
// build, and compares what they print.
func TestBuild(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=vendor")
	t.Setenv("GOWORK", filepath.Join(t.TempDir(), "nothing"))
	dir := t.TempDir()
	built, err := Build(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var printed [2]string
	for i, program := range built {
		if program.Name != Programs()[i].Name {
			t.Errorf("program %d is %q, want %q", i, program.Name, Programs()[i].Name)
		}
		out, err := exec.CommandContext(t.Context(), program.Path).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", program.Name, err, out)
		}
		printed[i] = string(out)
	}
	if printed[0] != printed[1] || !strings.Contains(printed[0], " different words, ") {
		t.Errorf("the programs print %q and %q", printed[0], printed[1])
	}
	if _, err := Build(t.Context(), dir); err != nil {
		t.Errorf("a second time in the same folder: %v", err)
	}
}

// TestSources checks that the texts are Go as gofmt writes it, and that they
// differ in nothing but their first comment, their imports and the one function.
func TestSources(t *testing.T) {
	var rest [2]string
	for i, program := range Programs() {
		formatted, err := format.Source([]byte(program.Source))
		if err != nil {
			t.Fatalf("%s: %v", program.Name, err)
		}
		if string(formatted) != program.Source {
			t.Errorf("%s is not formatted", program.Name)
		}
		_, rest[i], _ = strings.Cut(program.Source, "\nfunc main")
		if program.Summary == "" || rest[i] == "" {
			t.Errorf("%s has no summary or no main function", program.Name)
		}
	}
	if rest[0] != rest[1] {
		t.Error("the programs differ in more than the function that counts")
	}
}

func TestBuildErrors(t *testing.T) {
	if _, err := Build(t.Context(), filepath.Join(t.TempDir(), "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that does not exist: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Build(ended, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("ended before it began: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Build(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "install Go") {
		t.Errorf("without Go: %v", err)
	}
}
