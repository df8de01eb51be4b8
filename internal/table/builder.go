package table

import (
	"errors"
	"fmt"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"

	"github.com/rtcompare/rtcompare/internal/benchtext"
)

// Limits that keep time and memory bounded whatever the input is.
const (
	maxTables  = 10000
	maxColumns = 1000
	maxCells   = 20_000_000 // rows times columns of one table
)

// Options say how results become tables.
type Options struct {
	Query
	// TrustUnits lets the declarations of one input ("Unit" lines) decide about
	// all. Without it a declaration counts only where every input has it.
	TrustUnits bool
	// ZeroKeepsUnit leaves a measurement of zero in the unit it was written in, as
	// benchstat does: 0 ns/op is then in another table than 1 ns/op.
	ZeroKeepsUnit bool
}

// Builder sorts results into tables.
type Builder struct {
	options     Options
	projections *projections
	keys        *keyUse
	tables      map[benchproc.Key]*building
	rows        map[benchproc.Key]struct{}
	columns     map[benchproc.Key]struct{}
	positions   positions
	fromRecord  bool // a record was added

	// series remembers where the numbers of a kind of line go, so that the
	// projections run once for each kind.
	series  map[seriesKey]*series
	lastKey seriesKey
	last    *series
	configs map[*benchtext.Config][]benchfmt.Config
}

// seriesKey is everything of a result line that decides where its numbers go.
type seriesKey struct {
	config *benchtext.Config
	name   string
	shape  *benchtext.Shape
	zeros  uint64 // bit i: number i is a zero that keeps its unit
}

// series has the cell of each number; nil where the filter drops it.
type series struct{ cells []*cellBuilding }

// building is a table in the making. Columns are numbered as they come, and a row
// has its cells by these numbers.
type building struct {
	columns map[benchproc.Key]int
	rows    map[benchproc.Key]*rowBuilding
	slots   int // places for cells in all rows
}

type rowBuilding struct{ cells []*cellBuilding }

type cellBuilding struct {
	Cell
	residue  benchproc.Key
	residues map[benchproc.Key]struct{} // all of them, where there is more than one
}

// usualRuns is the number of runs that a cell has room for at first.
const usualRuns = 8

// NewBuilder returns a builder for a query. The error says which part of the
// query cannot be read.
func NewBuilder(o Options) (*Builder, error) {
	p, err := o.parse()
	if err != nil {
		return nil, err
	}
	return &Builder{options: o, projections: p, keys: newKeyUse(o.Query),
		tables: map[benchproc.Key]*building{}, rows: map[benchproc.Key]struct{}{}, columns: map[benchproc.Key]struct{}{},
		series: map[seriesKey]*series{}, configs: map[*benchtext.Config][]benchfmt.Config{}}, nil
}

// Add sorts the numbers of a result into their cells. It copies what it keeps.
// An error says that there are too many tables or columns.
func (b *Builder) Add(r *benchtext.Result) error {
	key := seriesKey{config: r.Config, name: r.Name, shape: r.Shape}
	if b.options.ZeroKeepsUnit {
		key.zeros = zerosOf(r)
	}
	s := b.last
	if s == nil || key != b.lastKey {
		var err error
		if s, err = b.seriesOf(key, r); err != nil {
			return fmt.Errorf("%s: %w", r.Position, err)
		}
		b.last, b.lastKey = s, key
	}
	number := b.positions.add(r.Position)
	for i, cell := range s.cells {
		if cell == nil {
			continue
		}
		cell.Values = append(cell.Values, r.Value(i))
		cell.Results = append(cell.Results, number)
	}
	return nil
}

// zerosOf marks the numbers that keep their unit. Lines with more than 64
// numbers are not told apart by those behind.
func zerosOf(r *benchtext.Result) (zeros uint64) {
	for i, v := range r.Numbers {
		if v == 0 && i < 64 && r.Shape.Units[i].Factor != 1 {
			zeros |= 1 << i
		}
	}
	return zeros
}

