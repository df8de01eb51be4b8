package workload

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare"
)

// quick are options for a comparison of some milliseconds.
func quick() Options {
	o := rtcompare.CompareOptions{ValidationRuns: 2, SkipChecks: true}
	o.Collect = rtcompare.CollectOptions{Repeats: rtcompare.MinimumDataPoints, InnerLoops: 40, SkipWarmup: true}
	build := o
	build.Collect.InnerLoops = 1
	return Options{SteadyState: o, Build: build}
}

// journal is what instances of a structure were told to do.
type journal struct {
	mutex     sync.Mutex
	instances int
	// runs holds the first ID and the length of every run, of all instances.
	runs []string
	// offences are operations that were not possible.
	offences []string
}

// set is a structure that notices when an operation makes no sense.
type set struct {
	*journal
	present map[uint64]uint32
}

func (s *set) do(run []Op) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.runs = append(s.runs, fmt.Sprintf("%d+%d", run[0].ID, len(run)))
	for _, op := range run {
		_, present := s.present[op.Key]
		if op.Kind != Scan && present == (op.Kind == Insert || op.Kind == LookupMiss) {
			s.offences = append(s.offences, fmt.Sprintf("%v of %d", op.Kind, op.ID))
		}
		switch op.Kind {
		case Insert:
			s.present[op.Key] = op.ID
		case Delete:
			delete(s.present, op.Key)
		}
	}
}

// spied describes sets that write into one journal.
func spied(name string) (Structure[*set], *journal) {
	j := &journal{}
	return Structure[*set]{
		Name: name,
		New: func() *set {
			j.mutex.Lock()
			defer j.mutex.Unlock()
			j.instances++
			return &set{journal: j, present: map[uint64]uint32{}}
		},
		Apply: (*set).do,
	}, j
}

func (j *journal) check(t *testing.T) {
	t.Helper()
	if len(j.offences) > 0 {
		t.Errorf("%d impossible operations, the first is %s", len(j.offences), j.offences[0])
	}
}

func TestCompareAnswersBothQuestions(t *testing.T) {
	a, ja := spied("first")
	b, jb := spied("second")
	r, err := Compare(200, a, b, quick())
	if err != nil {
		t.Fatal(err)
	}
	if r.Target != 200 || r.CycleOps != 400 || r.BuildOps != 600 {
		t.Errorf("target %d, cycle %d, build %d", r.Target, r.CycleOps, r.BuildOps)
	}
	for name, report := range map[string]rtcompare.Report{"steady state": r.SteadyState, "build": r.Build} {
		if len(report.SamplesA) != rtcompare.MinimumDataPoints || !report.Validated || report.NsPerOpA <= 0 || report.NameB != "second" {
			t.Errorf("%s: %d samples, %v ns, named %q", name, len(report.SamplesA), report.NsPerOpA, report.NameB)
		}
	}
	if r.Build.NsPerOpA < 100*r.SteadyState.NsPerOpA {
		t.Errorf("a build of 600 operations takes %v ns, one operation %v ns", r.Build.NsPerOpA, r.SteadyState.NsPerOpA)
	}
	ja.check(t)
	jb.check(t)
	text := r.String()
	for _, want := range []string{"Steady state: 200 elements", "400 operations", "\n  first: ", "Build: ", "600 operations"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "Memory: ") || strings.Contains(text, "Kinds: ") || r.KindsA != nil || r.MemoryA != (Memory{}) {
		t.Error("memory or kinds were measured without being asked for")
	}
}

func TestCompareMeasuresMore(t *testing.T) {
	a, _ := spied("a")
	b, _ := spied("b")
	opt := quick()
	opt.SkipBuild, opt.MemoryBuilds, opt.KindTime = true, 1, 1
	r, err := Compare(100, a, b, opt)
	if err != nil {
		t.Fatal(err)
	}
	if r.MemoryA.Elements != 100 || r.MemoryB.Builds != 1 || len(r.KindsA) != 2 || r.KindsB[1].Kind != Delete || r.KindsB[1].Ops != 100 || r.KindsB[1].Samples != 1 {
		t.Errorf("memory %+v and %+v, kinds %+v and %+v", r.MemoryA, r.MemoryB, r.KindsA, r.KindsB)
	}
	for _, want := range []string{"Memory: ", "\n  b: ", "Kinds: ", "\n  b, delete: "} {
		if !strings.Contains(r.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, r)
		}
	}
}

