package gobuild

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const simple = `package m

import "testing"

var set = "nothing"

func BenchmarkSum(b *testing.B) {
	for i := 0; i < b.N; i++ {
		set = set[:]
	}
}

func BenchmarkSet(b *testing.B) {
	if set != "something" {
		b.Fatal(set)
	}
}
`

func TestEqualSourcesGiveEqualBinaries(t *testing.T) {
	b := builder(t)
	files := map[string]string{"m_test.go": simple, "testdata/x": "1", "notes.txt": "a"}
	sides := make([]Side, 2)
	for i := range sides {
		v := module(t, files)
		binary, err := b.Build(t.Context(), Request{Version: v, Package: only(t, b, v)})
		if err != nil {
			t.Fatal(err)
		}
		sides[i] = Side{Version: v, Binary: binary, Env: []string{"A=1", "PWD=" + v.Dir}, Args: []string{"-test.cpu=1"}}
	}
	same := func(want string) {
		t.Helper()
		got, err := Difference(sides[0], sides[1])
		if err != nil || got != want {
			t.Errorf("the difference is %q (%v), want %q", got, err, want)
		}
	}
	same("")
	if got := BuildDifferences(sides[0].Binary.Info, sides[1].Binary.Info); len(got) > 0 || sides[0].Binary.Info == nil {
		t.Errorf("their making differs: %q", got)
	}
	if one := sides[0].Binary; one.TextSize <= 0 || one.FileSize <= one.TextSize {
		t.Errorf("sizes are %d and %d", one.FileSize, one.TextSize)
	}
	sides[1].Args = nil
	same("the flags")
	sides[1].Args, sides[1].Env = sides[0].Args, []string{"A=2"}
	same("the environment variable A")
	sides[1].Env = sides[0].Env
	writeFile(t, filepath.Join(sides[1].Version.Root, "testdata", "x"), "2")
	same("the file testdata/x")
	writeFile(t, filepath.Join(sides[1].Version.Root, "testdata", "x"), "1")
	writeFile(t, filepath.Join(sides[1].Version.Root, "testdata", "y"), "")
	same("the file testdata/y")
	sides[1].Binary.Hash = "another"
	same("the machine code")
}

func TestALayoutKeepsTheUsersLinkerFlags(t *testing.T) {
	b := builder(t, "-ldflags=-X example.com/m.set=something")
	if !b.Toolchain.Layouts {
		t.Skipf("the linker of %s has no layouts", b.Toolchain.Version)
	}
	v := module(t, map[string]string{"m_test.go": simple})
	hashes := map[string]int{}
	for _, layout := range []int{0, 1, 2} {
		binary, err := b.Build(t.Context(), Request{Version: v, Package: only(t, b, v), Layout: layout})
		if err != nil {
			t.Fatal(err)
		}
		if before, taken := hashes[binary.Hash]; taken {
			t.Errorf("layouts %d and %d are the same", before, layout)
		}
		hashes[binary.Hash] = layout
		found, failed, err := binary.Benchmarks(t.Context(), listing())
		if err != nil || len(failed) > 0 || len(found) != 2 {
			t.Errorf("layout %d: %v, %v, %v", layout, found, failed, err)
		}
	}
}

