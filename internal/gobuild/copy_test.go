package gobuild

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rtcompare/rtcompare/internal/source"
)

// usesLibrary is a test that needs a module at another place.
const usesLibrary = "package m\n\nimport (\n\t\"testing\"\n\n\t\"example.com/lib\"\n)\n\nfunc BenchmarkLib(b *testing.B) {\n\tif lib.Answer != 42 {\n\t\tb.Fatal(lib.Answer)\n\t}\n}\n"

const requiresLibrary = "module example.com/m\n\ngo 1.21\n\nrequire example.com/lib v0.0.0\n"

// TestCopiesAreBuilt builds a commit whose modules are put together in every way
// there is, from its copy in the cache.
func TestCopiesAreBuilt(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skipf("this test needs git: %v", err)
	}
	library := map[string]string{"go.mod": "module example.com/lib\n\ngo 1.21\n", "lib.go": "package lib\n\nconst Answer = 42\n"}
	for name, test := range map[string]struct {
		repo, beside map[string]string
		env          []string
	}{
		"replaced": {map[string]string{"go.mod": requiresLibrary + "\nreplace example.com/lib => ../lib\n", "m_test.go": usesLibrary}, library, nil},
		"vendored": {map[string]string{
			"go.mod": requiresLibrary + "\nreplace example.com/lib => ../lib\n", "m_test.go": usesLibrary,
			"vendor/modules.txt": "# example.com/lib v0.0.0 => ../lib\n## explicit; go 1.21\nexample.com/lib\n# example.com/lib => ../lib\n", "vendor/example.com/lib/lib.go": library["lib.go"],
		}, nil, []string{"GOFLAGS=-mod=vendor"}},
		"workspace": {map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.21\n", "m_test.go": usesLibrary, "go.work": "go 1.21\n\nuse (\n\t.\n\t../lib\n)\n",
		}, library, []string{"GOFLAGS=", "GOWORK="}},
		"C": {map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": "package m\n\n// int answer(void) { return 42; }\nimport \"C\"\n\nfunc answer() int { return int(C.answer()) }\n",
			"m_test.go": "package m\n\nimport \"testing\"\n\nfunc BenchmarkC(b *testing.B) {\n\tif answer() != 42 {\n\t\tb.Fatal()\n\t}\n}\n",
		}, nil, []string{"CGO_ENABLED=1"}},
		"embedded": {map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.21\n", "data/x.txt": "42",
			"m_test.go": "package m\n\nimport (\n\t_ \"embed\"\n\t\"os\"\n\t\"testing\"\n)\n\n//go:embed data/x.txt\nvar x string\n\nfunc BenchmarkEmbed(b *testing.B) {\n\tif text, err := os.ReadFile(\"data/x.txt\"); err != nil || string(text) != x {\n\t\tb.Fatal(err)\n\t}\n}\n",
		}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			plain := builder(t)
			if _, err := exec.LookPath("gcc"); name == "C" && err != nil {
				t.Skipf("there is no C compiler: %v", err)
			}
			base, err := os.MkdirTemp(scratchDir, "copy-")
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(base, "repo")
			for file, text := range test.repo {
				writeFile(t, filepath.Join(dir, file), text)
			}
			for file, text := range test.beside {
				writeFile(t, filepath.Join(base, "lib", file), text)
			}
			env := environment(test.env...)
			for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "first"}} {
				cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("git %v: %v\n%s", args, err, out)
				}
			}
			// What is in the working tree must not be what is built.
			writeFile(t, filepath.Join(dir, "m_test.go"), "package broken\n")
			cache := filepath.Join(scratchDir, "cache")
			toolchain, err := FindToolchain(t.Context(), plain.Toolchain.Go, dir, env, "", cache)
			if err != nil {
				t.Fatal(err)
			}
			b := &Builder{Toolchain: toolchain, Cache: cache}
			store := source.Store{Dir: dir, Cache: cache, Env: env, Go: toolchain.Go}
			v, err := store.Get(t.Context(), source.Spec{Kind: source.Revision, Value: "main"})
			if err != nil {
				t.Fatal(err)
			}
			packages, failed, err := b.Packages(t.Context(), v, ".")
			if err != nil || len(failed) > 0 || len(packages) != 1 {
				t.Fatal(packages, failed, err)
			}
			driver, reason, err := b.Driver(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			found, err := b.Discover(t.Context(), Request{Version: v, Package: packages[0], Driver: driver}, listing())
			if err != nil || len(found.Found) != 1 || len(found.NotRun) > 0 {
				t.Errorf("%+v, %v (%v %s)", found, err, driver, reason)
			}
		})
	}
}