func TestCompareSkipsTheBuild(t *testing.T) {
	a, ja := spied("a")
	b, _ := spied("b")
	opt := quick()
	opt.SkipBuild = true
	r, err := Compare(100, a, b, opt)
	if err != nil || r.Build.SamplesA != nil || strings.Contains(r.String(), "Build") {
		t.Errorf("%v: %s", err, r)
	}
	if ja.instances != 1 {
		t.Errorf("%d instances were built", ja.instances)
	}
}

// TestStructuresStayInStep compares what both were told to do.
func TestStructuresStayInStep(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"fixed batch":  func(o *Options) {},
		"calibrated":   func(o *Options) { o.SteadyState.Collect.InnerLoops = 0 },
		"with lookups": func(o *Options) { o.Config.Lookups = 1 },
	} {
		a, ja := spied("a")
		b, jb := spied("b")
		opt := quick()
		opt.SkipBuild = true
		change(&opt)
		if _, err := Compare(300, a, b, opt); err != nil {
			t.Fatal(err)
		}
		const last = 24
		if x, y := ja.runs[len(ja.runs)-last:], jb.runs[len(jb.runs)-last:]; !slices.Equal(x, y) {
			t.Errorf("%s: the last runs were %v and %v", name, x, y)
		}
	}
}

// logged describes structures that write their letter into a common log.
func logged(letter string, log *[]string) Structure[int] {
	return Structure[int]{
		Name: letter,
		New:  func() int { *log = append(*log, "new "+letter); return 0 },
		Apply: func(_ int, run []Op) {
			*log = append(*log, fmt.Sprintf("%s%d", letter, len(run)))
		},
	}
}

