package workload

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
)

// recordedBy makes what processes would have recorded: the other structure takes
// factor times as long as the map, give or take a little from process to process.
func recordedBy(t *testing.T, suite, other string, factor float64, figures ...rtcompare.Figure) multiproc.Comparison {
	t.Helper()
	c := multiproc.Comparison{Name: suite}
	for process := range 5 {
		log := math.Log(factor) + 0.01*float64(process-2)
		c.Reports = append(c.Reports, rtcompare.Report{
			NameA: "map", NameB: other, NsPerOpA: 100, NsPerOpB: 100 * math.Exp(log), Validated: true, NoiseFloor: 0.01, Figures: figures,
			Decision: rtcompare.Decision{Verdict: rtcompare.Inconclusive, LogRatio: log, Low: log - 0.02, High: log + 0.02, Level: 0.95},
		})
	}
	var err error
	if c.Pooled, err = rtcompare.Combine(c.Reports, 0); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPooledText compares the whole text with a golden file: every part names the
// structures.
func TestPooledText(t *testing.T) {
	figures := []rtcompare.Figure{
		{Name: MemoryFigure, Unit: "B", A: 38.4, B: 19.2}, {Name: ObjectsFigure, A: 0.01, B: 0.02},
		{Name: CycledMemoryFigure, Unit: "B", A: 40, B: 20}, {Name: "insert", Unit: "ns", A: 50, B: 150}, {Name: "delete", Unit: "ns", A: 40, B: math.NaN()},
	}
	r := multiproc.Results{Processes: 5, Precise: true, Warnings: []string{"one process was replaced"}, Comparisons: []multiproc.Comparison{
		recordedBy(t, "set/B-tree/steady state", "B-tree", 2, figures...), recordedBy(t, "set/B-tree/build", "B-tree", 3),
		recordedBy(t, "set/list/steady state", "list", 0.5), recordedBy(t, "set/list/build", "list", 1.001),
		recordedBy(t, "set/other/steady state", "of another suite", 7),
	}}
	p, err := Pool(r, "set")
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/pooled.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(p.String()+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || p.String()+"\n" != string(want) {
		t.Errorf("%v, the text differs from %s:\n%s", err, golden, p)
	}
	if f := p.Kinds[0][0]; math.Abs(f.LogRatio-math.Log(3)) > 1e-12 || f.Low > f.LogRatio || len(p.Kinds[1]) != 0 || p.Kinds[0][1].Processes != 0 {
		t.Errorf("kinds %+v", p.Kinds)
	}
}

func TestPoolErrors(t *testing.T) {
	few := recordedBy(t, "set/steady state", "b", 2)
	few.Reports, few.Pooled = few.Reports[:2], rtcompare.Pooled{}
	for want, r := range map[string]multiproc.Results{
		"recorded: nothing":                 {},
		"recorded: pair/steady state":       {Comparisons: []multiproc.Comparison{recordedBy(t, "pair/steady state", "b", 2)}},
		"set/steady state: 2 processes rec": {Comparisons: []multiproc.Comparison{few}},
	} {
		if _, err := Pool(r, "set"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
