package host

import (
	"fmt"
	"strings"
	"time"
)

// The codes of findings. They are part of the record and do not change.
const (
	CodePressure    = "cpu-pressure"
	CodeLoad        = "load"
	CodeSteal       = "steal"
	CodeThrottled   = "throttled"
	CodeOverheated  = "overheated"
	CodeQuota       = "cpu-quota"
	CodeGovernor    = "governor"
	CodeBattery     = "battery"
	CodeClockSource = "clock-source"
)

const (
	// pressureWarning and pressureLoud are percent of time. Above the first,
	// batches of a millisecond are visibly disturbed; above the second, hardly
	// one is left alone.
	pressureWarning = 10
	pressureLoud    = 40
	// shortestRun is the shortest stretch over which a share of stalled time
	// is worth computing.
	shortestRun = time.Second
	// busyShare of the CPUs must have had a task in the minute before, for the
	// load average to be worth a word. It is asked only where pressure is
	// unknown.
	busyShare = 0.5
	// stealWarning is percent of all CPU time. Ticks are 10 ms, so that a
	// single one is no news.
	stealWarning = 1
)

// Finding is one thing about the machine that may have disturbed a run. It
// warns, it does not void.
type Finding struct {
	// Code names the kind of finding and never changes.
	Code string `json:"code"`
	// Text says it in plain English.
	Text string `json:"text"`
	// Value is the number behind it, in the unit the text gives it in; 0 where
	// there is none.
	Value float64 `json:"value"`
}

// Fitness compares the load before and after a run, looks at the machine's
// settings, and returns what may have disturbed the run, what disturbs most
// first. It returns nil where there is nothing to say. Being virtualised is a
// fact and no finding.
func Fitness(before, after Load, facts Facts) []Finding {
	var findings []Finding
	add := func(code string, value float64, format string, args ...any) {
		findings = append(findings, Finding{Code: code, Text: fmt.Sprintf(format, args...), Value: value})
	}
	during(before, after, facts, add)
	settings(facts, add)
	return findings
}

// during adds findings about what happened while the run went on.
func during(before, after Load, facts Facts, add func(string, float64, string, ...any)) {
	pressure := pressure(before, after)
	switch {
	case pressure > pressureLoud:
		add(CodePressure, pressure, "Programs waited for a free CPU %.0f %% of the time. Only short batches mean much on a machine this busy.", pressure)
	case pressure > pressureWarning:
		add(CodePressure, pressure, "Programs waited for a free CPU %.0f %% of the time. Expect more scatter.", pressure)
	case pressure < 0 && facts.LogicalCPUs > 0 && before.LoadAverage > busyShare*float64(facts.LogicalCPUs):
		add(CodeLoad, before.LoadAverage, "On average %.1f programs were running in the minute before the start, on %d CPUs.", before.LoadAverage, facts.LogicalCPUs)
	}
	if share := stealShare(before, after); share >= stealWarning {
		add(CodeSteal, share, "Other virtual machines took %.1f %% of this machine's CPU time.", share)
	}
	if after.Throttled > before.Throttled {
		n := after.Throttled - before.Throttled
		add(CodeThrottled, float64(n), "The CPU quota was used up in %d periods, and everything stood still until the next one.", n)
	}
	if after.Overheated > before.Overheated {
		n := after.Overheated - before.Overheated
		add(CodeOverheated, float64(n), "The CPU got too hot and slowed itself down %d times.", n)
	}
}

// settings adds findings about how the machine is set up.
func settings(facts Facts, add func(string, float64, string, ...any)) {
	if facts.CPUQuota > 0 && facts.CPUQuota < float64(facts.LogicalCPUs) {
		add(CodeQuota, facts.CPUQuota, "A CPU quota allows %.2g of %d CPUs. A program that uses it up stands still for the rest of the period.", facts.CPUQuota, facts.LogicalCPUs)
	}
	if facts.Governor != "" && facts.Governor != "performance" {
		add(CodeGovernor, 0, "The CPU frequency governor is %s, so the clock speed may change during a run. The governor called performance keeps it steadier.", strings.ReplaceAll(facts.Governor, ",", " and "))
	}
	if facts.OnBattery == "yes" {
		add(CodeBattery, 0, "The machine runs on battery, where it saves power at the cost of speed.")
	}
	switch facts.ClockSource {
	case "hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit":
		add(CodeClockSource, float64(facts.ReadCostNanoseconds), "The kernel keeps time with %s, which is slow or coarse. A read of the clock takes %d ns.", facts.ClockSource, facts.ReadCostNanoseconds)
	}
}

// pressure returns the share of time in percent in which some task waited for a
// CPU: the highest of the ten seconds before, the ten seconds before the end,
// and the run itself. It is -1 if none is known.
func pressure(before, after Load) float64 {
	highest := max(before.PressureCPU, after.PressureCPU, -1)
	length := after.Taken - before.Taken
	if before.PressureCPU >= 0 && after.PressureCPU >= 0 && length >= shortestRun && after.Stalled >= before.Stalled {
		highest = max(highest, min(100, 100*float64(after.Stalled-before.Stalled)/float64(length)))
	}
	return highest
}

// stealShare returns the percentage of all CPU time between the two that other
// virtual machines took, or 0 if that is unknown.
func stealShare(before, after Load) float64 {
	if after.Ticks <= before.Ticks || after.Steal <= before.Steal {
		return 0
	}
	return 100 * float64(after.Steal-before.Steal) / float64(after.Ticks-before.Ticks)
}
