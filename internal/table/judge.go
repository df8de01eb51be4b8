package table

import (
	"errors"
	"math"
	"runtime"
	"sync"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// Method is how the p-values of many rows are put under one error rate.
type Method string

const (
	// FalseDiscovery bounds the expected share of false ones among the rows said
	// to differ (Benjamini and Hochberg 1995). The rows must be independent or
	// positively dependent. Where nothing differs at all, a single false row has
	// at most the error rate.
	FalseDiscovery Method = "bh"
	// FamilyWise bounds the probability of even one false row (Holm 1979), without
	// any condition.
	FamilyWise Method = "holm"
	// EachRow leaves every row on its own: of a hundred rows that are the same,
	// five will be said to differ at 5 %.
	EachRow Method = "none"
)

// JudgeOptions say how sets are judged.
type JudgeOptions struct {
	// ErrorRate is the rate of false findings; 0 means 0.05.
	ErrorRate float64
	// Margin is the largest share that does not matter; 0 is a margin too.
	Margin float64
	// Method is how many rows are judged at once; empty means FalseDiscovery.
	Method Method
}

// Judged is a set with its columns compared.
type Judged struct {
	Set    *Set
	Family Family
	// Tables belong to the tables of the set.
	Tables []JudgedTable
}

// JudgedTable is a table with its columns compared.
type JudgedTable struct {
	// Comparisons has one for each row and column; nil where a side has no values,
	// and for the base.
	Comparisons [][]*Comparison
	// Geomeans has one for each column; that of the base is empty.
	Geomeans []Geomean
}

// Judge compares every column with the base of the set, and judges all rows of
// all tables together. A table without the base is not compared. The error says
// which option is out of range.
func (s *Set) Judge(o JudgeOptions) (*Judged, error) {
	if o.ErrorRate == 0 {
		o.ErrorRate = 0.05
	}
	if o.Method == "" {
		o.Method = FalseDiscovery
	}
	switch {
	case !(o.ErrorRate > 0 && o.ErrorRate < 0.5):
		return nil, errors.New("the error rate must lie between 0 and 0.5")
	case !(o.Margin >= 0) || math.IsInf(o.Margin, 0):
		return nil, errors.New("the margin must be 0 or more, such as 0.01")
	case o.Method != FalseDiscovery && o.Method != FamilyWise && o.Method != EachRow:
		return nil, errors.New("the method for many rows must be bh, holm or none")
	}
	j := &Judged{Set: s, Tables: make([]JudgedTable, len(s.Tables))}
	for i, t := range s.Tables {
		j.Tables[i].Comparisons = make([][]*Comparison, len(t.Rows))
		for k := range t.Rows {
			j.Tables[i].Comparisons[k] = make([]*Comparison, len(t.Columns))
		}
	}
	j.compareAll(o)
	all := j.tested()
	j.Family = judgeFamily(all, o)
	needed := stat.RankSumRuns(1 - j.Family.Level)
	inParallel(len(all), func(i int, _ laws) { all[i].finish(o, j.Family.Level, needed) })
	for i, t := range s.Tables {
		j.Tables[i].Geomeans = geomeans(j.Tables[i].Comparisons, len(t.Columns), 1-o.ErrorRate)
	}
	return j, nil
}

// compareAll makes all comparisons.
func (j *Judged) compareAll(o JudgeOptions) {
	type place struct{ table, row, column int }
	var places []place
	for i, t := range j.Set.Tables {
		if t.BaseMissing {
			continue
		}
		for k, row := range t.Rows {
			for l := 1; l < len(row.Cells) && row.Cells[0] != nil; l++ {
				if row.Cells[l] != nil {
					places = append(places, place{i, k, l})
				}
			}
		}
	}
	inParallel(len(places), func(i int, known laws) {
		p := places[i]
		t := j.Set.Tables[p.table]
		cells := t.Rows[p.row].Cells
		j.Tables[p.table].Comparisons[p.row][p.column] = compare(cells[0].Values, cells[p.column].Values, t.Unit, o.Margin, known)
	})
}

// tested lists the comparisons that have a p-value.
func (j *Judged) tested() (list []*Comparison) {
	for _, t := range j.Tables {
		for _, row := range t.Comparisons {
			for _, c := range row {
				if c != nil && !c.Exact {
					list = append(list, c)
				}
			}
		}
	}
	return list
}

// inParallel calls do for 0 to n-1 on all processors. Each has its own laws.
func inParallel(n int, do func(i int, known laws)) {
	workers := min(runtime.GOMAXPROCS(0), (n+31)/32)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			known := laws{}
			for i := w * n / workers; i < (w+1)*n/workers; i++ {
				do(i, known)
			}
		})
	}
	group.Wait()
}

// finish fills in what depends on the whole family.
func (c *Comparison) finish(o JudgeOptions, level float64, needed int) {
	c.Level = level
	c.Low, c.High = c.shift.Interval(level)
	if math.IsInf(c.Low, 0) || math.IsInf(c.High, 0) {
		c.NeededRuns = needed
	}
	c.Differs, c.Beyond, c.Worse = c.Q <= o.ErrorRate, c.BeyondQ <= o.ErrorRate, c.WorseQ <= o.ErrorRate
	// Both one-sided tests at the error rate: the interval at 1 - 2 of it lies
	// inside the margin (Schuirmann 1987).
	c.Equivalent = c.shift.AboveP(-c.bound) <= o.ErrorRate && c.shift.BelowP(c.bound) <= o.ErrorRate
}
