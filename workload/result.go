package workload

import (
	"fmt"
	"strings"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/internal/view"
)

// Result is what [Compare] found.
type Result struct {
	// Target is the number of elements at rest.
	Target int
	// CycleOps and BuildOps are the numbers of operations in a cycle and in a
	// build, those of all goroutines together.
	CycleOps, BuildOps int
	// SteadyState compares nanoseconds per operation at constant size, Build
	// nanoseconds per build. Build is zero where Options.SkipBuild is set.
	SteadyState, Build rtcompare.Report

	// MemoryA and MemoryB are zero where Options.MemoryBuilds is.
	MemoryA, MemoryB Memory
	// KindsA and KindsB hold one entry for each kind that the stream has, in
	// the order of the kinds; nil where Options.KindTime is zero.
	KindsA, KindsB []KindCost

	names []string
}

// Results is what [CompareAll] found. The slices run over the structures; the
// reports compare each with the first one and so begin with the second.
type Results struct {
	// Target is the number of elements at rest.
	Target int
	// CycleOps and BuildOps are the numbers of operations in a cycle and in a
	// build, those of all goroutines together.
	CycleOps, BuildOps int
	// Names are the structures' names.
	Names []string
	// SteadyState compares nanoseconds per operation at constant size, Build
	// nanoseconds per build. Build is empty where Options.SkipBuild is set.
	SteadyState, Build rtcompare.Reports
	// Memory is nil where Options.MemoryBuilds is zero.
	Memory []Memory
	// Kinds is nil where Options.KindTime is zero. Kinds[i] holds one entry for
	// each kind that the stream has, in the order of the kinds.
	Kinds [][]KindCost
}

// pair makes the result of a comparison of two.
func (r Results) pair() Result {
	p := Result{Target: r.Target, CycleOps: r.CycleOps, BuildOps: r.BuildOps, names: r.Names}
	if len(r.SteadyState.Reports) == 1 {
		p.SteadyState = r.SteadyState.Reports[0]
	}
	if len(r.Build.Reports) == 1 {
		p.Build = r.Build.Reports[0]
	}
	if len(r.Memory) == 2 {
		p.MemoryA, p.MemoryB = r.Memory[0], r.Memory[1]
	}
	if len(r.Kinds) == 2 {
		p.KindsA, p.KindsB = r.Kinds[0], r.Kinds[1]
	}
	return p
}

// all is the result in the form of one with any number of structures.
func (r Result) all() Results {
	a := Results{Target: r.Target, CycleOps: r.CycleOps, BuildOps: r.BuildOps, Names: r.names}
	a.SteadyState.Reports = []rtcompare.Report{r.SteadyState}
	if len(r.Build.SamplesA) > 0 {
		a.Build.Reports = []rtcompare.Report{r.Build}
	}
	if r.MemoryA.Builds > 0 {
		a.Memory = []Memory{r.MemoryA, r.MemoryB}
	}
	if r.KindsA != nil {
		a.Kinds = [][]KindCost{r.KindsA, r.KindsB}
	}
	return a
}

// String renders the result as plain text: a heading for each question and the
// report below it. The form may change.
func (r Result) String() string { return r.all().String() }

// String renders the results as plain text: a heading for each question and the
// reports below it. The form may change.
func (r Results) String() string {
	parts := []string{fmt.Sprintf("Steady state: %d elements, a cycle of %d operations; times are per operation.\n%s",
		r.Target, r.CycleOps, indented(r.SteadyState.String()))}
	if len(r.Build.Reports) > 0 {
		parts = append(parts, fmt.Sprintf("Build: from empty to %d elements in %d operations; times are per build.\n%s",
			r.Target, r.BuildOps, indented(r.Build.String())))
	}
	if len(r.Memory) > 0 {
		parts = append(parts, "Memory: live heap per element; medians.\n"+indented(r.memoryLines()))
	}
	if len(r.Kinds) > 0 {
		parts = append(parts, "Kinds: cost of each kind of operation, played sorted by kind; medians over fresh instances.\n"+indented(r.kindLines()))
	}
	return strings.Join(parts, "\n\n")
}

func (r Results) memoryLines() string {
	var lines []string
	for i, m := range r.Memory {
		lines = append(lines, fmt.Sprintf("%s: %s in %.2f objects, %s after a cycle (%d builds)",
			r.name(i), view.Bytes(m.BytesPerElement), m.ObjectsPerElement, view.Bytes(m.BytesAfterCycle), m.Builds))
	}
	return strings.Join(lines, "\n")
}

func (r Results) kindLines() string {
	var lines []string
	for i, costs := range r.Kinds {
		for _, c := range costs {
			line := fmt.Sprintf("%s, %s: %s", r.name(i), c.Kind, view.Nanoseconds(c.NsPerOp))
			if c.Against.Level > 0 {
				ratio, low, high := c.Against.Ratio()
				line += fmt.Sprintf(", %.3f times as long as %s [%.3f, %.3f]", ratio, r.name(0), low, high)
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// name is a structure's name, or its letter or number.
func (r Results) name(i int) string {
	if i < len(r.Names) && r.Names[i] != "" {
		return r.Names[i]
	}
	return strings.TrimPrefix(subjectLabel(Subject{}, i), "structure ")
}

// indented puts two spaces before every line that is not empty.
func indented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = "  " + line
		}
	}
	return strings.Join(lines, "\n")
}
