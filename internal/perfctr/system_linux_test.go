package perfctr

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// count reads the counters of real events, or skips the test where the machine
// does not let us.
func count(t *testing.T, target Target, do func(), events ...Event) Reading {
	t.Helper()
	c := Open(nil, target, events)
	defer c.Close()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	before, err := c.Read()
	if err != nil {
		t.Fatal(err)
	}
	do()
	after, err := c.Read()
	if err != nil {
		t.Fatal(err)
	}
	r := after.Since(before)
	for _, v := range r {
		if v.Missing != "" {
			t.Skipf("%s: %s", v.Event.Name, v.Missing)
		}
	}
	return r
}

func TestTaskClock(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cpu := func() time.Duration {
		var now unix.Timespec
		if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
			t.Fatal(err)
		}
		return time.Duration(now.Nano())
	}
	var used time.Duration
	r := count(t, Thread(), func() {
		start := cpu()
		for range 20 {
			work()
		}
		used = cpu() - start
	}, TaskClock)
	v, _ := r.Find(TaskClock)
	// Two clocks of the same thread; the second stretch lies within the first.
	if ratio := v.Count() / float64(used); ratio < 0.95 || ratio > 3 {
		t.Errorf("%v ns counted, the thread's own clock says %v", v.Count(), used)
	}
}

func TestPageFaults(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const pages = 512
	size := pages * os.Getpagesize()
	memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(memory)
	if err := unix.Madvise(memory, unix.MADV_NOHUGEPAGE); err != nil {
		t.Skipf("huge pages cannot be ruled out: %v", err)
	}
	r := count(t, Thread(), func() {
		for i := 0; i < size; i += os.Getpagesize() {
			memory[i] = 1
		}
	}, PageFaults)
	if v, _ := r.Find(PageFaults); v.Count() < pages || v.Count() > 4*pages {
		t.Errorf("%v page faults of %d new pages", v.Count(), pages)
	}
}

// Threads and children that start later are counted with the process.
func TestProcessInherits(t *testing.T) {
	var child time.Duration
	r := count(t, Process(0), func() {
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() {
				runtime.LockOSThread() // and never unlock: the thread ends, its counts remain
				work()
			})
		}
		group.Wait()
		cmd := exec.Command("/bin/sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done")
		if err := cmd.Run(); err != nil {
			t.Skip(err)
		}
		child = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}, TaskClock, ContextSwitches)
	v, _ := r.Find(TaskClock)
	if v.Count() < 0.9*float64(child) {
		t.Errorf("%v ns counted, the child alone used %v", v.Count(), child)
	}
	if v, _ := r.Find(ContextSwitches); !(v.Count() >= 1) {
		t.Errorf("%v context switches", v.Count())
	}
}

func TestOnExecOfAChild(t *testing.T) {
	directory := t.TempDir()
	fifo := filepath.Join(directory, "go")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	// The shell waits for a line and then becomes another program.
	cmd := exec.Command("/bin/sh", "-c", `read line <"$0"; exec /bin/sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'`, fifo)
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer cmd.Wait()
	c := Open(nil, Target{PID: cmd.Process.Pid, Inherit: true, OnExec: true}, []Event{TaskClock})
	defer c.Close()
	idle, err := c.Read()
	if err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(fifo, []byte("go\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	after, err := c.Read()
	if err != nil {
		t.Fatal(err)
	}
	if after[0].Missing != "" {
		t.Skip(after[0].Missing)
	}
	if idle[0].Count() != 0 || !(after[0].Count() > 0) {
		t.Errorf("%v ns before it was told to go, %v ns after", idle[0].Count(), after[0].Count())
	}
}

// Instructions of the same work hardly differ, however busy the machine is.
func TestInstructions(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var counts []float64
	for range 2 {
		r := count(t, Thread(), work, Instructions, Cycles)
		v, _ := r.Find(Instructions)
		counts = append(counts, v.Count())
		if ipc := r.InstructionsPerCycle(); math.IsNaN(ipc) || ipc < 0.01 || ipc > 16 {
			t.Errorf("%v instructions per cycle", ipc)
		}
	}
	if ratio := counts[0] / counts[1]; ratio < 0.9 || ratio > 1.1 {
		t.Errorf("the same work took %v instructions", counts)
	}
}

func TestProbeThisMachine(t *testing.T) {
	a := Probe(nil)
	for _, e := range a.Counted {
		t.Logf("counted: %s", e.Name)
	}
	for _, v := range a.Missing {
		t.Logf("missing: %s: %s", v.Event.Name, v.Missing)
	}
	if len(a.Counted)+len(a.Missing) != len(Events()) {
		t.Errorf("%d and %d of %d events", len(a.Counted), len(a.Missing), len(Events()))
	}
}

func TestRealErrors(t *testing.T) {
	c := Open(nil, Target{PID: math.MaxInt32}, []Event{TaskClock})
	defer c.Close()
	r, err := c.Read()
	if err != nil || r[0].Missing == "" {
		t.Errorf("counted a process that does not exist: %v, %v", r, err)
	}
	if _, err := System().Threads(math.MaxInt32); err == nil {
		t.Error("listed the threads of a process that does not exist")
	}
}
