package host

import (
	"runtime"
	"testing"
	"time"
)

func TestThreadSwitches(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	switches, thread, ok := ThreadSwitches()
	if ok != (runtime.GOOS == "linux") {
		t.Fatalf("ok is %v on %s", ok, runtime.GOOS)
	}
	if !ok {
		return
	}
	again, same, ok := ThreadSwitches()
	if !ok || same != thread || again < switches {
		t.Errorf("locked to one thread: %d switches of %d, then %d of %d", switches, thread, again, same)
	}
}

func TestThreadSwitchesDoesNotAllocate(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { ThreadSwitches() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestProcessCPU(t *testing.T) {
	used, ok := ProcessCPU()
	if !ok {
		t.Skip("not known on this system")
	}
	if used < 0 {
		t.Fatalf("used %v", used)
	}
	// Work until it shows. A neighbour can only make this take longer.
	sum, deadline := 0, time.Now().Add(10*time.Second)
	for time.Now().Before(deadline) {
		for i := range 100_000 {
			sum += i * i
		}
		if now, _ := ProcessCPU(); now > used {
			return
		}
	}
	t.Errorf("stayed at %v (%d)", used, sum)
}

func BenchmarkThreadSwitches(b *testing.B) {
	for b.Loop() {
		ThreadSwitches()
	}
}
