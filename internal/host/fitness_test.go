package host

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestFitness(t *testing.T) {
	quiet := Load{LoadAverage: 0.1, PressureCPU: 0, Ticks: 1000}
	blind := Load{LoadAverage: -1, PressureCPU: -1}
	with := func(base Load, change func(*Load)) Load {
		change(&base)
		return base
	}
	for _, c := range []struct {
		name          string
		before, after Load
		facts         Facts
		codes         string
		value         float64 // of the first finding
		text          string  // part of the first finding's
	}{
		{"quiet", quiet, quiet, Facts{LogicalCPUs: 2, Virtualisation: "hypervisor", Governor: "performance", ClockSource: "tsc"}, "", 0, ""},
		{"nothing known", blind, blind, Facts{}, "", 0, ""},
		{"zero values", Load{}, Load{}, Facts{}, "", 0, ""},
		{"pressure at the edge", quiet, with(quiet, func(l *Load) { l.PressureCPU = 10 }), Facts{}, "", 0, ""},
		{"pressure after", quiet, with(quiet, func(l *Load) { l.PressureCPU = 12 }), Facts{}, CodePressure, 12, "12 %"},
		{"pressure before", with(quiet, func(l *Load) { l.PressureCPU = 40 }), quiet, Facts{}, CodePressure, 40, "scatter"},
		{"loud", with(quiet, func(l *Load) { l.PressureCPU = 40.5 }), quiet, Facts{}, CodePressure, 40.5, "Only short batches"},
		{
			"pressure during a long run only",
			with(quiet, func(l *Load) { l.Taken, l.Stalled = time.Second, 5*time.Second }),
			with(quiet, func(l *Load) { l.Taken, l.Stalled = 101*time.Second, 35*time.Second }),
			Facts{}, CodePressure, 30, "30 %",
		},
		{
			"too short for a share",
			quiet, with(quiet, func(l *Load) { l.Taken, l.Stalled = time.Millisecond, time.Millisecond }), Facts{}, "", 0, "",
		},
		{"load average where pressure is unknown", with(blind, func(l *Load) { l.LoadAverage = 1.5 }), blind, Facts{LogicalCPUs: 2}, CodeLoad, 1.5, "1.5 programs"},
		{"load average of half the CPUs", with(blind, func(l *Load) { l.LoadAverage = 1 }), blind, Facts{LogicalCPUs: 2}, "", 0, ""},
		{"load average where pressure is known", with(quiet, func(l *Load) { l.LoadAverage = 9 }), quiet, Facts{LogicalCPUs: 2}, "", 0, ""},
		{"steal", quiet, with(quiet, func(l *Load) { l.Ticks, l.Steal = 2000, 50 }), Facts{}, CodeSteal, 5, "5.0 %"},
		{"a single stolen tick", quiet, with(quiet, func(l *Load) { l.Ticks, l.Steal = 2000, 1 }), Facts{}, "", 0, ""},
		{"counter went back", with(quiet, func(l *Load) { l.Steal = 9 }), quiet, Facts{}, "", 0, ""},
		{"throttled", quiet, with(quiet, func(l *Load) { l.Throttled = 3 }), Facts{}, CodeThrottled, 3, "3 periods"},
		{"throttled long ago", with(quiet, func(l *Load) { l.Throttled = 3 }), with(quiet, func(l *Load) { l.Throttled = 3 }), Facts{}, "", 0, ""},
		{"hot", quiet, with(quiet, func(l *Load) { l.Overheated = 2 }), Facts{}, CodeOverheated, 2, "2 times"},
		{"quota", quiet, quiet, Facts{LogicalCPUs: 8, CPUQuota: 1.5}, CodeQuota, 1.5, "1.5 of 8 CPUs"},
		{"quota of all CPUs", quiet, quiet, Facts{LogicalCPUs: 8, CPUQuota: 8}, "", 0, ""},
		{"governors", quiet, quiet, Facts{Governor: "performance,powersave"}, CodeGovernor, 0, "performance and powersave"},
		{"battery", quiet, quiet, Facts{OnBattery: "yes"}, CodeBattery, 0, "battery"},
		{"slow clock", quiet, quiet, Facts{ClockSource: "hpet", ReadCostNanoseconds: 900}, CodeClockSource, 900, "900 ns"},
		{
			"several", quiet, with(quiet, func(l *Load) { l.PressureCPU, l.Throttled = 50, 1 }),
			Facts{LogicalCPUs: 4, CPUQuota: 2, Governor: "ondemand", OnBattery: "yes"},
			strings.Join([]string{CodePressure, CodeThrottled, CodeQuota, CodeGovernor, CodeBattery}, " "), 50, "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			findings := Fitness(c.before, c.after, c.facts)
			var codes []string
			for _, f := range findings {
				codes = append(codes, f.Code)
				if f.Text == "" || strings.Contains(f.Text, "%!") {
					t.Errorf("text %q", f.Text)
				}
			}
			if got := strings.Join(codes, " "); got != c.codes {
				t.Fatalf("codes %q, want %q", got, c.codes)
			}
			if c.codes == "" {
				return
			}
			if math.Abs(findings[0].Value-c.value) > 1e-9 || !strings.Contains(findings[0].Text, c.text) {
				t.Errorf("%+v, want value %v and %q", findings[0], c.value, c.text)
			}
		})
	}
}

func TestFitnessOfThisMachine(t *testing.T) {
	fs := Open("/")
	before := fs.Load()
	for _, f := range Fitness(before, fs.Load(), fs.Facts()) {
		t.Logf("%s: %s (%v)", f.Code, f.Text, f.Value)
	}
}
