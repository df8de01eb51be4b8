package workload

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/multiproc"
)

// TestSuiteOrders checks that odd processes build the last structure first.
func TestSuiteOrders(t *testing.T) {
	for index, want := range []string{"new A new B A256 B256", "new B new A B256 A256", "new A new B A256 B256"} {
		var log []string
		a, b := logged("A", &log), logged("B", &log)
		opt := quick()
		opt.SkipBuild = true
		if err := Suite("maps", 200, a, b, opt)(&multiproc.Process{Index: index, Seed: 5}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(log[:4], " "); got != want {
			t.Errorf("process %d began with %s, want %s", index, got, want)
		}
		log = nil
		if err := SuiteAll("maps", 200, []Subject{Bind(a), Bind(b)}, opt)(&multiproc.Process{Index: index}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(log[:4], " "); got != want {
			t.Errorf("process %d of all began with %s, want %s", index, got, want)
		}
	}
}

func TestSuiteErrors(t *testing.T) {
	a, _ := spied("a")
	p := &multiproc.Process{}
	if err := Suite("x", 0, a, a, quick())(p); err == nil || !strings.Contains(err.Error(), "target") {
		t.Errorf("%v", err)
	}
	for _, names := range [][2]string{{"a", "a"}, {"a", ""}} {
		var subjects []Subject
		for _, name := range names {
			s := a
			s.Name = name
			subjects = append(subjects, Bind(s))
		}
		if err := SuiteAll("x", 100, subjects, quick())(p); err == nil || !strings.Contains(err.Error(), "name") {
			t.Errorf("names %q: %v", names, err)
		}
	}
}

func TestStreamsVaryOnlyOnDemand(t *testing.T) {
	o := Options{Config: Config{Seed: 4}}
	if o.in(process(1)).Config.Seed != 4 || o.in(process(2)).Config.Seed != 4 {
		t.Error("the stream varies without being asked to")
	}
	o.VaryStreams = true
	other := o
	other.Config.Seed = 5
	if o.in(process(1)).Config.Seed == o.in(process(2)).Config.Seed || o.in(process(1)).Config.Seed == other.in(process(1)).Config.Seed || o.in(process(1)).Config != o.in(process(1)).Config {
		t.Error("the stream does not follow from both seeds")
	}
}

// TestSuiteInProcesses runs a suite in real processes.
func TestSuiteInProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	a, _ := spied("a")
	b, _ := spied("b")
	processes := multiproc.Options{MinProcesses: 4, MaxProcesses: 4, AbsPrecision: 1, Seed: 3}
	opt := quick()
	opt.VaryStreams = true
	opt.Build.SkipValidation = true
	opt.MemoryBuilds, opt.KindTime = 1, time.Millisecond
	steady := opt
	steady.SkipBuild = true
	r := multiproc.RunTestSuite(t, processes, multiproc.Suites(
		Suite("pair", 200, a, b, opt),
		SuiteAll("all", 200, []Subject{Bind(a), Bind(b)}, steady),
	))
	var names []string
	for _, c := range r.Comparisons {
		names = append(names, c.Name)
		if len(c.Reports) != 4 || c.Pooled.Processes != 4 {
			t.Errorf("%s: %d reports, %d processes pooled", c.Name, len(c.Reports), c.Pooled.Processes)
		}
	}
	if got, want := strings.Join(names, ", "), "pair/steady state, pair/build, all/b/steady state"; got != want {
		t.Errorf("recorded %s, want %s", got, want)
	}
	for name, structures := range map[string][]string{"pair": {"a", "b"}, "all": {"a", "b"}} {
		pooled, err := Pool(r, name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(pooled.Names, structures) || pooled.Processes != 4 || len(pooled.SteadyState) != 1 || len(pooled.Build) != map[string]int{"pair": 1}[name] {
			t.Errorf("%s: %+v", name, pooled)
		}
		if f := pooled.Memory[0][0]; f.Name != MemoryFigure || f.Processes != 4 || !(f.A > 0 && f.B > 0 && f.Low <= f.LogRatio && f.LogRatio <= f.High) {
			t.Errorf("%s: memory %+v", name, f)
		}
		if f := pooled.Kinds[0]; len(f) != 2 || f[0].Name != "insert" || f[1].Name != "delete" || f[1].Processes != 4 || !(f[1].A > 0 && f[1].B > 0) {
			t.Errorf("%s: kinds %+v", name, f)
		}
	}
}

func process(seed uint64) *multiproc.Process { return &multiproc.Process{Seed: seed} }