func TestBuildsAlternate(t *testing.T) {
	var log []string
	for _, reversed := range []bool{false, true} {
		log = nil
		tr, err := newTrial(300, []Subject{Bind(logged("A", &log)), Bind(logged("B", &log))}, quick(), reversed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tr.open(context.Background(), tr.order()); err != nil {
			t.Fatal(err)
		}
		want := "new A new B A256 B256 A256 B256 A256 B256 A132 B132"
		if reversed {
			want = "new B new A B256 A256 B256 A256 B256 A256 B132 A132"
		}
		if got := strings.Join(log, " "); got != want {
			t.Errorf("reversed %v: %s, want %s", reversed, got, want)
		}
	}
}

func TestBuildCandidate(t *testing.T) {
	var log []string
	tr, err := newTrial(10, []Subject{Bind(logged("A", &log)), Bind(logged("B", &log))}, quick(), false)
	if err != nil {
		t.Fatal(err)
	}
	log = nil
	tr.buildCandidate("A", tr.fixtures[0]).Batch(3)
	if got, want := strings.Join(log, " "), "new A A30 new A A30 new A A30"; got != want {
		t.Errorf("a batch of three did %s, want %s", got, want)
	}
}

func TestBuildOptions(t *testing.T) {
	b := Options{}.build()
	if b.Collect.Repeats != BuildRepeats || b.ValidationRuns != BuildValidationRuns || !b.Collect.GCBetween {
		t.Errorf("defaults: %+v", b)
	}
	own := Options{}
	own.Build.Collect.Repeats, own.Build.ValidationRuns = 13, 5
	if b = own.build(); b.Collect.Repeats != 13 || b.ValidationRuns != 5 || !b.Collect.GCBetween {
		t.Errorf("own values: %+v", b)
	}
	timed := Options{}
	timed.Build.Budget = time.Second
	if b = timed.build(); b.Collect.Repeats != 0 || b.ValidationRuns != 0 || checkCompareOptions(b) != nil {
		t.Errorf("with a budget: %+v, %v", b, checkCompareOptions(b))
	}
}

func TestCompareErrors(t *testing.T) {
	good, j := spied("good")
	noNew, noApply := good, good
	noNew.New, noNew.Name = nil, "no new"
	noApply.Apply, noApply.Name = nil, ""
	with := func(change func(*Options)) Options {
		o := quick()
		change(&o)
		return o
	}
	tests := []struct {
		a, b Structure[*set]
		opt  Options
		want string
	}{
		{noNew, good, quick(), `structure A ("no new"): New is nil`},
		{good, noApply, quick(), `structure B: Apply is nil`},
		{good, good, with(func(o *Options) { o.Config.Ratio = 0.5 }), "Ratio is 0.5"},
		{good, good, with(func(o *Options) { o.SteadyState.Level = 2 }), "steady-state comparison: option Level is 2"},
		{good, good, with(func(o *Options) { o.Build.Thresholds = []float64{math.NaN()} }), "build comparison: option Thresholds"},
		{good, good, with(func(o *Options) { o.MemoryBuilds = -1 }), "MemoryBuilds is -1"},
		{good, good, with(func(o *Options) { o.KindTime = -1 }), "KindTime is -1"},
		{good, good, with(func(o *Options) { o.Goroutines = -1 }), "Goroutines is -1"},
		{good, good, with(func(o *Options) { o.Goroutines = 101 }), "101 parts"},
		{good, good, with(func(o *Options) { o.Readers = -1 }), "Readers is -1"},
		{good, good, with(func(o *Options) { o.Readers, o.Config.PermanentChurn = 1, 0.1 }), "PermanentChurn"},
	}
	for _, test := range tests {
		if _, err := Compare(100, test.a, test.b, test.opt); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
	if j.instances > 0 {
		t.Error("a structure was built before all options were checked")
	}
	for _, subjects := range [][]Subject{nil, {Bind(good)}, {Bind(good), {}}, {Bind(good), BindTyped(TypedStructure[int, int]{New: func() int { return 0 }})}} {
		if _, err := CompareAll(context.Background(), 100, subjects, quick()); err == nil {
			t.Errorf("%d structures, an empty or incomplete one: no error", len(subjects))
		}
	}
}

func TestPanicsBecomeErrors(t *testing.T) {
	good, _ := spied("good")
	broken := good
	broken.Name = "broken"
	for name, change := range map[string]func(*Options, *Structure[*set]){
		"New": func(_ *Options, s *Structure[*set]) { s.New = func() *set { panic("no memory") } },
		"Apply": func(_ *Options, s *Structure[*set]) {
			s.Apply = func(*set, []Op) { panic("bad tree") }
		},
		"Apply in a goroutine": func(o *Options, s *Structure[*set]) {
			o.Goroutines, o.SkipBuild = 3, true
			s.Apply = func(s *set, run []Op) {
				if len(run) < fillChunk && run[0].ID%3 == 2 {
					panic("bad tree")
				}
			}
		},
		"fresh Apply": func(o *Options, s *Structure[*set]) {
			o.FreshInstances = true
			s.Apply = func(*set, []Op) { panic("bad tree") }
		},
	} {
		opt, s := quick(), broken
		change(&opt, &s)
		_, err := Compare(100, good, s, opt)
		if err == nil || !strings.Contains(err.Error(), "panicked") || !strings.Contains(err.Error(), "broken") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCompareStops(t *testing.T) {
	a, _ := spied("a")
	ctx, cancel := context.WithCancel(context.Background())
	b := a
	built := 0
	b.New = func() *set { built++; cancel(); return a.New() }
	for _, fresh := range []bool{false, true} {
		opt := quick()
		opt.FreshInstances = fresh
		if _, err := CompareContext(ctx, 1000, a, b, opt); !errors.Is(err, context.Canceled) {
			t.Errorf("fresh instances %v: %v", fresh, err)
		}
	}
	if built != 1 {
		t.Errorf("%d instances were built after the end", built-1)
	}
}
