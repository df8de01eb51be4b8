package spawn

import (
	"fmt"
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// prepare puts the command into a console group of its own: Ctrl-C is for this
// process.
func prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &windows.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// processGroup is the job object that a command and all it starts are in. The
// system ends what is in it when this process ends.
type processGroup windows.Handle

func groupOf(p *os.Process) (processGroup, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, fmt.Errorf("creating its job: %w", err)
	}
	g := processGroup(job)
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		g.close()
		return 0, fmt.Errorf("limiting its job: %w", err)
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.Pid))
	if err != nil {
		g.close()
		return 0, fmt.Errorf("opening it: %w", err)
	}
	defer func() { _ = windows.CloseHandle(process) }()
	if err := windows.AssignProcessToJobObject(job, process); err != nil {
		g.close()
		return 0, fmt.Errorf("putting it into its job: %w", err)
	}
	return g, nil
}

// terminate ends everything by force: there is no request to end here.
func (g processGroup) terminate() { g.kill() }

// kill reports whether there was anything to kill.
func (g processGroup) kill() bool {
	running := g.alive()
	_ = windows.TerminateJobObject(windows.Handle(g), 1)
	return running
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	userTime, kernelTime, periodUserTime, periodKernelTime  int64
	pageFaults, processes, activeProcesses, endedForALimits uint32
}

func (g processGroup) alive() bool {
	const basicAccounting = 1
	var a accounting
	err := windows.QueryInformationJobObject(windows.Handle(g), basicAccounting, uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	return err == nil && a.activeProcesses > 0
}

func (g processGroup) close() { _ = windows.CloseHandle(windows.Handle(g)) }

// innermost is the system's reason for refusing to start a command.
func innermost(err error) error { return err }

func status(state *os.ProcessState) (code, signal int) {
	if state == nil {
		return -1, 0
	}
	return state.ExitCode(), 0
}

// measure reads what the command cost: here its processor time.
func measure(state *os.ProcessState, u *Usage) {
	if state != nil {
		u.User, u.System = state.UserTime(), state.SystemTime()
	}
}

// signalName is empty: there are no signals here.
func signalName(int) string { return "" }
