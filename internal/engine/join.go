package engine

import (
	"github.com/rtcompare/rtcompare/internal/record"
)

// join appends the series of unit b to those of unit a. Both have the same
// cells; a without cells stands for an empty unit.
func join(a, b record.Unit) record.Unit {
	if a.Cells == nil {
		return b
	}
	a.Order += b.Order
	for i := range a.Cells {
		joinCells(&a.Cells[i], b.Cells[i])
	}
	return a
}

func joinCells(a *record.Cell, b record.Cell) {
	a.Wall = append(a.Wall, b.Wall...)
	a.CPU = append(a.CPU, b.CPU...)
	a.Bytes = append(a.Bytes, b.Bytes...)
	a.Allocs = append(a.Allocs, b.Allocs...)
	a.Collections = append(a.Collections, b.Collections...)
	for metric, values := range b.Extra {
		if a.Extra == nil {
			a.Extra = map[string]record.Values{}
		}
		a.Extra[metric] = append(a.Extra[metric], values...)
	}
	for name, count := range b.Counts {
		if a.Counts == nil {
			a.Counts = map[string]int64{}
		}
		a.Counts[name] += count
	}
	if a.Preempted < 0 || b.Preempted < 0 {
		a.Preempted = -1
	} else {
		a.Preempted += b.Preempted
	}
}
