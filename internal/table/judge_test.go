package table_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/table"
)

func series(r *rand.Rand, n int, centre, spread float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = centre * math.Exp(spread*r.NormFloat64())
	}
	return x
}

// suite writes two inputs with benchmarks whose times differ by the factors.
func suite(r *rand.Rand, runs int, spread float64, factors ...float64) (old, new string) {
	var a, b strings.Builder
	for i, f := range factors {
		for range runs {
			fmt.Fprintf(&a, "BenchmarkX%d 1 %.6g ns/op\n", i, series(r, 1, 1000, spread)[0])
			fmt.Fprintf(&b, "BenchmarkX%d 1 %.6g ns/op\n", i, series(r, 1, 1000*f, spread)[0])
		}
	}
	return a.String(), b.String()
}

func judge(t testing.TB, o table.JudgeOptions, files ...string) *table.Judged {
	t.Helper()
	s, err := arrange(t, table.Options{}, files...)
	if err != nil {
		t.Fatal(err)
	}
	j, err := s.Judge(o)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func ones(n int) []float64 {
	f := make([]float64, n)
	for i := range f {
		f[i] = 1
	}
	return f
}

func TestExactValues(t *testing.T) {
	allocs := table.Unit{Name: "allocs/op", Better: -1}
	seconds := table.Unit{Name: "sec/op", Better: -1}
	inf := math.Inf(1)
	tests := []struct {
		name      string
		base, new []float64
		unit      table.Unit
		exact     bool
		worse     bool
		estimate  float64
		change    float64
		fromZero  bool
	}{
		{"the first allocation", []float64{0, 0}, []float64{1, 1, 1}, allocs, true, true, 1, math.NaN(), true},
		{"the last allocation", []float64{3}, []float64{0}, allocs, true, false, -3, -1, false},
		{"nothing and nothing", []float64{0}, []float64{0}, allocs, true, false, 0, math.NaN(), false},
		{"one more", []float64{2, 2}, []float64{3, 3}, allocs, true, true, math.Log(1.5), 0.5, false},
		{"the same", []float64{2, 2}, []float64{2, 2}, allocs, true, false, 0, 0, false},
		{"less than the margin", []float64{1000}, []float64{1005}, allocs, true, false, math.Log(1.005), 0.005, false},
		{"a count that varies is tested", []float64{2, 2, 3}, []float64{4, 4, 4}, allocs, false, false, math.Log(2), 1, false},
		{"times are never exact", []float64{5, 5, 5}, []float64{6, 6, 6}, seconds, false, false, math.Log(1.2), 0.2, false},
		{"a declared unit", []float64{5}, []float64{6}, table.Unit{Name: "x", Exact: true}, true, false, math.Log(1.2), 0.2, false},
		{"negative values differ by an amount", []float64{-5, -4, -6}, []float64{5, 5, 5}, table.Unit{Name: "x"}, false, false, 10, 2, false},
	}
	for _, tt := range tests {
		c := table.Compare(tt.base, tt.new, tt.unit, 0.01)
		if c.Exact != tt.exact || c.Worse != tt.worse || math.Abs(c.Estimate-tt.estimate) > 1e-12 || c.FromZero() != tt.fromZero {
			t.Errorf("%s: %+v", tt.name, c)
		}
		if got := c.Change(); math.Abs(got-tt.change) > 1e-12 || math.IsNaN(got) != math.IsNaN(tt.change) {
			t.Errorf("%s: change %v, want %v", tt.name, got, tt.change)
		}
		if c.Exact && (c.Differs != (tt.base[0] != tt.new[0]) || c.Low != c.High || !math.IsNaN(c.P)) {
			t.Errorf("%s: %+v", tt.name, c)
		}
		if !c.Exact && math.IsNaN(c.P) {
			t.Errorf("%s: no p-value", tt.name)
		}
		if low, high := c.Interval(0.99); !c.Exact && (low != -inf || high != inf) {
			t.Errorf("%s: three runs bound the difference by %v and %v", tt.name, low, high)
		}
	}
	if table.Compare(nil, []float64{1}, allocs, 0) != nil {
		t.Error("a side without values was compared")
	}
}

func TestSwappingSidesMirrors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	unit := table.Unit{Name: "sec/op", Better: -1}
	for range 100 {
		a, b := series(r, 3+r.IntN(20), 1, .05), series(r, 3+r.IntN(20), 1.05, .05)
		c, d := table.Compare(a, b, unit, .01), table.Compare(b, a, unit, .01)
		lowC, highC := c.Interval(.9)
		lowD, highD := d.Interval(.9)
		if c.Estimate != -d.Estimate || lowC != -highD || highC != -lowD || c.P != d.P || c.BeyondP != d.BeyondP || c.Better != -d.Better {
			t.Fatalf("%+v is no mirror of %+v", c, d)
		}
	}
}

