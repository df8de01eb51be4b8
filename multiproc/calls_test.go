package multiproc_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
)

func init() {
	programs["several calls"] = severalCalls
	programs["several mains"] = severalMains
	programs["another way"] = anotherWay
	programs["child returns"] = childReturns
}

// named records one difference under a name.
func named(name string, delta float64) func(*multiproc.Process) error {
	return func(p *multiproc.Process) error {
		p.Record(name, report(delta))
		return nil
	}
}

// severalCalls makes three calls at one place and one at another, and looks at
// what they found in between, in the children as well.
func severalCalls([]string) {
	for i := range 3 {
		r, err := multiproc.Run(multiproc.Options{MaxProcesses: 6}, named(fmt.Sprint("turn ", i), 0.1*float64(i+1)))
		if err != nil {
			fatal(err)
		}
		if r.Child && !r.Skipped {
			return
		}
		if name := r.Comparisons[0].Name; name != fmt.Sprint("turn ", i) || r.Processes != 6 {
			fatal(fmt.Errorf("turn %d found %+v", i, r))
		}
		if !r.Child {
			fmt.Printf("%s %.2f\n", r.Comparisons[0].Name, r.Comparisons[0].Pooled.Delta)
		}
	}
	r, err := multiproc.Run(multiproc.Options{MaxProcesses: 6}, named("last", 0.5))
	if err != nil {
		fatal(err)
	}
	if !r.Child {
		fmt.Printf("last %.2f", r.Comparisons[0].Pooled.Delta)
	}
}

func TestEveryCallRunsItsOwnSuite(t *testing.T) {
	got := run(t, "several calls")
	got.expect(t, 0)
	if want := "turn 0 0.10\nturn 1 0.20\nturn 2 0.30\nlast 0.50"; got.stdout != want {
		t.Errorf("%q, want %q", got.stdout, want)
	}
}

func severalMains([]string) {
	multiproc.MainSuite(multiproc.Options{MaxProcesses: 6}, named("one", 0.1))
	multiproc.MainSuite(multiproc.Options{MaxProcesses: 6}, named("two", 0.2))
	fmt.Println("the end")
}

func TestMainsFollowEachOther(t *testing.T) {
	got := run(t, "several mains")
	got.expect(t, 0, "6 processes\n\none:", "\ntwo:\n", "A needs 20.0% less time", "the end", "multiproc: 6 processes done")
	if n := strings.Count(got.stdout, "the end"); n != 1 {
		t.Errorf("the end came %d times", n)
	}
}

// anotherWay gives its children arguments with which they come by another call.
func anotherWay(args []string) {
	if len(args) > 0 && args[0] == "child" {
		if _, err := multiproc.Run(multiproc.Options{}, named("there", 0.1)); err != nil {
			fatal(err)
		}
		return
	}
	r, err := multiproc.Run(multiproc.Options{MaxProcesses: 6, Args: []string{"child"}}, named("here", 0.9))
	if err != nil {
		fatal(err)
	}
	fmt.Print(r.Comparisons[0].Name)
}

func TestChildrenMayTakeAnotherWay(t *testing.T) {
	if got := run(t, "another way"); got.status != 0 || got.stdout != "there" {
		t.Errorf("%+v", got)
	}
}

// childReturns ends in every child after the first call, as a program does that
// does not know of Skipped.
func childReturns([]string) {
	for i := range 2 {
		r, err := multiproc.Run(multiproc.Options{MaxProcesses: 6}, named(fmt.Sprint(i), 0.1))
		if err != nil {
			fatal(err)
		}
		if r.Child {
			return
		}
	}
}

func TestAChildThatEndsEarlyIsExplained(t *testing.T) {
	run(t, "child returns").expect(t, 1, "process 0 (seed", "ended without running its suite", "#2", "go on then")
}

// Several calls in one test each get their own suite, and see in their children
// what the ones before found.
func TestSeveralCallsInOneTest(t *testing.T) {
	opt := multiproc.Options{MaxProcesses: 6}
	for i := range 3 {
		r := multiproc.RunTestSuite(t, opt, named(fmt.Sprint("turn ", i), 0.1*float64(i+1)))
		if c := r.Comparisons[0]; c.Name != fmt.Sprint("turn ", i) || len(c.Reports) != 6 || c.Pooled.Processes != 6 {
			t.Errorf("turn %d found %s", i, r)
		}
	}
}

