package view

import (
	"math"
	"strings"
	"testing"
)

// quietDoctor is a machine that was set up for measuring.
func quietDoctor() Doctor {
	return Doctor{
		Machine: DoctorMachine{
			CPU: "AMD EPYC 9354 32-Core Processor", CPUs: 32, MemoryBytes: 64 << 30, System: "linux/amd64 6.12.48",
			Governor: "performance", Turbo: "off", SMT: "off", Power: "on mains", Load: 0.02, ClockSource: "tsc", Tick: 10, Read: 24,
			Counted: []string{
				"cycles", "instructions", "branches", "branch-misses", "cache-references", "cache-misses", "L1-dcache-loads",
				"L1-dcache-load-misses", "task-clock", "page-faults", "context-switches", "cpu-migrations",
			},
		},
		Noise: []DoctorNoise{
			{Kind: "arithmetic", Typical: 0.0001, Largest: 0.0004, Needs: []float64{1.3, 1.3, 1.3}},
			{Kind: "memory access", Typical: 0.004, Largest: 0.012, Needs: []float64{1.3, 1.4, 12}},
			{Kind: "allocation", Typical: 0.008, Largest: 0.02, Needs: []float64{1.3, 4, 36}},
		},
	}
}

func screen(d Doctor) string { return DoctorFacts(d) + "\n" + DoctorNoiseFloor(d) }

func TestDoctor(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Doctor)
	}{
		{"quiet", func(*Doctor) {}},
		{"busy-guest", func(d *Doctor) {
			d.Machine.CPUs, d.Machine.CPUQuota, d.Machine.Virtual, d.Machine.Container = 2, 1.5, "kvm", "docker"
			d.Machine.Governor, d.Machine.Turbo, d.Machine.Power, d.Machine.Load = "", "", "", -1
			d.Machine.Counted = nil
			d.Machine.Missing = []MissingCounters{{Names: []string{"cycles", "task-clock"}, Reason: "counting was forbidden"}}
			d.Findings = []DoctorFinding{
				{"serious", "Other virtual machines took 12.0 % of this machine's CPU time, and this sentence goes on for longer than a line.", ""},
				{"warning", "A setting.", "echo 1 | sudo tee /a/very/long/path/that/does/not/fit/into/a/line/but/has/to/be/copied/whole"},
				{"", "Something.", ""},
			}
			d.Noise[1].Needs = []float64{math.NaN(), math.Inf(1), 1e6}
			d.Noise[2] = DoctorNoise{Kind: "allocation", Problem: "interrupted"}
		}},
		{"some-counters", func(d *Doctor) {
			d.Machine.Counted = []string{"task-clock"}
			d.Machine.Missing = []MissingCounters{{Names: []string{"cycles", "instructions"}, Reason: "this machine has no such counter"}}
		}},
		{"unknown", func(d *Doctor) { d.Machine = DoctorMachine{Load: -1} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := quietDoctor()
			tt.change(&d)
			golden(t, "doctor-"+tt.name, screen(d))
		})
	}
}

// When all is well the whole of it fits on the smallest usual screen, with the
// command line above and the next prompt below.
func TestDoctorFitsOnAScreen(t *testing.T) {
	text := screen(quietDoctor())
	if lines := strings.Count(text, "\n"); lines > 22 {
		t.Errorf("%d lines", lines)
	}
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimSpace(line))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