func TestRowsDifferExactlyIfTheirIntervalsDo(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	differing := 0
	for trial := range 60 {
		factors := ones(30)
		for i := range trial % 10 {
			factors[i] = 1.06
		}
		old, new := suite(r, 8, .02, factors...)
		for _, m := range []table.Method{table.FalseDiscovery, table.FamilyWise, table.EachRow} {
			j := judge(t, table.JudgeOptions{Method: m, Margin: .01}, old, new)
			count := 0
			for _, row := range j.Tables[0].Comparisons {
				c := row[1]
				if excludes := c.Low > 0 || c.High < 0; excludes != c.Differs {
					t.Fatalf("%s: [%v, %v] and q = %v disagree", m, c.Low, c.High, c.Q)
				}
				if c.Differs {
					count++
				}
				if c.Beyond && !c.Differs || c.Worse && c.Better > 0 {
					t.Fatalf("%+v contradicts itself", c)
				}
			}
			if count != j.Family.Differing {
				t.Fatalf("%d rows differ, the family says %d", count, j.Family.Differing)
			}
			differing += count
		}
	}
	if differing < 300 {
		t.Errorf("only %d rows differed in all: the test shows little", differing)
	}
}

func TestTooManyRowsForTheRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, tt := range []struct{ runs, rows, needed int }{{5, 6, 0}, {5, 7, 6}, {6, 23, 0}, {6, 24, 7}, {4, 400, 9}, {3, 1, 4}} {
		old, new := suite(r, tt.runs, .02, ones(tt.rows)...)
		j := judge(t, table.JudgeOptions{}, old, new)
		if j.Family.Refused != (tt.needed > 0) || j.Family.NeededRuns != tt.needed || j.Family.Tests != tt.rows {
			t.Errorf("%d rows with %d runs: %+v, want %d runs needed", tt.rows, tt.runs, j.Family, tt.needed)
		}
	}
	// Where many rows agree, each may be weaker: nothing is refused.
	factors := ones(12)
	for i := range factors {
		factors[i] = 2
	}
	old, new := suite(r, 5, .02, factors...)
	if j := judge(t, table.JudgeOptions{}, old, new); j.Family.Refused || j.Family.Differing != 12 {
		t.Errorf("twelve rows twice as slow: %+v", j.Family)
	}
}

// Where nothing differs, any finding at all must come up in at most 5 % of runs,
// and a gate on slowdowns beyond 1 % far less often. 500 suites of 40 rows: 7.9 %
// is three standard errors above 5 %.
func TestErrorRatesOfSuites(t *testing.T) {
	if testing.Short() {
		t.Skip("many simulated suites")
	}
	r := rand.New(rand.NewPCG(4, 4))
	const suites = 500
	findings, alarms := 0, 0
	for range suites {
		old, new := suite(r, 8, .02, ones(40)...)
		j := judge(t, table.JudgeOptions{Margin: .01}, old, new)
		if j.Family.Differing > 0 {
			findings++
		}
		for _, row := range j.Tables[0].Comparisons {
			if row[1].Worse {
				alarms++
				break
			}
		}
	}
	if share := float64(findings) / suites; share > .079 {
		t.Errorf("%.1f %% of suites without a difference have a finding", 100*share)
	}
	if share := float64(alarms) / suites; share > .02 {
		t.Errorf("%.1f %% of suites without a difference raise an alarm", 100*share)
	}
}

func TestGeomean(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	old, new := suite(r, 10, .005, 1.1, 1.12, 1.08, 1.1, 1.09, 1.11)
	old += "BenchmarkGone 1 5 ns/op\n"
	new += "BenchmarkFresh 1 5 ns/op\n"
	g := judge(t, table.JudgeOptions{}, old, new).Tables[0].Geomeans[1]
	if g.Rows != 6 || g.LeftOut != 2 || g.Level != .95 || math.Abs(g.LogRatio-math.Log(1.1)) > .01 || g.Low < .07 || g.High > .13 || g.Low > g.LogRatio {
		t.Errorf("%+v", g)
	}
	one := judge(t, table.JudgeOptions{}, "BenchmarkX 1 5 ns/op\n", "BenchmarkX 1 10 ns/op\n").Tables[0].Geomeans[1]
	if one.Rows != 1 || math.Abs(one.LogRatio-math.Ln2) > 1e-12 || !math.IsNaN(one.Low) {
		t.Errorf("one row: %+v", one)
	}
}

