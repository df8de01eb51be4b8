// Package noise holds models of what a machine does to measured times.
//
// A model acts on pairs of neighbouring batches of identical code. Unless its
// description says otherwise, the log ratio of a pair has a standard deviation
// of [SD]. The models with a memory go on from where they were: who asks one
// process for all the pairs of a comparison, in the order in which they are
// measured, sees what one machine would have shown.
package noise

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// SD is the standard deviation of a pair's log ratio.
const SD = 0.028

// member is the standard deviation of one batch of the pair.
var member = SD / math.Sqrt2

// Process is one stream of disturbances.
type Process interface {
	// Pair returns what is added to the logarithms of the times of two
	// neighbouring batches.
	Pair() (first, second float64)
}

// Model is a kind of process.
type Model struct {
	// Name is how tables and flags call it.
	Name string
	// Tick is the step of the clock as a share of a batch; zero means that it
	// is too small to matter.
	Tick float64
	// Position is what the batch that runs second in a round is slowed by, as
	// a logarithm: it finds the caches as the first one left them.
	Position float64
	// Wandering is set where the level of the ratio moves so slowly that one
	// series of 101 pairs does not see it.
	Wandering bool
	// Heavy is set where so many pairs are disturbed that an interval which
	// is wider than it has to be is no fault.
	Heavy bool
	// New starts a process in its stationary state.
	New func(r *rand.Rand) Process
}

// All returns every model, in the order of the tables.
func All() []Model {
	models := []Model{
		White(),
		{Name: "lognormal", New: newSkewed},
		Contaminated(0.10), Contaminated(0.20), Contaminated(0.30),
		{Name: "bursts", Heavy: true, New: newBursts},
	}
	for _, rho := range []float64{0.2, 0.4, 0.6, 0.7, 0.8} {
		models = append(models, AR(rho))
	}
	return append(models,
		Wander(), Regime(),
		Model{Name: "slow-regime", Wandering: true, Heavy: true, New: func(r *rand.Rand) Process { return newRegime(r, slowRegimeLength) }},
		Model{Name: "position", Position: SD, New: newWhite},
		Model{Name: "quantised", Heavy: true, Tick: member, New: newWhite},
	)
}

// Named returns the models that a comma-separated list names; the empty list
// stands for all. Every "ar" followed by a number below one is a model.
func Named(list string) ([]Model, error) {
	if list == "" {
		return All(), nil
	}
	var found []Model
	for name := range strings.SplitSeq(list, ",") {
		m, ok := named(name)
		if !ok {
			return nil, fmt.Errorf("there is no noise %q; there are %s", name, strings.Join(names(), ", "))
		}
		found = append(found, m)
	}
	return found, nil
}

func named(name string) (Model, bool) {
	for _, m := range All() {
		if m.Name == name {
			return m, true
		}
	}
	var rho float64
	if n, err := fmt.Sscanf(name, "ar%g", &rho); n == 1 && err == nil && math.Abs(rho) < 1 {
		return AR(rho), true
	}
	return Model{}, false
}

func names() []string {
	var all []string
	for _, m := range All() {
		all = append(all, m.Name)
	}
	return all
}
