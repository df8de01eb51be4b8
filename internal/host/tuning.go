package host

import (
	"math"
	"path"
	"strconv"
	"strings"
)

// Tuning is how a machine and a process are set up beyond what every user
// knows of them: settings that are known to move measured times. Like all facts,
// what could not be read is empty or 0.
type Tuning struct {
	// FrequencyDriver chooses the clock speed. Under intel_pstate and
	// amd-pstate-epp the governor powersave means "as much as is needed" and
	// not "as slow as possible" (kernel documentation, admin-guide/pm).
	FrequencyDriver string `json:"frequency_driver,omitempty"`
	// AddressRandomisation is "full", "partial" or "off" (ASLR), or "off here"
	// where it is off for this process and its children only, as setarch does
	// that. A process at fixed addresses is one sample of a layout, however often it is measured
	// (Mytkowicz et al. 2009).
	AddressRandomisation string `json:"address_randomisation,omitempty"`
	// HugePages is the setting of transparent huge pages: "always", "madvise"
	// or "never". With "always" the kernel merges pages while programs run.
	HugePages string `json:"huge_pages,omitempty"`
	// IsolatedCPUs lists the CPUs that the scheduler leaves alone.
	IsolatedCPUs string `json:"isolated_cpus,omitempty"`
	// AllowedCPUs lists the CPUs this process may use, where they are fewer
	// than the machine has.
	AllowedCPUs string `json:"allowed_cpus,omitempty"`
	// NUMANodes is the number of parts of the machine with memory of their own.
	NUMANodes int `json:"numa_nodes,omitempty"`
	// NUMABalancing is "on" where the kernel moves memory between nodes while
	// programs run.
	NUMABalancing string `json:"numa_balancing,omitempty"`
	// DeepestIdle names the deepest sleep of an idle CPU that is not disabled,
	// and DeepestIdleMicroseconds is how long waking up from it takes.
	DeepestIdle             string `json:"deepest_idle,omitempty"`
	DeepestIdleMicroseconds int64  `json:"deepest_idle_microseconds,omitempty"`
	// PerfEventParanoid is the kernel's setting of that name, which says who may
	// read the processor's counters.
	PerfEventParanoid string `json:"perf_event_paranoid,omitempty"`
	// Watchdog is "on" where the kernel keeps one of the processor's counters
	// for finding CPUs that hang (kernel.nmi_watchdog).
	Watchdog string `json:"nmi_watchdog,omitempty"`
	// Nice is the process's priority: above 0 it gives way to others.
	Nice int `json:"nice,omitempty"`
	// ClockSources lists the sources of time that the kernel could use.
	ClockSources string `json:"clock_sources,omitempty"`
}

// tuning reads all of it.
func (fs FS) tuning() Tuning {
	idle, wake := fs.deepestIdle()
	return Tuning{
		FrequencyDriver:         fs.text("sys/devices/system/cpu/cpu0/cpufreq/scaling_driver"),
		AddressRandomisation:    fs.addressRandomisation(),
		HugePages:               chosen(fs.text("sys/kernel/mm/transparent_hugepage/enabled")),
		IsolatedCPUs:            fs.list("sys/devices/system/cpu/isolated"),
		AllowedCPUs:             fs.allowedCPUs(),
		NUMANodes:               len(fs.glob("sys/devices/system/node/node[0-9]*")),
		NUMABalancing:           onOff(fs.text("proc/sys/kernel/numa_balancing")),
		DeepestIdle:             idle,
		DeepestIdleMicroseconds: wake,
		PerfEventParanoid:       fs.whole("proc/sys/kernel/perf_event_paranoid"),
		Watchdog:                onOff(fs.text("proc/sys/kernel/nmi_watchdog")),
		Nice:                    fs.nice(),
		ClockSources:            fs.text("sys/devices/system/clocksource/clocksource0/available_clocksource"),
	}
}

// whole returns a file's text if it is a whole number, and else "".
func (fs FS) whole(name string) string {
	if _, ok := fs.number(name); !ok {
		return ""
	}
	return fs.text(name)
}

// list returns a file's text if it is a list of CPUs, and else "".
func (fs FS) list(name string) string {
	text := fs.text(name)
	if cpuCount(text) == 0 {
		return ""
	}
	return text
}

// addressRandomisation asks the system's setting, and then the process's own,
// which setarch sets (ADDR_NO_RANDOMIZE in linux/personality.h).
func (fs FS) addressRandomisation() string {
	const addrNoRandomize = 0x0040000
	system := map[string]string{"0": "off", "1": "partial", "2": "full"}[fs.text("proc/sys/kernel/randomize_va_space")]
	personality, err := strconv.ParseUint(fs.text("proc/self/personality"), 16, 64)
	if err == nil && personality&addrNoRandomize != 0 && system != "off" {
		return "off here"
	}
	return system
}

// chosen returns the word in brackets, which is how the kernel marks the choice
// among the values of a setting.
func chosen(text string) string {
	_, after, found := strings.Cut(text, "[")
	word, _, closed := strings.Cut(after, "]")
	if !found || !closed {
		return ""
	}
	return word
}

// allowedCPUs returns the list that taskset, cpusets and isolation leave.
func (fs FS) allowedCPUs() string {
	allowed := field(fs.text("proc/self/status"), "Cpus_allowed_list")
	online := cpuCount(fs.text("sys/devices/system/cpu/online"))
	if n := cpuCount(allowed); n == 0 || n >= online {
		return ""
	}
	return allowed
}

// deepestIdle returns the state of the first CPU with the longest way back.
func (fs FS) deepestIdle() (name string, microseconds int64) {
	for _, dir := range fs.glob("sys/devices/system/cpu/cpu0/cpuidle/state[0-9]*") {
		latency, ok := fs.number(path.Join(dir, "latency"))
		if ok && latency > microseconds && fs.text(path.Join(dir, "disable")) != "1" {
			name, microseconds = fs.text(path.Join(dir, "name")), latency
		}
	}
	return name, microseconds
}

// nice returns the 19th number of /proc/self/stat.
func (fs FS) nice() int {
	process, ok := parseProcess(fs.text("proc/self/stat"))
	if !ok {
		return 0
	}
	return process.nice
}

// Memory is how main memory was used at one moment.
type Memory struct {
	// AvailableBytes could be had without swapping; 0 if unknown.
	AvailableBytes uint64 `json:"available_bytes"`
	// SwapUsedBytes is what was moved out of memory.
	SwapUsedBytes uint64 `json:"swap_used_bytes"`
	// SwapIns counts the pages that had to be fetched back since the machine
	// started: only the difference of two readings says something.
	SwapIns uint64 `json:"swap_ins"`
}

// Memory reads the use of memory. It never fails.
func (fs FS) Memory() Memory {
	meminfo := fs.text("proc/meminfo")
	swapIns, _ := counter(fs.text("proc/vmstat"), "pswpin")
	total, free := memorySize(meminfo, "SwapTotal"), memorySize(meminfo, "SwapFree")
	m := Memory{AvailableBytes: memorySize(meminfo, "MemAvailable"), SwapIns: swapIns}
	if total > free {
		m.SwapUsedBytes = total - free
	}
	return m
}

// memorySize returns a line of /proc/meminfo in bytes.
func memorySize(meminfo, key string) uint64 {
	words := strings.Fields(field(meminfo, key))
	if len(words) == 0 {
		return 0
	}
	kibibytes, err := strconv.ParseUint(words[0], 10, 64)
	if err != nil || kibibytes > math.MaxUint64/1024 {
		return 0
	}
	return kibibytes * 1024
}