// A failed check before a later call makes its children fail as tests, which
// does not take away what they found.
func TestAFailedTestStillMeasures(t *testing.T) {
	r := multiproc.RunTestSuite(t, multiproc.Options{MaxProcesses: 6}, func(p *multiproc.Process) error {
		t.Errorf("a check in the child")
		return steady(p)
	})
	if r.Processes != 6 {
		t.Errorf("%+v", r)
	}
}

// Sub-tests whose names begin alike do not run in each other's children.
func TestSubTestsRunAlone(t *testing.T) {
	dir := t.TempDir()
	if parent := os.Getenv("MULTIPROC_TEST_DIR"); parent != "" {
		dir = parent
	}
	t.Setenv("MULTIPROC_TEST_DIR", dir)
	for _, name := range []string{"a", "ab", "a/b", "a b", "a(b)|c", "[a]", "a.b"} {
		t.Run(name, func(t *testing.T) {
			leavePID(dir, os.Getpid()) // everyone who comes by
			r := multiproc.RunTestSuite(t, multiproc.Options{MaxProcesses: 6}, named(name, 0.1))
			if r.Processes != 6 || r.Comparisons[0].Name != name {
				t.Errorf("%+v", r)
			}
		})
	}
	// This process and the children of seven sub-tests.
	if n := len(pids(t, dir)); n != 1+7*6 && n > 1 {
		t.Errorf("%d processes came by the sub-tests, want 43", n)
	}
}

// In a table of sub-tests with Run, children that run one of them pass fewer
// calls than the parent has made.
func TestRunInATable(t *testing.T) {
	for i, name := range []string{"x", "y", "z"} {
		t.Run(name, func(t *testing.T) {
			r, err := runHere(t, multiproc.Options{MaxProcesses: 6}, named(name, 0.1*float64(i+1)))
			if err != nil || r.Comparisons[0].Name != name || r.Processes != 6 || r.Lost+r.Replaced > 0 {
				t.Errorf("%v, %+v", err, r)
			}
		})
	}
}

func TestRunTestOfPairs(t *testing.T) {
	opt := rtcompare.CompareOptions{Collect: rtcompare.CollectOptions{Repeats: 11, InnerLoops: 300, SkipWarmup: true}, SkipValidation: true}
	r := multiproc.RunTest(t, multiproc.Options{MinProcesses: 4, MaxProcesses: 4},
		multiproc.Pair{Name: "down", A: loop(8), B: loop(1), Options: opt},
		multiproc.Pair{Name: "up", A: loop(1), B: loop(8), Options: opt})
	if len(r.Comparisons) != 2 || r.Comparisons[0].Name != "down" || r.Comparisons[0].Pooled.Delta > 0 || r.Comparisons[1].Pooled.Delta < 0 {
		t.Errorf("%s", r)
	}
}

func BenchmarkRunTest(b *testing.B) {
	r := multiproc.RunTestSuite(b, multiproc.Options{MaxProcesses: 6}, steady)
	if r.Processes != 6 {
		b.Errorf("%+v", r)
	}
}

func init() {
	programs["failing suite"] = failingSuite
	programs["failing main"] = failingMain
}

// failingSuite is a program that prints the error of its run, wherever it is.
func failingSuite(args []string) {
	_, err := multiproc.Run(multiproc.Options{Args: args}, func(*multiproc.Process) error {
		fmt.Fprintln(os.Stderr, "before the end of the suite")
		return errors.New("no fixture\nin two lines")
	})
	if err != nil {
		fatal(err)
	}
}

func failingMain([]string) {
	multiproc.MainSuite(multiproc.Options{}, func(*multiproc.Process) error { return errors.New("no fixture\nin two lines") })
}

// What is wrong with a suite is printed once, by the parent, and with the
// process that it went wrong in.
func TestASuitesErrorIsPrintedOnce(t *testing.T) {
	for _, program := range []string{"failing suite", "failing main"} {
		got := run(t, program)
		got.expect(t, 1, "process 0 (seed ", ": no fixture\nin two lines")
		if all := got.stdout + got.stderr; strings.Count(all, "no fixture") != 1 || strings.Count(all, "in two lines") != 1 {
			t.Errorf("%s:\n%s", program, all)
		}
		if program == "failing suite" && !strings.Contains(got.stderr, "before the end of the suite\n") {
			t.Error(got.stderr)
		}
	}
}
