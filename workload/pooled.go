package workload

import (
	"fmt"
	"strings"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
)

// PooledResults is what a suite found over several processes, with the names of
// the structures. In each slice but Names, entry i compares the structure
// Names[i+1], as B, with the first one, as A.
type PooledResults struct {
	// Name is the suite's name, Names are the structures'.
	Name  string
	Names []string
	// Processes is the number of processes, and Precise what it is in
	// multiproc.Results.
	Processes int
	Precise   bool
	// SteadyState compares the time per operation at constant size, Build the
	// time per build. Build is empty where Options.SkipBuild was set.
	SteadyState, Build []rtcompare.Pooled
	// Memory holds [MemoryFigure], [ObjectsFigure] and [CycledMemoryFigure].
	// The entries are empty where Options.MemoryBuilds was zero.
	Memory [][]rtcompare.PooledFigure
	// Kinds holds what an operation of each kind costs; see [KindCost]. The
	// entries are empty where Options.KindTime was zero.
	Kinds [][]rtcompare.PooledFigure
	// Warnings are those of the run as a whole.
	Warnings []string
}

// Pool collects what the suite of that name, a [Suite] or a [SuiteAll], recorded
// in the processes of a run. Figures are pooled at the level of the pooled
// comparison that they came with. An error says that the run has no such suite,
// or that there were too few processes to pool.
func Pool(r multiproc.Results, name string) (PooledResults, error) {
	p := PooledResults{Name: name, Processes: r.Processes, Precise: r.Precise, Warnings: r.Warnings}
	for _, c := range r.Comparisons {
		switch {
		case len(c.Reports) == 0:
		case ofSuite(c, name, BuildSuffix):
			// The steady state of the same structure came before.
			p.Build = append(p.Build, c.Pooled)
		case ofSuite(c, name, SteadyStateSuffix):
			if err := p.add(c); err != nil {
				return p, fmt.Errorf("%s: %w", c.Name, err)
			}
		}
	}
	if p.Names == nil {
		return p, fmt.Errorf("no suite called %q is among what the processes recorded: %s", name, recorded(r))
	}
	return p, nil
}

// add takes up the steady state of another structure, with its figures.
func (p *PooledResults) add(c multiproc.Comparison) error {
	if c.Pooled.Processes == 0 {
		return fmt.Errorf("%d processes recorded it, which are too few to pool", len(c.Reports))
	}
	figures, err := rtcompare.CombineFigures(c.Reports, c.Pooled.Level)
	if err != nil {
		return err
	}
	if p.Names == nil {
		p.Names = []string{c.Reports[0].NameA}
	}
	p.Names = append(p.Names, c.Reports[0].NameB)
	p.SteadyState = append(p.SteadyState, c.Pooled)
	var memory, kinds []rtcompare.PooledFigure
	for _, f := range figures {
		switch f.Name {
		case MemoryFigure, ObjectsFigure, CycledMemoryFigure:
			memory = append(memory, f)
		default:
			kinds = append(kinds, f)
		}
	}
	p.Memory, p.Kinds = append(p.Memory, memory), append(p.Kinds, kinds)
	return nil
}

// ofSuite reports whether a comparison belongs to a suite: its name is that of
// the suite and the suffix, with a structure's name between them or without.
func ofSuite(c multiproc.Comparison, suite, suffix string) bool {
	return c.Name == suite+suffix || c.Name == suite+"/"+c.Reports[0].NameB+suffix
}

func recorded(r multiproc.Results) string {
	if len(r.Comparisons) == 0 {
		return "nothing"
	}
	var names []string
	for _, c := range r.Comparisons {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}

// String renders the results as plain text: a heading for each question, and
// the answers below it. The form may change.
func (p PooledResults) String() string {
	if len(p.Names) == 0 {
		return "Nothing was pooled: this result is empty."
	}
	head := fmt.Sprintf("%s: %d processes", p.Name, p.Processes)
	if !p.Precise {
		head += ", short of the precision that was asked for"
	}
	parts := []string{head}
	for i, name := range p.Names {
		if i == 0 {
			continue
		}
		title := func(question string) string { return fmt.Sprintf("%s, %s and %s: ", question, p.Names[0], name) }
		parts = append(parts, title("Steady state")+"times are per operation.\n"+indented(p.SteadyState[i-1].Text(p.Names[0], name)))
		if i <= len(p.Build) {
			parts = append(parts, title("Build")+"times are per build.\n"+indented(p.Build[i-1].Text(p.Names[0], name)))
		}
		parts = append(parts, p.figures(title("Memory")+"live heap; medians over the processes, and the ratio.", p.Memory[i-1], name)...)
		parts = append(parts, p.figures(title("Kinds")+"cost of each kind of operation, played sorted by kind; medians over the processes, and the ratio.", p.Kinds[i-1], name)...)
	}
	if len(p.Warnings) > 0 {
		parts = append(parts, "Warnings about the run:\n"+indented("- "+strings.Join(p.Warnings, "\n- ")))
	}
	return strings.Join(parts, "\n\n")
}

// figures is a heading with lines below it, or nothing.
func (p PooledResults) figures(heading string, figures []rtcompare.PooledFigure, name string) []string {
	if len(figures) == 0 {
		return nil
	}
	var lines []string
	for _, f := range figures {
		lines = append(lines, f.Text(p.Names[0], name))
	}
	return []string{heading + "\n" + indented(strings.Join(lines, "\n"))}
}
