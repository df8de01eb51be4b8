package machine

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// Identical compares identical code with itself on this machine.
//
// In the first rows the two candidates are closures of one function over one
// fixture, so that nothing differs: a verdict is a false one. In the others
// each candidate has a fixture of its own, whose place in memory is different
// in fact; a verdict may be right about the two fixtures, and still says nothing
// about the code. With New the fixtures change from run to run.
func Identical(s Setup, opt rtcompare.CompareOptions) (*sheet.Sheet, error) {
	table, err := IdenticalShared(s, opt)
	if err != nil {
		return nil, err
	}
	for _, w := range append([]Workload{{"map", mapLookups}}, chases()...) {
		if !s.wanted(w.Name) {
			continue
		}
		kinds := []fixtures{separate, rebuilt}
		if w.Name != "map" {
			// Not in the rows that count: two walks through one array help or
			// hinder each other by how far they are apart, which changes slowly.
			kinds = []fixtures{shared, separate, rebuilt}
		}
		for _, kind := range kinds {
			seen, sizes, err := s.identicalRow(w, opt, kind)
			if err != nil {
				return nil, err
			}
			addIdentical(table, w.Name, kind.String(), seen, sizes)
		}
	}
	return table, nil
}

// IdenticalShared is the part of [Identical] with one fixture for both.
func IdenticalShared(s Setup, opt rtcompare.CompareOptions) (*sheet.Sheet, error) {
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("identical: the same machine code as both candidates, %s, on this machine", protocolName(opt)),
		Nominal: fmt.Sprintf("nominal %s A faster or B faster", sheet.Format(sheet.Percent(nominal(opt)))), ErrorAt: nominal(opt), Trials: s.Runs,
		Columns: append([]string{"workload", "fixture"}, append(verdictColumns, "largest |difference|", "median |difference|")...),
	}
	wrong, runs := 0, 0
	for _, w := range Workloads() {
		if !s.wanted(w.Name) {
			continue
		}
		seen, sizes, err := s.identicalRow(w, opt, shared)
		if err != nil {
			return nil, err
		}
		wrong += seen.a + seen.b
		runs += seen.runs()
		addIdentical(table, w.Name, shared.String(), seen, sizes)
	}
	if runs == 0 {
		return table, nil
	}
	limit := 20.0 / 300
	if opt.Budget > 0 {
		limit = 0.02
	}
	table.Bars = []sheet.Bar{{
		Name:  fmt.Sprintf("false verdicts on identical code and one fixture, %s, real runs", protocolName(opt)),
		Limit: limit, Measured: share(wrong, runs), Trials: runs, Full: 300,
	}}
	return table, nil
}

func protocolName(opt rtcompare.CompareOptions) string {
	if opt.Budget > 0 {
		return fmt.Sprintf("a Budget of %v", opt.Budget)
	}
	return "default protocol"
}

// nominal is the error rate of a comparison with these options.
func nominal(opt rtcompare.CompareOptions) float64 {
	if opt.Budget > 0 {
		return 1 - rtcompare.DefaultBudgetLevel
	}
	return 1 - rtcompare.DefaultConfidenceLevel
}

func addIdentical(table *sheet.Sheet, name, kind string, seen tally, sizes []float64) {
	row := append([]any{name, kind}, seen.cells()...)
	largest := 0.0
	for _, v := range sizes {
		largest = max(largest, v)
	}
	table.Rows = append(table.Rows, append(row, sheet.Percent(largest), sheet.Percent(stat.Median(sizes))))
}

// fixtures says what two candidates of identical code work on.
type fixtures int

const (
	shared fixtures = iota
	separate
	rebuilt
)

func (f fixtures) String() string {
	return [...]string{"one, shared", "built separately", "built separately, with New"}[f]
}

func (s Setup) identicalRow(w Workload, opt rtcompare.CompareOptions, kind fixtures) (tally, []float64, error) {
	var seen tally
	var sizes []float64
	for i := range s.Runs {
		name := fmt.Sprintf("%s, %s", w.Name, kind)
		a, b := identicalPair(w, kind, s.random(name, i))
		r, err := s.compare(name, a, b, opt)
		if err != nil {
			return seen, sizes, err
		}
		seen.add(r)
		sizes = append(sizes, math.Abs(r.Decision.LogRatio))
		s.progress(name, i+1, s.Runs)
	}
	return seen, sizes, nil
}

func identicalPair(w Workload, kind fixtures, r *rand.Rand) (a, b rtcompare.Candidate) {
	if kind == rebuilt {
		build := func() (rtcompare.Batch, func()) { return w.Fixture(r)(normalSteps), nil }
		return rtcompare.Candidate{Name: "A", New: build}, rtcompare.Candidate{Name: "B", New: build}
	}
	first := w.Fixture(r)
	second := first
	if kind == separate {
		second = w.Fixture(r)
	}
	return rtcompare.Candidate{Name: "A", Batch: first(normalSteps)}, rtcompare.Candidate{Name: "B", Batch: second(normalSteps)}
}
