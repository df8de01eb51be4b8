package table

import (
	"fmt"

	"golang.org/x/perf/benchproc"

	"github.com/rtcompare/rtcompare/internal/benchtext"
)

// Set returns the tables of all results added so far. notes are those of the
// reader; nil means that it had none. The error is [ErrEmpty], or says that a
// table would be too large.
func (b *Builder) Set(notes *benchtext.Notes) (*Set, error) {
	unknown := b.keys.unknown()
	if len(b.tables) == 0 {
		if len(unknown) > 0 {
			return nil, fmt.Errorf("%w: %s", ErrEmpty, unknown[0])
		}
		return nil, ErrEmpty
	}
	columns := sorted(b.columns)
	set := &Set{positions: b.positions}
	for _, f := range b.projections.column.FlattenedFields() {
		set.ColumnFields = append(set.ColumnFields, f.Name)
	}
	set.Base = b.column(columns[0])
	if notes == nil {
		notes = new(benchtext.Notes)
	}
	units := newUnits(notes.UnitLines, b.options.TrustUnits, b.inputs())
	for _, key := range sorted(b.tables) {
		t, err := b.table(key, b.tables[key])
		if err != nil {
			return nil, err
		}
		t.Unit = units.of(key.Get(b.projections.unit))
		t.BaseMissing = !hasKey(b.tables[key].columns, columns[0])
		set.Tables = append(set.Tables, t)
	}
	set.Findings = findings(set)
	if b.fromRecord {
		set.Findings.Collection = FromRecord
	}
	set.Findings.UnknownKeys = unknown
	set.Findings.UntrustedUnits = units.untrusted
	return set, nil
}

// inputs returns the names of the files that gave results.
func (b *Builder) inputs() map[string]bool {
	files := map[string]bool{}
	last := ""
	for _, p := range b.positions {
		if p.File != last || len(files) == 0 {
			files[p.File], last = true, p.File
		}
	}
	return files
}

// table arranges one table.
func (b *Builder) table(key benchproc.Key, t *building) (*Table, error) {
	table := &Table{}
	for _, f := range b.projections.table.FlattenedFields() {
		if f != b.projections.unit {
			table.Settings = append(table.Settings, Setting{f.Name, key.Get(f)})
		}
	}
	rows, columns := sorted(t.rows), sorted(t.columns)
	if len(rows)*len(columns) > maxCells {
		return nil, fmt.Errorf("a table of %d rows and %d columns is too large; filter, or choose columns by another key", len(rows), len(columns))
	}
	for _, c := range columns {
		table.Columns = append(table.Columns, b.column(c))
	}
	cells := make([]*Cell, len(rows)*len(columns))
	for i, row := range rows {
		r := &Row{Label: row.StringValues(), Cells: cells[i*len(columns) : (i+1)*len(columns) : (i+1)*len(columns)]}
		for j, column := range columns {
			if c := t.cells[cellKey{row, column}]; c != nil {
				c.Varying = nil
				for _, f := range benchproc.NonSingularFields(sorted(c.residues)) {
					c.Varying = append(c.Varying, f.Name)
				}
				r.Cells[j] = &c.Cell
			}
		}
		table.Rows = append(table.Rows, r)
	}
	return table, nil
}

func (b *Builder) column(key benchproc.Key) Column {
	var c Column
	for _, f := range b.projections.column.FlattenedFields() {
		c.Values = append(c.Values, key.Get(f))
	}
	return c
}

func sorted[V any](keys map[benchproc.Key]V) []benchproc.Key {
	list := make([]benchproc.Key, 0, len(keys))
	for k := range keys {
		list = append(list, k)
	}
	benchproc.SortKeys(list)
	return list
}

func hasKey(keys map[benchproc.Key]struct{}, key benchproc.Key) bool {
	_, ok := keys[key]
	return ok
}
