package host

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write golden files anew")

// examine reads a tree at two moments that are alike but for the changes.
func examine(tree string, change func(*Examination)) Examination {
	fs := Open(filepath.Join("testdata", tree))
	e := Examination{
		Facts: fs.Facts(), Before: fs.Load(), After: fs.Load(), MemoryBefore: fs.Memory(), MemoryAfter: fs.Memory(),
		QuotaFile: fs.QuotaFile(),
	}
	e.Facts.ReadCostNanoseconds = 25
	e.Before.Taken, e.After.Taken = 0, 0
	if change != nil {
		change(&e)
	}
	return e
}

// TestAdvice holds what is said of whole machines. A file in testdata/advice
// belongs to each tree.
func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		tree   string
		change func(*Examination)
	}{
		{"server", nil},
		{"notebook", func(e *Examination) {
			now := Open("testdata/notebook").Processes()
			e.Neighbours = Neighbours(Processes{1: {}}, now, time.Second, 4000, 0.2)
		}},
		{"quota-vm", func(e *Examination) {
			e.After.Throttled += 3
			e.After.Ticks, e.After.Steal = e.Before.Ticks+1000, e.Before.Steal+120
		}},
		{"cgroup2", func(e *Examination) { e.MemoryAfter.SwapIns += 17 }},
		{"odd", nil},
		{"no such tree", nil},
	} {
		t.Run(c.tree, func(t *testing.T) {
			var out strings.Builder
			e := examine(c.tree, c.change)
			for _, a := range Examine(e) {
				fmt.Fprintf(&out, "%s %s\n%s\n", a.Severity, a.Code, a.Text)
				if a.Command != "" {
					fmt.Fprintf(&out, "$ %s\n", a.Command)
				}
			}
			file := filepath.Join("testdata", "advice", strings.ReplaceAll(c.tree, " ", "-")+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if out.String() != string(want) {
				t.Errorf("%s:\n%s\nwant:\n%s", file, out.String(), want)
			}
		})
	}
}

// A quiet server that was set up for measuring is left in peace.
func TestNoAdvice(t *testing.T) {
	if advice := Examine(examine("server", nil)); len(advice) > 0 {
		t.Errorf("%+v", advice)
	}
	if advice := Examine(Examination{}); len(advice) > 0 {
		t.Errorf("nothing is known: %+v", advice)
	}
}

func TestTuning(t *testing.T) {
	for tree, want := range map[string]Tuning{
		"server": {
			FrequencyDriver: "amd-pstate-epp", AddressRandomisation: "full", HugePages: "madvise", NUMANodes: 1, NUMABalancing: "off",
			DeepestIdle: "C1", DeepestIdleMicroseconds: 1, PerfEventParanoid: "1", Watchdog: "off", ClockSources: "tsc hpet acpi_pm",
		},
		"notebook": {
			FrequencyDriver: "intel_pstate", AddressRandomisation: "full", HugePages: "always", DeepestIdle: "C10",
			DeepestIdleMicroseconds: 230, PerfEventParanoid: "4", Watchdog: "on", ClockSources: "tsc hpet",
		},
		"quota-vm": {
			AddressRandomisation: "off", AllowedCPUs: "2-3", PerfEventParanoid: "2", ClockSources: "hyperv_clocksource_tsc_page acpi_pm",
		},
		"cgroup2": {
			FrequencyDriver: "cppc_cpufreq", AddressRandomisation: "off here", IsolatedCPUs: "60-63", AllowedCPUs: "0-59", NUMANodes: 2,
			NUMABalancing: "on", Nice: 10, ClockSources: "arch_sys_counter",
		},
		"odd": {},
	} {
		if got := Open(filepath.Join("testdata", tree)).tuning(); got != want {
			t.Errorf("%s:\n%+v, want\n%+v", tree, got, want)
		}
	}
}

func TestMemory(t *testing.T) {
	for tree, want := range map[string]Memory{
		"server":   {AvailableBytes: 62000000 << 10},
		"notebook": {AvailableBytes: 400000 << 10, SwapUsedBytes: 3000000 << 10, SwapIns: 4000},
		"odd":      {},
	} {
		if got := Open(filepath.Join("testdata", tree)).Memory(); got != want {
			t.Errorf("%s: %+v, want %+v", tree, got, want)
		}
	}
}

func TestQuotaFile(t *testing.T) {
	for tree, want := range map[string]string{
		"server": "", "odd": "", "quota-vm": "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us",
		"cgroup2": "/sys/fs/cgroup/system.slice/ci runner.service/cpu.max",
	} {
		if got := Open(filepath.Join("testdata", tree)).QuotaFile(); got != want {
			t.Errorf("%s: %q, want %q", tree, got, want)
		}
	}
}

