package rtcompare

import (
	"fmt"
	"time"

	"github.com/rtcompare/rtcompare/internal/arm/fn"
	"github.com/rtcompare/rtcompare/internal/order"
)

// Batch runs the code under test exactly n times.
//
// The batch owns the loop, so that the compiler treats the code in it as it
// would anywhere else, and the cost of calling the batch is spread over n
// operations. What it does must depend on n and on nothing that changes from
// call to call. Write results to a package-level variable, and give code whose
// speed depends on its data a ring of inputs, an odd number of them and at
// least 17: a processor learns a single input by heart.
type Batch func(n uint64)

// Candidate is one of the ways that are compared.
type Candidate struct {
	// Name is shown in reports and errors. It has no effect on the
	// measurement.
	Name string
	// Setup runs before every batch, untimed, and before the collection that
	// CollectOptions.GCBetween asks for. May be nil.
	Setup func()
	// Batch is the code under test. It may be nil only where New is set.
	Batch Batch
	// Teardown runs after every batch, untimed, also after one that panicked.
	// May be nil.
	Teardown func()
	// New, where set, builds a fresh fixture and returns the batch that works
	// on it, and a function that releases it, which may be nil. It is called
	// for every run of identical code and for every unit, in alternating order
	// of the candidates. Two separately built maps or arrays differ by some
	// percent through their place in memory alone; with New that difference
	// becomes a part of the interval instead of a part of the answer. Batch is
	// not used then.
	New func() (Batch, func())
}

// Order is the sequence in which the candidates are measured within each round.
type Order int

const (
	// OrderABBA turns the order around every round: A B, B A, A B, … Over two
	// rounds both candidates have the same mean position and the same
	// neighbours, so that a steady trend of the machine cancels.
	OrderABBA Order = iota
	// OrderRandom draws the order of every round, from CollectOptions.Seed. It
	// protects against a disturbance with the period of two rounds.
	OrderRandom
	// OrderSequential always measures A first.
	OrderSequential
)

// String returns "ABBA", "Random", "Sequential", or "Order(n)".
func (o Order) String() string {
	if k := order.Kind(o); o <= OrderSequential && k.Known() {
		return k.String()
	}
	return fmt.Sprintf("Order(%d)", int(o))
}

// position names the candidates in errors: A, B, C, …
func position(index int) string {
	if index < 26 {
		return string(rune('A' + index))
	}
	return fmt.Sprintf("#%d", index+1)
}

// label names a candidate in an error, such as `candidate A ("sort")`.
func label(c Candidate, index int) string {
	if c.Name == "" {
		return "candidate " + position(index)
	}
	return fmt.Sprintf("candidate %s (%q)", position(index), c.Name)
}

// displayName is the candidate's name, or its letter if it has none.
func displayName(c Candidate, index int) string {
	if c.Name == "" {
		return position(index)
	}
	return c.Name
}

func checkCandidates(candidates []Candidate) error {
	for i, c := range candidates {
		if c.Batch == nil && c.New == nil {
			return fmt.Errorf("%s: Batch is nil; set Batch, or New for a fixture that is rebuilt", label(c, i))
		}
	}
	return nil
}

// function makes the measurable arm of a candidate.
func function(c Candidate, index int, opt CollectOptions, env environment) *fn.Function {
	f := &fn.Function{
		Label: label(c, index), Batch: c.Batch, Setup: c.Setup, Teardown: c.Teardown,
		CollectBefore: opt.GCBetween, Instruments: env.instruments,
	}
	if c.New != nil {
		build := c.New
		f.New = func() (func(uint64), func()) {
			batch, release := build()
			return batch, release
		}
	}
	return f
}

// sinceStart is a clock for budgets and warm-ups.
type sinceStart = func() time.Duration
