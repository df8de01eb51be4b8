package perfctr

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// errNotLinux never comes from Linux.
var errNotLinux = errors.New("counters are read on Linux only")

// System returns the kernel of this machine.
func System() Kernel { return linux{} }

type linux struct{}

// Open calls perf_event_open.
func (linux) Open(r Request) (int, error) {
	attr := unix.PerfEventAttr{
		Type:        uint32(r.Event.kind),
		Size:        uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Config:      r.Event.config,
		Read_format: unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING,
		Bits:        unix.PerfBitExcludeHv,
	}
	if !r.Event.inKernel {
		attr.Bits |= unix.PerfBitExcludeKernel
	}
	if r.WholeGroup {
		attr.Read_format |= unix.PERF_FORMAT_GROUP
	}
	if r.Inherit {
		attr.Bits |= unix.PerfBitInherit
	}
	// Members run when their leader does.
	if r.Leader < 0 {
		attr.Bits |= unix.PerfBitDisabled
		if r.OnExec {
			attr.Bits |= unix.PerfBitEnableOnExec
		}
	}
	const anyCPU = -1
	return unix.PerfEventOpen(&attr, r.Thread, anyCPU, r.Leader, unix.PERF_FLAG_FD_CLOEXEC)
}

// Enable starts a group.
func (linux) Enable(fd int) error { return unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_ENABLE, 0) }

// Disable stops a group.
func (linux) Disable(fd int) error { return unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_DISABLE, 0) }

// Read reads a counter.
func (linux) Read(fd int, buffer []byte) (int, error) {
	for {
		n, err := unix.Read(fd, buffer)
		if err != syscall.EINTR {
			return n, err
		}
	}
}

// Close gives a counter back.
func (linux) Close(fd int) error { return unix.Close(fd) }

// Threads lists /proc/PID/task.
func (linux) Threads(pid int) ([]int, error) {
	process := "self"
	if pid != 0 {
		process = strconv.Itoa(pid)
	}
	entries, err := os.ReadDir(filepath.Join("/proc", process, "task"))
	if err != nil {
		return nil, err
	}
	var threads []int
	for _, entry := range entries {
		thread, err := strconv.Atoi(entry.Name())
		if err != nil {
			return nil, fmt.Errorf("%s is no thread's number", entry.Name())
		}
		threads = append(threads, thread)
	}
	return threads, nil
}

// Paranoid reads the kernel's setting.
func (linux) Paranoid() (int, bool) {
	text, err := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
	if err != nil {
		return 0, false
	}
	level, err := strconv.Atoi(strings.TrimSpace(string(text)))
	return level, err == nil
}
