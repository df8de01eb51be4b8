//go:build !unix && !windows

package proc

import (
	"os"
	"os/exec"
)

func tie(*exec.Cmd, string) (*lifeline, error) { return new(lifeline), nil }

func (l *lifeline) started(p *os.Process) (processGroup, error) { return processGroup{p}, nil }

// processGroup is the child alone: there are no groups here.
type processGroup struct{ leader *os.Process }

func (g processGroup) kill()  { _ = g.leader.Kill() }
func (g processGroup) close() {}

func status(state *os.ProcessState) (code int, signal string) {
	if state == nil {
		return -1, ""
	}
	return state.ExitCode(), ""
}

// Follow cannot tie a process to its parent here.
func Follow(variable string) { _ = os.Unsetenv(variable) }
