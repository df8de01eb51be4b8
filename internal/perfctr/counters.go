package perfctr

import (
	"errors"
	"fmt"
	"syscall"
)

// Counters are open counters of one target. They are used by one goroutine at a
// time.
type Counters struct {
	kernel  Kernel
	events  []Event
	missing map[Event]string
	groups  []group
}

// Open opens counters for a target. It never fails: an event that cannot be
// counted here has a Value that says why. Close has to be called in any case. A
// nil kernel is the real one, and an empty list of events means all of them.
func Open(kernel Kernel, target Target, events []Event) *Counters {
	if kernel == nil {
		kernel = System()
	}
	if len(events) == 0 {
		events = Events()
	}
	c := &Counters{kernel: kernel, missing: make(map[Event]string)}
	for _, family := range families(events) {
		c.events = append(c.events, family...)
	}
	threads := []int{target.PID}
	if target.AllThreads {
		var err error
		if threads, err = kernel.Threads(target.PID); err == nil && len(threads) == 0 {
			err = syscall.ESRCH
		}
		if err != nil {
			for _, e := range c.events {
				c.missing[e] = fmt.Sprintf("the threads of process %d could not be listed: %v", target.PID, err)
			}
			return c
		}
	}
	for _, family := range families(c.events) {
		c.openFamily(family, threads, target)
	}
	return c
}

// openFamily opens one family for all threads. An event that one thread refuses
// is left out for all of them, since a part of a process is no count of it. A
// thread that has ended in the meantime is no refusal.
func (c *Counters) openFamily(family []Event, threads []int, target Target) {
	for {
		groups, refused := c.openThreads(family, threads, target)
		if len(refused) == 0 {
			c.groups = append(c.groups, groups...)
			return
		}
		closeGroups(c.kernel, groups)
		var left []Event
		for _, e := range family {
			if err, no := refused[e]; no {
				c.missing[e] = reason(e, err, c.kernel)
				continue
			}
			left = append(left, e)
		}
		if len(left) == 0 {
			return
		}
		family = left
	}
}

// openThreads opens a family for every thread, up to the first that refuses.
func (c *Counters) openThreads(family []Event, threads []int, target Target) ([]group, map[Event]error) {
	var all []group
	var gone map[Event]error
	for _, thread := range threads {
		groups, refused := openGroups(c.kernel, family, Request{Thread: thread, Inherit: target.Inherit, OnExec: target.OnExec})
		if len(refused) > 0 && ended(refused) {
			closeGroups(c.kernel, groups)
			gone = refused
			continue
		}
		all = append(all, groups...)
		if len(refused) > 0 {
			return all, refused
		}
	}
	if len(all) == 0 {
		return nil, gone
	}
	return all, nil
}

// ended tells whether all that stood in the way was that the thread is no more.
func ended(refused map[Event]error) bool {
	for _, err := range refused {
		if !errors.Is(err, syscall.ESRCH) {
			return false
		}
	}
	return true
}

// Start begins to count, or goes on. With Target.OnExec it is not needed.
func (c *Counters) Start() error {
	for _, g := range c.groups {
		if err := c.kernel.Enable(g.fds[0]); err != nil {
			return fmt.Errorf("starting the counters of the group of %s: %w", g.events[0].Name, err)
		}
	}
	return nil
}

// Stop ends counting. What has been counted can still be read.
func (c *Counters) Stop() error {
	var errs []error
	for _, g := range c.groups {
		if err := c.kernel.Disable(g.fds[0]); err != nil {
			errs = append(errs, fmt.Errorf("stopping the counters of the group of %s: %w", g.events[0].Name, err))
		}
	}
	return errors.Join(errs...)
}

// Read returns what has been counted since Open, an entry for every event that
// was asked for. Reading while counting goes on is fine; groups are then read one
// after the other.
func (c *Counters) Read() (Reading, error) {
	sums := make(map[Event]tally, len(c.events))
	for _, g := range c.groups {
		tallies, err := g.read(c.kernel)
		if err != nil {
			return nil, err
		}
		for e, t := range tallies {
			sums[e] = sums[e].plus(t)
		}
	}
	reading := make(Reading, 0, len(c.events))
	for _, e := range c.events {
		reading = append(reading, Value{Event: e, Missing: c.missing[e], tally: sums[e]})
	}
	return reading, nil
}

// Close gives all counters back. A second call does nothing.
func (c *Counters) Close() error {
	err := closeGroups(c.kernel, c.groups)
	c.groups = nil
	return err
}
