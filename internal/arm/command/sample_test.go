package command

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

// usage is what a scripted run has cost.
func usage(wall, user, system, delay time.Duration) spawn.Usage {
	return spawn.Usage{
		Wall: wall, User: user, System: system, RunDelay: delay, PeakMemory: 3 << 20, MemoryFloor: 1 << 20,
		MinorFaults: 10, MajorFaults: 1, VoluntarySwitches: 2, InvoluntarySwitches: 3, ReadBytes: 100, WrittenBytes: 50,
		DiskReadBytes: spawn.Unknown, DiskWrittenBytes: spawn.Unknown,
	}
}

func TestTimesAreAddedAndTheRestIsMeant(t *testing.T) {
	second := usage(30, 8, 9, 0)
	second.PeakMemory, second.MinorFaults = 9<<20, 20
	runner := &script{exits: []spawn.Exit{{Usage: usage(999, 1, 1, 0)}, {Usage: usage(10, 3, 4, 0)}, {Usage: second}}}
	session := open(t, Spec{Name: "a", Program: line("x")}, runner, engine.Slot{})
	sample := engine.Sample{CPU: -1, Bytes: -1, Preempted: -1}
	if err := session.Do(t.Context(), engine.Request{Lead: 1, N: 2}, &sample); err != nil {
		t.Fatal(err)
	}
	if sample.Wall != 40 || sample.CPU != 24 || sample.Bytes != -1 || sample.Preempted != 0 {
		t.Errorf("%+v", sample)
	}
	want := map[string]float64{
		User: 5.5, System: 6.5, Memory: 9 << 20, MinorFaults: 15, MajorFaults: 1, VoluntarySwitches: 2, InvoluntarySwitches: 3,
		RunDelay: 0, ReadBytes: 100, WrittenBytes: 50, ExitCode: 0,
	}
	got := extras(sample)
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %v, want %v", name, got[name], value)
		}
	}
	var described []string
	for _, m := range Metrics(Spec{}) {
		described = append(described, m.Name)
		if _, measured := got[m.Name]; !measured {
			t.Errorf("%s is described and not measured", m.Name)
		}
	}
	if len(described) != len(got) {
		t.Errorf("described %v, measured %v", described, got)
	}
}

func TestUnknownFigures(t *testing.T) {
	u := usage(10, spawn.Unknown, spawn.Unknown, spawn.Unknown)
	u.PeakMemory = spawn.Unknown
	session := open(t, Spec{Program: line("x")}, &script{exits: []spawn.Exit{{Usage: u}}}, engine.Slot{})
	var sample engine.Sample
	if err := session.Do(t.Context(), engine.Request{N: 1}, &sample); err != nil {
		t.Fatal(err)
	}
	if sample.CPU != -1 || sample.Preempted != -1 || sample.Wall != 10 {
		t.Errorf("%+v", sample)
	}
	for _, name := range []string{User, System, RunDelay, Memory} {
		if v := extras(sample)[name]; !math.IsNaN(v) {
			t.Errorf("%s is %v", name, v)
		}
	}
}

func TestPreempted(t *testing.T) {
	for delay, want := range map[time.Duration]int{0: 0, 10: 0, 11: 1, 500: 1} {
		session := open(t, Spec{Program: line("x")}, &script{exits: []spawn.Exit{{Usage: usage(1000, 1, 1, delay)}}}, engine.Slot{})
		var sample engine.Sample
		if err := session.Do(t.Context(), engine.Request{N: 1}, &sample); err != nil || sample.Preempted != want {
			t.Errorf("a delay of %d in 1000: %d, %v", delay, sample.Preempted, err)
		}
	}
}

