package host

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// clockTick is the unit of times in /proc/PID/stat: sysconf(_SC_CLK_TCK), which
// Linux fixes at 100 per second for programs, whatever the kernel's own rate.
const clockTick = 10 * time.Millisecond

// Processes holds how much CPU time each process had used at one moment, by its
// number.
type Processes map[int]process

// process is the part of /proc/PID/stat that is of interest.
type process struct {
	name string
	// started tells a process from a later one with the same number.
	started uint64
	parent  int
	nice    int
	ticks   uint64
}

// Neighbour is another process that used the CPUs.
type Neighbour struct {
	PID  int    `json:"pid"`
	Name string `json:"name"`
	// Share is in CPUs: 1.5 is one and a half of them.
	Share float64 `json:"share"`
	// Kernel is set for a thread of the kernel itself.
	Kernel bool `json:"kernel,omitempty"`
}

// Processes reads the CPU times of all processes that can be seen. It never
// fails; in a container only the container's own are seen.
func (fs FS) Processes() Processes {
	processes := make(Processes)
	for _, dir := range fs.glob("proc/[0-9]*") {
		pid, err := strconv.Atoi(path.Base(strings.ReplaceAll(dir, "\\", "/")))
		if err != nil {
			continue
		}
		if p, ok := parseProcess(fs.text(dir + "/stat")); ok {
			processes[pid] = p
		}
	}
	return processes
}

// Neighbours returns the processes other than self that used at least a share
// of a CPU between two readings, the busiest first. A process that was not there
// at the first reading counts with all its time.
func Neighbours(before, after Processes, elapsed time.Duration, self int, least float64) []Neighbour {
	var neighbours []Neighbour
	if elapsed <= 0 {
		return nil
	}
	for pid, now := range after {
		used := now.ticks
		if then, ok := before[pid]; ok && then.started == now.started {
			if now.ticks < then.ticks {
				continue
			}
			used -= then.ticks
		} else if len(before) == 0 {
			continue
		}
		share := float64(used) * float64(clockTick) / float64(elapsed)
		if pid != self && share >= least {
			// kthreadd, number 2, is the parent of the kernel's threads.
			neighbours = append(neighbours, Neighbour{PID: pid, Name: now.name, Share: share, Kernel: pid == 2 || now.parent == 2})
		}
	}
	slices.SortFunc(neighbours, func(a, b Neighbour) int {
		return cmp.Or(-cmp.Compare(a.Share, b.Share), cmp.Compare(a.PID, b.PID))
	})
	return neighbours
}

// parseProcess reads /proc/PID/stat, see proc_pid_stat(5). The name stands in
// parentheses and may hold any character, parentheses too.
func parseProcess(text string) (p process, ok bool) {
	_, rest, found := strings.Cut(text, "(")
	end := strings.LastIndexByte(rest, ')')
	if !found || end < 0 {
		return process{}, false
	}
	p.name = printable(rest[:end])
	// The first word after the name is field 3 of the manual page.
	const firstField = 3
	words := strings.Fields(rest[end+1:])
	number := func(n int) uint64 {
		if len(words) <= n-firstField {
			ok = false
			return 0
		}
		value, err := strconv.ParseInt(words[n-firstField], 10, 64)
		ok = ok && err == nil
		return uint64(value)
	}
	ok = true
	p.parent = int(int64(number(4)))
	p.ticks = number(14) + number(15)
	p.nice = int(int64(number(19)))
	p.started = number(22)
	return p, ok
}

// printable keeps a name that somebody else chose from moving the cursor.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(name, "?"))
}
