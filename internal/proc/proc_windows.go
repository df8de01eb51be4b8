package proc

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"unsafe"
)

var (
	kernel32           = syscall.NewLazyDLL("kernel32.dll")
	createJobObject    = kernel32.NewProc("CreateJobObjectW")
	setInformation     = kernel32.NewProc("SetInformationJobObject")
	assignToJob        = kernel32.NewProc("AssignProcessToJobObject")
	terminateJobObject = kernel32.NewProc("TerminateJobObject")
)

const (
	extendedLimits = 9      // JobObjectExtendedLimitInformation
	killOnClose    = 0x2000 // JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	setQuota       = 0x0100 // PROCESS_SET_QUOTA
)

// jobLimits is JOBOBJECT_EXTENDED_LIMIT_INFORMATION.
type jobLimits struct {
	processTime, jobTime   int64
	flags                  uint32
	minimumSet, maximumSet uintptr
	activeProcesses        uint32
	affinity               uintptr
	priority, scheduling   uint32
	io                     [6]uint64
	memory                 [4]uintptr
}

// tie puts the child in a console group of its own, so that Ctrl-C reaches only
// the parent, which then ends the job. The job takes the place of the lifeline:
// the system closes it with the parent and kills what is in it.
func tie(cmd *exec.Cmd, _ string) (*lifeline, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
	return new(lifeline), nil
}

func (l *lifeline) started(p *os.Process) (processGroup, error) {
	job, _, err := createJobObject.Call(0, 0)
	if job == 0 {
		return 0, fmt.Errorf("creating its job: %w", err)
	}
	limits := jobLimits{flags: killOnClose}
	if ok, _, err := setInformation.Call(job, extendedLimits, uintptr(unsafe.Pointer(&limits)), unsafe.Sizeof(limits)); ok == 0 {
		processGroup(job).close()
		return 0, fmt.Errorf("limiting its job: %w", err)
	}
	process, err := syscall.OpenProcess(setQuota|syscall.PROCESS_TERMINATE, false, uint32(p.Pid))
	if err != nil {
		processGroup(job).close()
		return 0, fmt.Errorf("opening it: %w", err)
	}
	defer func() { _ = syscall.CloseHandle(process) }()
	if ok, _, err := assignToJob.Call(job, uintptr(process)); ok == 0 {
		processGroup(job).close()
		return 0, fmt.Errorf("putting it into its job: %w", err)
	}
	return processGroup(job), nil
}

// processGroup is the job that a child and all it starts are in.
type processGroup syscall.Handle

func (g processGroup) kill()  { _, _, _ = terminateJobObject.Call(uintptr(g), 1) }
func (g processGroup) close() { _ = syscall.CloseHandle(syscall.Handle(g)) }

func status(state *os.ProcessState) (code int, signal string) {
	if state == nil {
		return -1, ""
	}
	return state.ExitCode(), ""
}

// Follow has nothing to do here: the job ends this process with its parent.
func Follow(variable string) { _ = os.Unsetenv(variable) }
