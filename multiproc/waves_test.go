package multiproc_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
)

func TestWavesRunTogether(t *testing.T) {
	var progress []int
	var out, problems strings.Builder
	begun := time.Now()
	r, err := runHere(t, multiproc.Options{
		Parallel: 4, MaxProcesses: 8, Seed: 2, Stdout: &out, Stderr: &problems,
		Progress: func(r multiproc.Results) { progress = append(progress, r.Processes) },
	}, func(p *multiproc.Process) error {
		time.Sleep(500 * time.Millisecond)
		_, _ = os.Stdout.WriteString("out\n")
		_, _ = os.Stderr.WriteString("problem")
		return steady(p)
	})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took > 3500*time.Millisecond {
		t.Errorf("two waves of sleeps of half a second took %v", took)
	}
	if !slices.Equal(progress, []int{4, 8}) || r.Parallel != 4 || r.Processes != 8 {
		t.Errorf("progress %v, %+v", progress, r)
	}
	if want := max(2, runtime.NumCPU()/4); os.Getenv("GOMAXPROCS") == "" && r.ChildGOMAXPROCS != want {
		t.Errorf("GOMAXPROCS %d, want %d", r.ChildGOMAXPROCS, want)
	}
	if strings.Count(out.String(), "[p05] out\n") != 1 || strings.Count(problems.String(), "[p05] problem\n") != 1 {
		t.Errorf("%q %q", out.String(), problems.String())
	}
	if !strings.Contains(r.String(), "8 processes, 4 at a time with GOMAXPROCS ") {
		t.Error(r)
	}
	if o := r.Comparisons[0].Reports[0].Origin; o.Parallel != 4 {
		t.Errorf("%+v", o)
	}
	// Results of a busy machine are not pooled with those of an idle one.
	alone := r.Comparisons[0].Reports[0]
	alone.Origin.Parallel = 1
	if _, err := rtcompare.Combine(append(r.Comparisons[0].Reports, alone), 0); err == nil {
		t.Error("a report from an idle machine was pooled with those of a busy one")
	}
}

func TestTheCallersGOMAXPROCSCounts(t *testing.T) {
	t.Setenv("GOMAXPROCS", "3")
	r, err := runHere(t, multiproc.Options{Parallel: 3, Rotation: 1, MaxProcesses: 3, MinProcesses: 3}, func(p *multiproc.Process) error {
		if n := runtime.GOMAXPROCS(0); n != 3 {
			return errors.New("another GOMAXPROCS")
		}
		return steady(p)
	})
	if err != nil || r.ChildGOMAXPROCS != 3 || r.Processes != 3 {
		t.Errorf("%v, %+v", err, r)
	}
}

// One that ends the run takes the others of its wave with it.
func TestAFailureEndsItsWave(t *testing.T) {
	dir := t.TempDir()
	begun := time.Now()
	_, err := runHere(t, multiproc.Options{Parallel: 4, Args: []string{"-test.run=^" + t.Name() + "$", dir}}, func(p *multiproc.Process) error {
		if p.Index == 2 {
			return errors.New("number two")
		}
		leavePID(os.Args[len(os.Args)-1], p.Index)
		time.Sleep(time.Minute)
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "process 2 (seed ") || !strings.Contains(err.Error(), "number two") {
		t.Errorf("error %v", err)
	}
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	expectGone(t, pids(t, dir))
}

// leavePID says in a directory that the process runs.
func leavePID(dir string, index int) {
	path := filepath.Join(dir, itoa(index))
	_ = os.WriteFile(path+".new", []byte(itoa(os.Getpid())), 0o600)
	_ = os.Rename(path+".new", path+".pid")
}
