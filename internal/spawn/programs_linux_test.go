package spawn

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// program is a whole program that uses the package.
const program = `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/rtcompare/rtcompare/internal/spawn"
)
%s
func main() {
	spawn.Serve()
	s, err := spawn.Start(context.Background(), spawn.Options{})
	if err == nil {
		for range 300 { // enough for collections in the spawner
			exit, failed := s.Run(context.Background(), spawn.Command{Argv: []string{"true"}})
			if failed != nil || !exit.Success() {
				err = fmt.Errorf("%%v, %%w", exit, failed)
				break
			}
		}
		if failed := s.Close(); err == nil {
			err = failed
		}
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
`

// Programs that are relocated when they start, or that bring the C library
// along, have memory that only looks like their file's.
func TestSpawnerOfEveryKindOfProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	for name, kind := range map[string]struct{ imports, mode, cgo string }{
		"position independent": {"", "pie", "0"},
		"with the C library":   {`import _ "net"`, "exe", "1"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath("gcc"); err != nil && kind.cgo == "1" {
				t.Skip("no C compiler")
			}
			binary := buildProgram(t, kind.imports, kind.mode, kind.cgo)
			if said, err := exec.Command(binary).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, said)
			}
		})
	}
}

// buildProgram builds a program that stands inside of this module, which alone
// may import the package, without writing to its tree.
func buildProgram(t *testing.T, imports, mode, cgo string) string {
	t.Helper()
	dir := t.TempDir()
	source, overlay, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "program")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]map[string]string{"Replace": {filepath.Join(here, "internal", "program", "main.go"): source}}
	encoded, err := json.Marshal(replace)
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string][]byte{source: fmt.Appendf(nil, program, imports), overlay: encoded} {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-overlay", overlay, "-buildmode", mode, "-o", binary, "./internal/program")
	build.Env = append(os.Environ(), "CGO_ENABLED="+cgo)
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return binary
}
