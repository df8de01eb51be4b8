package multiproc

import (
	"context"
	"flag"
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// RunTest compares pairs in processes that run the calling test, and nothing
// else of the test binary but TestMain. An error ends the test.
//
// A child runs the test from its top: everything before the call happens in each
// of them, so fixtures belong into the builders. Of several calls in one test
// each has its own children. In a child of this call the rest of the test is
// skipped; in a child of a later one RunTest returns what it found in the parent.
//
// Where Options.Args is nil, the children get the test's name as a pattern, and
// of the test flags -test.v, -test.short, -test.cpu and what is left of
// -test.timeout. When that time is nearly up the run ends.
func RunTest(t testing.TB, opt Options, pairs ...Pair) Results {
	t.Helper()
	if err := checkPairs(pairs); err != nil {
		t.Fatalf("multiproc: %v", err)
	}
	return runTest(t, opt, Pairs(pairs...), pairNames(pairs))
}

// RunTestSuite is RunTest for a suite of your own.
func RunTestSuite(t testing.TB, opt Options, suite func(*Process) error) Results {
	t.Helper()
	return runTest(t, opt, suite, nil)
}

func runTest(t testing.TB, opt Options, suite func(*Process) error, names []string) Results {
	t.Helper()
	from := caller().with(names)
	from.at, from.test = "test "+t.Name(), newTestCall(t, opt.Args == nil)
	t.Cleanup(func() { calls.forget(from.at) })
	ctx, stop := from.test.context()
	defer stop()
	r, err := start(ctx, opt, suite, from)
	switch {
	case r.Child && !r.Skipped:
		// The parent learns of an error from the results, not from the test.
		t.SkipNow()
	case err != nil:
		t.Fatalf("multiproc: %v", err)
	}
	return r
}

// testCall is what the children of a test need to know about it.
type testCall struct {
	// own says that the children get arguments of our making.
	own       bool
	name      string
	benchmark bool
	deadline  time.Time
	// procs is the GOMAXPROCS that the -test.cpu of the moment set, zero where
	// there is none.
	procs int
}

func newTestCall(t testing.TB, own bool) *testCall {
	c := &testCall{own: own, name: t.Name()}
	_, c.benchmark = t.(*testing.B)
	if limited, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		c.deadline, _ = limited.Deadline()
	}
	if own && testFlag("cpu") != "" {
		c.procs = runtime.GOMAXPROCS(0)
	}
	return c
}

// context ends in time for an orderly end before the test binary's own limit.
func (c *testCall) context() (context.Context, context.CancelFunc) {
	if c.deadline.IsZero() {
		return context.WithCancel(context.Background())
	}
	return context.WithDeadlineCause(context.Background(), c.deadline.Add(-c.reserve()),
		fmt.Errorf("the test's time is nearly up (-test.timeout): %w", context.DeadlineExceeded))
}

// reserve is the part of the remaining time that is kept: a twentieth, but at
// most five seconds.
func (c *testCall) reserve() time.Duration {
	return max(0, min(5*time.Second, time.Until(c.deadline)/20))
}

// identity are the arguments that say what a child does.
func (c *testCall) identity() []string {
	pattern := exactly(c.name)
	var args []string
	if c.benchmark {
		args = append(args, "-test.run=^$", "-test.bench="+pattern, "-test.benchtime=1x")
	} else {
		args = append(args, "-test.run="+pattern)
	}
	if testFlag("short") == "true" {
		args = append(args, "-test.short=true")
	}
	if c.procs > 0 {
		args = append(args, "-test.cpu="+strconv.Itoa(c.procs))
	}
	return args
}

// arguments are those of a child that is started now. Its time is what is left
// of the test's, and so a little more than the run allows it.
func (c *testCall) arguments() []string {
	args := c.identity()
	if v := testFlag("v"); v != "" && v != "false" {
		args = append(args, "-test.v=true")
	}
	left := time.Duration(0) // no limit
	if !c.deadline.IsZero() {
		left = max(time.Second, time.Until(c.deadline)).Round(time.Millisecond)
	}
	return append(args, "-test.timeout="+left.String())
}

// testFlag returns a flag of the test binary, empty where there is none.
func testFlag(name string) string {
	if f := flag.Lookup("test." + name); f != nil {
		return f.Value.String()
	}
	return ""
}

// exactly is the pattern of one test or sub-test. The testing package splits a
// pattern at its slashes and matches the parts one by one; each is anchored, so
// that no sibling with the same beginning runs as well.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}
