package table

import "github.com/rtcompare/rtcompare/internal/benchtext"

// Set is all tables of a query.
type Set struct {
	// Tables are in the order of the projection, units in the order in which they
	// were first seen.
	Tables []*Table
	// ColumnFields are the names of the fields of a column, such as ".file".
	ColumnFields []string
	// Base is the column that was seen first in the order of the projection: the
	// one that all others are compared with.
	Base Column
	// Findings is what the arrangement itself shows.
	Findings Findings

	positions positions
}

// Position returns where the result with a number stood, see [Cell].
func (s *Set) Position(result int32) benchtext.Position { return s.positions.at(result) }

// Results returns the number of results that were arranged.
func (s *Set) Results() int { return len(s.positions.list) }

// Setting is a key of a configuration and its value.
type Setting struct{ Key, Value string }

// Table holds all values of one unit and one configuration.
type Table struct {
	// Settings has a value for every key that any table of the set is split by;
	// the value is empty where the table has none.
	Settings []Setting
	Unit     Unit
	// Columns are those that occur in this table, in order.
	Columns []Column
	Rows    []*Row
	// BaseMissing is set where the base of the set does not occur in this table,
	// so that there is nothing to compare with.
	BaseMissing bool
}

// Column is a group of results that belong to one side.
type Column struct {
	// Values has a value for each of the set's ColumnFields.
	Values []string
}

// Row is one benchmark in one unit.
type Row struct {
	// Label is the values of the row's fields.
	Label string
	// Cells has one cell for each column of the table; nil where there is none.
	Cells []*Cell
}

// OneSided reports whether a column has no values for this row.
func (r *Row) OneSided() bool {
	for _, c := range r.Cells {
		if c == nil {
			return true
		}
	}
	return false
}

// Cell is the series of one row and column.
type Cell struct {
	// Values are in base units, in the order they were written.
	Values []float64
	// Results has the number of the result that each value belongs to: results
	// count from 0 over all inputs in the order they were read.
	Results []int32
	// Varying are the keys in which the results of this cell differ though neither
	// table nor row nor column tells them apart. Such values are no repetitions
	// of one measurement.
	Varying []string
}

// Unit is the unit of a table.
type Unit struct {
	// Name is the unit in base units, such as "sec/op".
	Name string
	// Better is +1 where higher values are better, -1 where lower ones are, and 0
	// where nobody said.
	Better int
	// Exact is set where the input declares that the values are exact.
	Exact bool
}
