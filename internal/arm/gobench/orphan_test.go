//go:build unix

package gobench

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/gobuild"
)

// parentVariable makes the test binary a parent that is going to be killed. It
// holds the path of a binary with the pausing driver.
const parentVariable = "RTCOMPARE_TEST_PARENT"

// TestParent is no test: it opens a benchmark, says which process that is, and
// waits for its end, in the middle of a batch or between two.
func TestParent(t *testing.T) {
	binary, name, ok := strings.Cut(os.Getenv(parentVariable), " ")
	if !ok {
		t.Skip("this is the other side of TestNothingOutlivesItsParent")
	}
	b := Benchmark{Name: name, Driver: gobuild.Pausing, Env: os.Environ(), Binary: func(context.Context, int, gobuild.Driver) (gobuild.Binary, error) {
		return gobuild.Binary{Path: binary, Driver: gobuild.Pausing, Package: gobuild.Package{Dir: "."}}, nil
	}}
	s, err := b.Open(t.Context(), engine.Slot{})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("child %d\n", s.(*paused).child.pid)
	var sample engine.Sample
	_ = s.Do(t.Context(), engine.Request{N: 1000}, &sample)
	time.Sleep(time.Hour)
}

func TestNothingOutlivesItsParent(t *testing.T) {
	w := pausable(t)
	binary, err := w.benchmark("", gobuild.Pausing).Binary(t.Context(), 0, gobuild.Pausing)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"BenchmarkLoop"}
	if runtime.GOOS == "linux" {
		names = append(names, "BenchmarkHang") // elsewhere it is noticed between batches only
	}
	for _, name := range names {
		parent := exec.Command(os.Args[0], "-test.run=^TestParent$", "-test.v")
		parent.Env = append(os.Environ(), parentVariable+"="+binary.Path+" "+name, "TMPDIR="+t.TempDir()) // it cannot tidy up
		out, err := parent.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		child := 0
		for lines := bufio.NewScanner(out); child == 0 && lines.Scan(); {
			if _, number, ok := strings.Cut(lines.Text(), "child "); ok {
				child, _ = strconv.Atoi(number)
			}
		}
		time.Sleep(50 * time.Millisecond) // into the batch
		_ = parent.Process.Kill()
		_ = parent.Wait()
		if child == 0 {
			t.Fatal("the parent has not said which process it started")
		}
		if !gone(child) {
			_ = syscall.Kill(child, syscall.SIGKILL)
			t.Errorf("%s outlives its parent", name)
		}
	}
}

// gone waits until there is no such process, or until that takes too long. A
// zombie that nobody waits for counts as gone.
func gone(pid int) bool {
	for range 500 {
		if syscall.Kill(pid, 0) != nil {
			return true
		}
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && strings.Contains(string(text), ") Z ") {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}
