package spawn

import (
	"bytes"
	"os"
	"runtime/debug"
	"strconv"

	"golang.org/x/sys/unix"
)

// shrink makes the spawner's peak of memory small: a command cannot be seen to
// use less, because the kernel hands the peak on from the process that starts
// it. Most of it is parts of the program, read at its start and not needed any
// more. Where the kernel refuses, the peak is larger and nothing else is wrong.
// It returns those parts that hold no code.
func shrink() (constants []mapping) {
	debug.SetGCPercent(-1)
	debug.FreeOSMemory()
	table, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return nil
	}
	var all []mapping
	for _, m := range mappings(table) {
		if !m.forgettable() {
			continue
		}
		all = append(all, m)
		if !m.code {
			constants = append(constants, m)
		}
	}
	forget(all)
	debug.FreeOSMemory()
	resetPeak()
	return constants
}

// forget gives memory back that can be read anew from its file.
func forget(all []mapping) {
	for _, m := range all {
		_, _, _ = unix.RawSyscall(unix.SYS_MADVISE, m.begin, m.size, unix.MADV_DONTNEED)
	}
}

// resetPeak makes the kernel forget the peak of memory so far.
func resetPeak() {
	if fd, err := unix.Open("/proc/self/clear_refs", unix.O_WRONLY|unix.O_CLOEXEC, 0); err == nil {
		_, _ = unix.Write(fd, []byte("5"))
		_ = unix.Close(fd)
	}
}

// mapping is a stretch of this process's memory.
type mapping struct {
	begin, size uintptr
	// writable, code and file are set for one that can be written to, that can
	// be executed, and that shows a file.
	writable, code, file bool
	// own is set unless the kernel says that nothing of it, in memory or swapped
	// out, differs from the file.
	own bool
}

// forgettable reports whether the kernel can read the stretch anew where it is
// needed again. That it cannot be written to is not enough: a linker that
// relocates writes first and locks up later, and what it wrote would be lost.
func (m mapping) forgettable() bool { return m.file && !m.writable && !m.own }

// mappings reads /proc/PID/smaps: a line for each stretch, followed by what is
// known about it.
func mappings(table []byte) []mapping {
	var all []mapping
	noneInMemory, noneSwapped := false, false
	for line := range bytes.Lines(table) {
		fields := bytes.Fields(line)
		if m, ok := parseMapping(fields); ok {
			all, noneInMemory, noneSwapped = append(all, m), false, false
			continue
		}
		if len(fields) < 2 || len(all) == 0 {
			continue
		}
		none := string(fields[1]) == "0"
		switch string(fields[0]) {
		case "Anonymous:":
			noneInMemory = none
		case "Swap:":
			noneSwapped = none
		}
		all[len(all)-1].own = !noneInMemory || !noneSwapped
	}
	return all
}

// parseMapping takes the first line about a stretch apart.
func parseMapping(fields [][]byte) (m mapping, ok bool) {
	if len(fields) < 5 || len(fields[1]) != 4 {
		return m, false
	}
	from, to, _ := bytes.Cut(fields[0], []byte("-"))
	begin, err1 := strconv.ParseUint(string(from), 16, 64)
	end, err2 := strconv.ParseUint(string(to), 16, 64)
	if err1 != nil || err2 != nil || end <= begin {
		return m, false
	}
	m = mapping{begin: uintptr(begin), size: uintptr(end - begin), writable: fields[1][1] == 'w', code: fields[1][2] == 'x', own: true}
	m.file = len(fields) > 5 && fields[5][0] == '/'
	return m, true
}

// peak is the most memory that this process has had in use, in bytes.
func (s *server) peak() int64 {
	var buffer [2048]byte
	n, err := unix.Pread(s.status, buffer[:], 0)
	if err != nil {
		return Unknown
	}
	return parsePeak(buffer[:n])
}

// parsePeak finds the peak in /proc/PID/status.
func parsePeak(status []byte) int64 {
	_, rest, found := bytes.Cut(status, []byte("VmHWM:"))
	fields := bytes.Fields(rest[:min(len(rest), 40)])
	if !found || len(fields) == 0 {
		return Unknown
	}
	kilobytes, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		return Unknown
	}
	return kilobytes << 10
}
