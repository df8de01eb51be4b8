package command

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

// value is a variable's value in the environment of a scripted run.
func value(t *testing.T, c spawn.Command, name string) string {
	t.Helper()
	found := ""
	for _, entry := range c.Env {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			if found != "" {
				t.Errorf("%s is set twice", name)
			}
			found = v
		}
	}
	return found
}

func TestStepsSurroundEveryRun(t *testing.T) {
	runner := &script{exits: []spawn.Exit{{}}}
	spec := Spec{
		Program: Program{Argv: []string{"prog"}}, Env: []string{"A=b", IterationVariable + "=old"}, Dir: "there", Stdin: "in",
		Prepare: []Step{{Name: "prepare", Program: line("p1")}, {Name: "prepare", Program: line("p2")}}, Conclude: []Step{{Name: "conclude", Program: line("c")}},
	}
	session := open(t, spec, runner, engine.Slot{CPUs: []int{1}})
	var sample engine.Sample
	for range 2 {
		if err := session.Do(t.Context(), engine.Request{Lead: 1, N: 1}, &sample); err != nil {
			t.Fatal(err)
		}
	}
	var order []string
	for _, c := range runner.asked {
		order = append(order, c.Argv[len(c.Argv)-1]+" "+value(t, c, IterationVariable))
	}
	var want []string
	for _, number := range []string{"warmup-0", "0", "warmup-1", "1"} {
		for _, what := range []string{"p1 ", "p2 ", "prog ", "c "} {
			want = append(want, what+number)
		}
	}
	if !reflect.DeepEqual(order, want) {
		t.Errorf("ran %q", order)
	}
	run := runner.asked[2]
	if run.Dir != "there" || run.Stdin != "in" || !reflect.DeepEqual(run.CPUs, []int{1}) || run.KeepDescendants || value(t, run, "A") != "b" {
		t.Errorf("%+v", run)
	}
	if step := runner.asked[0]; !step.KeepDescendants || len(step.CPUs) != 0 || !reflect.DeepEqual(step.Argv, []string{"sh", "-c", "p1"}) {
		t.Errorf("%+v", step)
	}
}

func TestRandomOffset(t *testing.T) {
	sizes := func(name string, slot engine.Slot) []int {
		runner := &script{exits: []spawn.Exit{{}}}
		session := open(t, Spec{Name: name, Program: line("x")}, runner, slot)
		var sample engine.Sample
		if err := session.Do(t.Context(), engine.Request{N: 200}, &sample); err != nil {
			t.Fatal(err)
		}
		var all []int
		for _, c := range runner.asked {
			size := len(value(t, c, OffsetVariable))
			if size < 0 || size >= 4096 {
				t.Fatalf("size %d", size)
			}
			all = append(all, size)
		}
		return all
	}
	first := sizes("a", engine.Slot{Seed: 1})
	if !reflect.DeepEqual(first, sizes("a", engine.Slot{Seed: 1})) {
		t.Error("the same seed gives other sizes")
	}
	for what, other := range map[string][]int{
		"seed": sizes("a", engine.Slot{Seed: 2}), "name": sizes("b", engine.Slot{Seed: 1}), "replica": sizes("a", engine.Slot{Seed: 1, Replica: 1}),
	} {
		if reflect.DeepEqual(first, other) {
			t.Errorf("another %s gives the same sizes", what)
		}
	}
	// The mean of 200 uniform sizes has a standard deviation of 84; this fails
	// by chance once in more than a million seeds, and the seed is fixed.
	sum := 0
	for _, size := range first {
		sum += size
	}
	if mean := sum / len(first); mean < 2047-420 || mean > 2047+420 {
		t.Errorf("the mean size is %d", mean)
	}
}

func TestFailures(t *testing.T) {
	s := start(t)
	failing := line("i=0; while [ $i -lt 30 ]; do echo line $i >&2; i=$((i+1)); done; exit 3")
	run := func(spec Spec) (engine.Session, error) {
		spec.Name = "old"
		session := open(t, spec, s, engine.Slot{})
		var sample engine.Sample
		return session, session.Do(t.Context(), engine.Request{Lead: 1, N: 1}, &sample)
	}
	_, err := run(Spec{Program: failing})
	var failure *Failure
	if !errors.As(err, &failure) || !Failed(err) {
		t.Fatal(err)
	}
	if failure.Arm != "old" || failure.Run != "warmup-0" || failure.Exit.Code != 3 || failure.Command != failing.Line {
		t.Errorf("%+v", failure)
	}
	lines := strings.Split(failure.Stderr, "\n")
	if len(lines) != 20 || lines[0] != "line 10" || lines[19] != "line 29" {
		t.Errorf("the last lines are %q", lines)
	}
	for _, word := range []string{`"old"`, "exit status 3", "line 29", "--ignore-failure", "--show-output"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%v does not say %q", err, word)
		}
	}
	for name, accept := range map[string]ExitCodes{"any": {Any: true}, "list": {Codes: []int{1, 3}}} {
		session, err := run(Spec{Program: failing, Accept: accept})
		var cell record.Cell
		if report := session.(engine.Reporter).Report(&cell); err != nil || report != nil || cell.Counts[ExitPrefix+"3"] != 2 {
			t.Errorf("%s: %v, counts %v", name, err, cell.Counts)
		}
		var again record.Cell
		if err := session.(engine.Reporter).Report(&again); err != nil || len(again.Counts) != 0 {
			t.Errorf("%s: counted again: %v", name, again.Counts)
		}
	}
	if _, err := run(Spec{Program: failing, Accept: ExitCodes{Codes: []int{4}}}); !errors.As(err, &failure) {
		t.Errorf("another code: %v", err)
	}
	if _, err := run(Spec{Program: Program{Argv: []string{"no-such-program"}}, Accept: ExitCodes{Any: true}}); !errors.As(err, &failure) || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "no-such-program") {
		t.Errorf("not started: %v", err)
	}
	if _, err := run(Spec{Program: line("sleep 1000"), Timeout: 50 * time.Millisecond}); !errors.As(err, &failure) || !failure.Exit.TimedOut {
		t.Errorf("too long: %v", err)
	}
}

