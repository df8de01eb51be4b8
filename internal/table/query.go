package table

import (
	"fmt"

	"golang.org/x/perf/benchproc"
)

// Query says how results are arranged. Its fields have the language of
// golang.org/x/perf/benchproc/syntax. The zero value is a table for each
// configuration, a row for each full name and a column for each input; a single
// space is the empty projection, which makes one group of all.
type Query struct {
	// Table is the projection that splits tables; empty means ".config". Tables
	// are always split by unit too.
	Table string
	// Row is the projection of rows; empty means ".fullname".
	Row string
	// Column is the projection of columns; empty means ".file".
	Column string
	// Ignore lists keys whose differences do not matter.
	Ignore string
	// Filter selects results and measurements; empty means all.
	Filter string
}

// withDefaults fills in what is empty.
func (q Query) withDefaults() Query {
	for _, d := range []struct {
		field   *string
		meaning string
	}{{&q.Table, ".config"}, {&q.Row, ".fullname"}, {&q.Column, ".file"}, {&q.Filter, "*"}} {
		if *d.field == "" {
			*d.field = d.meaning
		}
	}
	return q
}

// projections is a query ready for use.
type projections struct {
	filter                      *benchproc.Filter
	table, row, column, residue *benchproc.Projection
	unit                        *benchproc.Field
	// The orders of tables, rows and columns.
	tables, rows, columns *keyOrder
}

// parse compiles a query. Errors name the option.
func (q Query) parse() (*projections, error) {
	q = q.withDefaults()
	var p projections
	var err error
	if p.filter, err = benchproc.NewFilter(q.Filter); err != nil {
		return nil, fmt.Errorf("the filter %q: %w", q.Filter, err)
	}
	var parser benchproc.ProjectionParser
	if p.table, p.unit, err = parser.ParseWithUnit(q.Table, p.filter); err != nil {
		return nil, fmt.Errorf("the projection of tables %q: %w", q.Table, err)
	}
	if p.row, err = parser.Parse(q.Row, p.filter); err != nil {
		return nil, fmt.Errorf("the projection of rows %q: %w", q.Row, err)
	}
	if p.column, err = parser.Parse(q.Column, p.filter); err != nil {
		return nil, fmt.Errorf("the projection of columns %q: %w", q.Column, err)
	}
	if _, err = parser.Parse(q.Ignore, p.filter); err != nil {
		return nil, fmt.Errorf("the ignored keys %q: %w", q.Ignore, err)
	}
	p.residue = parser.Residue()
	p.tables, p.rows, p.columns = newKeyOrder(p.table, q.Table), newKeyOrder(p.row, q.Row), newKeyOrder(p.column, q.Column)
	return &p, nil
}
