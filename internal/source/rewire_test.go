package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// listDir asks the go command where a module of a version is.
func (s *scratch) listDir(v Version, module string) string {
	s.t.Helper()
	store := s.store
	args := []string{"list", "-m", "-f", "{{.Dir}}"}
	if v.ModFile != "" {
		args = append(args, "-modfile="+v.ModFile)
	}
	if v.Workspace != "" {
		store.Env = append(store.Env, "GOWORK="+v.Workspace, "GOFLAGS=")
	}
	dir, err := store.goCommand(s.t.Context(), v.Dir, append(args, module)...)
	if err != nil {
		s.t.Fatal(err)
	}
	return dir
}

func TestReplacementsOutsideOfTheRepository(t *testing.T) {
	s := newScratch(t, map[string]string{
		"go.mod":       "module example.com/m\n\ngo 1.24\n\nrequire (\n\texample.com/lib v0.0.0\n\texample.com/inner v0.0.0\n)\n\nreplace example.com/lib => ../lib\n\nreplace example.com/inner => ./inner\n",
		"inner/go.mod": "module example.com/inner\n\ngo 1.24\n",
	})
	lib := filepath.Join(filepath.Dir(s.root), "lib")
	s.write(lib, map[string]string{"go.mod": "module example.com/lib\n\ngo 1.24\n"})
	v := s.get(Spec{Kind: Revision, Value: "main"})
	if got := s.listDir(v, "example.com/lib"); got != lib {
		t.Errorf("the library is at %s, want %s", got, lib)
	}
	if got, want := s.listDir(v, "example.com/inner"), filepath.Join(v.Root, "inner"); got != want {
		t.Errorf("the inner module is at %s, want %s", got, want)
	}
	if len(v.Outside) != 1 || v.Outside[0] != lib {
		t.Errorf("outside are %v", v.Outside)
	}
	tree := s.get(Spec{})
	if len(tree.Outside) != 1 || tree.Outside[0] != lib {
		t.Errorf("outside of the working tree are %v", tree.Outside)
	}
	s.write(lib, map[string]string{"lib.go": "package lib\n"})
	if again := s.get(Spec{Kind: Revision, Value: "main"}); again.Hash == v.Hash {
		t.Error("a change of the library does not show in the hash")
	}
	if changed, err := s.store.Changed(t.Context(), tree); !changed || err != nil {
		t.Errorf("a change of the library does not count: %v", err)
	}
}

func TestVendoredModulesNeedNoOtherDirectory(t *testing.T) {
	s := newScratch(t, map[string]string{
		"go.mod":             "module example.com/m\n\ngo 1.24\n\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => ../lib\n",
		"vendor/modules.txt": "# example.com/lib v0.0.0 => ../lib\n## explicit\n",
	})
	if v := s.get(Spec{Kind: Revision, Value: "main"}); v.ModFile != "" {
		t.Errorf("go.mod is replaced by %s", s.read(v.ModFile))
	}
}

func TestWorkspaces(t *testing.T) {
	files := map[string]string{
		"m/go.mod":   "module example.com/m\n\ngo 1.24\n\nreplace example.com/third => ../../third\n",
		"two/go.mod": "module example.com/two\n\ngo 1.24\n",
	}
	for _, place := range []string{"inside", "outside", "untracked"} {
		t.Run(place, func(t *testing.T) {
			s := newScratch(t, files)
			base := filepath.Dir(s.root)
			s.write(base, map[string]string{
				"lib/go.mod": "module example.com/lib\n\ngo 1.24\n", "third/go.mod": "module example.com/third\n\ngo 1.24\n",
			})
			switch place {
			case "inside":
				s.commit(map[string]string{"go.work": "go 1.24\n\nuse (\n\t./m\n\t./two\n\t../lib\n)\n"})
			case "outside":
				s.write(base, map[string]string{"go.work": "go 1.24\n\nuse (\n\t./repo/m\n\t./repo/two\n\t./lib\n)\n"})
			case "untracked":
				s.write(s.root, map[string]string{"go.work": "go 1.24\n\nuse (\n\t./m\n\t./two\n\t../lib\n)\n"})
			}
			s.store.Dir = filepath.Join(s.root, "m")
			v := s.get(Spec{Kind: Revision, Value: "main"})
			if v.Workspace == "" {
				t.Fatal("there is no workspace")
			}
			for module, want := range map[string]string{
				"example.com/m": filepath.Join(v.Root, "m"), "example.com/two": filepath.Join(v.Root, "two"), "example.com/lib": filepath.Join(base, "lib"),
			} {
				if got := s.listDir(v, module); got != want {
					t.Errorf("%s is at %s, want %s", module, got, want)
				}
			}
			if text := s.read(v.Workspace); !strings.Contains(text, "example.com/third => "+filepath.Join(base, "third")) {
				t.Errorf("the replacement of a module is lost:\n%s", text)
			}
			if len(v.Outside) != 2 {
				t.Errorf("outside are %v", v.Outside)
			}
		})
	}
}

func TestAModuleThatBeganLaterIsNoPartOfTheWorkspace(t *testing.T) {
	s := newScratch(t, map[string]string{"m/go.mod": "module example.com/m\n\ngo 1.24\n"})
	s.commit(map[string]string{"two/go.mod": "module example.com/two\n\ngo 1.24\n"})
	s.write(s.root, map[string]string{"go.work": "go 1.24\n\nuse (\n\t./m\n\t./two\n)\n"})
	v := s.get(Spec{Kind: Revision, Value: "HEAD~1"})
	if text := s.read(v.Workspace); strings.Contains(text, "two") {
		t.Errorf("the workspace is\n%s", text)
	}
}

func TestLinksAndModesAreKept(t *testing.T) {
	s := newScratch(t, plain)
	if err := os.Symlink("a.go", filepath.Join(s.root, "link.go")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := os.WriteFile(filepath.Join(s.root, "run.sh"), []byte("#!/bin/sh\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	s.commit(nil)
	v := s.get(Spec{Kind: Revision, Value: "main"})
	if target, err := os.Readlink(filepath.Join(v.Root, "link.go")); target != "a.go" || err != nil {
		t.Errorf("the link leads to %q (%v)", target, err)
	}
	if info, err := os.Stat(filepath.Join(v.Root, "run.sh")); err != nil || info.Mode()&0o100 == 0 {
		t.Errorf("the script cannot be run: %v %v", info.Mode(), err)
	}
}
