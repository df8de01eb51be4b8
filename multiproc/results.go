package multiproc

import (
	"fmt"
	"strings"

	"github.com/rtcompare/rtcompare"
)

// Comparison is one comparison of a run.
type Comparison struct {
	// Name is what the processes recorded it under.
	Name string
	// Reports are what the processes reported, in their order. They hold
	// everything that the comparison found there, samples included.
	Reports []rtcompare.Report
	// Pooled is the answer over all of them. It is the zero value as long as
	// there are fewer than three.
	Pooled rtcompare.Pooled

	// firstStage is how many of the reports come from the first stage.
	firstStage int
}

// Results is what a run found.
type Results struct {
	// Child is set in a process that was started by a run. Its results go to
	// its parent; a program that goes on after Run has to end when this is set.
	Child bool
	// Processes is the number of processes that finished, and Seeds theirs.
	Processes int
	Seeds     []uint64
	// Comparisons are in the order in which they were first recorded.
	Comparisons []Comparison
	// Precise is set when the number of processes that the first stage asked
	// for was run, or with Layouts, when the intervals are as narrow as asked
	// for.
	Precise bool
	// Parallel is how many processes measured at the same time, one for one at
	// a time. ChildGOMAXPROCS is their GOMAXPROCS, zero where none was set.
	Parallel        int
	ChildGOMAXPROCS int

	// Skipped is set, together with Child, by a call that was not the one that
	// started this process: it ran nothing. The other fields then hold what the
	// same call found in the parent. Go on to the next call.
	Skipped bool
	// Replaced is the number of processes that failed and were replaced by
	// another with a new seed, Lost the number of those that were not.
	Replaced, Lost int
	// Resumed is the number of processes that were read from the journal.
	Resumed int
	// Layouts is the number of link orders, zero where the program ran as it
	// was built.
	Layouts int
	// Warnings are plain sentences about the run as a whole.
	Warnings []string
}

// String renders the results as text. Its form may change.
func (r Results) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d processes", r.Processes)
	if r.Layouts > 0 {
		fmt.Fprintf(&out, " on %d link orders", r.Layouts)
	}
	if r.Parallel > 1 {
		fmt.Fprintf(&out, ", %d at a time with GOMAXPROCS %d each", r.Parallel, r.ChildGOMAXPROCS)
	}
	if !r.Precise {
		out.WriteString(", short of the precision that was asked for")
	}
	for _, c := range r.Comparisons {
		fmt.Fprintf(&out, "\n\n%s:", c.Name)
		if c.Pooled.Processes == 0 {
			fmt.Fprintf(&out, "\n  %d processes recorded it, too few to pool", len(c.Reports))
			continue
		}
		for line := range strings.Lines(c.Pooled.String()) {
			if text := strings.TrimRight(line, "\n"); text != "" {
				out.WriteString("\n  " + text)
			} else {
				out.WriteString("\n")
			}
		}
	}
	if len(r.Warnings) > 0 {
		out.WriteString("\n\nWarnings about the run:")
		for _, w := range r.Warnings {
			out.WriteString("\n  - " + w)
		}
	}
	return out.String()
}
