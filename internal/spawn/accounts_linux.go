package spawn

import (
	"bytes"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// The accounts of a process in /proc can be read after its end, for as long as
// nobody has waited for it.

// readAccount reads a small file about a process into the buffer.
func readAccount(pid int, name string, buffer []byte) []byte {
	path := append(make([]byte, 0, 64), "/proc/"...)
	path = strconv.AppendInt(path, int64(pid), 10)
	path = append(append(path, '/'), name...)
	fd, err := unix.Open(string(path), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	n, err := unix.Read(fd, buffer)
	_ = unix.Close(fd)
	if err != nil {
		return nil
	}
	return buffer[:max(0, n)]
}

func readScheduler(pid int, u *Usage) {
	var buffer [128]byte
	u.RunDelay = parseRunDelay(readAccount(pid, "schedstat", buffer[:]))
}

// parseRunDelay finds the time spent waiting for a processor in
// /proc/PID/schedstat: time on it, time waiting, number of turns. A kernel that
// does not count gives zeros for all three.
func parseRunDelay(line []byte) time.Duration {
	fields := bytes.Fields(line)
	if len(fields) != 3 || string(fields[2]) == "0" {
		return Unknown
	}
	nanoseconds, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return Unknown
	}
	return time.Duration(nanoseconds)
}

func readTraffic(pid int, u *Usage) {
	var buffer [512]byte
	parseTraffic(readAccount(pid, "io", buffer[:]), u)
}

// parseTraffic reads /proc/PID/io.
func parseTraffic(table []byte, u *Usage) {
	for line := range bytes.Lines(table) {
		name, value, _ := bytes.Cut(bytes.TrimSpace(line), []byte(": "))
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil {
			continue
		}
		switch string(name) {
		case "rchar":
			u.ReadBytes = n
		case "wchar":
			u.WrittenBytes = n
		case "read_bytes":
			u.DiskReadBytes = n
		case "write_bytes":
			u.DiskWrittenBytes = n
		}
	}
}
