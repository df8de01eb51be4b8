package table

import (
	"fmt"
	"maps"
	"slices"

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
	columns := sorted(b.projections.columns, b.columns)
	set := &Set{positions: b.positions}
	for _, f := range b.projections.column.FlattenedFields() {
		set.ColumnFields = append(set.ColumnFields, f.Name)
	}
	set.Base = b.column(columns[0])
	if notes == nil {
		notes = new(benchtext.Notes)
	}
	units := newUnits(notes.UnitLines, b.options.TrustUnits, b.inputs())
	rows := sorted(b.projections.rows, b.rows)
	for _, key := range sorted(b.projections.tables, b.tables) {
		t, err := b.table(key, b.tables[key], rows)
		if err != nil {
			return nil, err
		}
		t.Unit = units.of(key.Get(b.projections.unit))
		_, hasBase := b.tables[key].columns[columns[0]]
		t.BaseMissing = !hasBase
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
	for _, file := range b.positions.files {
		files[file] = true
	}
	return files
}

// table arranges one table. allRows are those of all tables in their order.
func (b *Builder) table(key benchproc.Key, t *building, allRows []benchproc.Key) (*Table, error) {
	table := &Table{}
	for _, f := range b.projections.table.FlattenedFields() {
		if f != b.projections.unit {
			table.Settings = append(table.Settings, Setting{f.Name, key.Get(f)})
		}
	}
	columns := sorted(b.projections.columns, t.columns)
	if len(t.rows)*len(columns) > maxCells {
		return nil, errTooLarge
	}
	for _, c := range columns {
		table.Columns = append(table.Columns, b.column(c))
	}
	cells := make([]*Cell, len(t.rows)*len(columns))
	rows := make([]Row, 0, len(t.rows))
	for _, row := range t.ordered(b.projections.rows, allRows) {
		building := t.rows[row]
		i := len(rows) * len(columns)
		rows = append(rows, Row{Label: row.StringValues(), Cells: cells[i : i+len(columns) : i+len(columns)]})
		for j, column := range columns {
			if number := t.columns[column]; number < len(building.cells) && building.cells[number] != nil {
				rows[len(rows)-1].Cells[j] = building.cells[number].finished()
			}
		}
		table.Rows = append(table.Rows, &rows[len(rows)-1])
	}
	return table, nil
}

// ordered lists the rows of the table. Sorting again is only worth it where
// these are few of all.
func (t *building) ordered(o *keyOrder, all []benchproc.Key) []benchproc.Key {
	if len(t.rows) < len(all)/16 {
		return sorted(o, t.rows)
	}
	list := make([]benchproc.Key, 0, len(t.rows))
	for _, key := range all {
		if t.rows[key] != nil {
			list = append(list, key)
		}
	}
	return list
}

// finished returns the cell with what its results differ in.
func (c *cellBuilding) finished() *Cell {
	c.Varying = nil
	for _, f := range benchproc.NonSingularFields(slices.Collect(maps.Keys(c.residues))) {
		c.Varying = append(c.Varying, f.Name)
	}
	return &c.Cell
}

func (b *Builder) column(key benchproc.Key) Column {
	var c Column
	for _, f := range b.projections.column.FlattenedFields() {
		c.Values = append(c.Values, key.Get(f))
	}
	return c
}

func sorted[V any](o *keyOrder, keys map[benchproc.Key]V) []benchproc.Key {
	list := slices.Collect(maps.Keys(keys))
	o.sort(list)
	return list
}
