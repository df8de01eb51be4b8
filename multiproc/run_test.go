package multiproc_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
)

// runHere makes a run whose children run the calling test. A child has nothing
// to do after the call.
func runHere(t *testing.T, opt multiproc.Options, suite func(*multiproc.Process) error) (multiproc.Results, error) {
	t.Helper()
	return runIn(t.Context(), t, opt, suite)
}

func runIn(ctx context.Context, t *testing.T, opt multiproc.Options, suite func(*multiproc.Process) error) (multiproc.Results, error) {
	t.Helper()
	if opt.Args == nil {
		opt.Args = []string{"-test.run=" + pattern(t)}
	}
	if opt.Stderr == nil {
		opt.Stderr = new(strings.Builder) // what failing children say is in the error
	}
	r, err := multiproc.RunContext(ctx, opt, suite)
	if r.Child && !r.Skipped {
		t.SkipNow()
	}
	return r, err
}

// pattern matches this test or sub-test alone, where its name is plain.
func pattern(t *testing.T) string {
	return "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$"
}

func TestRunPoolsWhatProcessesRecord(t *testing.T) {
	var progress []int
	suite := multiproc.Suites(steady, func(p *multiproc.Process) error {
		p.Record("second", report(-0.2))
		return nil
	})
	r, err := runHere(t, multiproc.Options{Seed: 5, Progress: func(r multiproc.Results) { progress = append(progress, r.Processes) }}, suite)
	if err != nil {
		t.Fatal(err)
	}
	if r.Child || r.Processes != 6 || !r.Precise || r.Parallel != 1 || r.ChildGOMAXPROCS != 0 || len(r.Warnings) > 0 || r.Lost+r.Replaced > 0 {
		t.Errorf("%+v", r)
	}
	if len(r.Comparisons) != 2 || r.Comparisons[0].Name != "steady" || r.Comparisons[1].Name != "second" {
		t.Fatalf("%+v", r.Comparisons)
	}
	if got := fmt.Sprintf("%.4f", deltas(r.Comparisons[0])); got != "[0.1000 0.1001 0.1002 0.1000 0.1001 0.1002]" {
		t.Errorf("differences %v", got)
	}
	if p := r.Comparisons[0].Pooled; p.Processes != 6 || p.Decision.Verdict != rtcompare.AFaster || !p.Resolved {
		t.Errorf("%+v", p)
	}
	if o := r.Comparisons[0].Reports[4].Origin; o.Process != 4 || o.Parallel != 1 || o.Layout != 0 {
		t.Errorf("%+v", o)
	}
	if p := r.Comparisons[1].Pooled; p.Decision.Verdict != rtcompare.BFaster || p.SpreadBetween != 0 {
		t.Errorf("%+v", p)
	}
	if !slices.Equal(progress, []int{1, 2, 3, 4, 5, 6}) {
		t.Errorf("progress %v", progress)
	}
	distinct := slices.Compact(slices.Sorted(slices.Values(r.Seeds)))
	if len(distinct) != 6 {
		t.Errorf("seeds %v", r.Seeds)
	}
	for _, phrase := range []string{"6 processes\n\nsteady:\n  6 processes\n  A needs 10.0% less time", "\n\nsecond:\n", "Each of these 2 intervals holds with 95% confidence by itself"} {
		if text := r.String(); !strings.Contains(text, phrase) {
			t.Errorf("%q is missing:\n%s", phrase, text)
		}
	}
}

