package gobuild

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rtcompare/rtcompare/internal/source"
)

// scratchDir is where the tests of this package keep sources and binaries.
var scratchDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "rtcompare-gobuild-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	scratchDir = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// environment is the user's with flags that no user's module depends on.
func environment(more ...string) []string {
	return append(append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off"), more...)
}

// theToolchain is asked for once.
var theToolchain = sync.OnceValues(func() (Toolchain, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return Toolchain{}, err
	}
	return FindToolchain(context.Background(), "go", scratchDir, environment(), "", filepath.Join(scratchDir, "cache"))
})

func builder(t *testing.T, flags ...string) *Builder {
	t.Helper()
	if testing.Short() {
		t.Skip("builds test binaries")
	}
	toolchain, err := theToolchain()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("there is no go command: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &Builder{Toolchain: toolchain, Flags: flags, Cache: filepath.Join(scratchDir, "cache")}
}

// module writes a module with the given files, and returns it as a version.
func module(t *testing.T, files map[string]string) source.Version {
	t.Helper()
	dir, err := os.MkdirTemp(scratchDir, "module-")
	if err != nil {
		t.Fatal(err)
	}
	if _, own := files["go.mod"]; !own {
		writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.21\n")
	}
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), text)
	}
	store := source.Store{Dir: dir, Cache: filepath.Join(scratchDir, "cache"), Env: environment(), Go: "go"}
	v, err := store.Get(t.Context(), source.Spec{Kind: source.Directory, Value: dir})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// only returns the one package with tests that a version has.
func only(t *testing.T, b *Builder, v source.Version) Package {
	t.Helper()
	packages, failed, err := b.Packages(t.Context(), v, "./...")
	if err != nil || len(failed) > 0 || len(packages) != 1 {
		t.Fatalf("packages are %v, %v, %v", packages, failed, err)
	}
	return packages[0]
}

func listing() Listing { return Listing{Env: environment(), Processors: 2} }
