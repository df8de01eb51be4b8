package workload

import "github.com/rtcompare/rtcompare"

// The names under which a suite hands on what it found of memory. The costs of
// the kinds have the kinds' own names.
const (
	// MemoryFigure is bytes of live heap per element, just built.
	MemoryFigure = "memory per element"
	// ObjectsFigure is objects on the heap per element, just built.
	ObjectsFigure = "objects per element"
	// CycledMemoryFigure is bytes of live heap per element after a further
	// cycle.
	CycledMemoryFigure = "memory per element after a cycle"
)

// figures are memory and costs of the kinds of the first structure and of
// another one, in the form in which they go from process to process.
func (r Results) figures(other int) []rtcompare.Figure {
	var all []rtcompare.Figure
	if r.Memory != nil {
		a, b := r.Memory[0], r.Memory[other]
		all = append(all,
			rtcompare.Figure{Name: MemoryFigure, Unit: "B", A: a.BytesPerElement, B: b.BytesPerElement},
			rtcompare.Figure{Name: ObjectsFigure, A: a.ObjectsPerElement, B: b.ObjectsPerElement},
			rtcompare.Figure{Name: CycledMemoryFigure, Unit: "B", A: a.BytesAfterCycle, B: b.BytesAfterCycle})
	}
	if r.Kinds != nil {
		// All structures play the same stream, so they have the same kinds.
		for k, cost := range r.Kinds[0] {
			all = append(all, rtcompare.Figure{Name: cost.Kind.String(), Unit: "ns", A: cost.NsPerOp, B: r.Kinds[other][k].NsPerOp})
		}
	}
	return all
}