func TestRealRun(t *testing.T) {
	s := start(t)
	out := filepath.Join(t.TempDir(), "out")
	spec := Spec{Program: line("sleep 100 & echo $" + IterationVariable), Output: spawn.Output{Kind: spawn.File, Path: out, Append: true}}
	session := open(t, spec, s, engine.Slot{})
	var sample engine.Sample
	if err := session.Do(t.Context(), engine.Request{Lead: 1, N: 2}, &sample); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(out); string(got) != "warmup-0\n0\n1\n" {
		t.Errorf("printed %q", got)
	}
	got := extras(sample)
	if sample.Wall <= 0 || sample.CPU <= 0 || !(got[Memory] > 0) || got[User]+got[System] != float64(sample.CPU)/2 {
		t.Errorf("%+v", sample)
	}
	var cell record.Cell
	if err := session.(engine.Reporter).Report(&cell); err != nil || cell.Counts[LeftBehind] != 3 {
		t.Errorf("%v, %v", cell.Counts, err)
	}
}

func TestInterruptedRun(t *testing.T) {
	s := start(t)
	session := open(t, Spec{Program: line("sleep 1000")}, s, engine.Slot{})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var sample engine.Sample
	err := session.Do(ctx, engine.Request{N: 1}, &sample)
	if !errors.Is(err, context.DeadlineExceeded) || Failed(err) {
		t.Errorf("%v", err)
	}
	if err := session.Do(ctx, engine.Request{N: 1}, &sample); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("afterwards: %v", err)
	}
}

func TestSteps(t *testing.T) {
	s := start(t)
	dir := t.TempDir()
	write := Step{Name: "setup", Program: line("echo $X >> log; echo said >&2"), Dir: dir, Env: append(os.Environ(), "X=y")}
	broken := Step{Name: "cleanup", Program: line("echo why >&2; exit 9"), Dir: dir}
	err := RunSteps(t.Context(), s, []Step{write, write, broken, write})
	var failure *StepError
	if !errors.As(err, &failure) || failure.Step != "cleanup" || failure.Exit.Code != 9 || failure.Stderr != "why" || !Failed(err) {
		t.Errorf("%+v", err)
	}
	for _, word := range []string{"cleanup", "exit 9", "exit status 9", "why"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%v does not say %q", err, word)
		}
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "log")); string(got) != "y\ny\n" {
		t.Errorf("logged %q", got)
	}
	missing := Step{Name: "setup", Program: Program{Argv: []string{"no-such-program"}}}
	if err := missing.Run(t.Context(), s); !errors.As(err, &failure) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("not started: %v", err)
	}
	session := open(t, Spec{Name: "a", Program: line("exit 0"), Prepare: []Step{broken}}, s, engine.Slot{})
	var sample engine.Sample
	if err := session.Do(t.Context(), engine.Request{N: 1}, &sample); !errors.As(err, &failure) || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("prepare: %v", err)
	}
}

func TestMeasureShell(t *testing.T) {
	s := start(t)
	wall, cpu, err := MeasureShell(t.Context(), s, []string{"sh", "-c"}, 5)
	if err != nil || wall <= 0 || cpu <= 0 {
		t.Errorf("%v, %v, %v", wall, cpu, err)
	}
	if _, _, err := MeasureShell(t.Context(), s, []string{"false"}, 5); err == nil || !strings.Contains(err.Error(), "--shell") {
		t.Errorf("a shell that fails: %v", err)
	}
	times := &script{exits: []spawn.Exit{{Usage: usage(50, 5, 0, 0)}, {Usage: usage(10, 1, 1, 0)}, {Usage: usage(30, 9, 9, 0)}}}
	if wall, cpu, err := MeasureShell(t.Context(), times, []string{"sh", "-c"}, 3); wall != 30 || cpu != 5 || err != nil {
		t.Errorf("median: %v, %v, %v", wall, cpu, err)
	}
}

func TestProgramReadsAsItIsTyped(t *testing.T) {
	for want, p := range map[string]Program{
		"a b | c":        line("a b | c"),
		`./x "two w" -n`: {Argv: []string{"./x", "two w", "-n"}},
		`x "" "$A"`:      {Argv: []string{"x", "", "$A"}},
	} {
		if got := p.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
