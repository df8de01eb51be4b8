package table

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// Family is all rows that are judged at one error rate: those of all tables and
// columns that vary. Exact numbers need no test and do not count.
type Family struct {
	// Tests is the number of rows, Differing how many of them are said to differ.
	Tests, Differing int
	// Level is the level of the intervals of all rows. It is chosen so that a row
	// is said to differ exactly if its interval excludes no difference. Under
	// FalseDiscovery it is 1 - R q / M for R of M rows (Benjamini and Yekutieli
	// 2005), under FamilyWise 1 - α / (M - R).
	Level float64
	// Refused is set where no row differs and no single one could have been said
	// to: the smallest p-value that so few runs can give is above what so many
	// rows demand. NeededRuns is then the number of runs of each side that would
	// do.
	Refused    bool
	NeededRuns int
}

// judgeFamily adjusts the p-values of all comparisons.
func judgeFamily(all []*Comparison, o JudgeOptions) Family {
	f := Family{Tests: len(all)}
	for _, kind := range []struct{ p, q func(*Comparison) *float64 }{
		{func(c *Comparison) *float64 { return &c.P }, func(c *Comparison) *float64 { return &c.Q }},
		{func(c *Comparison) *float64 { return &c.BeyondP }, func(c *Comparison) *float64 { return &c.BeyondQ }},
		{func(c *Comparison) *float64 { return &c.WorseP }, func(c *Comparison) *float64 { return &c.WorseQ }},
	} {
		p := make([]float64, len(all))
		for i, c := range all {
			p[i] = *kind.p(c)
		}
		for i, q := range Adjust(o.Method, p) {
			*kind.q(all[i]) = q
		}
	}
	smallest, last := 1.0, [2]int{}
	for _, c := range all {
		if runs := [2]int{c.RunsBase, c.RunsNew}; runs != last {
			smallest, last = min(smallest, stat.SmallestRankSumP(c.RunsBase, c.RunsNew)), runs
		}
		if c.Q <= o.ErrorRate {
			f.Differing++
		}
	}
	f.Level = 1 - levelAlpha(f, o)
	if single := singleAlpha(f.Tests, o); f.Differing == 0 && f.Tests > 0 && smallest > single*(1+1e-12) {
		f.Refused, f.NeededRuns = true, stat.RankSumRuns(single)
	}
	return f
}

// Adjust returns p-values adjusted for their number, in their order. A NaN stays
// and does not count.
func Adjust(m Method, p []float64) []float64 {
	switch m {
	case FamilyWise:
		return stat.Holm(p)
	case EachRow:
		return p
	}
	return stat.BenjaminiHochberg(p)
}

// levelAlpha is one minus the level of the intervals.
func levelAlpha(f Family, o JudgeOptions) float64 {
	tests, differing := float64(f.Tests), float64(f.Differing)
	switch {
	case f.Tests == 0 || o.Method == EachRow:
		return o.ErrorRate
	case o.Method == FamilyWise:
		return o.ErrorRate / max(1, tests-differing)
	}
	return o.ErrorRate * max(1, differing) / tests
}

// singleAlpha is the p-value that a single differing row must not exceed.
func singleAlpha(tests int, o JudgeOptions) float64 {
	if o.Method == EachRow {
		return o.ErrorRate
	}
	return o.ErrorRate / float64(max(1, tests))
}

// Geomean is the change of a whole column.
type Geomean struct {
	// LogRatio is the mean of the rows' log ratios, with the bounds of its Student
	// t interval over the rows at Level. It asks about all benchmarks like these,
	// so that rows that go different ways make it wide. All are NaN without rows,
	// the bounds with one.
	LogRatio, Low, High, Level float64
	// Rows is the number of rows that count: those with values above zero on both
	// sides. LeftOut is the number of others.
	Rows, LeftOut int
}

// geomeans computes one geometric mean for each column.
func geomeans(comparisons [][]*Comparison, columns int, level float64) []Geomean {
	list := make([]Geomean, columns)
	for column := 1; column < columns; column++ {
		var logs []float64
		g := &list[column]
		for _, row := range comparisons {
			if c := row[column]; c != nil && c.Scale == Ratios {
				logs = append(logs, c.Estimate)
			} else {
				g.LeftOut++
			}
		}
		g.Rows, g.Level = len(logs), level
		g.LogRatio, g.Low, g.High = math.NaN(), math.NaN(), math.NaN()
		if len(logs) > 1 {
			g.LogRatio, g.Low, g.High = stat.MeanInterval(logs, level)
		} else if len(logs) == 1 {
			g.LogRatio = logs[0]
		}
	}
	return list
}
