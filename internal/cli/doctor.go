package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/rtcompare/rtcompare/internal/host"
	"github.com/rtcompare/rtcompare/internal/perfctr"
	"github.com/rtcompare/rtcompare/internal/term"
	"github.com/rtcompare/rtcompare/internal/view"
)

// doctorFlags are those of the doctor.
type doctorFlags struct {
	time  time.Duration
	json  bool
	quiet bool
	// root holds /proc and /sys; "" is the machine's own.
	root string
}

const (
	doctorTime = 10 * time.Second
	// shortestDoctor leaves each kind of code the five stretches that an answer
	// needs at least, and their warm-up.
	shortestDoctor = 6 * time.Second
	// neighbourTime is how long other programs are watched, and leastNeighbour
	// the share of a CPU from which one is worth a word.
	neighbourTime  = time.Second
	leastNeighbour = 0.1
)

func (a *App) doctorCommand() *cobra.Command {
	f := &doctorFlags{time: doctorTime}
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine is like for measuring, and what could be changed",
		Long: `doctor looks at the machine: clock speed, load, neighbours, limits, virtual machine, clock,
battery, heat, counters. It says what may disturb a measurement, with the command that
changes it, and runs none of these commands. Then it compares identical code for ten
seconds and shows what this machine makes up as a difference, and how long it takes to
find a real one.`,
		Example: "  rtcompare doctor\n  rtcompare doctor --time 1m\n  rtcompare doctor --time 0 --json",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return a.doctor(c.Context(), f) },
	}
	flags := c.Flags()
	flags.Var(span{&f.time}, "time", "time for comparing identical code; 0 leaves that out")
	flags.BoolVar(&f.json, "json", false, "print JSON")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print the result only")
	return c
}

// examined is what the doctor found, in the form of --json.
type examined struct {
	Facts      host.Facts       `json:"facts"`
	Before     host.Load        `json:"load_before"`
	After      host.Load        `json:"load_after"`
	Memory     host.Memory      `json:"memory"`
	Neighbours []host.Neighbour `json:"neighbours"`
	Advice     []host.Advice    `json:"advice"`
	Counted    []string         `json:"counters"`
	// Missing says of each counter that is not there why.
	Missing map[string]string `json:"missing_counters"`
	Noise   []noise           `json:"noise_floor"`

	ability perfctr.Ability
}

func (a *App) doctor(ctx context.Context, f *doctorFlags) error {
	if f.time != 0 && f.time < shortestDoctor {
		return usage("--time %v: three kinds of code are measured, which takes %v at least; --time 0 measures none", f.time, shortestDoctor)
	}
	fs := host.Open(f.root)
	memory, processes := fs.Memory(), fs.Processes()
	found := examined{Facts: fs.Facts(), Before: fs.Load(), ability: perfctr.Probe(nil)}
	watched := waitFor(ctx, neighbourTime)
	found.Neighbours = host.Neighbours(processes, fs.Processes(), watched, os.Getpid(), leastNeighbour)
	if f.time > 0 && ctx.Err() == nil {
		if !f.quiet && !f.json {
			fmt.Fprintf(a.Stderr, "comparing identical code for %v …\n", f.time)
		}
		found.Noise = measureNoise(ctx, f.time)
	}
	// Advice comes last: what happens during the measurement is part of it.
	found.After, found.Memory = fs.Load(), fs.Memory()
	found.Advice = host.Examine(host.Examination{
		Facts: found.Facts, Before: found.Before, After: found.After, MemoryBefore: memory, MemoryAfter: found.Memory,
		Neighbours: found.Neighbours, QuotaFile: fs.QuotaFile(),
	})
	return a.showDoctor(found, f)
}

func (a *App) showDoctor(found examined, f *doctorFlags) error {
	if f.json {
		found.Counted, found.Missing = []string{}, make(map[string]string)
		for _, e := range found.ability.Counted {
			found.Counted = append(found.Counted, e.Name)
		}
		for _, v := range found.ability.Missing {
			found.Missing[v.Event.Name] = v.Missing
		}
		text, err := json.MarshalIndent(found, "", "  ")
		if err != nil {
			return fmt.Errorf("writing the facts as JSON: %w", err)
		}
		return writeAll(a.Stdout, text)
	}
	d := view.Doctor{Machine: doctorMachine(found), Width: min(100, max(80, a.stdoutStream().Width))}
	for _, advice := range found.Advice {
		d.Findings = append(d.Findings, view.DoctorFinding{Severity: string(advice.Severity), Text: advice.Text, Command: advice.Command})
	}
	text := view.DoctorFacts(d)
	for _, n := range found.Noise {
		d.Noise = append(d.Noise, n.view())
	}
	if len(d.Noise) > 0 {
		text += "\n" + view.DoctorNoiseFloor(d)
	}
	return writeAll(a.Stdout, []byte(text))
}

// doctorMachine hands the facts over to those who have words for them.
func doctorMachine(found examined) view.DoctorMachine {
	f := found.Facts
	m := view.DoctorMachine{
		CPU: term.Clean(f.CPUModel), CPUs: f.LogicalCPUs, CPUQuota: f.CPUQuota, MemoryBytes: f.MemoryBytes,
		System: f.OS + "/" + f.Arch + " " + term.Clean(f.Kernel), Virtual: f.Virtualisation, Container: f.Container,
		Governor: f.Governor, Turbo: f.Turbo, SMT: f.SMT, Load: found.Before.LoadAverage, ClockSource: f.ClockSource,
		Tick: float64(f.TickNanoseconds), Read: float64(f.ReadCostNanoseconds),
	}
	switch f.OnBattery {
	case "yes":
		m.Power = "on battery"
	case "no":
		m.Power = "on mains"
	}
	for _, e := range found.ability.Counted {
		m.Counted = append(m.Counted, e.Name)
	}
	places := make(map[string]int)
	for _, v := range found.ability.Missing {
		place, ok := places[v.Missing]
		if !ok {
			place = len(m.Missing)
			places[v.Missing] = place
			m.Missing = append(m.Missing, view.MissingCounters{Reason: v.Missing})
		}
		m.Missing[place].Names = append(m.Missing[place].Names, v.Event.Name)
	}
	return m
}

// waitFor waits, or until ctx ends, and returns how long that took.
func waitFor(ctx context.Context, d time.Duration) time.Duration {
	start := time.Now()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	return time.Since(start)
}