// The adjusted values must be those of R's p.adjust, through the whole way from
// p-values of rows.
func TestAdjustmentMatchesReference(t *testing.T) {
	var vectors struct {
		Cases []struct{ P, BH, Holm []float64 }
	}
	text, err := os.ReadFile("testdata/bh.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, c := range vectors.Cases {
		for m, want := range map[table.Method][]float64{table.FalseDiscovery: c.BH, table.FamilyWise: c.Holm} {
			for i, got := range table.Adjust(m, c.P) {
				if math.Abs(got-want[i]) > 1e-12 {
					t.Errorf("%s of %v: %v at %d, want %v", m, c.P, got, i, want[i])
				}
			}
		}
	}
}

func TestOptionsOutOfRange(t *testing.T) {
	s, err := arrange(t, table.Options{}, "BenchmarkX 1 1 x\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []table.JudgeOptions{{ErrorRate: -1}, {ErrorRate: .5}, {ErrorRate: math.NaN()}, {Margin: -1}, {Margin: math.NaN()}, {Method: "x"}} {
		if _, err := s.Judge(o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
	for _, o := range []table.BenchstatOptions{{Alpha: -1}, {Alpha: 2}, {Confidence: math.NaN()}} {
		if _, err := s.Benchstat(o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

func TestHugeAndTinyValuesEnd(t *testing.T) {
	big := strings.Repeat("BenchmarkX 1 1e308 ns/op -1e308 x 4.9e-324 y\n", 30) + strings.Repeat("BenchmarkX 1 9e307 ns/op 1e308 x 1e308 y\n", 31)
	j := judge(t, table.JudgeOptions{}, big, strings.Repeat("BenchmarkX 1 1e-300 ns/op 0 x 1 y\n", 70))
	for _, tb := range j.Tables {
		if c := tb.Comparisons[0][1]; math.IsNaN(c.Estimate) || math.IsNaN(c.P) {
			t.Errorf("%+v", c)
		}
	}
	if _, err := j.Set.Benchstat(table.BenchstatOptions{Alpha: .05, Confidence: .95}); err != nil {
		t.Error(err)
	}
}

func TestMissingBaseIsNotReplaced(t *testing.T) {
	s, err := arrange(t, table.Options{}, "BenchmarkX 1 1 ns/op\n", "BenchmarkX 1 1 ns/op 5 x\n", "BenchmarkX 1 1 ns/op 6 x\n")
	if err != nil {
		t.Fatal(err)
	}
	j, err := s.Judge(table.JudgeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !s.Tables[1].BaseMissing || j.Tables[1].Comparisons[0][1] != nil {
		t.Error("a table without the base was compared with another column")
	}
}

func TestRecord(t *testing.T) {
	rec := record.Record{Head: record.Head{Kind: "functions", Arms: []record.Arm{{Name: "a"}, {Name: "b"}}}}
	for i := range 5 {
		rec.Units = append(rec.Units, record.Unit{Purpose: record.Main, Index: i, Cells: []record.Cell{
			{Arm: 0, N: 10, Wall: []int64{1000, 3000}, Allocs: []int64{0, 0}},
			{Arm: 0, Replica: 1, N: 10, Wall: []int64{9, 9}},
			{Arm: 1, N: 10, Wall: []int64{4000, 4000}, Allocs: []int64{20, 20}}}},
			record.Unit{Purpose: record.Pilot, Cells: []record.Cell{{N: 1, Wall: []int64{7}}}})
	}
	b, err := table.NewBuilder(table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.AddRecord("run.jsonl", "", rec); err != nil {
		t.Fatal(err)
	}
	s, err := b.Set(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "sec/op | a | b\n  functions | [%s] | [%s]\n" +
		"allocs/op | a | b\n  functions | [0 0 0 0 0] | [2 2 2 2 2]\n"
	want = fmt.Sprintf(want, strings.TrimSpace(strings.Repeat("2.0000000000000002e-07 ", 5)), strings.TrimSpace(strings.Repeat("4.0000000000000003e-07 ", 5)))
	if got := outline(s); got != want || s.Findings.Collection != table.FromRecord {
		t.Errorf("got %s (%s), want %s", got, s.Findings.Collection, want)
	}
	rec.Units[0].Cells[0].Arm = 7
	if err := b.AddRecord("run.jsonl", "", rec); err == nil {
		t.Error("an arm that does not exist was accepted")
	}
}
