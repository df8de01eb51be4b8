package host

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/rtcompare/rtcompare/internal/clock"
)

// Facts describes a machine and the process's place on it. A fact that could
// not be read is empty or 0; that means unknown, not absent.
type Facts struct {
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	Kernel string `json:"kernel,omitempty"`

	CPUModel string `json:"cpu_model,omitempty"`
	// LogicalCPUs counts the machine's CPUs that are online, not only those
	// this process may use.
	LogicalCPUs int    `json:"logical_cpus"`
	GOMAXPROCS  int    `json:"gomaxprocs"`
	GoVersion   string `json:"go_version"`
	MemoryBytes uint64 `json:"memory_bytes,omitempty"`

	// Governor is the frequency governor, or several joined by commas where
	// the CPUs differ.
	Governor string `json:"governor,omitempty"`
	// Turbo and SMT are "on", "off" or "" for unknown.
	Turbo string `json:"turbo,omitempty"`
	SMT   string `json:"smt,omitempty"`

	// Virtualisation is "hypervisor", or the hypervisor's name where the
	// kernel tells it, in a virtual machine.
	Virtualisation string `json:"virtualisation,omitempty"`
	// Container names the kind of container the process runs in.
	Container string `json:"container,omitempty"`
	// CPUQuota is how many CPUs' worth of time the process's control groups
	// allow; 0 means there is no limit.
	CPUQuota float64 `json:"cpu_quota,omitempty"`

	ClockSource string `json:"clock_source,omitempty"`
	// OnBattery is "yes", "no" or "" for unknown.
	OnBattery string `json:"on_battery,omitempty"`

	// TickNanoseconds and ReadCostNanoseconds are clock.Precision's.
	TickNanoseconds     int64 `json:"tick_nanoseconds"`
	ReadCostNanoseconds int64 `json:"read_cost_nanoseconds"`

	Tuning
}

// Facts reads the machine. It never fails. The first call in a process also
// measures the clock, which takes a few milliseconds.
func (fs FS) Facts() Facts {
	precision := clock.Precision()
	cpuinfo := fs.text("proc/cpuinfo")
	facts := Facts{
		OS:                  runtime.GOOS,
		Arch:                runtime.GOARCH,
		Kernel:              fs.text("proc/sys/kernel/osrelease"),
		CPUModel:            cpuModel(cpuinfo),
		LogicalCPUs:         cpuCount(fs.text("sys/devices/system/cpu/online")),
		GOMAXPROCS:          runtime.GOMAXPROCS(0),
		GoVersion:           runtime.Version(),
		MemoryBytes:         memoryTotal(fs.text("proc/meminfo")),
		Governor:            fs.governor(),
		Turbo:               fs.turbo(),
		SMT:                 onOff(fs.text("sys/devices/system/cpu/smt/active")),
		Virtualisation:      fs.virtualisation(cpuinfo),
		Container:           fs.container(),
		CPUQuota:            fs.cpuQuota(),
		ClockSource:         fs.text("sys/devices/system/clocksource/clocksource0/current_clocksource"),
		OnBattery:           fs.onBattery(),
		TickNanoseconds:     precision.Tick.Nanoseconds(),
		ReadCostNanoseconds: precision.ReadCost.Nanoseconds(),
		Tuning:              fs.tuning(),
	}
	if facts.LogicalCPUs == 0 {
		facts.LogicalCPUs = runtime.NumCPU()
	}
	if fs.isMachine() {
		kernel, model := systemNames()
		if facts.Kernel == "" {
			facts.Kernel = kernel
		}
		if facts.CPUModel == "" {
			facts.CPUModel = model
		}
	}
	return facts
}

// memoryTotal returns the bytes of main memory that /proc/meminfo reports.
func memoryTotal(meminfo string) uint64 {
	words := strings.Fields(field(meminfo, "MemTotal"))
	if len(words) == 0 {
		return 0
	}
	kibibytes, err := strconv.ParseUint(words[0], 10, 64)
	if err != nil {
		return 0
	}
	return kibibytes * 1024
}

// onOff reads the kernel's way to write a switch.
func onOff(text string) string {
	switch text {
	case "1":
		return "on"
	case "0":
		return "off"
	}
	return ""
}
