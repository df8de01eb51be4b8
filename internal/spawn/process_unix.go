//go:build unix && !linux

package spawn

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// prepare puts the command into a process group of its own: Ctrl-C on a terminal
// is for this process.
func prepare(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// processGroup is the number of a command's process group.
type processGroup int

func groupOf(p *os.Process) (processGroup, error) { return processGroup(p.Pid), nil }

func (g processGroup) terminate() {
	_ = syscall.Kill(-int(g), syscall.SIGTERM)
	_ = syscall.Kill(-int(g), syscall.SIGCONT)
}

// kill reports whether there was anything to kill.
func (g processGroup) kill() bool { return syscall.Kill(-int(g), syscall.SIGKILL) == nil }

func (g processGroup) alive() bool { return syscall.Kill(-int(g), 0) == nil }

func (g processGroup) close() {}

// innermost is the system's reason for refusing to start a command.
func innermost(err error) error {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno
	}
	return err
}

func status(state *os.ProcessState) (code, signal int) {
	if state == nil {
		return -1, 0
	}
	if s, ok := state.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return 128 + int(s.Signal()), int(s.Signal())
	}
	return state.ExitCode(), 0
}

// measure reads what the command cost.
func measure(state *os.ProcessState, u *Usage) {
	if state == nil {
		return
	}
	cost, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return
	}
	u.User, u.System = time.Duration(cost.Utime.Nano()), time.Duration(cost.Stime.Nano())
	u.PeakMemory = int64(cost.Maxrss) * peakUnit()
	u.MinorFaults, u.MajorFaults = int64(cost.Minflt), int64(cost.Majflt)
	u.VoluntarySwitches, u.InvoluntarySwitches = int64(cost.Nvcsw), int64(cost.Nivcsw)
	var own syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &own) == nil {
		u.MemoryFloor = int64(own.Maxrss) * peakUnit()
	}
}

// peakUnit is the unit of the peak of memory: a kilobyte, but for one family of
// systems.
func peakUnit() int64 {
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return 1
	}
	return 1 << 10
}
