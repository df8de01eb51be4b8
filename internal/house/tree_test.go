package house_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// modulePath is the import path of the library package at the root.
const modulePath = "github.com/rtcompare/rtcompare"

// root returns the folder of the module.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	lookAtEverything.Do(func() { err = lookAt(dir) })
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var lookAtEverything sync.Once

// lookAt opens every file below dir. The go command repeats the result of a test
// that passed until a file that the test has opened changes, and it does not see
// what git and "go list" open for these tests: without this look a new file would
// be held against nobody.
func lookAt(dir string) error {
	return filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another program has just removed it
		}
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == ".git" {
			return filepath.SkipDir
		}
		if !entry.IsDir() && !entry.Type().IsRegular() {
			return nil // opening a pipe would wait for its other end
		}
		if f, err := os.Open(name); err == nil {
			return f.Close()
		}
		return nil
	})
}

// goCommand runs the go command at dir with additions to the environment, and
// returns what it printed.
func goCommand(t *testing.T, dir string, env []string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, problems.Bytes())
	}
	return out.Bytes()
}

// goPackage is the part of "go list -json" that these tests read.
type goPackage struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
}

// listPackages returns the module's packages on one system and all that they
// depend on, by import path. A package that does not parse is listed as far as
// it does: the compiler will say so better than this test.
func listPackages(t *testing.T, goos string) map[string]goPackage {
	t.Helper()
	out := goCommand(t, root(t), []string{"GOOS=" + goos},
		"list", "-e", "-deps", "-json=ImportPath,Standard,Imports,Deps", "./...")
	packages := make(map[string]goPackage)
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		if err != nil {
			t.Fatalf("reading what go list printed: %v", err)
		}
		packages[p.ImportPath] = p
	}
}

// repositoryFiles returns the slash-separated names of the files that are, or
// without a further word would be, part of the repository. Outside of a git
// work tree, as in the module cache, the test is skipped.
func repositoryFiles(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("not a git work tree: %v", err)
	}
	names := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	return slices.DeleteFunc(names, func(name string) bool {
		info, err := os.Stat(filepath.Join(root(t), filepath.FromSlash(name)))
		return err != nil || info.IsDir() // deleted but still listed, or a repository in a folder
	})
}

// readFile returns the text of a file of the repository.
func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// exists reports whether the repository has a file or folder of that name.
func exists(t *testing.T, name string) bool {
	t.Helper()
	_, err := os.Stat(filepath.Join(root(t), filepath.FromSlash(name)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

// inTestdata reports whether a file is data of a test, where odd is normal.
func inTestdata(name string) bool {
	return slices.Contains(strings.Split(name, "/"), "testdata")
}

// isCode reports whether a file holds Go code that is part of the product.
func isCode(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !inTestdata(name)
}
