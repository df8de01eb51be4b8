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

	// judged is how many of the reports the size of the run followed from, zero
	// as long as it is open.
	judged int
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
	// Precise is set when the number of processes that the first ones asked for
	// was run, or with Layouts, when the intervals are as narrow as asked for.
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
	// Layouts is the number of layouts, zero where the program ran as it was
	// built.
	Layouts int
	// Warnings are plain sentences about the run as a whole.
	Warnings []string
}

// String renders the results as text. Its form may change.
func (r Results) String() string {
	var out strings.Builder
	out.WriteString(processes(r.Processes))
	if r.Layouts > 0 {
		fmt.Fprintf(&out, " on %d layouts", r.Layouts)
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
			fmt.Fprintf(&out, "\n  %s recorded it, too few to pool", processes(len(c.Reports)))
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
	if text := r.levelSentence(); text != "" {
		out.WriteString("\n\n" + text)
	}
	if len(r.Warnings) > 0 {
		out.WriteString("\n\nWarnings about the run:")
		for _, w := range r.Warnings {
			out.WriteString("\n  - " + w)
		}
	}
	return out.String()
}

// levelSentence says what the level means where there are several intervals.
func (r Results) levelSentence() string {
	pooled, level := 0, 0.0
	for _, c := range r.Comparisons {
		if c.Pooled.Processes > 0 {
			pooled, level = pooled+1, c.Pooled.Level
		}
	}
	if pooled < 2 {
		return ""
	}
	return fmt.Sprintf("Each of these %d intervals holds with %.4g%% confidence by itself; that all of them hold together is less certain.", pooled, 100*level)
}

// processes is a number of processes in words.
func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}
