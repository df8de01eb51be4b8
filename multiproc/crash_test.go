package multiproc_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/multiproc"
)

// once does something the first time a process of an index comes by.
func once(dir string, index int, do func()) {
	path := fmt.Sprintf("%s/once-%d", dir, index)
	if f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		_ = f.Close()
		do()
	}
}

// shared is a directory that parent and children of a test have in common.
func shared(t *testing.T) string {
	t.Helper()
	const variable = "MULTIPROC_TEST_SHARED"
	dir := os.Getenv(variable)
	if dir == "" {
		dir = t.TempDir()
		t.Setenv(variable, dir)
	}
	return dir
}

func TestOneCrashCostsOneProcess(t *testing.T) {
	dir := shared(t)
	r, err := runHere(t, multiproc.Options{MaxProcesses: 6, Seed: 4}, func(p *multiproc.Process) error {
		if p.Index == 3 {
			once(dir, 3, func() { panic("only this time") })
		}
		return seeded(p)
	})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := runHere(t, multiproc.Options{MaxProcesses: 6, Seed: 4}, seeded)
	if err != nil {
		t.Fatal(err)
	}
	if r.Processes != 6 || r.Replaced != 1 || r.Lost != 0 || len(r.Warnings) != 2 {
		t.Errorf("%+v", r)
	}
	if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, "process 3 (seed ") || !strings.Contains(w, "panic: only this time") || !strings.Contains(w, "replaced by one with another seed") {
		t.Errorf("warnings %q", r.Warnings)
	}
	// The others are the same, and the new one has a seed of its own.
	for i := range 6 {
		if same := r.Seeds[i] == plain.Seeds[i]; same == (i == 3) {
			t.Errorf("process %d: seeds %d and %d", i, r.Seeds[i], plain.Seeds[i])
		}
	}
	if a, b := deltas(r.Comparisons[0]), deltas(plain.Comparisons[0]); !slices.Equal(a[:3], b[:3]) || a[3] == b[3] || !slices.Equal(a[4:], b[4:]) {
		t.Errorf("%v and %v", a, b)
	}
	if !strings.Contains(r.String(), "Warnings about the run:\n  - process 3") {
		t.Error(r)
	}
}

// A second failure, of another kind, is lost: one in six is replaced.
func TestMoreFailuresAreLost(t *testing.T) {
	dir := shared(t)
	r, err := runHere(t, multiproc.Options{MaxProcesses: 6}, func(p *multiproc.Process) error {
		switch p.Index {
		case 1:
			once(dir, 1, func() { os.Exit(17) })
		case 4:
			once(dir, 4, func() { panic("another") })
		}
		return steady(p)
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Processes != 5 || r.Replaced != 1 || r.Lost != 1 || len(r.Comparisons[0].Reports) != 5 {
		t.Errorf("%+v", r)
	}
	if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, "exit status 17") || !strings.Contains(w, "was lost: exit status 2: panic: another") {
		t.Errorf("warnings %q", r.Warnings)
	}
}

func TestEqualCrashesEndTheRun(t *testing.T) {
	_, err := runHere(t, multiproc.Options{MaxProcesses: 40, Stderr: new(strings.Builder)}, func(p *multiproc.Process) error {
		if p.Index < 2 {
			return steady(p)
		}
		fmt.Println("the last line of the standard output")
		panic("broken for good")
	})
	if err == nil {
		t.Fatal("no error")
	}
	for _, phrase := range []string{"process 2 (seed ", "exit status 2: panic: broken for good", "had failed in the same way", "the last line of the standard output"} {
		if !strings.Contains(err.Error(), phrase) {
			t.Errorf("error %v does not say %q", err, phrase)
		}
	}
}

func TestHalfOfAllFailuresEndTheRun(t *testing.T) {
	_, err := runHere(t, multiproc.Options{MaxProcesses: 40}, func(p *multiproc.Process) error {
		os.Exit(10 + int(p.Seed%50))
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "exit status") {
		t.Errorf("error %v", err)
	}
}

func TestAHangingProcessIsKilled(t *testing.T) {
	dir := shared(t)
	begun := time.Now()
	r, err := runHere(t, multiproc.Options{MaxProcesses: 6, ChildTimeout: 10 * time.Second}, func(p *multiproc.Process) error {
		if p.Index == 2 {
			once(dir, 2, func() { leavePID(dir, 2); time.Sleep(time.Minute) })
		}
		return steady(p)
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Processes != 6 || r.Replaced != 1 || !strings.Contains(r.Warnings[0], "took longer than 10s (ChildTimeout) and was killed") {
		t.Errorf("%+v", r)
	}
	if took := time.Since(begun); took > 50*time.Second {
		t.Errorf("it took %v", took)
	}
	expectGone(t, pids(t, dir))
}

func TestAllProcessesThatHangEndTheRun(t *testing.T) {
	_, err := runHere(t, multiproc.Options{ChildTimeout: 200 * time.Millisecond}, func(p *multiproc.Process) error {
		time.Sleep(time.Minute)
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "took longer than 200ms") || !strings.Contains(err.Error(), "had failed in the same way") {
		t.Errorf("error %v", err)
	}
}

func TestAProcessKilledFromOutsideIsReplaced(t *testing.T) {
	dir := shared(t)
	r, err := runHere(t, multiproc.Options{MaxProcesses: 6}, func(p *multiproc.Process) error {
		if p.Index == 0 {
			once(dir, 0, killSelf)
		}
		return steady(p)
	})
	if err != nil || r.Processes != 6 || r.Replaced != 1 || !strings.Contains(r.Warnings[0], killedText) {
		t.Errorf("%v, %+v", err, r)
	}
}

func killSelf() {
	if p, err := os.FindProcess(os.Getpid()); err == nil {
		_ = p.Kill()
		time.Sleep(time.Minute)
	}
}

// Anything that a process leaves running would disturb the next one.
func TestWhatAProcessStartsEndsWithIt(t *testing.T) {
	dir := shared(t)
	r, err := runHere(t, multiproc.Options{MaxProcesses: 6}, func(p *multiproc.Process) error {
		if p.Index == 1 {
			sleeper := command("sleeper", dir, "9")
			if err := sleeper.Start(); err != nil {
				return err
			}
			for len(quietPIDs(dir)) == 0 {
				time.Sleep(time.Millisecond)
			}
		}
		return steady(p)
	})
	if err != nil || r.Processes != 6 {
		t.Fatalf("%v, %+v", err, r)
	}
	if all := pids(t, dir); len(all) != 1 {
		t.Errorf("%d sleepers", len(all))
	} else {
		expectGone(t, all)
	}
}
