package pooling

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func dieWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// marked are the processes with this entry in their environment. One that has
// ended and waits to be asked for its status has no environment any more.
func marked(mark string) []int {
	var found []int
	paths, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil || !slices.ContainsFunc(bytes.Split(text, []byte{0}), func(entry []byte) bool { return string(entry) == mark }) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			found = append(found, pid)
		}
	}
	return found
}

// killChild kills one of the run's own children. Between two of them it waits
// for the next. It reports false if the run ends first.
func (run *scriptedRun) killChild(r *rand.Rand, ended <-chan error) bool {
	for len(ended) == 0 {
		var children []int
		for _, pid := range marked(run.mark) {
			if parentOf(pid) == run.command.Process.Pid {
				children = append(children, pid)
			}
		}
		if len(children) > 0 && syscall.Kill(children[r.IntN(len(children))], syscall.SIGKILL) == nil {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

// parentOf reads the second field after the program's name, which stands in
// parentheses and may hold anything.
func parentOf(pid int) int {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	end := bytes.LastIndexByte(text, ')')
	fields := strings.Fields(string(text[end+1:]))
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(fields[1])
	return parent
}