func (b *Builder) seriesOf(key seriesKey, r *benchtext.Result) (*series, error) {
	if s, ok := b.series[key]; ok {
		return s, nil
	}
	result := &benchfmt.Result{Config: b.config(r.Config), Name: benchfmt.Name(r.Name), Iters: r.Iterations}
	for i, u := range r.Shape.Units {
		v := benchfmt.Value{Value: r.Value(i), Unit: u.Base}
		switch {
		case key.zeros>>min(i, 63)&1 == 1 && i < 64:
			v.Unit = u.Written
		case u.Written != u.Base:
			v.OrigValue, v.OrigUnit = r.Numbers[i], u.Written
		}
		result.Values = append(result.Values, v)
	}
	b.keys.see(result)
	s := &series{cells: make([]*cellBuilding, len(result.Values))}
	if err := b.project(result, s); err != nil {
		return nil, err
	}
	b.series[key] = s
	return s, nil
}

// project finds the cells of a kind of line.
func (b *Builder) project(result *benchfmt.Result, s *series) error {
	match, err := b.projections.filter.Match(result)
	if err != nil {
		return err
	}
	kept := make([]int, 0, len(result.Values))
	for i := range result.Values {
		if match.Test(i) {
			kept = append(kept, i)
		}
	}
	if !match.Apply(result) || len(kept) == 0 {
		return nil
	}
	tables := b.projections.table.ProjectValues(result)
	row, column := b.projections.row.Project(result), b.projections.column.Project(result)
	residue := b.projections.residue.Project(result)
	b.rows[row], b.columns[column] = struct{}{}, struct{}{}
	b.projections.rows.see(row)
	b.projections.columns.see(column)
	for i, key := range tables {
		b.projections.tables.see(key)
		t := b.tables[key]
		if t == nil {
			if len(b.tables) >= maxTables {
				return fmt.Errorf("more than %d tables; split by fewer keys or ignore some", maxTables)
			}
			t = &building{rows: map[benchproc.Key]*rowBuilding{}, columns: map[benchproc.Key]int{}}
			b.tables[key] = t
		}
		cell, err := t.cell(row, column)
		if err != nil {
			return err
		}
		cell.addResidue(residue)
		s.cells[kept[i]] = cell
	}
	return nil
}

// cell returns the cell of a row and a column.
func (t *building) cell(row, column benchproc.Key) (*cellBuilding, error) {
	number, ok := t.columns[column]
	if !ok {
		if number = len(t.columns); number >= maxColumns {
			return nil, fmt.Errorf("more than %d columns; choose columns by another key", maxColumns)
		}
		t.columns[column] = number
	}
	r := t.rows[row]
	if r == nil {
		r = new(rowBuilding)
		t.rows[row] = r
	}
	if grow := number + 1 - len(r.cells); grow > 0 {
		if t.slots += grow; t.slots > maxCells {
			return nil, errTooLarge
		}
		r.cells = append(r.cells, make([]*cellBuilding, grow)...)
	}
	if r.cells[number] == nil {
		c := new(cellBuilding)
		c.Values, c.Results = make([]float64, 0, usualRuns), make([]int32, 0, usualRuns)
		r.cells[number] = c
	}
	return r.cells[number], nil
}

func (c *cellBuilding) addResidue(key benchproc.Key) {
	switch {
	case c.residue.IsZero():
		c.residue = key
	case c.residues == nil && key != c.residue:
		c.residues = map[benchproc.Key]struct{}{c.residue: {}, key: {}}
	case c.residues != nil:
		c.residues[key] = struct{}{}
	}
}

// config turns a configuration into that of benchfmt. Nobody changes it.
func (b *Builder) config(c *benchtext.Config) []benchfmt.Config {
	if known, ok := b.configs[c]; ok {
		return known
	}
	list := make([]benchfmt.Config, len(c.Settings))
	for i, s := range c.Settings {
		list[i] = benchfmt.Config{Key: s.Key, Value: []byte(s.Value), File: s.FromFile}
	}
	b.configs[c] = list
	return list
}

var errTooLarge = fmt.Errorf("a table of more than %d cells; filter, or choose columns by another key", maxCells)

// ErrEmpty says that no result was left to arrange.
var ErrEmpty = errors.New("no benchmark results")