// The commands are for a shell: every one of them has to be read by one.
func TestCommandsAreShell(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	files, err := filepath.Glob("testdata/advice/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	commands := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			command, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue
			}
			commands++
			if out, err := exec.Command(shell, "-n", "-c", command).CombinedOutput(); err != nil {
				t.Errorf("%s: %s: %v %s", file, command, err, out)
			}
		}
	}
	if commands < 10 {
		t.Errorf("only %d commands", commands)
	}
}

func TestQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"/a/b-1.service": "/a/b-1.service", "/a b": "'/a b'", "a'b": `'a'\''b'`, "$(x)": "'$(x)'", "a\nb": "'a\nb'", "": "",
	} {
		if got := quoted(text); got != want {
			t.Errorf("quoted(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestNeighbours(t *testing.T) {
	before := Processes{1: {started: 5, ticks: 100}, 2: {ticks: 9}, 3: {started: 1, ticks: 50}, 4: {ticks: 70}}
	after := Processes{1: {name: "a", started: 5, ticks: 150}, 2: {name: "k", ticks: 29}, 3: {name: "again", started: 8, ticks: 30}, 4: {ticks: 60}, 5: {name: "self", ticks: 900}, 6: {name: "quiet", ticks: 1}}
	got := fmt.Sprint(Neighbours(before, after, time.Second, 5, 0.1))
	if want := "[{1 a 0.5 false} {3 again 0.3 false} {2 k 0.2 true}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for name, n := range map[string][]Neighbour{
		"no time": Neighbours(before, after, 0, 0, 0), "nothing before": Neighbours(nil, after, time.Second, 0, 0), "nothing after": Neighbours(before, nil, time.Second, 0, 0),
	} {
		if len(n) > 0 {
			t.Errorf("%s: %v", name, n)
		}
	}
}

// A process that works is seen by its number.
func TestNeighboursOfThisMachine(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /proc")
	}
	fs := Open("/")
	before, start := fs.Processes(), time.Now()
	if _, ok := before[os.Getpid()]; !ok {
		t.Fatal("this process is not there")
	}
	sum := 0
	for used, _ := ProcessCPU(); ; {
		for i := range 100_000 {
			sum += i
		}
		if now, ok := ProcessCPU(); !ok || now-used > 60*time.Millisecond || time.Since(start) > 10*time.Second {
			break
		}
	}
	for _, n := range Neighbours(before, fs.Processes(), time.Since(start), 0, 0) {
		if n.PID == os.Getpid() && n.Share > 0 {
			return
		}
	}
	t.Errorf("60 ms of work were not seen (%d)", sum)
}

func FuzzParseProcess(f *testing.F) {
	f.Add("4 (a b) (c)) S 1 4 4 0 -1 0 1 0 0 0 7 8 0 0 20 -5 1 0 99 1 1")
	f.Add("12 (unfinished")
	f.Add("13 (\xff\x1b[2J) R x")
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := parseProcess(text)
		if ok && strings.ContainsFunc(p.name, func(r rune) bool { return r < ' ' }) {
			t.Errorf("name %q", p.name)
		}
	})
}

// FuzzExamine puts the same odd text into every file that is read.
func FuzzExamine(f *testing.F) {
	for _, text := range []string{"", "1", "0", "-1", "0-3", "max 100000", "50000 100000", "[always] never", "4 (a) S 1 2 3", "MemTotal: 4 kB\nMemAvailable: 1 kB\nSwapTotal: 9 kB", "\xff\x00:::", "18446744073709551616"} {
		f.Add([]byte(text))
	}
	root := f.TempDir()
	var names []string
	for _, tree := range []string{"server", "notebook", "quota-vm", "cgroup2"} {
		base := filepath.Join("testdata", tree)
		filepath.Walk(base, func(name string, info os.FileInfo, err error) error {
			if err == nil && !info.IsDir() {
				if short, err := filepath.Rel(base, name); err == nil {
					names = append(names, short)
				}
			}
			return nil
		})
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, name := range names {
			file := filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		fs := Open(root)
		e := Examination{
			Facts: fs.Facts(), Before: Load{}, After: fs.Load(), MemoryAfter: fs.Memory(), QuotaFile: fs.QuotaFile(),
			Neighbours: Neighbours(Processes{1: {}}, fs.Processes(), time.Second, 0, 0),
		}
		for _, a := range Examine(e) {
			if a.Code == "" || a.Text == "" || a.Severity == "" || strings.Contains(a.Text, "%!") || a.Code == CodePressure && a.Command != "" {
				t.Errorf("%+v", a)
			}
		}
	})
}
