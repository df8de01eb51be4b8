package rtcompare

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// Scatter splits the scatter of pooled reports by where it comes from, as
// standard deviations of ln(B/A): 0.02 is about two percent. A level that did
// not vary, or that was not repeated, is NaN. A level that adds nothing to the
// ones below it is zero.
type Scatter struct {
	// Within is the noise of one process: the root mean square of the standard
	// errors that the reports' own intervals imply.
	Within float64
	// Processes is what differs between processes of the same program beyond
	// that: places in memory, seeds of maps, the machine's mood.
	Processes float64
	// Layouts is what differs between layouts of the same program beyond
	// that. No repetition of one build shows it.
	Layouts float64
	// Machines is what differs between machines beyond that.
	Machines float64
}

// scatterOf estimates the nested components of variance by the method of
// moments (Searle, Casella and McCulloch 1992). Below the machines, layouts
// are counted within each machine.
func scatterOf(reports []Report, seen []observation) Scatter {
	s := Scatter{Within: withinOf(seen), Processes: math.NaN(), Layouts: math.NaN(), Machines: math.NaN()}
	type place struct {
		machine string
		layout  int
	}
	cells := groups(reports, seen, func(r *Report) place { return place{r.Origin.Machine, r.Origin.Layout} })
	error, degrees := squaresWithin(cells)
	if degrees == 0 {
		return s
	}
	processes := error / degrees // holds the noise within a process, too
	s.Processes = root(processes - square(s.Within))
	layouts, machines := distinct(reports, layoutOf), distinct(reports, machineOf)
	switch {
	case len(machines) > 1:
		s.Machines = root(between(groups(reports, seen, machineOf), processes))
	case len(layouts) > 1:
		s.Layouts = root(between(cells, processes))
	}
	return s
}

func withinOf(seen []observation) float64 {
	var errors []float64
	for _, o := range seen {
		if !math.IsNaN(o.logError) {
			errors = append(errors, o.logError)
		}
	}
	return stat.RootMeanSquare(errors)
}

// squaresWithin sums the squared distances from the groups' means.
func squaresWithin(groups [][]observation) (sum, degrees float64) {
	for _, members := range groups {
		logs, _ := columns(members)
		if len(logs) < 2 {
			continue
		}
		_, deviation := stat.MeanAndSD(logs)
		sum += deviation * deviation * float64(len(logs)-1)
		degrees += float64(len(logs) - 1)
	}
	return sum, degrees
}

// between is the variance between groups of unequal size, given the variance
// of their members.
func between(groups [][]observation, within float64) float64 {
	var all []float64
	sizes := 0.0
	for _, members := range groups {
		logs, _ := columns(members)
		all = append(all, logs...)
		sizes += square(float64(len(members)))
	}
	total := float64(len(all))
	_, deviation := stat.MeanAndSD(all)
	inside, _ := squaresWithin(groups)
	degrees := float64(len(groups) - 1)
	meanSquare := (square(deviation)*(total-1) - inside) / degrees
	typicalSize := (total - sizes/total) / degrees
	return (meanSquare - within) / typicalSize
}

func square(v float64) float64 { return v * v }

// root is the standard deviation of a variance whose estimate may be below
// zero, and is unknown where that is.
func root(variance float64) float64 {
	if math.IsNaN(variance) {
		return variance
	}
	return math.Sqrt(max(0, variance))
}
