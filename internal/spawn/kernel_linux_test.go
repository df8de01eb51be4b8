package spawn

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestParseStat(t *testing.T) {
	for line, want := range map[string]process{
		"42 (sh) S 7 42 42 0":            {1, 7},
		"42 (a) b) R (c) R 8 42":         {1, 8},
		"42 (gone) Z 7 42":               {0, 7},
		"42 (dead) X 7 42":               {0, 7},
		"42 (sh) S":                      {0, 0},
		"42 (sh) S x":                    {0, 0},
		"":                               {0, 0},
		"no bracket at all but words":    {0, 0},
		"1 (x) ":                         {0, 0},
		"99 (sleep) D 123 99 99 0 -1 40": {1, 123},
	} {
		parent, running := parseStat([]byte(line))
		if running != (want.pid == 1) || parent != want.parent {
			t.Errorf("%q: %d, %v", line, parent, running)
		}
	}
}

func TestParseAccounts(t *testing.T) {
	for line, want := range map[string]time.Duration{
		"3180000 1330000 42\n": 1330000, "5 0 1": 0, "0 0 0\n": Unknown, "": Unknown, "1 x 1": Unknown, "1 2": Unknown,
	} {
		if got := parseRunDelay([]byte(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
	u := unknownUsage()
	parseTraffic([]byte("rchar: 3980\nwchar: 17\nsyscr: 9\nread_bytes: 4096\nwrite_bytes: x\n"), &u)
	if u.ReadBytes != 3980 || u.WrittenBytes != 17 || u.DiskReadBytes != 4096 || u.DiskWrittenBytes != Unknown {
		t.Errorf("%+v", u)
	}
	for text, want := range map[string]int64{
		"VmPeak:\t 9 kB\nVmHWM:\t    2340 kB\nVmRSS:\t 1 kB": 2340 << 10, "VmHWM:": Unknown, "VmHWM: x kB": Unknown, "": Unknown,
	} {
		if got := parsePeak([]byte(text)); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}

// Anything may stand in these files on a kernel to come.
func FuzzKernelTexts(f *testing.F) {
	f.Add([]byte("42 (a) b) R (c) R 8 42"))
	f.Add([]byte("00400000-00560000 r-xp 00000000 fe:00 100  /tmp/x\n"))
	f.Add([]byte("rchar: 3980\nVmHWM:\t    2340 kB\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		u := unknownUsage()
		parseTraffic(text, &u)
		if parsePeak(text) < Unknown && !strings.Contains(string(text), "-") {
			t.Error("a negative peak")
		}
		parseStat(text)
		parseRunDelay(text)
		mappings(text)
	})
}

func TestUntil(t *testing.T) {
	for _, test := range []struct {
		times []time.Duration
		want  time.Duration
	}{{nil, -1}, {[]time.Duration{0, 0}, -1}, {[]time.Duration{15, 0}, 5}, {[]time.Duration{15, 12}, 2}, {[]time.Duration{3, 50}, 0}} {
		if got := until(10, test.times...); got != test.want {
			t.Errorf("%v: %d, want %d", test.times, got, test.want)
		}
	}
}

func TestWatchWithoutTheKernelsFile(t *testing.T) {
	base := time.Now()
	now := func() time.Duration { return time.Since(base) }
	p, err := os.StartProcess("/bin/sh", []string{"sh", "-c", "sleep 0.1; exit 4"}, &os.ProcAttr{})
	if err != nil {
		t.Fatal(err)
	}
	c := &child{pid: p.Pid, ended: -1, started: now()}
	if err := c.watch(now); err != nil {
		t.Fatal(err)
	}
	fds := []unix.PollFd{pollIn(c.ended)}
	for fds[0].Revents == 0 {
		if err := poll(fds, 10*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if took := c.endedAt() - c.started; took < 90*time.Millisecond || took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	u := unknownUsage()
	if code, signal := c.collect(&u); code != 4 || signal != 0 || u.CPU() < 0 {
		t.Errorf("code %d, signal %d, %+v", code, signal, u)
	}
	_ = p.Release()
}

func TestProcessors(t *testing.T) {
	s := start(t)
	var own unix.CPUSet
	if err := unix.SchedGetaffinity(0, &own); err != nil {
		t.Fatal(err)
	}
	allowed := func(c Command) string {
		t.Helper()
		c.Argv, c.Stdout = []string{"grep", "Cpus_allowed_list", "/proc/self/status"}, Output{Kind: Head, Limit: 1000}
		exit, err := s.Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(strings.TrimPrefix(string(exit.Stdout), "Cpus_allowed_list:"))
	}
	before := allowed(Command{})
	for cpu := range 1024 {
		if own.IsSet(cpu) {
			if got := allowed(Command{CPUs: []int{cpu}}); got != strconv.Itoa(cpu) {
				t.Errorf("processor %d: allowed %s", cpu, got)
			}
		}
	}
	if after := allowed(Command{}); after != before {
		t.Errorf("without a choice: allowed %s, and before %s", after, before)
	}
	for _, cpu := range []int{-1, 1000, 1 << 20} {
		_, err := s.Run(t.Context(), Command{Argv: []string{"true"}, CPUs: []int{cpu}})
		if err == nil || !strings.Contains(err.Error(), "processors") {
			t.Errorf("processor %d: %v", cpu, err)
		}
	}
	if after := allowed(Command{}); after != before {
		t.Errorf("after the errors: allowed %s, and before %s", after, before)
	}
}

func TestMemoryOfASmallCommandDoesNotDependOnThisProcess(t *testing.T) {
	if withRaceDetector {
		t.Skip("the race detector changes what everything needs")
	}
	peak := func() (usage Usage) {
		s, err := Start(t.Context(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		for range 20 {
			exit, err := s.Run(t.Context(), Command{Argv: []string{"true"}})
			if err != nil {
				t.Fatal(err)
			}
			usage = exit.Usage
		}
		return usage
	}
	small := peak()
	ballast := make([]byte, 500<<20)
	for i := 0; i < len(ballast); i += 4096 {
		ballast[i] = 1
	}
	large := peak()
	if ballast[0] != 1 {
		t.Fatal("the memory was not used")
	}
	if small.PeakMemory > 8<<20 || small.MemoryFloor > 8<<20 {
		t.Errorf("the spawner is large: %+v", small)
	}
	if moved := large.PeakMemory - small.PeakMemory; moved > 512<<10 || moved < -512<<10 {
		t.Errorf("true needs %d bytes, and %d if this process is large", small.PeakMemory, large.PeakMemory)
	}
	if !small.AtFloor() {
		t.Errorf("true is said to need more than the spawner: %+v", small)
	}
	t.Logf("peak %d kB (floor %d kB), with a large parent %d kB", small.PeakMemory>>10, small.MemoryFloor>>10, large.PeakMemory>>10)
}

func TestMemoryAboveTheFloorIsSeen(t *testing.T) {
	s := start(t)
	exit, err := s.Run(t.Context(), Command{Argv: []string{"dd", "if=/dev/zero", "of=/dev/null", "bs=100M", "count=1"}})
	if err != nil || exit.Code != 0 {
		t.Fatal(exit, err)
	}
	if u := exit.Usage; u.AtFloor() || u.PeakMemory < 100<<20 || u.PeakMemory > 120<<20 || u.ReadBytes < 100<<20 || u.WrittenBytes < 100<<20 {
		t.Errorf("%+v", u)
	}
}