func TestOverheadIsSubtractedAndCanBeHadAgain(t *testing.T) {
	runner := &script{exits: []spawn.Exit{{Usage: usage(1000, 300, 200, 0)}, {Usage: usage(400, 90, 10, 0)}}}
	spec := Spec{Program: line("x"), Overhead: Overhead{Wall: 500, CPU: 150}}
	session := open(t, spec, runner, engine.Slot{})
	for i, want := range []struct{ wall, cpu, shell, shellCPU int64 }{{500, 350, 500, 150}, {1, 1, 399, 99}} {
		var sample engine.Sample
		if err := session.Do(t.Context(), engine.Request{N: 1}, &sample); err != nil {
			t.Fatal(err)
		}
		got := extras(sample)
		if sample.Wall != want.wall || sample.CPU != want.cpu || got[Shell] != float64(want.shell) || got[ShellCPU] != float64(want.shellCPU) {
			t.Errorf("run %d: %+v", i, sample)
		}
	}
	if !slices.ContainsFunc(Metrics(spec), func(m record.Metric) bool { return m.Name == Shell }) {
		t.Error("the overhead is not described")
	}
}

func TestAcceptedTimeouts(t *testing.T) {
	ended := spawn.Exit{Code: 143, Signal: 15, TimedOut: true, Usage: usage(2*time.Second, 1, 1, 0)}
	spec := Spec{Program: line("x"), Timeout: time.Second, AcceptTimeout: true, Overhead: Overhead{Wall: 5}}
	spec.Extract = func(_, _ []byte) ([]engine.Extra, error) { return nil, errors.New("asked about a run that was ended") }
	spec.Extracted = []record.Metric{{Name: "rate"}}
	session := open(t, spec, &script{exits: []spawn.Exit{ended}}, engine.Slot{})
	var sample engine.Sample
	if err := session.Do(t.Context(), engine.Request{N: 1}, &sample); err != nil {
		t.Fatal(err)
	}
	if sample.Wall != int64(time.Second) || !math.IsNaN(extras(sample)["rate"]) {
		t.Errorf("%+v", sample)
	}
	var cell record.Cell
	if err := session.(engine.Reporter).Report(&cell); err != nil || cell.Counts[TimedOut] != 1 || len(cell.Counts) != 1 {
		t.Errorf("%v, %v", cell.Counts, err)
	}
	spec.AcceptTimeout, spec.Accept = false, ExitCodes{Any: true}
	session = open(t, spec, &script{exits: []spawn.Exit{ended}}, engine.Slot{})
	err := session.Do(t.Context(), engine.Request{N: 1}, &sample)
	var failure *Failure
	if !errors.As(err, &failure) || !failure.Exit.TimedOut || !strings.Contains(err.Error(), "--timeout") {
		t.Errorf("not accepted: %v", err)
	}
}

func TestExtractedMetrics(t *testing.T) {
	exits := []spawn.Exit{{Stdout: []byte("4"), Stderr: []byte("e")}, {Stdout: []byte("8")}, {Stdout: []byte("")}, {Stdout: []byte("bad")}, {StdoutCut: true}}
	runner := &script{exits: exits}
	spec := Spec{Name: "a", Program: line("x"), Extracted: []record.Metric{{Name: "rate", Better: "higher"}}}
	spec.Extract = func(stdout, stderr []byte) ([]engine.Extra, error) {
		switch {
		case string(stdout) == "bad":
			return nil, errors.New("no number in it")
		case len(stdout) == 0:
			return nil, nil
		}
		return []engine.Extra{{Metric: "rate", Value: float64(stdout[0] - '0')}}, nil
	}
	session := open(t, spec, runner, engine.Slot{})
	do := func(n int64) (float64, error) {
		var sample engine.Sample
		err := session.Do(t.Context(), engine.Request{N: n}, &sample)
		return extras(sample)["rate"], err
	}
	if rate, err := do(2); rate != 6 || err != nil {
		t.Errorf("the mean of two: %v, %v", rate, err)
	}
	if rate, err := do(1); !math.IsNaN(rate) || err != nil {
		t.Errorf("not found: %v, %v", rate, err)
	}
	if _, err := do(1); err == nil || !strings.Contains(err.Error(), "no number in it") {
		t.Errorf("failing: %v", err)
	}
	if _, err := do(1); err == nil || !strings.Contains(err.Error(), "16 MiB") {
		t.Errorf("too much: %v", err)
	}
	if asked := runner.asked[0]; asked.Stdout.Kind != spawn.Head || asked.Stdout.Limit != 16<<20 {
		t.Errorf("kept: %+v", asked.Stdout)
	}
}
