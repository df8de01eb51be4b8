package spawn

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// reap waits for children that have ended. It reports whether there are others.
// Since everything that loses its parent becomes a child of the spawner, no
// child means that nothing at all was left behind.
func reap() (others bool) {
	for {
		pid, err := unix.Wait4(-1, nil, unix.WNOHANG, nil)
		switch {
		case err == unix.EINTR || pid > 0:
		case err != nil:
			return false
		default:
			return true
		}
	}
}

// persistence bounds the wait for processes that do not even end by force,
// because they hang in the kernel or belong to somebody else.
const persistence = 5 * time.Second

// endLeftovers kills what a command has left running, and returns how many
// processes that were.
func (s *server) endLeftovers() int {
	if !reap() {
		return 0
	}
	left := len(descendants(os.Getpid()))
	s.killChildren()
	return left
}

// endDescendants asks everything to end, and kills what has not after the grace
// time.
func (s *server) endDescendants(grace time.Duration) {
	limit := s.now() + grace
	if !reap() {
		return
	}
	for _, pid := range descendants(os.Getpid()) {
		_ = unix.Kill(pid, unix.SIGTERM)
		_ = unix.Kill(pid, unix.SIGCONT)
	}
	for pause := time.Millisecond; reap(); pause = min(2*pause, 20*time.Millisecond) {
		if s.now() > limit {
			s.killChildren()
			return
		}
		time.Sleep(pause)
	}
}

// killChildren kills children until there are none. What they have started
// becomes children in turn. Only children are killed, because only their
// numbers cannot have passed to another process meanwhile.
func (s *server) killChildren() {
	limit := s.now() + persistence
	for pause := 100 * time.Microsecond; reap() && s.now() < limit; pause = min(2*pause, 10*time.Millisecond) {
		self := os.Getpid()
		for _, p := range processes() {
			if p.parent == self {
				_ = unix.Kill(p.pid, unix.SIGKILL)
			}
		}
		time.Sleep(pause)
	}
}

// process is one line of the system's table of processes.
type process struct{ pid, parent int }

// processes lists those that have not ended.
func processes() []process {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, _ := dir.Readdirnames(-1)
	var all []process
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		line, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		if parent, running := parseStat(line); running {
			all = append(all, process{pid, parent})
		}
	}
	return all
}

// parseStat finds the parent in a line of /proc/PID/stat. The name of the
// program stands in brackets before it and may hold anything.
func parseStat(line []byte) (parent int, running bool) {
	fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(string(fields[1]))
	return parent, err == nil && fields[0][0] != 'Z' && fields[0][0] != 'X'
}

// descendants lists the running descendants of a process.
func descendants(of int) []int {
	children := map[int][]int{}
	for _, p := range processes() {
		children[p.parent] = append(children[p.parent], p.pid)
	}
	found := append([]int(nil), children[of]...)
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i]]...)
	}
	return found
}
