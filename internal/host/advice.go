package host

import (
	"fmt"
	"slices"
	"strings"
)

// The codes of advice that are no findings about a run. They do not change.
const (
	CodeNeighbours   = "neighbours"
	CodeSwap         = "swap"
	CodeLowMemory    = "low-memory"
	CodeVirtual      = "virtual-machine"
	CodeTurbo        = "turbo"
	CodeSMT          = "shared-cores"
	CodeIdle         = "deep-idle"
	CodeHeatBefore   = "heat-before"
	CodeFixedLayout  = "fixed-addresses"
	CodeHugePages    = "huge-pages"
	CodeNUMA         = "numa"
	CodeNUMABalance  = "numa-balancing"
	CodeAllowedCPUs  = "allowed-cpus"
	CodeIsolatedCPUs = "isolated-cpus"
	CodeNice         = "low-priority"
	CodeParanoid     = "counters-forbidden"
	CodeWatchdog     = "watchdog"
)

// Severity is how much a piece of advice matters for measured times.
type Severity string

const (
	// Serious: expect wrong or useless results until it is changed.
	Serious Severity = "serious"
	// Warning: expect more scatter.
	Warning Severity = "warning"
	// Note: it matters for some programs, or only explains a result.
	Note Severity = "note"
)

// Advice is one thing about the machine, and what can be done about it.
type Advice struct {
	// Code names the kind of advice and never changes.
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	// Text says it in plain English.
	Text string `json:"text"`
	// Command is the shell command that changes it, complete as it stands. It
	// is empty where there is none. It has to be run on the machine itself, not
	// in a container; most are undone by a restart.
	Command string `json:"command,omitempty"`
}

// Examination is all that advice is made from.
type Examination struct {
	Facts Facts
	// Before and After bracket a stretch of time, and so do the two Memories.
	Before, After             Load
	MemoryBefore, MemoryAfter Memory
	// Neighbours are the other processes that used the CPUs, the busiest first.
	Neighbours []Neighbour
	// QuotaFile is FS.QuotaFile's.
	QuotaFile string
}

// QuotaFile returns the path of the file that sets the CPU quota of this process,
// or "" where there is no quota.
func (fs FS) QuotaFile() string {
	if _, file := fs.tightestQuota(); file != "" {
		return "/" + file
	}
	return ""
}

// Examine returns what a user should know about the machine before measuring:
// the findings of Fitness with the commands that change them, and what else is
// known to matter. What matters most comes first. It returns nil where there is
// nothing to say, and it never fails, whatever the facts are.
func Examine(e Examination) []Advice {
	var advice []Advice
	for _, f := range Fitness(e.Before, e.After, e.Facts) {
		severity, command := e.remedy(f)
		advice = append(advice, Advice{Code: f.Code, Severity: severity, Text: f.Text, Command: command})
	}
	add := func(code string, severity Severity, command, format string, args ...any) {
		advice = append(advice, Advice{Code: code, Severity: severity, Text: fmt.Sprintf(format, args...), Command: command})
	}
	e.others(add)
	e.memory(add)
	e.processor(add)
	e.placement(add)
	e.counters(add)
	rank := []Severity{Serious, Warning, Note}
	slices.SortStableFunc(advice, func(a, b Advice) int {
		return slices.Index(rank, a.Severity) - slices.Index(rank, b.Severity)
	})
	return advice
}

// adder is how the parts of Examine add their advice.
type adder func(code string, severity Severity, command, format string, args ...any)

// stealLoud is percent of all CPU time. With a tenth of its time gone at moments
// that nobody can foresee, a machine is not fit for measuring.
const stealLoud = 10

// remedy returns how much a finding matters and the command against it.
func (e Examination) remedy(f Finding) (severity Severity, command string) {
	switch f.Code {
	case CodePressure:
		if f.Value > pressureLoud {
			return Serious, ""
		}
	case CodeSteal:
		if f.Value >= stealLoud {
			return Serious, ""
		}
	case CodeOverheated:
		return Serious, ""
	case CodeThrottled:
		return Serious, e.liftQuota()
	case CodeQuota:
		return Warning, e.liftQuota()
	case CodeGovernor:
		return Warning, "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"
	case CodeClockSource:
		if slices.Contains(strings.Fields(e.Facts.ClockSources), "tsc") {
			return Warning, "echo tsc | sudo tee /sys/devices/system/clocksource/clocksource0/current_clocksource"
		}
	}
	return Warning, ""
}

// liftQuota removes the CPU quota. A container shows another path to the outside
// than it has inside, so that there is no command for one.
func (e Examination) liftQuota() string {
	switch {
	case e.QuotaFile == "" || e.Facts.Container != "":
		return ""
	case strings.HasSuffix(e.QuotaFile, "/cpu.max"):
		return "echo max | sudo tee " + quoted(e.QuotaFile)
	}
	return "echo -1 | sudo tee " + quoted(e.QuotaFile)
}

// quoted makes one word of a path for a shell.
func quoted(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-,+@:", r)
	}
	if strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
