//go:build unix

package proc

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// tie gives a command its own process group and, if a variable is named, its
// end of the lifeline. Nothing is ever written to it: its closing is the
// message, and the kernel closes it however the parent ends.
func tie(cmd *exec.Cmd, variable string) (*lifeline, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	line := new(lifeline)
	if variable == "" {
		return line, nil
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return line, fmt.Errorf("making its lifeline: %w", err)
	}
	line.theirs, line.ours = theirs, ours
	const firstExtraFile = 3
	fd := firstExtraFile + len(cmd.ExtraFiles)
	cmd.ExtraFiles = append(cmd.ExtraFiles, theirs)
	cmd.Env = append(cmd.Env, variable+"="+strconv.Itoa(fd))
	return line, nil
}

// started closes the child's end here, so that the parent's is the only one
// that keeps the line open.
func (l *lifeline) started(p *os.Process) (processGroup, error) {
	if l.theirs != nil {
		_ = l.theirs.Close()
		l.theirs = nil
	}
	return processGroup(p.Pid), nil
}

// processGroup is the group that a child leads.
type processGroup int

func (g processGroup) kill()  { _ = syscall.Kill(-int(g), syscall.SIGKILL) }
func (g processGroup) close() {}

func status(state *os.ProcessState) (code int, signal string) {
	if state == nil {
		return -1, ""
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -1, ws.Signal().String()
	}
	return state.ExitCode(), ""
}

// Follow ties this process to the parent that started it with the variable as
// its Lifeline: when the parent is gone, this process and all in its group are
// killed. The variable is removed, so that no process started from here takes
// an unrelated file for its own lifeline. Without the variable Follow does
// nothing. It belongs into the initialisation of a program, before anything else
// is started.
func Follow(variable string) {
	text, ok := os.LookupEnv(variable)
	if !ok {
		return
	}
	_ = os.Unsetenv(variable)
	fd, err := strconv.Atoi(text)
	if err != nil || fd < 0 || syscall.Getpgrp() != syscall.Getpid() {
		// Not started by Run: the group may be that of somebody's shell.
		return
	}
	syscall.CloseOnExec(fd)
	if killWhenClosed(fd) {
		return
	}
	go func() {
		one := make([]byte, 1)
		for {
			n, err := syscall.Read(fd, one)
			if err == syscall.EINTR {
				continue
			}
			if n <= 0 {
				processGroup(syscall.Getpid()).kill()
				return
			}
		}
	}()
}
