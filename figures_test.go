package rtcompare

import (
	"math"
	"strings"
	"testing"
)

// withFigure is a report that has nothing but a figure.
func withFigure(a, b float64) Report {
	return Report{Figures: []Figure{{Name: "insert", Unit: "ns", A: a, B: b}}}
}

func TestCombineFigures(t *testing.T) {
	reports := []Report{withFigure(100, 200), withFigure(50, 110), withFigure(80, 150), {}}
	got, err := CombineFigures(reports, 0)
	if err != nil || len(got) != 1 {
		t.Fatalf("%v, %v", got, err)
	}
	f := got[0]
	// The t interval of ln 2, ln 2.2 and ln 1.875 with two degrees of freedom.
	logs := []float64{math.Log(2), math.Log(2.2), math.Log(1.875)}
	mean := (logs[0] + logs[1] + logs[2]) / 3
	square := 0.0
	for _, l := range logs {
		square += (l - mean) * (l - mean)
	}
	half := 4.302653 * math.Sqrt(square/2) / math.Sqrt(3)
	if f.A != 80 || f.B != 150 || f.Processes != 3 || f.Level != DefaultConfidenceLevel || !near(f.LogRatio, mean, 1e-9) || !near(f.Low, mean-half, 1e-5) || !near(f.High, mean+half, 1e-5) {
		t.Errorf("%+v, want %v ± %v", f, mean, half)
	}
	if text := f.Text("map", "tree"); !strings.HasPrefix(text, "insert: map 80.00 ns, tree 150.0 ns; tree 2.02 times as long [") {
		t.Error(text)
	}
	// Swapped sides mirror the result exactly.
	for i, r := range reports {
		if len(r.Figures) > 0 {
			reports[i] = withFigure(r.Figures[0].B, r.Figures[0].A)
		}
	}
	if m, err := CombineFigures(reports, 0); err != nil || !near(m[0].LogRatio, -f.LogRatio, 1e-15) || !near(m[0].Low, -f.High, 1e-15) {
		t.Errorf("mirrored %+v, %v", m, err)
	}
}

func TestFiguresWithoutAnInterval(t *testing.T) {
	for name, reports := range map[string][]Report{
		"two processes": {withFigure(1, 2), withFigure(1, 2)},
		"a zero":        {withFigure(1, 2), withFigure(1, 2), withFigure(0, 2)},
		"unknown":       {withFigure(1, 2), withFigure(1, 2), withFigure(1, math.NaN())},
	} {
		got, err := CombineFigures(reports, 0.9)
		if err != nil || len(got) != 1 || !math.IsNaN(got[0].LogRatio) || !math.IsNaN(got[0].High) || strings.Contains(got[0].String(), "times") || got[0].B != 2 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if got, err := CombineFigures([]Report{{}}, 0); err != nil || got != nil {
		t.Errorf("no figures: %v, %v", got, err)
	}
	if _, err := CombineFigures(nil, 2); err == nil {
		t.Error("a level of 2 passes")
	}
	apart := []Report{withFigure(1, 2), withFigure(1, 2)}
	apart[0].Origin.Parallel, apart[1].Origin.Parallel = 1, 4
	if _, err := CombineFigures(apart, 0); err == nil {
		t.Error("two regimes pass")
	}
}
