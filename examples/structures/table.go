package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
	"github.com/rtcompare/rtcompare/workload"
)

// table is what the program prints: a row for each structure, and below it what
// weakens the numbers.
type table struct {
	head  string
	rows  []row
	notes []note
	// kinds are those of the stream.
	kinds []string
}

// row is one structure. The first is the map.
type row struct {
	name          string
	steady, build cell
	// bytes is the live heap per element.
	bytes float64
	// kinds are what the kinds of operation cost.
	kinds []kindCost
}

// kindCost is what an operation of one kind costs, in nanoseconds and against the
// map.
type kindCost struct{ ns, ratio, low, high float64 }

// cell is the answer to one question.
type cell struct {
	// ns is the median over the processes, per operation of the stream.
	ns float64
	// against compares the map, as A, with this structure, as B. It is nil for
	// the map itself.
	against *rtcompare.Pooled
}

// note is a warning and the comparisons that it is about; none for one about
// the whole run.
type note struct {
	text  string
	about []string
}

// newTable puts together what the processes recorded.
func newTable(r multiproc.Results, pooled workload.PooledResults, elements int) (table, error) {
	cycle, err := workload.Cycle(elements, stream)
	if err != nil {
		return table{}, err
	}
	build, err := workload.Build(elements, stream)
	if err != nil {
		return table{}, err
	}
	t := table{head: fmt.Sprintf("%d elements, a cycle of %d operations, %d processes", elements, len(cycle), r.Processes)}
	for _, name := range pooled.Names {
		t.rows = append(t.rows, row{name: name})
	}
	for i := 1; i < len(t.rows); i++ {
		t.figures(i, pooled.Memory[i-1], pooled.Kinds[i-1])
	}
	for i := 1; i < len(t.rows); i++ {
		first, own := &t.rows[0], &t.rows[i]
		first.steady.ns, own.steady = t.answer(r, own.name+workload.SteadyStateSuffix, 1)
		first.build.ns, own.build = t.answer(r, own.name+workload.BuildSuffix, float64(len(build)))
	}
	if !r.Precise {
		t.note("the intervals are wider than the default precision allows; more processes would narrow them")
	}
	for _, warning := range r.Warnings {
		t.note(warning)
	}
	return t, nil
}

// figures takes over memory and the costs of the kinds. The map's own come with
// every other structure's, and are the same each time.
func (t *table) figures(i int, memory, kinds []rtcompare.PooledFigure) {
	first, own := &t.rows[0], &t.rows[i]
	for _, f := range memory {
		if f.Name == workload.MemoryFigure {
			first.bytes, own.bytes = f.A, f.B
		}
	}
	t.kinds, first.kinds = nil, nil
	for _, f := range kinds {
		t.kinds = append(t.kinds, f.Name)
		first.kinds = append(first.kinds, kindCost{ns: f.A, ratio: 1})
		own.kinds = append(own.kinds, kindCost{f.B, math.Exp(f.LogRatio), math.Exp(f.Low), math.Exp(f.High)})
	}
}

// answer reads one comparison: the time of the map, and what the other structure
// gets. What the comparison calls an operation is so many of the stream.
func (t *table) answer(r multiproc.Results, comparison string, ops float64) (first float64, own cell) {
	at := slices.IndexFunc(r.Comparisons, func(c multiproc.Comparison) bool { return c.Name == suiteName+"/"+comparison })
	if at < 0 {
		t.note("not measured", comparison)
		return 0, cell{}
	}
	c := r.Comparisons[at]
	var a, b []float64
	for _, report := range c.Reports {
		a, b = append(a, report.NsPerOpA/ops), append(b, report.NsPerOpB/ops)
	}
	for _, warning := range c.Pooled.Warnings {
		t.note(warning, comparison)
	}
	return rtcompare.Median(a), cell{ns: rtcompare.Median(b), against: &c.Pooled}
}

// note adds a text, once for all comparisons that have it.
func (t *table) note(text string, about ...string) {
	at := slices.IndexFunc(t.notes, func(n note) bool { return n.text == text })
	if at < 0 {
		at = len(t.notes)
		t.notes = append(t.notes, note{text: text})
	}
	t.notes[at].about = append(t.notes[at].about, about...)
}

// print writes the table and the notes.
func (t table) print(out io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n\n", t.head)
	columns := tabwriter.NewWriter(&text, 0, 0, 3, ' ', 0)
	fmt.Fprintln(columns, "structure\tsteady ns/op\tratio\tverdict\tbuild ns/op\tratio\tverdict\tB/element")
	for _, r := range t.rows {
		fmt.Fprintf(columns, "%s\t%s\t%s\t%.1f\n", r.name, r.steady, r.build, r.bytes)
	}
	if err := columns.Flush(); err != nil {
		return err
	}
	if len(t.kinds) > 0 {
		fmt.Fprintf(&text, "\nkinds of operation\n")
		fmt.Fprintln(columns, "structure\t"+strings.Join(t.kinds, " ns\tratio\t")+" ns\tratio")
		for _, r := range t.rows {
			fmt.Fprint(columns, r.name)
			for _, k := range r.kinds {
				fmt.Fprintf(columns, "\t%s", k)
			}
			fmt.Fprintln(columns)
		}
		if err := columns.Flush(); err != nil {
			return err
		}
	}
	for i, n := range t.notes {
		if i == 0 {
			fmt.Fprintln(&text, "\nNotes:")
		}
		if len(n.about) > 0 {
			n.text = strings.Join(n.about, ", ") + ": " + n.text
		}
		fmt.Fprintf(&text, "  - %s\n", n.text)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// String is three columns: time, ratio with its interval, verdict.
func (c cell) String() string {
	if c.against == nil {
		return fmt.Sprintf("%.1f\t1\t", c.ns)
	}
	d := c.against.Decision
	return fmt.Sprintf("%.1f\t%.2f [%.2f, %.2f]\t%s", c.ns, math.Exp(d.LogRatio), math.Exp(d.Low), math.Exp(d.High), verdict(c.against))
}

// String is two columns: time, and the ratio with its interval.
func (k kindCost) String() string {
	if k.ratio == 1 && k.low == k.high {
		return fmt.Sprintf("%.1f\t1", k.ns)
	}
	return fmt.Sprintf("%.1f\t%.2f [%.2f, %.2f]", k.ns, k.ratio, k.low, k.high)
}

// verdict says what the structure is beside the map.
func verdict(p *rtcompare.Pooled) string {
	switch v := p.Decision.Verdict; {
	case p.Resolved && v == rtcompare.AFaster:
		return "slower"
	case p.Resolved && v == rtcompare.BFaster:
		return "faster"
	case v == rtcompare.Equivalent:
		return "equivalent"
	}
	return "inconclusive"
}
