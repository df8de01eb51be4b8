package gobench

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/gobuild"
	"github.com/rtcompare/rtcompare/internal/source"
)

// workshop builds the conformance package for all tests.
type workshop struct {
	builder *gobuild.Builder
	version source.Version
	pkg     gobuild.Package
	env     []string
	paused  bool
	reason  string
	cpus    []int
	err     error
}

// shared is made once: building takes most of the time.
var shared = sync.OnceValue(func() workshop {
	var w workshop
	if _, w.err = exec.LookPath("go"); w.err != nil {
		return w
	}
	ctx := context.Background()
	w.env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	w.cpus = AllowedProcessors()
	dir, err := filepath.Abs(filepath.Join("testdata", "conformance"))
	if err != nil {
		w.err = err
		return w
	}
	store := source.Store{Dir: dir, Cache: cache, Env: w.env, Go: "go"}
	if w.version, w.err = store.Get(ctx, source.Spec{Kind: source.Directory, Value: dir}); w.err != nil {
		return w
	}
	toolchain, err := gobuild.FindToolchain(ctx, "go", dir, w.env, os.Getenv("RTCOMPARE_TEST_GOTOOLCHAIN"), cache)
	if err != nil {
		w.err = err
		return w
	}
	w.builder = &gobuild.Builder{Toolchain: toolchain, Cache: cache}
	driver, reason, err := w.builder.Driver(ctx)
	if err != nil {
		w.err = err
		return w
	}
	w.paused, w.reason = driver == gobuild.Pausing, reason
	packages, failed, err := w.builder.Packages(ctx, w.version, "./...")
	if err != nil || len(failed) > 0 || len(packages) != 1 {
		w.err = err
		return w
	}
	w.pkg = packages[0]
	return w
})

// cache is where the tests of this package keep binaries.
var cache string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "rtcompare-gobench-")
	if err != nil {
		panic(err)
	}
	cache = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func theWorkshop(t *testing.T) workshop {
	t.Helper()
	if testing.Short() {
		t.Skip("builds test binaries")
	}
	w := shared()
	if errors.Is(w.err, exec.ErrNotFound) {
		t.Skip("there is no go command: ", w.err)
	}
	if w.err != nil {
		t.Fatal(w.err)
	}
	if w.builder == nil || w.pkg.ImportPath == "" {
		t.Fatal("the conformance package was not found")
	}
	return w
}

// benchmark is a benchmark of the conformance package, run by a driver.
func (w workshop) benchmark(name string, driver gobuild.Driver) *Benchmark {
	return &Benchmark{
		Name: name, Version: "this version", Env: w.env, Processors: 2, Placement: new(Placement), Timeout: time.Minute, Driver: driver,
		Binary: func(ctx context.Context, layout int, driver gobuild.Driver) (gobuild.Binary, error) {
			return w.builder.Build(ctx, gobuild.Request{Version: w.version, Package: w.pkg, Layout: layout, Driver: driver})
		},
	}
}
