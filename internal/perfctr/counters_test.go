package perfctr

import (
	"errors"
	"math"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// measured opens, starts and reads everything, and checks that Close leaves
// nothing open.
func measured(t *testing.T, f *fake, target Target, events ...Event) Reading {
	t.Helper()
	c := Open(f, target, events)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	reading, err := c.Read()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
	if len(f.on) > 0 {
		t.Errorf("still counting after Stop: %v", f.on)
	}
	if err := errors.Join(c.Close(), c.Close()); err != nil {
		t.Error(err)
	}
	if len(f.open) > 0 {
		t.Errorf("left open: %v", f.open)
	}
	return reading
}

// missing lists the events without a count.
func missing(r Reading) string {
	var names []string
	for _, v := range r {
		if v.Missing != "" {
			names = append(names, v.Event.Name)
		}
	}
	return strings.Join(names, " ")
}

func TestGroups(t *testing.T) {
	f := &fake{counts: every(), enabled: 1000, running: 1000}
	reading := measured(t, f, Thread())
	if missing(reading) != "" || len(reading) != len(Events()) {
		t.Fatalf("%d values, missing %q", len(reading), missing(reading))
	}
	for i, v := range reading {
		if v.Count() != float64(100*(i+1)) || v.Multiplexed() || v.Event != Events()[i] {
			t.Errorf("%s: %v", v.Event.Name, v.Count())
		}
	}
	leaders := 0
	for _, r := range f.log {
		if r.Leader < 0 {
			leaders++
		}
		if !r.WholeGroup {
			t.Errorf("%s is read alone", r.Event.Name)
		}
	}
	if leaders != 4 {
		t.Errorf("%d groups", leaders)
	}
	if got := reading.InstructionsPerCycle(); got != 2 {
		t.Errorf("%v instructions per cycle", got)
	}
	if got := reading.BranchMissShare(); got != 400.0/300 {
		t.Errorf("share of branches missed: %v", got)
	}
	if got := reading.MissesPerInstruction(CacheMisses); got != 3 {
		t.Errorf("%v misses per instruction", got)
	}
	if got := reading.CyclesPerSecond(); math.Abs(got-1e9*100/900) > 1e-3 {
		t.Errorf("%v cycles per second", got)
	}
}

func TestRefusals(t *testing.T) {
	only := func(err error, events ...Event) func(Request) error {
		return func(r Request) error {
			if slices.Contains(events, r.Event) {
				return err
			}
			return nil
		}
	}
	hardware := func(r Request) error {
		if r.Event.Hardware() {
			return syscall.ENOENT
		}
		return nil
	}
	all := func(err error) func(Request) error { return func(Request) error { return err } }
	everything := "cycles instructions branches branch-misses cache-references cache-misses L1-dcache-loads L1-dcache-load-misses task-clock page-faults context-switches cpu-migrations"
	for _, c := range []struct {
		name     string
		refuse   func(Request) error
		paranoid int
		missing  string
		text     string // part of the first reason
	}{
		{"a virtual machine", hardware, 2, strings.Join(strings.Fields(everything)[:8], " "), "most virtual machines have none"},
		{"a leader is missing", only(syscall.ENOENT, Cycles), 2, "cycles", "no such counter"},
		{"a software event is missing", only(syscall.ENOENT, PageFaults), 2, "page-faults", "this kernel does not count it"},
		{"level 2", only(syscall.EACCES, ContextSwitches, Migrations), 2, "context-switches cpu-migrations", "kernel.perf_event_paranoid=1"},
		{"level 4", all(syscall.EACCES), 4, everything, "sudo sysctl kernel.perf_event_paranoid=2"},
		{"a container", all(syscall.EPERM), 1, everything, "seccomp"},
		{"a container, level unknown", all(syscall.EPERM), unknownLevel, everything, "seccomp"},
		{"level 2, but a user event", only(syscall.EACCES, Cycles), 2, "cycles", "seccomp"},
		{"no such call", all(syscall.ENOSYS), 2, everything, "perf_event_open"},
		{"refused by the processor", only(syscall.EINVAL, Level1Loads), 2, "L1-dcache-loads", "refuse this event"},
		{"held by another", only(syscall.EBUSY, Cycles), 2, "cycles", "another program"},
		{"too many files", all(syscall.EMFILE), 2, everything, "ulimit"},
		{"gone", all(syscall.ESRCH), 2, everything, "has ended"},
		{"something new", only(syscall.E2BIG, Branches), 2, "branches", "the kernel refused it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{counts: every(), enabled: 10, running: 10, refuse: c.refuse, paranoid: c.paranoid}
			reading := measured(t, f, Thread())
			if got := missing(reading); got != c.missing {
				t.Fatalf("missing %q, want %q", got, c.missing)
			}
			first := true
			for _, v := range reading {
				if v.Missing == "" {
					if math.IsNaN(v.Count()) {
						t.Errorf("%s has neither a count nor a reason", v.Event.Name)
					}
					continue
				}
				if first && !strings.Contains(v.Missing, c.text) {
					t.Errorf("%s: %q does not say %q", v.Event.Name, v.Missing, c.text)
				}
				first = false
				if _, ok := reading.Find(v.Event); ok || !math.IsNaN(v.Count()) || v.Multiplexed() {
					t.Errorf("%s is missing and has a count", v.Event.Name)
				}
			}
		})
	}
}

