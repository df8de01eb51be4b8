package perfctr

import (
	"encoding/binary"
	"fmt"
	"slices"
	"syscall"
)

// fake is a kernel in memory. It keeps the rules of the real one that matter
// here: members follow their leader, a group must fit on the counters, a read of
// a leader opened with WholeGroup returns the group.
type fake struct {
	counts   map[string]uint64 // what one Enable..Read adds to an event
	refuse   func(Request) error
	threads  []int
	paranoid int
	slots    int // counters of the processor that a group may use; 0 means many
	running  uint64
	enabled  uint64
	oldest   bool // refuses whole groups that are inherited, as kernels before 4.13
	failRead error

	next   int
	open   map[int]Request
	closed int
	on     map[int]bool
	log    []Request
}

func (f *fake) Open(r Request) (int, error) {
	if f.refuse != nil {
		if err := f.refuse(r); err != nil {
			return -1, err
		}
	}
	if f.oldest && r.WholeGroup && r.Inherit {
		return -1, syscall.EINVAL
	}
	if r.Leader >= 0 {
		leader, ok := f.open[r.Leader]
		if !ok || leader.Leader >= 0 || leader.Thread != r.Thread {
			return -1, syscall.EBADF
		}
		if f.slots > 0 && r.Event.Hardware() && len(f.members(r.Leader)) >= f.slots {
			return -1, syscall.EINVAL
		}
	}
	if f.open == nil {
		f.open, f.on, f.next = make(map[int]Request), make(map[int]bool), 10
	}
	f.next++
	f.open[f.next] = r
	f.log = append(f.log, r)
	return f.next, nil
}

// members are the descriptors of a group, its leader first.
func (f *fake) members(leader int) []int {
	group := []int{leader}
	for fd, r := range f.open {
		if r.Leader == leader {
			group = append(group, fd)
		}
	}
	slices.Sort(group)
	return group
}

func (f *fake) Enable(fd int) error {
	r, ok := f.open[fd]
	if !ok || r.Leader >= 0 {
		return fmt.Errorf("enabling %d: %w", fd, syscall.EBADF)
	}
	f.on[fd] = true
	return nil
}

func (f *fake) Disable(fd int) error { delete(f.on, fd); return nil }

func (f *fake) Read(fd int, buffer []byte) (int, error) {
	r, ok := f.open[fd]
	if !ok {
		return 0, syscall.EBADF
	}
	if f.failRead != nil {
		return 0, f.failRead
	}
	leader := fd
	if r.Leader >= 0 {
		leader = r.Leader
	}
	value := func(fd int) uint64 {
		if !f.on[leader] {
			return 0
		}
		return f.counts[f.open[fd].Event.Name]
	}
	words := []uint64{value(fd), f.enabled, f.running}
	if r.WholeGroup {
		group := f.members(fd)
		words = []uint64{uint64(len(group)), f.enabled, f.running}
		for _, member := range group {
			words = append(words, value(member))
		}
	}
	if len(buffer) < 8*len(words) {
		return 0, syscall.ENOSPC
	}
	for i, w := range words {
		binary.NativeEndian.PutUint64(buffer[8*i:], w)
	}
	return 8 * len(words), nil
}

func (f *fake) Close(fd int) error {
	if _, ok := f.open[fd]; !ok {
		return syscall.EBADF
	}
	delete(f.open, fd)
	f.closed++
	return nil
}

func (f *fake) Threads(pid int) ([]int, error) {
	if f.threads == nil {
		return nil, syscall.ESRCH
	}
	return f.threads, nil
}

func (f *fake) Paranoid() (int, bool) { return f.paranoid, f.paranoid != unknownLevel }

// unknownLevel is a paranoid setting that cannot be read.
const unknownLevel = -100

// every gives each event a count of its own: 100, 200, …
func every() map[string]uint64 {
	counts := make(map[string]uint64)
	for i, e := range Events() {
		counts[e.Name] = uint64(100 * (i + 1))
	}
	return counts
}
