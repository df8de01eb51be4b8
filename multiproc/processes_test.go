package multiproc_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

func init() { programs["sleeper"] = sleeper }

// sleeper leaves its process number in a directory and sleeps.
func sleeper(args []string) {
	index, _ := strconv.Atoi(args[1])
	leavePID(args[0], index)
	time.Sleep(time.Minute)
}

func quietPIDs(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*.pid"))
	return files
}

func itoa(n int) string { return strconv.Itoa(n) }

// pids reads what leavePID has left in a directory.
func pids(t *testing.T, dir string) []int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.pid"))
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(string(text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pid)
	}
	return all
}

// expectPIDs waits until so many processes have left their numbers.
func expectPIDs(t *testing.T, dir string, count int) []int {
	t.Helper()
	for range 1500 {
		if all := pids(t, dir); len(all) >= count {
			return all
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("fewer than %d processes came up", count)
	return nil
}

// expectGone waits for the end of processes.
func expectGone(t *testing.T, all []int) {
	t.Helper()
	for _, pid := range all {
		for turn := 0; alive(pid); turn++ {
			if turn > 500 {
				t.Errorf("process %d is still there", pid)
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// alive reports whether a process runs. One that has ended and that nobody has
// asked for its status does not.
func alive(pid int) bool {
	if !exists(pid) {
		return false
	}
	if runtime.GOOS != "linux" {
		return true
	}
	text, err := os.ReadFile("/proc/" + itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}
