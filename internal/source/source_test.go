package source

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var plain = map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "a.go": "package m\n", "sub/b.go": "package sub\n", "sub/testdata/x": "1"}

func TestARevisionLeavesNothingBehind(t *testing.T) {
	s := newScratch(t, plain)
	first := s.git("rev-parse", "HEAD")
	s.commit(map[string]string{"a.go": "package m\n\n// two\n"})
	s.write(s.root, map[string]string{"a.go": "package m\n\n// three\n", "new.go": "package m\n"})
	s.git("add", "new.go")
	before := s.state()
	s.store.Dir = filepath.Join(s.root, "sub")
	v := s.get(Spec{Kind: Revision, Value: "HEAD~1"})
	if after := s.state(); after != before {
		t.Error("the repository has changed")
	}
	if got := s.read(filepath.Join(v.Root, "a.go")); got != plain["a.go"] {
		t.Errorf("a.go is %q at HEAD~1", got)
	}
	if v.Commit != first || v.Name != "HEAD~1 "+first[:7] || v.InPlace || v.Dir != filepath.Join(v.Root, "sub") {
		t.Errorf("version is %+v", v)
	}
	if by := s.get(Spec{Kind: Revision, Value: first[:10]}); by.Name != first[:7] || by.Root != v.Root || by.Hash != v.Hash {
		t.Errorf("by its hash it is %+v", by)
	}
}

func TestACopyThatWasWrittenToIsNotUsedAgain(t *testing.T) {
	s := newScratch(t, plain)
	first := s.get(Spec{Kind: Revision, Value: "main"})
	if again := s.get(Spec{Kind: Revision, Value: "main"}); again.Root != first.Root {
		t.Errorf("copied again, to %s", again.Root)
	}
	s.write(first.Root, map[string]string{"sub/testdata/x": "2"})
	second := s.get(Spec{Kind: Revision, Value: "main"})
	if second.Root == first.Root {
		t.Error("the changed copy was used again")
	}
	if got := s.read(filepath.Join(second.Root, "sub", "testdata", "x")); got != "1" {
		t.Errorf("the new copy holds %q", got)
	}
}

func TestRunsAtTheSameTimeShareACopy(t *testing.T) {
	s := newScratch(t, plain)
	roots := make([]string, 8)
	var all sync.WaitGroup
	for i := range roots {
		store := s.store
		all.Go(func() {
			v, err := store.Get(t.Context(), Spec{Kind: Revision, Value: "main"})
			if err != nil {
				t.Error(err)
			}
			roots[i] = v.Root
		})
	}
	all.Wait()
	for _, root := range roots {
		if root != roots[0] {
			t.Errorf("one has %s, another %s", roots[0], root)
		}
	}
	left, err := filepath.Glob(filepath.Join(s.store.Cache, "sources", "*"))
	if err != nil || len(left) != 1 {
		t.Errorf("the cache holds %v (%v), want one copy", left, err)
	}
}

