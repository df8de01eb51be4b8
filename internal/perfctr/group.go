package perfctr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"syscall"
)

// group is a set of events of one thread that the kernel counts at the same
// moments.
type group struct {
	events []Event
	fds    []int // one for each event; the first is the leader's
	// whole is set where one read returns all members. Kernels before 4.13
	// cannot do that together with inheritance.
	whole bool
}

// tally is what the kernel says about one event: how often it happened while
// it was counted, and for how long, in nanoseconds, it was to be counted and was.
type tally struct{ count, enabled, running uint64 }

// plus adds the tallies of two threads.
func (t tally) plus(o tally) tally {
	return tally{t.count + o.count, t.enabled + o.enabled, t.running + o.running}
}

// openGroups opens a family of events of one thread. The kernel refuses a member
// that does not fit beside the others on the processor's counters with EINVAL;
// such a member gets a group of its own, which takes turns. What cannot be
// opened at all is returned with its error.
func openGroups(k Kernel, events []Event, request Request) ([]group, map[Event]error) {
	var groups []group
	refused := make(map[Event]error)
	for len(events) > 0 {
		g, misfits := openGroup(k, events, request, refused)
		if len(g.events) > 0 {
			groups = append(groups, g)
		}
		events = misfits
	}
	return groups, refused
}

// openGroup opens as many of the events as fit into one group and returns the
// rest. The first event that opens leads.
func openGroup(k Kernel, events []Event, request Request, refused map[Event]error) (g group, misfits []Event) {
	g.whole = true
	for _, e := range events {
		request.Event, request.Leader = e, -1
		if len(g.fds) > 0 {
			request.Leader = g.fds[0]
		}
		request.WholeGroup = g.whole
		fd, err := k.Open(request)
		if errors.Is(err, syscall.EINVAL) && len(g.fds) == 0 && g.whole && request.Inherit {
			request.WholeGroup = false
			if fd, err = k.Open(request); err == nil {
				g.whole = false
			}
		}
		switch {
		case err == nil:
			g.events, g.fds = append(g.events, e), append(g.fds, fd)
		case errors.Is(err, syscall.EINVAL) && len(g.fds) > 0:
			misfits = append(misfits, e)
		default:
			refused[e] = err
		}
	}
	return g, misfits
}

// read returns the tally of every event of the group.
func (g group) read(k Kernel) (map[Event]tally, error) {
	tallies := make(map[Event]tally, len(g.events))
	if g.whole {
		buffer := make([]byte, 8*(3+len(g.events)))
		n, err := k.Read(g.fds[0], buffer)
		if err != nil {
			return nil, fmt.Errorf("reading the counters of the group of %s: %w", g.events[0].Name, err)
		}
		all, err := decodeGroup(buffer[:n], len(g.events))
		if err != nil {
			return nil, fmt.Errorf("reading the counters of the group of %s: %w", g.events[0].Name, err)
		}
		for i, e := range g.events {
			tallies[e] = all[i]
		}
		return tallies, nil
	}
	for i, e := range g.events {
		buffer := make([]byte, 3*8)
		n, err := k.Read(g.fds[i], buffer)
		if err == nil && n != len(buffer) {
			err = fmt.Errorf("%d bytes instead of %d", n, len(buffer))
		}
		if err != nil {
			return nil, fmt.Errorf("reading the counter of %s: %w", e.Name, err)
		}
		word := func(i int) uint64 { return binary.NativeEndian.Uint64(buffer[8*i:]) }
		tallies[e] = tally{word(0), word(1), word(2)}
	}
	return tallies, nil
}

// decodeGroup reads the kernel's form of a group with times, see read_format in
// perf_event_open(2): the number of events, time enabled, time running, and then
// the counts.
func decodeGroup(data []byte, events int) ([]tally, error) {
	if len(data) != 8*(3+events) {
		return nil, fmt.Errorf("%d bytes instead of %d", len(data), 8*(3+events))
	}
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(data[8*i:]) }
	if n := word(0); n != uint64(events) {
		return nil, fmt.Errorf("%d counts instead of %d", n, events)
	}
	tallies := make([]tally, events)
	for i := range tallies {
		tallies[i] = tally{count: word(3 + i), enabled: word(1), running: word(2)}
	}
	return tallies, nil
}

// close gives the counters back, members before the leader.
func (g group) close(k Kernel) error {
	var errs []error
	for i := len(g.fds) - 1; i >= 0; i-- {
		errs = append(errs, k.Close(g.fds[i]))
	}
	return errors.Join(errs...)
}

// closeGroups closes several groups, whatever happens to each.
func closeGroups(k Kernel, groups []group) error {
	var errs []error
	for _, g := range groups {
		errs = append(errs, g.close(k))
	}
	return errors.Join(errs...)
}
