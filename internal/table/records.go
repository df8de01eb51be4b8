package table

import (
	"fmt"

	"github.com/rtcompare/rtcompare/internal/benchtext"
	"github.com/rtcompare/rtcompare/internal/record"
)

// AddRecord adds the main units of a record of this program: one value for each
// unit, arm and metric, per operation. The arms become columns; a label that is
// not empty stands before their names. path and the number of the unit become
// the position. Units were measured in pairs, which a table does not use: to
// judge a single record, judge its units.
func (b *Builder) AddRecord(path, label string, r record.Record) error {
	shapes := map[string]*benchtext.Shape{}
	configs := make([]*benchtext.Config, len(r.Head.Arms))
	for i, arm := range r.Head.Arms {
		name := arm.Name
		if label != "" {
			name = label + ":" + name
		}
		configs[i] = &benchtext.Config{Settings: []benchtext.Setting{{Key: benchtext.FileKey, Value: name}}}
	}
	for i, unit := range r.Units {
		if unit.Purpose != record.Main {
			continue
		}
		for _, cell := range unit.Cells {
			if cell.Replica != 0 {
				continue // a repetition that compares the arm with itself
			}
			if cell.Arm < 0 || cell.Arm >= len(configs) {
				return fmt.Errorf("%s: unit %d names arm %d of %d", path, i+1, cell.Arm, len(configs))
			}
			result := cellResult(unit, cell, r.Head.Kind, shapes)
			if result == nil {
				continue
			}
			result.Config, result.Position = configs[cell.Arm], benchtext.Position{File: path, Line: i + 1}
			if err := b.Add(result); err != nil {
				return err
			}
		}
	}
	b.fromRecord = true
	return nil
}

// cellResult turns a cell into a result line, or nil where it has no operations.
func cellResult(unit record.Unit, cell record.Cell, kind string, shapes map[string]*benchtext.Shape) *benchtext.Result {
	operations := float64(cell.N) * float64(len(cell.Wall))
	if operations <= 0 {
		return nil
	}
	r := &benchtext.Result{Name: unit.Row, Iterations: int(operations)}
	if r.Name == "" {
		r.Name = kind
	}
	var units []benchtext.Unit
	key := ""
	for _, series := range []struct {
		values []int64
		unit   benchtext.Unit
	}{
		{cell.Wall, benchtext.Unit{Written: "ns/op", Base: "sec/op", Factor: 1e-9}},
		{cell.CPU, benchtext.Unit{Written: "cpu-ns/op", Base: "cpu-sec/op", Factor: 1e-9}},
		{cell.Bytes, benchtext.Unit{Written: "B/op", Base: "B/op", Factor: 1}},
		{cell.Allocs, benchtext.Unit{Written: "allocs/op", Base: "allocs/op", Factor: 1}},
	} {
		if len(series.values) != len(cell.Wall) {
			continue
		}
		total := 0.0
		for _, v := range series.values {
			total += float64(v)
		}
		units = append(units, series.unit)
		r.Numbers = append(r.Numbers, total/operations)
		key += series.unit.Written + " "
	}
	if shapes[key] == nil {
		shapes[key] = &benchtext.Shape{Units: units}
	}
	r.Shape = shapes[key]
	return r
}
