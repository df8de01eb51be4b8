package gobench

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/source"
)

// twoVersions makes a repository in which the working tree does twice the work
// of the last commit, with a library outside of it.
func twoVersions(t *testing.T, env []string) (dir string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skipf("this test needs git: %v", err)
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(base, "repo")
	work, err := os.ReadFile(filepath.Join("testdata", "conformance", "conformance.go"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	test := "package m\n\nimport (\n\t\"testing\"\n\n\t\"example.com/conformance\"\n)\n\nvar sink uint64\n\nfunc BenchmarkWork(b *testing.B) {\n\tfor b.Loop() {\n\t\tsink = conformance.Work(500, sink+1)\n\t}\n}\n"
	write("lib/conformance.go", string(work))
	write("lib/go.mod", "module example.com/conformance\n\ngo 1.24\n")
	write("repo/go.mod", "module example.com/m\n\ngo 1.24\n\nrequire example.com/conformance v0.0.0\n\nreplace example.com/conformance => ../lib\n")
	write("repo/m_test.go", test)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "first"}} {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write("repo/m_test.go", strings.Replace(test, "500", "1000", 1))
	return dir
}

func TestTwoVersionsOfABenchmark(t *testing.T) {
	w := theWorkshop(t)
	if !w.paused {
		t.Skip(w.reason)
	}
	store := source.Store{Dir: twoVersions(t, w.env), Cache: cache, Env: w.env, Go: w.builder.Toolchain.Go}
	placement := &Placement{CPUs: AllowedProcessors()}
	var arms []engine.Arm
	for _, spec := range []source.Spec{{Kind: source.MergeBase}, {Kind: source.WorkingTree}} {
		v, err := store.Get(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		packages, failed, err := w.builder.Packages(t.Context(), v, "./...")
		if err != nil || len(failed) > 0 || len(packages) != 1 {
			t.Fatal(packages, failed, err)
		}
		arms = append(arms, &Benchmark{
			Name: "BenchmarkWork", Version: v.Name, Env: w.env, Driver: gobuild.Pausing, Placement: placement, Timeout: time.Minute,
			Binary: func(ctx context.Context, layout int, driver gobuild.Driver) (gobuild.Binary, error) {
				return w.builder.Build(ctx, gobuild.Request{Version: v, Package: packages[0], Layout: layout, Driver: driver})
			},
		})
	}
	loop, err := engine.Open(t.Context(), arms, order.Plain(len(arms)), engine.Slot{Layout: 1}, false, order.New(order.ABBA, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := loop.Close(); err != nil {
			t.Error(err)
		}
	}()
	unit, err := loop.Measure(t.Context(), engine.Request{Lead: 20, N: 200}, 300, record.Main)
	if err != nil {
		t.Fatal(err)
	}
	ratios := make([]float64, len(unit.Cells[0].Wall))
	for i := range ratios {
		ratios[i] = math.Log(float64(unit.Cells[1].Wall[i]) / float64(unit.Cells[0].Wall[i]))
	}
	slices.Sort(ratios)
	// Twice the work. The median of 300 pairs, half of which a neighbour would
	// have to disturb on one side only to move it so far.
	if ratio := math.Exp(ratios[len(ratios)/2]); ratio < 1.6 || ratio > 2.5 {
		t.Errorf("the working tree takes %.3f times as long, want about 2", ratio)
	} else {
		t.Logf("the working tree takes %.4f times as long", ratio)
	}
}
