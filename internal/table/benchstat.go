package table

import (
	"errors"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"
)

// BenchstatOptions are the levels that benchstat calculates with. Its defaults
// are an Alpha of 0.05 and a Confidence of 0.95; zero is a level like others.
type BenchstatOptions struct {
	// Alpha is the p-value up to which a difference is shown, in 0 to 1.
	Alpha float64
	// Confidence is the level of the range of each median, in 0 to 1.
	Confidence float64
}

// BenchstatTable has the numbers and texts that benchstat shows for a table. They
// equal its own because both come from golang.org/x/perf/benchmath.
type BenchstatTable struct {
	*Table
	// Cells belong to the rows and columns of Table; nil where there is none.
	Cells [][]*BenchstatCell
	// Summaries has the geometric means of each column.
	Summaries []BenchstatSummary
}

// BenchstatCell is one cell.
type BenchstatCell struct {
	// Center is the median, or the most frequent value of an exact unit.
	Center float64
	// Range is half the range of Center as text, such as "3%" or "∞".
	Range string
	// Compared is set where the first column of the table has this row too. Delta
	// and P are texts such as "+3.00%" and "p=0.002 n=10".
	Compared bool
	Delta, P string
	// Notes belong to the values, CompareNotes to the comparison.
	Notes, CompareNotes []string
}

// BenchstatSummary is the last row of a column.
type BenchstatSummary struct {
	// Center is the geometric mean of the column, NaN where there is none.
	Center float64
	// Ratio is the geometric mean of the ratios to the first column, NaN where
	// there is none.
	Ratio float64
	Notes []string
}

// Benchstat computes what benchstat shows. A set for it is built with
// ZeroKeepsUnit. The error says that a level is outside 0 to 1.
func (s *Set) Benchstat(o BenchstatOptions) ([]BenchstatTable, error) {
	if !(o.Alpha >= 0 && o.Alpha <= 1) {
		return nil, errors.New("-alpha must be in range [0, 1]")
	}
	if !(o.Confidence >= 0 && o.Confidence <= 1) {
		return nil, errors.New("-confidence must be in range [0, 1]")
	}
	b := benchstat{options: o, thresholds: benchmath.Thresholds{CompareAlpha: o.Alpha}, tests: map[ranking]benchmath.Comparison{}}
	tables := make([]BenchstatTable, len(s.Tables))
	for i, t := range s.Tables {
		tables[i] = b.table(t)
	}
	return tables, nil
}

// benchstat computes tables and remembers tests: without ties there are few
// different ones, and each is expensive.
type benchstat struct {
	options    BenchstatOptions
	thresholds benchmath.Thresholds
	tests      map[ranking]benchmath.Comparison
}

func (b *benchstat) table(t *Table) BenchstatTable {
	out := BenchstatTable{Table: t, Cells: make([][]*BenchstatCell, len(t.Rows))}
	var assumption benchmath.Assumption = benchmath.AssumeNothing
	if t.Unit.Exact {
		assumption = benchmath.AssumeExact
	}
	for i, row := range t.Rows {
		out.Cells[i] = make([]*BenchstatCell, len(row.Cells))
		var base *benchmath.Sample
		baseCenter := 0.0
		for j, cell := range row.Cells {
			if cell == nil {
				continue
			}
			sample := benchmath.NewSample(slices.Clone(cell.Values), &b.thresholds)
			c, center := b.cell(cell, sample, assumption)
			out.Cells[i][j] = c
			if j == 0 {
				base, baseCenter = sample, center
			} else if base != nil {
				comparison := b.compare(base, sample, assumption)
				c.Compared = true
				c.Delta, c.P = comparison.FormatDelta(baseCenter, center), comparison.String()
				c.CompareNotes = texts(comparison.Warnings)
			}
		}
	}
	out.Summaries = make([]BenchstatSummary, len(t.Columns))
	for j := range t.Columns {
		out.Summaries[j] = summarizeColumn(out.Cells, j)
	}
	return out
}