func TestGroupThatDoesNotFit(t *testing.T) {
	f := &fake{counts: every(), enabled: 10, running: 10, slots: 3}
	reading := measured(t, f, Thread(), Cycles, Instructions, Branches, BranchMisses)
	if missing(reading) != "" {
		t.Fatalf("missing %q", missing(reading))
	}
	if last := f.log[len(f.log)-1]; last.Event != BranchMisses || last.Leader != -1 {
		t.Errorf("the event that does not fit: %+v", last)
	}
	if v, ok := reading.Find(BranchMisses); !ok || v.Count() != 400 {
		t.Errorf("its count: %v", v.Count())
	}
}

func TestThreads(t *testing.T) {
	f := &fake{counts: every(), enabled: 10, running: 5, threads: []int{7, 8, 9}}
	reading := measured(t, f, Process(7), Instructions, Cycles, Cycles)
	if len(reading) != 2 || len(f.log) != 6 {
		t.Fatalf("%d values, %d opened", len(reading), len(f.log))
	}
	v, ok := reading.Find(Cycles)
	if !ok || v.Count() != 600 || v.Share() != 0.5 || !v.Multiplexed() {
		t.Errorf("three threads with 100 each, counted half of the time: %v, share %v", v.Count(), v.Share())
	}
	for _, r := range f.log {
		if !r.Inherit {
			t.Error("what the threads start later is not counted")
		}
	}
}

func TestThreadsThatEnd(t *testing.T) {
	f := &fake{counts: every(), enabled: 10, running: 10, threads: []int{7, 8, 9}}
	f.refuse = func(r Request) error {
		// Thread 8 ends between its first and its second event.
		if r.Thread == 8 && r.Event != Cycles {
			return syscall.ESRCH
		}
		return nil
	}
	reading := measured(t, f, Process(7), Cycles, Instructions)
	if v, ok := reading.Find(Cycles); !ok || v.Count() != 200 {
		t.Errorf("cycles of the two that live: %v", v.Count())
	}
	if v, ok := reading.Find(Instructions); !ok || v.Count() != 400 {
		t.Errorf("instructions of the two that live: %v", v.Count())
	}
}

func TestOneThreadRefuses(t *testing.T) {
	f := &fake{counts: every(), enabled: 10, running: 10, threads: []int{7, 8}, paranoid: 1}
	f.refuse = func(r Request) error {
		if r.Thread == 8 && r.Event == Branches {
			return syscall.EPERM
		}
		return nil
	}
	reading := measured(t, f, Process(7), Cycles, Branches)
	if missing(reading) != "branches" {
		t.Errorf("half a process was counted: missing %q", missing(reading))
	}
	if v, _ := reading.Find(Cycles); v.Count() != 200 {
		t.Errorf("cycles: %v", v.Count())
	}
}

func TestNoThreads(t *testing.T) {
	for _, f := range []*fake{{}, {threads: []int{}}} {
		c := Open(f, Process(4), nil)
		reading, err := c.Read()
		if err != nil || len(reading) != len(Events()) || !strings.Contains(reading[0].Missing, "process 4") {
			t.Errorf("%v, %v", reading, err)
		}
	}
}

func TestOldKernels(t *testing.T) {
	f := &fake{counts: every(), enabled: 10, running: 10, oldest: true, threads: []int{7}}
	reading := measured(t, f, Process(0))
	if missing(reading) != "" {
		t.Fatalf("missing %q", missing(reading))
	}
	for i, v := range reading {
		if v.Count() != float64(100*(i+1)) {
			t.Errorf("%s: %v", v.Event.Name, v.Count())
		}
	}
	leaders := 0
	for _, r := range f.log {
		if r.Leader < 0 {
			leaders++
		}
	}
	if leaders != 4 {
		t.Errorf("%d groups: members are no longer counted together", leaders)
	}
}

func TestOnExec(t *testing.T) {
	f := &fake{}
	c := Open(f, Target{PID: 5, Inherit: true, OnExec: true}, nil)
	defer c.Close()
	for _, r := range f.log {
		if !r.OnExec || r.Thread != 5 {
			t.Errorf("%+v", r)
		}
	}
	if len(f.on) > 0 {
		t.Error("counting began by itself")
	}
}

func TestReadFails(t *testing.T) {
	f := &fake{failRead: syscall.EIO}
	c := Open(f, Thread(), nil)
	defer c.Close()
	if _, err := c.Read(); !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), "cycles") {
		t.Errorf("%v", err)
	}
}
