package rtcompare

import (
	"fmt"
	"math"
	"slices"

	"github.com/rtcompare/rtcompare/internal/stat"
	"github.com/rtcompare/rtcompare/internal/view"
)

// Figure is a further number of both candidates that was found together with a
// comparison, such as what package workload measures of memory and of single
// kinds of operation. Name says what it is, and Unit is "ns", "B" or empty for a
// count. A number that was not found is NaN.
type Figure struct {
	Name, Unit string
	A, B       float64
}

// PooledFigure is a [Figure] pooled over several processes.
type PooledFigure struct {
	Name, Unit string
	// A and B are medians over the processes.
	A, B float64
	// LogRatio is the mean over the observations of ln(B/A), and Low and High
	// its t interval at Level (Student 1908). All three are NaN where there are
	// fewer than three observations, or where a number is not above zero.
	LogRatio, Low, High float64
	Level               float64
	// Processes is how many reports have the figure.
	Processes int
}

// CombineFigures pools the figures of reports from several processes, in the
// order in which they first appear. What counts as one observation is what
// [Combine] takes for one. level zero means [DefaultConfidenceLevel]; it holds
// for each figure by itself, and figures have no verdict. Errors are those of
// Combine about the level and about reports that must not be pooled.
func CombineFigures(reports []Report, level float64) ([]PooledFigure, error) {
	if level == 0 {
		level = DefaultConfidenceLevel
	}
	if !(level > 0 && level < 1) {
		return nil, fmt.Errorf("the level is %v and has to lie between 0 and 1", level)
	}
	unit, err := checkOrigins(reports)
	if err != nil {
		return nil, err
	}
	var all []PooledFigure
	for _, r := range reports {
		for _, f := range r.Figures {
			if !slices.ContainsFunc(all, func(p PooledFigure) bool { return p.Name == f.Name && p.Unit == f.Unit }) {
				all = append(all, PooledFigure{Name: f.Name, Unit: f.Unit, Level: level})
			}
		}
	}
	for i := range all {
		all[i].pool(reports, unit)
	}
	return all, nil
}

// pool reads the figure from all reports that have it.
func (p *PooledFigure) pool(reports []Report, unit Unit) {
	var a, b []float64
	var having []Report
	var seen []observation
	for _, r := range reports {
		i := slices.IndexFunc(r.Figures, func(f Figure) bool { return f.Name == p.Name && f.Unit == p.Unit })
		if i < 0 || math.IsNaN(r.Figures[i].A) || math.IsNaN(r.Figures[i].B) {
			continue
		}
		f := r.Figures[i]
		a, b, having = append(a, f.A), append(b, f.B), append(having, r)
		seen = append(seen, observation{logRatio: math.Log(f.B / f.A)})
	}
	p.Processes = len(having)
	p.A, p.B = stat.Median(a), stat.Median(b)
	p.LogRatio, p.Low, p.High = math.NaN(), math.NaN(), math.NaN()
	logs, _ := columns(unitsOf(having, seen, unit))
	if len(logs) < fewestReports || slices.ContainsFunc(logs, func(l float64) bool { return math.IsNaN(l) || math.IsInf(l, 0) }) {
		return
	}
	mean, law := lawOf(logs, 0)
	half := law.half(1 - p.Level)
	p.LogRatio, p.Low, p.High = mean, mean-half, mean+half
}

// String is the figure in one line, for candidates that are called A and B.
func (p PooledFigure) String() string { return p.Text("A", "B") }

// Text is the figure in one line. Its form may change.
func (p PooledFigure) Text(a, b string) string {
	return view.Figure(view.FigureOf{
		Name: p.Name, Unit: p.Unit, A: a, B: b, ValueA: p.A, ValueB: p.B, LogRatio: p.LogRatio, Low: p.Low, High: p.High, Level: p.Level,
	})
}

// namesOf returns the names that all reports agree on, or none.
func namesOf(reports []Report) (a, b string) {
	for i, r := range reports {
		if i > 0 && (r.NameA != a || r.NameB != b) {
			return "", ""
		}
		a, b = r.NameA, r.NameB
	}
	return a, b
}
