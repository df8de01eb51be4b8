//go:build !unix && !windows

package spawn

import (
	"os"
	"os/exec"
)

func prepare(*exec.Cmd) {}

// processGroup is the command alone: there are no groups here.
type processGroup struct{ leader *os.Process }

func groupOf(p *os.Process) (processGroup, error) { return processGroup{p}, nil }

func (g processGroup) terminate() { g.kill() }

func (g processGroup) kill() bool { return g.leader.Kill() == nil }

func (g processGroup) alive() bool { return false }

func (g processGroup) close() {}

func innermost(err error) error { return err }

func status(state *os.ProcessState) (code, signal int) {
	if state == nil {
		return -1, 0
	}
	return state.ExitCode(), 0
}

func measure(state *os.ProcessState, u *Usage) {
	if state != nil {
		u.User, u.System = state.UserTime(), state.SystemTime()
	}
}

func signalName(int) string { return "" }