// The size follows once from the scatter of the first stage, and the interval
// from it.
func TestSizeFollowsFromTheFirstStage(t *testing.T) {
	first := []float64{0.02, -0.03, 0.05, -0.01, 0.03, -0.04}
	var logs []float64
	for _, d := range first {
		logs = append(logs, -math.Log1p(-d))
	}
	r, err := runHere(t, multiproc.Options{RelPrecision: 1e-9, AbsPrecision: 0.0212}, func(p *multiproc.Process) error {
		d := 0.003 // the later ones agree
		if p.Index < len(first) {
			d = first[p.Index]
		}
		p.Record("x", report(d))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sd := deviation(first)
	want := int(math.Ceil(math.Pow(2.570582*sd/0.0212, 2)))
	want += want % 2
	if r.Processes != want || want < 12 || !r.Precise {
		t.Errorf("%d processes, want %d", r.Processes, want)
	}
	p := r.Comparisons[0].Pooled
	half := 2.570582 * deviation(logs) / math.Sqrt(float64(want))
	if p.FirstStage != 6 || math.Abs((p.Decision.High-p.Decision.Low)/2-half) > 1e-5 {
		t.Errorf("half-width %v, want %v", (p.Decision.High-p.Decision.Low)/2, half)
	}
}

func deviation(x []float64) float64 {
	mean, squares := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares / float64(len(x)-1))
}

func TestRunStopsShortAtTheLargestNumber(t *testing.T) {
	r, err := runHere(t, multiproc.Options{MaxProcesses: 8}, func(p *multiproc.Process) error {
		p.Record("wild", report(0.3*float64(p.Index%3)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Processes != 8 || r.Precise || r.Comparisons[0].Pooled.FirstStage != 0 || !strings.Contains(r.String(), "short of the precision") {
		t.Errorf("%s", r)
	}
}

func TestSeedsAreThoseOfTheRun(t *testing.T) {
	seeds := func(opt multiproc.Options) []uint64 {
		r, err := runHere(t, opt, steady)
		if err != nil {
			t.Fatal(err)
		}
		return r.Seeds
	}
	one, again := seeds(multiproc.Options{Seed: 9, MinProcesses: 4}), seeds(multiproc.Options{Seed: 9, MinProcesses: 4})
	other := seeds(multiproc.Options{Seed: 10, MinProcesses: 4})
	parallel := seeds(multiproc.Options{Seed: 9, MinProcesses: 4, Parallel: 4})
	if !slices.Equal(one, again) || !slices.Equal(one, parallel) || slices.Equal(one, other) {
		t.Errorf("%v %v %v %v", one, again, other, parallel)
	}
}

// A largest number below the first stage is raised, and said so.
func TestTheFirstStageRunsInAnyCase(t *testing.T) {
	r, err := runHere(t, multiproc.Options{MinProcesses: 4, MaxProcesses: 3}, steady)
	if err != nil || r.Processes != 4 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "MaxProcesses is 3, but the first stage alone takes 4 processes") {
		t.Errorf("%v, %+v", err, r)
	}
}

// Few reports are no answer, and no reason to fail.
func TestAComparisonOfTwoIsNotPooled(t *testing.T) {
	r, err := runHere(t, multiproc.Options{MaxProcesses: 6}, func(p *multiproc.Process) error {
		if p.Index < 2 {
			p.Record("rare", report(0.1))
		}
		p.Record("x", report(0.1))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Comparisons[0]; c.Name != "rare" || len(c.Reports) != 2 || c.Pooled.Processes != 0 || r.Precise {
		t.Errorf("%+v", c.Pooled)
	}
	if !strings.Contains(r.String(), "2 processes recorded it, too few to pool") || strings.Contains(r.String(), "by itself") {
		t.Error(r)
	}
	if text := (multiproc.Results{Processes: 1, Comparisons: []multiproc.Comparison{{Name: "x", Reports: make([]rtcompare.Report, 1)}}}).String(); !strings.HasPrefix(text, "1 process, short") || !strings.Contains(text, "\n  1 process recorded it") {
		t.Error(text)
	}
}

func TestWhatTheSuiteSaysEndsTheRun(t *testing.T) {
	for _, tt := range []struct {
		name  string
		suite func(*multiproc.Process) error
		want  string
	}{
		{"error", func(p *multiproc.Process) error { return errors.New("no fixture") }, "no fixture"},
		{"nothing", func(p *multiproc.Process) error { return nil }, "recorded no comparisons"},
		{"twice", multiproc.Suites(steady, steady), `comparison "steady" was recorded twice in one process`},
		{"goexit", func(p *multiproc.Process) error { runtime.Goexit(); return nil }, "ended its goroutine instead of returning"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := runHere(t, multiproc.Options{Seed: 3}, tt.suite)
			if err == nil {
				t.Fatal("no error")
			}
			for _, phrase := range []string{"process 0 (seed ", ") failed after ", tt.want} {
				if !strings.Contains(err.Error(), phrase) {
					t.Errorf("error %v does not say %q", err, phrase)
				}
			}
			if r.Processes != 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestAProgramThatIsNoneIsNamed(t *testing.T) {
	for _, tt := range []struct {
		opt  multiproc.Options
		want string
	}{
		{multiproc.Options{Executable: "/nowhere/at all"}, "/nowhere/at all"},
		{multiproc.Options{Args: []string{"-test.run=^TestNone$"}}, "did the program come by the call of multiproc.Run"},
	} {
		if _, err := runHere(t, tt.opt, steady); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "process 0") {
			t.Errorf("error %v does not say %q", err, tt.want)
		}
	}
}

// Reports of real comparisons arrive with their decision, their samples and
// what identical code showed.
func TestRealReportsArriveWhole(t *testing.T) {
	opt := rtcompare.CompareOptions{Collect: rtcompare.CollectOptions{Repeats: 11, InnerLoops: 500, SkipWarmup: true}}
	r := multiproc.RunTest(t, multiproc.Options{MaxProcesses: 6}, multiproc.Pair{Name: "loops", A: loop(1), B: loop(4), Options: opt})
	if r.Processes != 6 {
		t.Fatalf("%+v", r)
	}
	for i, got := range r.Comparisons[0].Reports {
		if len(got.SamplesA) != 11 || got.Decision.Verdict == rtcompare.NotJudged || got.Decision.Pairs != 11 || got.NameA != "loop 1" {
			t.Errorf("process %d: %d samples, %+v", i, len(got.SamplesA), got.Decision)
		}
		// The first stage shares the 40 runs of identical code.
		if len(got.ValidationA.Deltas) != 7 || len(got.ValidationB.Deltas) != 7 {
			t.Errorf("process %d: %d runs of identical code", i, len(got.ValidationA.Deltas))
		}
		if err := got.WriteRecord(new(strings.Builder)); err != nil {
			t.Error(err)
		}
	}
	if d := r.Comparisons[0].Pooled.Decision; d.Verdict != rtcompare.AFaster || d.IdenticalRuns != 6*14 || d.Pairs != 66 {
		t.Errorf("%+v", d)
	}
}

var sum uint64

func loop(turns int) func() rtcompare.Candidate {
	return func() rtcompare.Candidate {
		return rtcompare.Candidate{Name: fmt.Sprint("loop ", turns), Batch: func(n uint64) {
			for range n {
				for range turns {
					sum = sum*31 + n
				}
			}
		}}
	}
}

// Each process gets its own environment, and none of it reaches what it starts.
func TestTheEnvironmentIsTheProcesssOwn(t *testing.T) {
	r, err := runHere(t, multiproc.Options{MaxProcesses: 6}, func(p *multiproc.Process) error {
		for _, entry := range os.Environ() {
			if strings.HasPrefix(entry, "RTCOMPARE_MULTIPROC_") {
				return fmt.Errorf("the suite sees %s", entry)
			}
		}
		return steady(p)
	})
	if err != nil || r.Processes != 6 {
		t.Errorf("%v, %v", r, err)
	}
}
