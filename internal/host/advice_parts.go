package host

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	// mostNeighbours are named; more would hide what matters.
	mostNeighbours = 3
	// lowMemory is the share of main memory below which the kernel starts to
	// take pages away from programs.
	lowMemory = 0.05
	// deepIdle is a time in microseconds to wake up that shows in the times of
	// short commands and of servers that sleep between requests; a thread switch
	// takes a few.
	deepIdle = 100
)

// others is about who else uses the CPUs.
func (e Examination) others(add adder) {
	for i, n := range e.Neighbours {
		if i == mostNeighbours {
			break
		}
		if n.Kernel {
			add(CodeNeighbours, Warning, "", "The kernel's own thread %s (%d) used %.0f %% of a CPU.", n.Name, n.PID, 100*n.Share)
			continue
		}
		add(CodeNeighbours, Warning, fmt.Sprintf("sudo renice -n 19 -p %d", n.PID),
			"The program %s (%d) used %.0f %% of a CPU. Let it end first, or let it give way to others.", n.Name, n.PID, 100*n.Share)
	}
	if e.Facts.Nice > 0 {
		add(CodeNice, Warning, "sudo renice -n 0 -p $$", "This program runs with low priority (nice %d), so everybody else comes first.", e.Facts.Nice)
	}
}

// memory is about swapping, which stops a program for as long as a disk takes.
func (e Examination) memory(add adder) {
	swapped := e.MemoryAfter.SwapIns > e.MemoryBefore.SwapIns
	total, available := float64(e.Facts.MemoryBytes), float64(e.MemoryAfter.AvailableBytes)
	switch {
	case swapped:
		add(CodeSwap, Serious, "", "%d pages were fetched back from swap meanwhile: memory is short, and a program stands still for each. End what needs it.", e.MemoryAfter.SwapIns-e.MemoryBefore.SwapIns)
	case available > 0 && available < lowMemory*total && e.MemoryAfter.SwapUsedBytes > 0:
		add(CodeLowMemory, Warning, "", "Only %.0f %% of memory is left, and some of it was moved to swap already.", 100*available/total)
	case available > 0 && available < lowMemory*total:
		add(CodeLowMemory, Warning, "", "Only %.0f %% of memory is left.", 100*available/total)
	}
}

// processor is about a clock speed and a core that do not belong to the program
// alone.
func (e Examination) processor(add adder) {
	f := e.Facts
	if f.Virtualisation != "" {
		add(CodeVirtual, Note, "", "This is a virtual machine (%s). Neighbours on the same computer share its caches and its heat, and nothing here shows them.", f.Virtualisation)
	}
	if f.SMT == "on" {
		add(CodeSMT, Note, "echo off | sudo tee /sys/devices/system/cpu/smt/control",
			"Two CPUs share one core (SMT). Whatever runs on the other one slows a program down.")
	}
	if f.Turbo == "on" {
		add(CodeTurbo, Note, e.turboOff(), "The clock speed rises above the nominal one while the processor is cool and few cores work (turbo).")
	}
	if f.DeepestIdleMicroseconds > deepIdle {
		add(CodeIdle, Note, fmt.Sprintf("sudo cpupower idle-set --disable-by-latency %d", deepIdle),
			"An idle CPU takes up to %d µs to wake up (%s). That shows in short commands and in servers with little to do.", f.DeepestIdleMicroseconds, f.DeepestIdle)
	}
	if e.Before.Overheated > 0 && e.After.Overheated <= e.Before.Overheated {
		add(CodeHeatBefore, Note, "", "The CPU has slowed itself down %d times since the start because it was hot. It may under a longer load.", e.Before.Overheated)
	}
}

// turboOff is the switch of the driver in use.
func (e Examination) turboOff() string {
	if strings.HasPrefix(e.Facts.FrequencyDriver, "intel_") {
		return "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"
	}
	return "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"
}

// placement is about where programs and their data lie.
func (e Examination) placement(add adder) {
	f := e.Facts
	switch f.AddressRandomisation {
	case "off here":
		add(CodeFixedLayout, Warning, "", "This program and what it starts get the same addresses every time (setarch has switched ASLR off). Fresh processes then repeat one layout instead of showing how much it matters.")
	case "off":
		add(CodeFixedLayout, Warning, "echo 2 | sudo tee /proc/sys/kernel/randomize_va_space",
			"Every process gets the same addresses (ASLR is off). Fresh processes then repeat one layout instead of showing how much it matters.")
	}
	if f.HugePages == "always" {
		add(CodeHugePages, Note, "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
			"The kernel merges memory into huge pages while programs run, which changes the speed of code with much data in mid-run.")
	}
	if f.NUMANodes > 1 {
		add(CodeNUMA, Note, "",
			"Memory belongs to %d parts of the machine (NUMA), and that of another part is slower. Started with numactl --cpunodebind=0 --membind=0 a program stays on one.", f.NUMANodes)
	}
	if f.NUMANodes > 1 && f.NUMABalancing == "on" {
		add(CodeNUMABalance, Warning, "echo 0 | sudo tee /proc/sys/kernel/numa_balancing",
			"The kernel moves memory between the parts of the machine while programs run.")
	}
	if f.AllowedCPUs != "" {
		add(CodeAllowedCPUs, Note, "", "This program may use the CPUs %s only, of %d.", f.AllowedCPUs, f.LogicalCPUs)
	}
	if f.IsolatedCPUs != "" {
		add(CodeIsolatedCPUs, Note, "", "The CPUs %s are kept free of other programs (isolated). Threads started there are not spread by the kernel.", f.IsolatedCPUs)
	}
}

// paranoidForUsers is the highest level of kernel.perf_event_paranoid at which
// everyone may count their own programs (kernel documentation,
// admin-guide/perf-security).
const paranoidForUsers = 2

// counters is about the processor's own counters.
func (e Examination) counters(add adder) {
	level, err := strconv.Atoi(e.Facts.PerfEventParanoid)
	if err == nil && level > paranoidForUsers {
		add(CodeParanoid, Note, fmt.Sprintf("sudo sysctl kernel.perf_event_paranoid=%d", paranoidForUsers),
			"The processor's counters are for root only (kernel.perf_event_paranoid is %d).", level)
	}
	if e.Facts.Watchdog == "on" && e.Facts.Virtualisation == "" {
		add(CodeWatchdog, Note, "sudo sysctl kernel.nmi_watchdog=0", "The kernel's watchdog keeps one of the processor's counters for itself.")
	}
}