func TestTheWorkingTree(t *testing.T) {
	s := newScratch(t, plain)
	head := s.git("rev-parse", "--short=7", "HEAD")
	v := s.get(Spec{})
	if want := "working tree (" + head + ", unchanged)"; v.Name != want {
		t.Errorf("name is %q, want %q", v.Name, want)
	}
	if !v.InPlace || v.Root != s.root || v.Dir != s.root {
		t.Errorf("version is %+v", v)
	}
	changed := func() bool {
		t.Helper()
		is, err := s.store.Changed(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	if changed() {
		t.Error("it has changed by being looked at")
	}
	s.write(s.root, map[string]string{"a.go": "package m // changed\n", "new.go": "package m\n"})
	if !changed() {
		t.Error("a change was not seen")
	}
	if v := s.get(Spec{}); v.Name != "working tree (2 files)" {
		t.Errorf("name is %q", v.Name)
	}
	if err := os.Remove(filepath.Join(s.root, "new.go")); err != nil {
		t.Fatal(err)
	}
	s.write(s.root, map[string]string{"a.go": plain["a.go"]})
	if changed() {
		t.Error("what was put back still counts as changed")
	}
}

func TestTheMergeBase(t *testing.T) {
	s := newScratch(t, plain)
	base := s.git("rev-parse", "HEAD")
	s.git("checkout", "-q", "-b", "topic")
	s.commit(map[string]string{"a.go": "package m // topic\n"})
	s.git("checkout", "-q", "main")
	s.commit(map[string]string{"a.go": "package m // main\n"})
	s.git("checkout", "-q", "topic")
	if v := s.get(Spec{Kind: MergeBase}); v.Commit != base || v.Name != "main "+base[:7] {
		t.Errorf("merge base is %s (%s), want %s", v.Commit, v.Name, base)
	}
	s.git("branch", "-m", "main", "trunk")
	if _, err := s.store.Get(t.Context(), Spec{Kind: MergeBase}); err == nil || !strings.Contains(err.Error(), "name the revision") {
		t.Errorf("without a main branch: %v", err)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	s := newScratch(t, plain)
	s.commit(map[string]string{"a.go": "package m // two\n"})
	shallow := *s
	shallow.root = filepath.Join(filepath.Dir(s.root), "shallow")
	s.git("clone", "-q", "--depth=1", "file://"+filepath.ToSlash(s.root), shallow.root)
	clone := *s
	clone.root = filepath.Join(filepath.Dir(s.root), "clone")
	s.git("branch", "feature")
	s.git("clone", "-q", s.root, clone.root)
	outside := t.TempDir()
	for _, test := range []struct {
		name, dir string
		spec      Spec
		want      string
	}{
		{"unknown", s.root, Spec{Revision, "nowhere"}, "git fetch"},
		{"shallow", shallow.root, Spec{Revision, "HEAD~1"}, "git fetch --unshallow"},
		{"remote", clone.root, Spec{Revision, "feature"}, "did you mean origin/feature?"},
		{"no repository", outside, Spec{Revision, "main"}, "no git repository"},
		{"no directory", s.root, Spec{Directory, "missing"}, "cannot be read"},
		{"file for directory", s.root, Spec{Directory, "a.go"}, "bin:a.go"},
		{"no binary", s.root, Spec{Binary, "missing.test"}, "go test -c"},
	} {
		t.Run(test.name, func(t *testing.T) {
			store := s.store
			store.Dir = test.dir
			_, err := store.Get(t.Context(), test.spec)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.spec.String()) {
				t.Errorf("error is %v; want %q in it", err, test.want)
			}
		})
	}
	store := s.store
	store.Dir = outside
	if _, err := store.Get(t.Context(), Spec{Kind: MergeBase}); !errors.Is(err, ErrNoRepository) {
		t.Errorf("error is %v", err)
	}
}

func TestADirectoryThatBeganLater(t *testing.T) {
	s := newScratch(t, plain)
	s.commit(map[string]string{"later/c.go": "package later\n"})
	s.store.Dir = filepath.Join(s.root, "later")
	_, err := s.store.Get(t.Context(), Spec{Kind: Revision, Value: "HEAD~1"})
	if err == nil || !strings.Contains(err.Error(), "no directory later") {
		t.Errorf("error is %v", err)
	}
}

func TestSubmodulesAndPointers(t *testing.T) {
	part := newScratch(t, map[string]string{"part.txt": "one"})
	pointer := pointerLine + "v1\noid sha256:0\nsize 5\n"
	s := newScratch(t, map[string]string{"go.mod": plain["go.mod"], "big.bin": pointer})
	s.git("submodule", "--quiet", "add", part.root, "parts/part")
	s.commit(nil)
	part.commit(map[string]string{"part.txt": "two"})
	v := s.get(Spec{Kind: Revision, Value: "HEAD"})
	if got := s.read(filepath.Join(v.Root, "parts", "part", "part.txt")); got != "one" {
		t.Errorf("the submodule holds %q", got)
	}
	if len(v.Warnings) != 1 || !strings.Contains(v.Warnings[0], "big.bin") || !strings.Contains(v.Warnings[0], "git lfs") {
		t.Errorf("warnings are %q", v.Warnings)
	}
	if again := s.get(Spec{Kind: Revision, Value: "HEAD"}); len(again.Warnings) != 1 {
		t.Errorf("warnings of the copy in the cache are %q", again.Warnings)
	}
	s.git("submodule", "--quiet", "deinit", "--force", "parts/part")
	s.commit(map[string]string{"a.go": "package m\n"})
	v = s.get(Spec{Kind: Revision, Value: "HEAD"})
	if all := strings.Join(v.Warnings, "\n"); !strings.Contains(all, "git submodule update --init parts/part") {
		t.Errorf("warnings are %q", v.Warnings)
	}
}

func TestThePrepareCommandRunsInTheCopy(t *testing.T) {
	s := newScratch(t, plain)
	without := s.get(Spec{Kind: Revision, Value: "main"})
	s.store.Prepare = "echo made > generated.txt"
	with := s.get(Spec{Kind: Revision, Value: "main"})
	if got := s.read(filepath.Join(with.Root, "generated.txt")); strings.TrimSpace(got) != "made" {
		t.Errorf("it made %q", got)
	}
	if with.Root == without.Root || with.Hash == without.Hash {
		t.Error("prepared and plain copies are not told apart")
	}
	s.get(Spec{})
	if hasFile(filepath.Join(s.root, "generated.txt")) {
		t.Error("it ran in the working tree")
	}
	s.store.Prepare = "echo this is why; exit 3"
	_, err := s.store.Get(t.Context(), Spec{Kind: Revision, Value: "main"})
	if err == nil || !strings.Contains(err.Error(), "this is why") {
		t.Errorf("error is %v", err)
	}
}

func TestABinary(t *testing.T) {
	s := newScratch(t, plain)
	s.write(s.root, map[string]string{"m.test": "#!/bin/sh\n"})
	v := s.get(Spec{Kind: Binary, Value: "m.test"})
	if v.Binary != filepath.Join(s.root, "m.test") || v.Name != "m.test" {
		t.Errorf("version is %+v", v)
	}
	s.write(s.root, map[string]string{"m.test": "#!/bin/sh\n\n"})
	if changed, err := s.store.Changed(t.Context(), v); !changed || err != nil {
		t.Errorf("changed is %v, %v", changed, err)
	}
}

func TestOldCopiesAreRemoved(t *testing.T) {
	s := newScratch(t, plain)
	v := s.get(Spec{Kind: Revision, Value: "main"})
	if err := Prune(s.store.Cache, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if !hasFile(v.Root) {
		t.Error("a copy in use was removed")
	}
	if err := Prune(s.store.Cache, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if hasFile(v.Root) {
		t.Error("an old copy was not removed")
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]Spec{
		"main": {Revision, "main"}, "HEAD~3": {Revision, "HEAD~3"}, "dir:../x": {Directory, "../x"}, "bin:/tmp/a.test": {Binary, "/tmp/a.test"}, "dirty": {Revision, "dirty"},
	} {
		got, err := Parse(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("Parse(%q) = %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "dir:", "bin:", "--upload-pack=x", "a\nb"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) = %+v, want an error", text, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"main", "dir:x", "bin:x", "-x", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := Parse(text)
		if err == nil && spec.String() != text {
			t.Errorf("Parse(%q) is written %q", text, spec.String())
		}
	})
}
