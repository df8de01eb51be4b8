package rtcompare

import (
	"fmt"
	"slices"
)

// Origin says where and how a report was measured, as far as pooling has to
// know. Package multiproc fills it in; reports put together by hand may. Its
// zero value says nothing and pools with every other.
type Origin struct {
	// Process is the report's place in its run.
	Process int
	// Layout numbers the layout of the program, the order in which its functions
	// were linked, from one. Zero is the program as it was built.
	Layout int
	// Parallel is how many processes measured at the same time: one for a
	// machine to itself, zero for not known.
	Parallel int
	// Machine names the machine. Two reports with different names are taken to
	// come from different ones.
	Machine string
	// Kind is what the machine has in common with others like it: the model of
	// its processor.
	Kind string
}

// Unit is what counts as one observation when reports are pooled.
type Unit int

const (
	// UnitProcess: each report is an observation.
	UnitProcess Unit = iota
	// UnitLayout: the mean of all reports of one layout is.
	UnitLayout
	// UnitMachine: the mean of all reports of one machine is.
	UnitMachine
)

// String returns "process", "layout" or "machine".
func (u Unit) String() string {
	switch u {
	case UnitLayout:
		return "layout"
	case UnitMachine:
		return "machine"
	}
	return "process"
}

func (u Unit) plural() string {
	if u == UnitProcess {
		return "processes"
	}
	return u.String() + "s"
}

// checkOrigins refuses reports that answer different questions, and says what
// the observations are: the highest level at which the reports differ.
func checkOrigins(reports []Report) (Unit, error) {
	regime, first := 0, 0
	for i := range reports {
		switch parallel := reports[i].Origin.Parallel; {
		case parallel == 0 || parallel == regime:
		case regime == 0:
			regime, first = parallel, i
		default:
			return 0, fmt.Errorf("report %d was measured %s and report %d %s: a loaded machine and an idle one answer different questions, pool them apart",
				first, atATime(regime), i, atATime(parallel))
		}
	}
	kinds, machines, layouts := distinct(reports, kindOf), distinct(reports, machineOf), distinct(reports, layoutOf)
	if len(kinds) > 1 {
		return 0, fmt.Errorf("the reports come from machines of %d kinds (%q, %q): their true differences need not be the same; use CombineByKind", len(kinds), kinds[0], kinds[1])
	}
	switch {
	case len(machines) > 1 && slices.Contains(machines, ""):
		return 0, fmt.Errorf("some reports name their machine (%q) and others none, so the machines cannot be told apart", slices.Max(machines))
	case len(machines) > 1:
		return UnitMachine, nil
	case len(layouts) > 1:
		return UnitLayout, nil
	}
	return UnitProcess, nil
}

func atATime(parallel int) string {
	if parallel == 1 {
		return "alone on its machine"
	}
	return fmt.Sprintf("beside %d others", parallel-1)
}

func kindOf(r *Report) string    { return r.Origin.Kind }
func machineOf(r *Report) string { return r.Origin.Machine }
func layoutOf(r *Report) int     { return r.Origin.Layout }

// distinct lists what the reports have at one of the levels, in order of first
// appearance.
func distinct[K comparable](reports []Report, of func(*Report) K) []K {
	var found []K
	for i := range reports {
		if k := of(&reports[i]); !slices.Contains(found, k) {
			found = append(found, k)
		}
	}
	return found
}

// KindPooled is what machines of one kind showed.
type KindPooled struct {
	// Kind is the kind of the machines.
	Kind string
	// Machine is set where there were too few machines of the kind to speak
	// for others like them: the result then holds for this one.
	Machine string
	Pooled  Pooled
}

// CombineByKind pools reports from machines of several kinds, one kind at a
// time, because an answer for one processor need not hold for another. Three or
// more machines of a kind are pooled with the machine as the observation. Of
// one or two, each is reported by itself and with its processes as observations.
// The order is that of first appearance; errors are those of [Combine] and name
// the machine.
func CombineByKind(reports []Report, level float64) ([]KindPooled, error) {
	var all []KindPooled
	for _, kind := range distinct(reports, kindOf) {
		same := selected(reports, func(r *Report) bool { return r.Origin.Kind == kind })
		machines := distinct(same, machineOf)
		if len(machines) >= fewestReports {
			pooled, err := Combine(same, level)
			if err != nil {
				return nil, fmt.Errorf("machines of kind %q: %w", kind, err)
			}
			all = append(all, KindPooled{Kind: kind, Pooled: pooled})
			continue
		}
		for _, machine := range machines {
			pooled, err := Combine(selected(same, func(r *Report) bool { return r.Origin.Machine == machine }), level)
			if err != nil {
				return nil, fmt.Errorf("machine %q of kind %q: %w", machine, kind, err)
			}
			all = append(all, KindPooled{Kind: kind, Machine: machine, Pooled: pooled})
		}
	}
	return all, nil
}

func selected(reports []Report, keep func(*Report) bool) []Report {
	var kept []Report
	for i := range reports {
		if keep(&reports[i]) {
			kept = append(kept, reports[i])
		}
	}
	return kept
}
