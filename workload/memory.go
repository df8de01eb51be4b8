package workload

import (
	"context"
	"runtime"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// Memory is how much of the heap a structure holds. Each number is the median
// over several builds of how much the live heap grew, garbage collected before
// and after. What the structure holds outside of Go's heap is not in it, nor
// what TypedStructure.Value made, nor what another goroutine of the program
// does meanwhile. The zero value means that it was not measured.
type Memory struct {
	// Builds is the number of builds, Elements what each structure held.
	Builds, Elements int
	// BytesPerElement and ObjectsPerElement are of a structure just built.
	BytesPerElement, ObjectsPerElement float64
	// BytesAfterCycle is the bytes per element after a further whole cycle. It
	// shows what a structure keeps of elements that are gone.
	BytesAfterCycle float64
}

// memory builds the structures one after the other, in turning order, and
// watches the live heap.
func (t *trial) memory(ctx context.Context) ([]Memory, error) {
	built, objects, cycled := t.table(), t.table(), t.table()
	for round := range t.opt.MemoryBuilds {
		order := t.order()
		for turn := range order {
			i := order[turn]
			if round%2 == 1 {
				i = order[len(order)-1-turn]
			}
			before, after, end, err := t.weigh(ctx, i)
			if err != nil {
				return nil, err
			}
			built[i] = append(built[i], after.bytes-before.bytes)
			objects[i] = append(objects[i], after.objects-before.objects)
			cycled[i] = append(cycled[i], end.bytes-before.bytes)
		}
	}
	found := make([]Memory, len(t.subjects))
	elements := float64(t.streams.target)
	for i := range found {
		found[i] = Memory{
			Builds: t.opt.MemoryBuilds, Elements: t.streams.target,
			BytesPerElement: stat.Median(built[i]) / elements, ObjectsPerElement: stat.Median(objects[i]) / elements,
			BytesAfterCycle: stat.Median(cycled[i]) / elements,
		}
	}
	return found, nil
}

// table holds a series for each structure.
func (t *trial) table() [][]float64 { return make([][]float64, len(t.subjects)) }

// weigh builds one structure and plays its cycle.
func (t *trial) weigh(ctx context.Context, i int) (before, built, cycled heap, err error) {
	before = liveHeap()
	instances, err := t.open(ctx, []int{i})
	if err != nil {
		return before, built, cycled, err
	}
	built = liveHeap()
	err = t.guard(i, "Apply", func() {
		for part, ops := range t.streams.cycles() {
			instances[i].apply(t.streams.parts + part)(ops)
		}
	})
	cycled = liveHeap()
	instances[i].keep()
	return before, built, cycled, err
}

// heap is what is alive.
type heap struct{ bytes, objects float64 }

// liveHeap collects garbage twice: objects with a finalizer or in a sync.Pool
// survive the first time.
func liveHeap() heap {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return heap{float64(stats.HeapAlloc), float64(stats.HeapObjects)}
}
