package peers

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

// TestMain lets the test binary play the parts of the experiments.
func TestMain(m *testing.M) {
	spawn.Serve()
	if len(os.Args) > 1 && os.Args[1] == ChildCommand {
		if err := Child(os.Stdin, os.Stdout, childOptions(os.Args[2:])); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	if builtIn != "" {
		_ = os.RemoveAll(builtIn)
	}
	os.Exit(code)
}

// childOptions reads the flags that the experiments start children with.
func childOptions(args []string) (o ChildOptions) {
	flags := flag.NewFlagSet("child", flag.ExitOnError)
	flags.StringVar(&o.Role, "role", "", "")
	flags.DurationVar(&o.Interval, "interval", 0, "")
	flags.Int64Var(&o.Every, "every", 0, "")
	flags.DurationVar(&o.Delay, "delay", 0, "")
	flags.StringVar(&o.URL, "url", "", "")
	flags.IntVar(&o.Concurrency, "concurrency", 1, "")
	flags.DurationVar(&o.For, "for", time.Second, "")
	flags.IntVar(&o.Megabytes, "megabytes", 0, "")
	flags.Func("word", "", func(word string) error { o.Command = append(o.Command, word); return nil })
	_ = flags.Parse(args) // it exits on an error
	return o
}

func tiny(t *testing.T) Setup {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the experiments are tested on Linux, where all of their parts exist")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return Setup{Context: ctx, Seed: 1, Trials: 1}
}

// withTool is a setup with a rtcompare program, built once for all tests.
func withTool(t *testing.T) Setup {
	t.Helper()
	s := tiny(t)
	if testing.Short() {
		t.Skip("building rtcompare takes too long")
	}
	var err error
	if s.Tool, err = builtTool(); err != nil {
		t.Fatal(err)
	}
	return s
}

// check looks at what every table has to have.
func check(t *testing.T, table *sheet.Sheet, err error, rows int) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != rows || len(table.Bars) == 0 {
		t.Errorf("%d rows and %d bars, want %d rows and some bars", len(table.Rows), len(table.Bars), rows)
	}
	for _, row := range table.Rows {
		if len(row) != len(table.Columns) {
			t.Errorf("row %v has %d cells for %d columns", row, len(row), len(table.Columns))
		}
	}
	for _, bar := range table.Bars {
		if math.IsNaN(bar.Measured) || math.IsInf(bar.Measured, 0) {
			t.Errorf("bar %q: measured %v", bar.Name, bar.Measured)
		}
	}
	if text := strings.Join(table.Notes, " "); !strings.Contains(text, "Load average") {
		t.Errorf("the notes do not tell the load: %s", text)
	}
}

func TestPacedServersSmall(t *testing.T) {
	s := withTool(t)
	table, err := PacedServers(s, PacedOptions{Requests: 1000, BayesRuns: 1, Budget: 500 * time.Millisecond})
	check(t, table, err, 2)
}

func TestRecorderSmall(t *testing.T) {
	table, err := Recorder(tiny(t), 0.1)
	check(t, table, err, 6)
}

func TestSpawnerMemorySmall(t *testing.T) {
	s := withTool(t)
	table, err := SpawnerMemory(s)
	check(t, table, err, 4)
	// What the experiment is about does not depend on neighbours: without the
	// spawner the 500 MB of the parent would be in the figure.
	for _, bar := range table.Bars {
		if bar.Measured > 50 {
			t.Errorf("%s is %g", bar.Name, bar.Measured)
		}
	}
}

func TestCommandsIdenticalSmall(t *testing.T) {
	s := withTool(t)
	table, err := CommandsIdentical(s, 200*time.Millisecond)
	check(t, table, err, 1)
	table, err = ServersIdentical(s, 200*time.Millisecond)
	check(t, table, err, 1)
}

func TestAgainstHyperfineSmall(t *testing.T) {
	s := withTool(t)
	table, err := AgainstHyperfine(s, 4)
	skipMissing(t, err)
	check(t, table, err, 8)
}

func TestAgainstWrkSmall(t *testing.T) {
	table, err := AgainstWrk(tiny(t), time.Second)
	skipMissing(t, err)
	check(t, table, err, 4)
}

func skipMissing(t *testing.T, err error) {
	t.Helper()
	if missing := (*MissingError)(nil); errors.As(err, &missing) {
		t.Skip(err)
	}
}

func TestMissingProgramIsNamed(t *testing.T) {
	err := new(place).need("no-such-program-anywhere", "get it somewhere")
	missing := (*MissingError)(nil)
	if !errors.As(err, &missing) || !strings.Contains(err.Error(), "no-such-program-anywhere") || !strings.Contains(err.Error(), "get it somewhere") {
		t.Errorf("%v", err)
	}
}

func TestInterruptEndsAnExperiment(t *testing.T) {
	s := tiny(t)
	ctx, cancel := context.WithCancel(s.Context)
	s.Context = ctx
	time.AfterFunc(300*time.Millisecond, cancel)
	begun := time.Now()
	if _, err := Recorder(s, 100); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("it went on for %v", took)
	}
}

// builtIn is the directory that builtTool has made.
var builtIn string

// builtTool builds rtcompare once for all tests.
var builtTool = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "rtcompare-lab-test-*")
	if err != nil {
		return "", err
	}
	builtIn = dir
	path := filepath.Join(dir, executable("rtcompare"))
	if text, err := exec.Command("go", "build", "-o", path, "github.com/rtcompare/rtcompare/cmd/rtcompare").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, text)
	}
	return path, nil
})
