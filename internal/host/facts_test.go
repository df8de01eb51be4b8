package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// files compares only what comes from files: the rest is this machine's.
func files(f Facts) Facts {
	f.OS, f.Arch, f.GoVersion = "", "", ""
	f.GOMAXPROCS, f.TickNanoseconds, f.ReadCostNanoseconds = 0, 0, 0
	return f
}

func TestFacts(t *testing.T) {
	for _, c := range []struct {
		tree string
		want Facts
	}{
		{"laptop", Facts{
			Kernel: "6.8.0-45-generic", CPUModel: "11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz",
			LogicalCPUs: 8, MemoryBytes: 16173456 * 1024, Governor: "performance,powersave",
			Turbo: "on", SMT: "on", ClockSource: "tsc", OnBattery: "yes",
		}},
		{"guest", Facts{
			Kernel: "5.4.0-190-generic", CPUModel: "AMD EPYC 7763 64-Core Processor",
			LogicalCPUs: 2, MemoryBytes: 8131072 * 1024, Turbo: "off", SMT: "off",
			Virtualisation: "hypervisor", Container: "docker", CPUQuota: 1.5, ClockSource: "hpet",
		}},
		{"pod", Facts{
			CPUModel: "implementer 0x41 part 0xd0c", LogicalCPUs: 7, Virtualisation: "xen",
			Container: "kubernetes", CPUQuota: 2.5, OnBattery: "no",
		}},
		{"no such tree", Facts{LogicalCPUs: runtime.NumCPU()}},
	} {
		t.Run(c.tree, func(t *testing.T) {
			facts := Open(filepath.Join("testdata", c.tree)).Facts()
			if got := files(facts); got != c.want {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
			if facts.OS != runtime.GOOS || facts.Arch != runtime.GOARCH || facts.GoVersion != runtime.Version() || facts.GOMAXPROCS < 1 {
				t.Errorf("the runtime's facts are missing: %+v", facts)
			}
			if facts.TickNanoseconds < 1 || facts.ReadCostNanoseconds < 0 {
				t.Errorf("tick %d, read cost %d", facts.TickNanoseconds, facts.ReadCostNanoseconds)
			}
		})
	}
}

func TestFactsOfThisMachine(t *testing.T) {
	facts := FS{}.Facts()
	if open := Open("/").Facts(); open != facts {
		t.Errorf("the zero value reads %+v, Open(\"/\") reads %+v", facts, open)
	}
	if facts.LogicalCPUs < 1 {
		t.Errorf("no CPUs: %+v", facts)
	}
	if runtime.GOOS == "linux" && (facts.Kernel == "" || facts.MemoryBytes == 0) {
		t.Errorf("kernel or memory missing: %+v", facts)
	}
	text, err := json.Marshal(facts)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", text)
	if strings.Contains(string(text), `""`) {
		t.Errorf("an empty fact is written: %s", text)
	}
	var back Facts
	if err := json.Unmarshal(text, &back); err != nil || back != facts {
		t.Errorf("read back %+v, %v", back, err)
	}
}

func TestCPUCount(t *testing.T) {
	for list, want := range map[string]int{
		"": 0, "0": 1, "0-3": 4, "0-3,6,8-9": 7, "0,2": 2, " 0-1 ": 2,
		"3-1": 0, "x": 0, "0-": 0, "-1": 0, "1,": 0,
	} {
		if got := cpuCount(list); got != want {
			t.Errorf("cpuCount(%q) = %d, want %d", list, got, want)
		}
	}
}

func TestMemoryTotal(t *testing.T) {
	for text, want := range map[string]uint64{
		"": 0, "MemTotal:": 0, "MemTotal: x kB": 0, "MemTotal: 2 kB": 2048, "MemFree: 9 kB\nMemTotal:  3 kB": 3072,
	} {
		if got := memoryTotal(text); got != want {
			t.Errorf("memoryTotal(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestOnBattery(t *testing.T) {
	for _, c := range []struct {
		name     string
		supplies []supply
		want     string
	}{
		{"none", nil, ""},
		{"desktop", []supply{{kind: "Mains", online: "1"}}, "no"},
		{"unplugged laptop", []supply{{kind: "Mains", online: "0"}, {kind: "Battery", status: "Discharging"}}, "yes"},
		{"weak charger", []supply{{kind: "Battery", status: "Discharging"}, {kind: "USB", online: "1"}}, "no"},
		{"full", []supply{{kind: "Battery", status: "Full"}}, "no"},
		{"two batteries, one drains", []supply{{kind: "Battery", status: "Not charging"}, {kind: "Battery", status: "Discharging"}}, "yes"},
		{"and in the other order", []supply{{kind: "Battery", status: "Discharging"}, {kind: "Battery", status: "Full"}}, "yes"},
		{"a mouse", []supply{{kind: "Battery", scope: "Device", status: "Discharging"}}, ""},
		{"says nothing", []supply{{kind: "Battery", status: "Unknown"}, {kind: "Mains", online: "0"}}, ""},
	} {
		if got := onBattery(c.supplies); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestContainer(t *testing.T) {
	for _, c := range []struct{ file, content, want string }{
		{"nothing", "", ""},
		{".dockerenv", "", "docker"},
		{"run/.containerenv", "", "podman"},
		{"run/systemd/container", "systemd-nspawn\n", "systemd-nspawn"},
		{"proc/self/cgroup", "0::/system.slice/containerd-1\n", "containerd"},
		{"proc/self/cgroup", "0::/\n", ""},
	} {
		root := t.TempDir()
		name := filepath.Join(root, filepath.FromSlash(c.file))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(c.content), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := Open(root).container(); got != c.want {
			t.Errorf("%s: %q, want %q", c.file, got, c.want)
		}
	}
}