func (b *benchstat) cell(cell *Cell, sample *benchmath.Sample, a benchmath.Assumption) (*BenchstatCell, float64) {
	summary := a.Summary(sample, b.options.Confidence)
	c := &BenchstatCell{Center: summary.Center, Range: summary.PctRangeString()}
	if len(cell.Varying) > 0 {
		c.Notes = append(c.Notes, "benchmarks vary in "+strings.Join(cell.Varying, ", "))
	}
	c.Notes = append(c.Notes, texts(summary.Warnings)...)
	return c, summary.Center
}

// compare runs a test once for each order of the values of two samples.
func (b *benchstat) compare(x, y *benchmath.Sample, a benchmath.Assumption) benchmath.Comparison {
	if a != benchmath.Assumption(benchmath.AssumeNothing) {
		return a.Compare(x, y)
	}
	order := rankingOf(x.Values, y.Values)
	c, ok := b.tests[order]
	if !ok {
		c = a.Compare(x, y)
		b.tests[order] = c
	}
	return c
}

// ranking is all that a rank test sees of two samples.
type ranking struct {
	n, m, twiceU int
	ties         string // sizes of the groups of equal values, if any is above 1
}

// rankingOf ranks two ascending samples.
func rankingOf(x, y []float64) ranking {
	r := ranking{n: len(x), m: len(y)}
	var sizes []byte
	tied := false
	for i, j := 0, 0; i < len(x) || j < len(y); {
		value := math.Inf(1)
		if i < len(x) {
			value = x[i]
		}
		if j < len(y) {
			value = min(value, y[j])
		}
		fromX, fromY := i, j
		for i < len(x) && x[i] == value {
			i++
		}
		for j < len(y) && y[j] == value {
			j++
		}
		// Every x here exceeds the y before the group and ties with those in it.
		r.twiceU += (i - fromX) * (2*fromY + j - fromY)
		group := i - fromX + j - fromY
		tied = tied || group > 1
		for ; group >= 255; group -= 255 {
			sizes = append(sizes, 255)
		}
		sizes = append(sizes, byte(group))
	}
	if tied {
		r.ties = string(sizes)
	}
	return r
}

// summarizeColumn computes the geometric means of a column. The mean of ratios
// is taken over rows that the first column has too; nought to nought is one.
func summarizeColumn(cells [][]*BenchstatCell, column int) BenchstatSummary {
	s := BenchstatSummary{Center: math.NaN(), Ratio: math.NaN()}
	var centers, ratios []float64
	bases, impossible := 0, false
	for _, row := range cells {
		if row[0] != nil {
			bases++
		}
		c := row[column]
		if c == nil {
			continue
		}
		centers = append(centers, c.Center)
		if !c.Compared {
			continue
		}
		ratio := 1.0
		switch base := row[0].Center; {
		case c.Center == base:
		case base == 0:
			impossible, ratio = true, 0
		default:
			ratio = c.Center / base
		}
		ratios = append(ratios, ratio)
	}
	if column > 0 && bases != len(ratios) {
		s.Notes = append(s.Notes, "benchmark set differs from baseline; geomeans may not be comparable")
	}
	if s.Center = geometricMean(centers); math.IsNaN(s.Center) {
		s.Notes = append(s.Notes, "summaries must be >0 to compute geomean")
	}
	if column > 0 && !impossible {
		if s.Ratio = geometricMean(ratios); math.IsNaN(s.Ratio) {
			s.Notes = append(s.Notes, "ratios must be >0 to compute geomean")
		}
	}
	return s
}

// geometricMean is NaN where a value is not positive, and without values. The
// running mean of logarithms rounds as benchstat's does.
func geometricMean(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	mean := 0.0
	for i, v := range values {
		if v <= 0 {
			return math.NaN()
		}
		mean += (math.Log(v) - mean) / float64(i+1)
	}
	return math.Exp(mean)
}

func texts(errs []error) (list []string) {
	for _, err := range errs {
		list = append(list, err.Error())
	}
	return list
}
