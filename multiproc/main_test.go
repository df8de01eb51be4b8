package multiproc_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
)

// programVariable makes the test binary one of the programs below: a program
// that uses the package is tested by being started, and starts itself again.
const programVariable = "MULTIPROC_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if name := os.Getenv(programVariable); name != "" {
		program, ok := programs[name]
		if !ok {
			fmt.Fprintln(os.Stderr, "no such program:", name)
			os.Exit(3)
		}
		program(os.Args[1:])
		os.Exit(0)
	}
	if os.Getenv("GORACE") == "" {
		// A program that looks for races waits for a second at its end.
		_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	os.Exit(m.Run())
}

// programs are added by the files that test them.
var programs = map[string]func(args []string){}

// command is one of the programs, not yet started.
func command(name string, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), programVariable+"="+name)
	return cmd
}

// ran is a program that has ended.
type ran struct {
	stdout, stderr string
	status         int
	took           time.Duration
}

func run(t *testing.T, name string, args ...string) ran {
	t.Helper()
	cmd := command(name, args...)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	begun := time.Now()
	err := cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return ran{out.String(), problems.String(), cmd.ProcessState.ExitCode(), time.Since(begun)}
}

func (r ran) expect(t *testing.T, status int, phrases ...string) {
	t.Helper()
	all := r.stdout + r.stderr
	for _, phrase := range phrases {
		if !strings.Contains(all, phrase) {
			t.Errorf("it does not say %q:\n%s", phrase, all)
		}
	}
	if r.status != status {
		t.Errorf("status %d, want %d:\n%s", r.status, status, all)
	}
}

// report is one by hand, with half a thousandth of its own error.
func report(delta float64) rtcompare.Report {
	return rtcompare.Report{
		NsPerOpA: 100 * (1 - delta), NsPerOpB: 100, Validated: true, NoiseFloor: 0.001, Resolved: true,
		Estimate: rtcompare.Estimate{Delta: delta, Low: delta - 0.001, High: delta + 0.001, Level: 0.95},
	}
}

// steady records differences that hardly differ.
func steady(p *multiproc.Process) error {
	p.Record("steady", report(0.1+0.0001*float64(p.Index%3)))
	return nil
}

// seeded records a difference that only the seed decides.
func seeded(p *multiproc.Process) error {
	p.Record("seeded", report(0.1+0.05*(p.Rand().Float64()-0.5)))
	return nil
}

// deltas are the differences of a comparison's reports.
func deltas(c multiproc.Comparison) []float64 {
	var all []float64
	for _, r := range c.Reports {
		all = append(all, r.Estimate.Delta)
	}
	return all
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