func TestABinaryIsBuiltOnce(t *testing.T) {
	b := builder(t)
	v := module(t, map[string]string{"m_test.go": simple})
	p := only(t, b, v)
	binaries := make([]Binary, 4)
	var all sync.WaitGroup
	for i := range binaries {
		all.Go(func() {
			var err error
			if binaries[i], err = b.Build(t.Context(), Request{Version: v, Package: p}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, binary := range binaries {
		if binary.Path != binaries[0].Path || binary.Hash != binaries[0].Hash {
			t.Errorf("%+v is another one than %+v", binary, binaries[0])
		}
	}
	if len(b.built) != 1 {
		t.Errorf("%d were built", len(b.built))
	}
}

func TestBuildErrorsNameThePackageAndTheVersion(t *testing.T) {
	b := builder(t)
	v := module(t, map[string]string{
		"good/m_test.go": simple, "bad/m_test.go": "package bad\n\nvar x int = \"no\"\n", "worse/m_test.go": "package worse\n\nfunc {\n", "none/m.go": "package none\n",
	})
	packages, failed, err := b.Packages(t.Context(), v, "./...")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range packages {
		names = append(names, p.ImportPath)
		_, err := b.Build(t.Context(), Request{Version: v, Package: p})
		var broken *BuildError
		switch {
		case p.ImportPath == "example.com/m/good" && err != nil:
			t.Error(err)
		case p.ImportPath == "example.com/m/worse" && !errors.As(err, &broken):
			t.Errorf("error is %v", err)
		case p.ImportPath == "example.com/m/bad" && (!errors.As(err, &broken) || !strings.Contains(broken.Output, "m_test.go:3") || broken.Package != p.ImportPath || broken.Version != v.Name):
			t.Errorf("error is %v", err)
		}
	}
	if got := strings.Join(names, " "); !strings.Contains(got, "m/good") || !strings.Contains(got, "m/bad") || strings.Contains(got, "m/none") {
		t.Errorf("packages are %s", got)
	}
	// Whether a syntax error shows when packages are listed depends on the go
	// command. It must not be lost.
	if got := strings.Join(names, " "); len(failed) != 1 && !strings.Contains(got, "m/worse") {
		t.Errorf("packages are %s, those that cannot be loaded %v", got, failed)
	}
	_, err = b.Build(t.Context(), Request{Version: v, Package: Package{ImportPath: "example.com/m/none"}})
	if !errors.Is(err, ErrNoTests) {
		t.Errorf("a package without tests: %v", err)
	}
	if _, _, err := b.Packages(t.Context(), v, "./none"); err == nil || !strings.Contains(err.Error(), "no package with test files") {
		t.Errorf("error is %v", err)
	}
}

func TestBenchmarksThatFailDoNotHideTheOthers(t *testing.T) {
	b := builder(t)
	v := module(t, map[string]string{"m_test.go": `package m

import (
	"os"
	"testing"
	"time"
)

func BenchmarkGood(b *testing.B) {
	b.Run("one", func(b *testing.B) {})
	b.Run("two=2", func(b *testing.B) { b.Skip("no") })
	b.Run("three", func(b *testing.B) { b.Fatal("why") })
}
func BenchmarkPanic(b *testing.B) { panic("oh") }
func BenchmarkExit(b *testing.B)  { os.Exit(4) }
func BenchmarkQuiet(b *testing.B) { os.Exit(0) }
func BenchmarkHang(b *testing.B)  { time.Sleep(time.Hour) }
func BenchmarkLast(b *testing.B)  {}
`})
	binary, err := b.Build(t.Context(), Request{Version: v, Package: only(t, b, v)})
	if err != nil {
		t.Fatal(err)
	}
	l := listing()
	l.Timeout = 10e9
	l.Pattern = "Good|Panic|Exit|Quiet|Last"
	found, failed, err := binary.Benchmarks(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "BenchmarkGood/one BenchmarkLast" {
		t.Errorf("found %s", got)
	}
	for name, want := range map[string]string{
		"BenchmarkGood/two=2": "was skipped", "BenchmarkGood/three": "failed", "BenchmarkPanic": "panicked", "BenchmarkExit": "exit status 4", "BenchmarkQuiet": "panicked",
	} {
		ok := false
		for _, f := range failed {
			ok = ok || f.Name == name && strings.Contains(f.Reason, want) && strings.Contains(f.Error(), v.Name)
		}
		if !ok {
			t.Errorf("%s %s is not among %v", name, want, failed)
		}
	}
	l.Timeout, l.Pattern = 500e6, "Hang"
	if _, failed, err := binary.Benchmarks(t.Context(), l); err != nil || len(failed) != 1 || !strings.Contains(failed[0].Reason, "did not end within") {
		t.Errorf("what hangs gives %v, %v", failed, err)
	}
	l.Timeout, l.Pattern = 10e9, "Good/^one$"
	if found, failed, err := binary.Benchmarks(t.Context(), l); err != nil || len(found) != 1 || len(failed) != 0 {
		t.Errorf("a pattern with two parts gives %v, %v, %v", found, failed, err)
	}
}

func TestBenchmarksThatLookForTheirSources(t *testing.T) {
	b := builder(t)
	v := module(t, map[string]string{"data.txt": "x", "m_test.go": `package m

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func BenchmarkFile(b *testing.B) {
	_, file, _, _ := runtime.Caller(0)
	if _, err := os.ReadFile(filepath.Join(filepath.Dir(file), "data.txt")); err != nil {
		b.Fatal(err)
	}
}
`})
	found, err := b.Discover(t.Context(), Request{Version: v, Package: only(t, b, v)}, listing())
	if err != nil || !found.KeepPaths || len(found.Found) != 1 || len(found.NotRun) != 0 {
		t.Errorf("discovered %+v, %v", found, err)
	}
}

func TestTheDriverIsChosen(t *testing.T) {
	b := builder(t)
	driver, reason, err := b.Driver(t.Context())
	if err != nil || (driver == Pausing) != (reason == "") {
		t.Errorf("driver is %v, %q, %v", driver, reason, err)
	}
	race := builder(t, "-race")
	if driver, reason, err := race.Driver(t.Context()); driver != Processes || !strings.Contains(reason, "-race") && driver == Pausing || err != nil {
		t.Errorf("with -race it is %v, %q, %v", driver, reason, err)
	}
	if driver != Pausing {
		t.Skip(reason)
	}
	overlaid := filepath.Join(scratchDir, "other.json")
	writeFile(t, overlaid, `{"Replace":{"`+filepath.Join(b.Toolchain.Testing, "benchmark.go")+`":"x"}}`)
	if driver, reason, err := builder(t, "-overlay="+overlaid).Driver(t.Context()); driver != Processes || !strings.Contains(reason, overlaid) || err != nil {
		t.Errorf("with an overlay of package testing it is %v, %q, %v", driver, reason, err)
	}
}

func TestTheUsersOverlayIsMerged(t *testing.T) {
	v := module(t, map[string]string{"m_test.go": simple})
	file, other := filepath.Join(scratchDir, "mine.json"), filepath.Join(scratchDir, "other.go")
	writeFile(t, other, strings.Replace(simple, `"nothing"`, `"something"`, 1))
	writeFile(t, file, `{"Replace":{"`+filepath.Join(v.Dir, "m_test.go")+`":"`+other+`"}}`)
	b := builder(t, "-overlay="+file)
	driver, reason, err := b.Driver(t.Context())
	if err != nil || driver != Pausing {
		t.Skip(reason, err)
	}
	binary, err := b.Build(t.Context(), Request{Version: v, Package: only(t, b, v), Driver: Pausing})
	if err != nil {
		t.Fatal(err)
	}
	if found, failed, err := binary.Benchmarks(t.Context(), listing()); err != nil || len(failed) > 0 || len(found) != 2 {
		t.Errorf("%v, %v, %v", found, failed, err)
	}
}

func TestAToolchainBelowTheModuleCache(t *testing.T) {
	b := builder(t)
	if driver, reason, err := b.Driver(t.Context()); driver != Pausing {
		t.Skip(reason, err)
	}
	modules := filepath.Join(scratchDir, "modules")
	root := filepath.Join(modules, "toolchain")
	if err := os.MkdirAll(modules, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(b.Toolchain.Root, root); err != nil {
		t.Skip(err)
	}
	env := environment("GOMODCACHE="+modules, "GOROOT="+root)
	toolchain, err := FindToolchain(t.Context(), filepath.Join(root, "bin", "go"), scratchDir, env, "", filepath.Join(scratchDir, "cache"))
	if err != nil {
		t.Fatal(err)
	}
	if below(modules, toolchain.Root) || below(modules, toolchain.Testing) {
		t.Errorf("the toolchain is still below the module cache: %+v", toolchain)
	}
	linked := &Builder{Toolchain: toolchain, Cache: b.Cache}
	if driver, reason, err := linked.Driver(t.Context()); driver != Pausing || err != nil {
		t.Errorf("driver is %v, %q, %v", driver, reason, err)
	}
}
