package multiproc_test

import (
	"context"
	"io"
	"testing"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
)

func is[T any](T) {}

// TestAPI holds the names, types and values that programs written for the
// published package rely on. That it compiles is most of the test.
func TestAPI(t *testing.T) {
	type (
		options = multiproc.Options
		process = multiproc.Process
		results = multiproc.Results
		pair    = multiproc.Pair
		suite   = func(*process) error
	)
	is[func(options, suite) (results, error)](multiproc.Run)
	is[func(context.Context, options, suite) (results, error)](multiproc.RunContext)
	is[func(...pair) func(*process) error](multiproc.Pairs)
	is[func(...func(*process) error) func(*process) error](multiproc.Suites)
	is[func(options, ...pair)](multiproc.Main)
	is[func(options, suite)](multiproc.MainSuite)
	is[func(testing.TB, options, ...pair) results](multiproc.RunTest)
	is[func(testing.TB, options, suite) results](multiproc.RunTestSuite)
	is[func(*process, string, rtcompare.Report)]((*multiproc.Process).Record)
	is[func(*process) *rtcompare.DPRNG]((*multiproc.Process).Rand)
	is[func(results) string](multiproc.Results.String)
	is[process](process{Index: 1, Seed: 2})
	is[pair](pair{Name: "", A: func() rtcompare.Candidate { return rtcompare.Candidate{} }, B: nil, Options: rtcompare.CompareOptions{}})
	is[multiproc.Comparison](multiproc.Comparison{Name: "", Reports: []rtcompare.Report{}, Pooled: rtcompare.Pooled{}})
	is[results](results{Child: true, Processes: 1, Seeds: []uint64{1}, Comparisons: nil, Precise: true, Parallel: 1, ChildGOMAXPROCS: 1})
	is[options](options{
		MinProcesses: 1, MaxProcesses: 1, Parallel: 1, Rotation: 1, AbsPrecision: 1, RelPrecision: 1, Level: 1, Seed: 1,
		Executable: "", Args: []string{}, Stdout: io.Discard, Stderr: io.Discard, Progress: func(results) {},
	})
	const whole = multiproc.DefaultMinProcesses + multiproc.DefaultMaxProcesses + multiproc.DefaultMaxWaves + multiproc.DefaultRotation
	if whole != 5+40+10+2 || multiproc.DefaultAbsPrecision != 0.02 || multiproc.DefaultRelPrecision != 0.10 {
		t.Error("a default has changed")
	}
}
