package main

import (
	"bytes"
	"context"
	"math"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/huandu/skiplist"
	"github.com/tidwall/btree"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
	"github.com/rtcompare/rtcompare/workload"
)

// programVariable makes the test binary the program, which starts itself again.
const programVariable = "STRUCTURES_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(programVariable) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestStructuresEndWhereTheyBegan(t *testing.T) {
	t.Run("map", func(t *testing.T) {
		play(t, goMap, func(m map[uint64]uint64) (pairs []pair) {
			for key, value := range m {
				pairs = append(pairs, pair{key, value})
			}
			return pairs
		})
	})
	t.Run("B-tree", func(t *testing.T) {
		play(t, bTree, func(b *btree.Map[uint64, uint64]) (pairs []pair) {
			b.Scan(func(key, value uint64) bool { pairs = append(pairs, pair{key, value}); return true })
			return pairs
		})
	})
	t.Run("skip list", func(t *testing.T) {
		play(t, skipList, func(l *skiplist.SkipList) (pairs []pair) {
			for e := l.Front(); e != nil; e = e.Next() {
				pairs = append(pairs, pair{e.Key().(uint64), e.Value.(uint64)})
			}
			return pairs
		})
	})
}

type pair struct{ key, value uint64 }

// play fills a structure, plays cycles, and looks at what it holds each time and
// at what its lookups found.
func play[S any](t *testing.T, structure workload.Structure[S], content func(S) []pair) {
	const target, cycles = 500, 3
	build, err := workload.Build(target, stream)
	if err != nil {
		t.Fatal(err)
	}
	cycle, err := workload.Cycle(target, stream)
	if err != nil {
		t.Fatal(err)
	}
	var want []pair
	for id := range uint32(target) {
		want = append(want, pair{stream.Key(id), stream.Key(id)})
	}
	sortPairs(want)
	s := structure.New()
	for round := range 1 + cycles {
		ops := cycle
		if round == 0 {
			ops = build
		}
		sink = 0
		structure.Apply(s, ops)
		if got := found(ops); sink != got {
			t.Errorf("round %d: lookups found %d in all, want %d", round, sink, got)
		}
		got := content(s)
		sortPairs(got)
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: %d elements, want %d, or others than these", round, len(got), len(want))
		}
	}
}

// found is what the lookups of a stream have to add up to.
func found(ops []workload.Op) (sum uint64) {
	for _, op := range ops {
		if op.Kind == workload.Lookup {
			sum += op.Key
		}
	}
	return sum
}

func sortPairs(pairs []pair) {
	slices.SortFunc(pairs, func(a, b pair) int {
		if a.key < b.key {
			return -1
		}
		return 1
	})
}

// start runs the program.
func start(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), programVariable+"=1")
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err = cmd.Run()
	return out.String(), problems.String(), err
}

func TestQuickRunPrintsTheTable(t *testing.T) {
	out, problems, err := start(t, "-quick", "-n", "500", "-processes", "3")
	if err != nil {
		t.Fatalf("%v\n%s", err, problems)
	}
	const cells = ` +\d+\.\d +\d+\.\d\d \[\d+\.\d\d, (\d+\.\d\d|\+Inf)\] +(slower|faster|equivalent|inconclusive)`
	for _, form := range []string{
		`\A500 elements, a cycle of \d+ operations, 4 processes\n\nstructure +steady ns/op `,
		`(?m)^map +\d+\.\d +1 +\d+\.\d +1 +\d+\.\d$`,
		`(?m)^B-tree` + cells + cells + ` +\d+\.\d$`,
		`(?m)^skip list` + cells + cells + ` +\d+\.\d$`,
		`(?m)^structure +insert ns +ratio +delete ns +ratio +lookup ns +ratio +lookup miss ns +ratio$`,
		`(?m)^B-tree( +\d+\.\d +\d+\.\d\d \[\d+\.\d\d, \d+\.\d\d\]){4}$`,
		`(?m)^  - .*only 4 processes were pooled`,
	} {
		if !regexp.MustCompile(form).MatchString(out) {
			t.Errorf("no text like %s in\n%s", form, out)
		}
	}
	if !strings.Contains(problems, "processes done: 4") {
		t.Errorf("stderr %q", problems)
	}
}

func TestTable(t *testing.T) {
	against := func(verdict rtcompare.Verdict, ratio float64, resolved bool, warnings ...string) *rtcompare.Pooled {
		x := math.Log(ratio)
		return &rtcompare.Pooled{Resolved: resolved, Warnings: warnings, Decision: rtcompare.Decision{Verdict: verdict, LogRatio: x, Low: x - 0.01, High: x + 0.01}}
	}
	results := multiproc.Results{Processes: 6, Warnings: []string{"one was lost"}}
	for _, c := range []struct {
		name   string
		ns     float64
		pooled *rtcompare.Pooled
	}{
		{"structures/tree/steady state", 20, against(rtcompare.AFaster, 2, true, "shaky")},
		{"structures/tree/build", 960, against(rtcompare.BFaster, 0.5, true, "shaky")},
		{"structures/list/steady state", 10, against(rtcompare.Equivalent, 1, false)},
	} {
		results.Comparisons = append(results.Comparisons, multiproc.Comparison{
			Name: c.name, Reports: []rtcompare.Report{{NsPerOpA: 10, NsPerOpB: c.ns}}, Pooled: *c.pooled,
		})
	}
	memory := func(b float64) []rtcompare.PooledFigure {
		return []rtcompare.PooledFigure{{Name: workload.MemoryFigure, A: 30, B: b}}
	}
	insert := func(b float64) []rtcompare.PooledFigure {
		return []rtcompare.PooledFigure{{Name: "insert", A: 10, B: b, LogRatio: math.Log(b / 10), Low: math.Log(b/10) - 0.1, High: math.Log(b/10) + 0.1}}
	}
	pooled := workload.PooledResults{
		Names:  []string{"map", "tree", "list"},
		Memory: [][]rtcompare.PooledFigure{memory(25.25), memory(136)}, Kinds: [][]rtcompare.PooledFigure{insert(20), insert(5)},
	}
	made, err := newTable(results, pooled, 16)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := made.print(&out); err != nil {
		t.Fatal(err)
	}
	const want = `16 elements, a cycle of 16 operations, 6 processes

structure   steady ns/op   ratio               verdict      build ns/op   ratio               verdict   B/element
map         10.0           1                                0.0           1                             30.0
tree        20.0           2.00 [1.98, 2.02]   slower       20.0          0.50 [0.50, 0.51]   faster    25.2
list        10.0           1.00 [0.99, 1.01]   equivalent   0.0           1                             136.0

kinds of operation
structure   insert ns   ratio
map         10.0        1
tree        20.0        2.00 [1.81, 2.21]
list        5.0         0.50 [0.45, 0.55]

Notes:
  - tree/steady state, tree/build: shaky
  - list/build: not measured
  - the intervals are wider than the default precision allows; more processes would narrow them
  - one was lost
`
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"-n -1", "-n is -1 and must not be negative"},
		{"-processes 2", "MinProcesses is 2 and has to be at least 3"},
		{"-processes many", "invalid value"},
		{"quick", `"quick" is not a flag`},
	} {
		out, problems, err := start(t, strings.Fields(test.line)...)
		if err == nil || !strings.Contains(problems, test.want) || out != "" {
			t.Errorf("%s: error %v, stdout %q, stderr %q", test.line, err, out, problems)
		}
	}
}
