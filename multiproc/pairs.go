package multiproc

import (
	"errors"
	"fmt"

	"github.com/rtcompare/rtcompare"
)

// Pair is a comparison of two fixtures that every process builds anew.
type Pair struct {
	// Name is what the comparison is recorded under.
	Name string
	// A and B build a fixture and return the candidate that works on it. In
	// processes with an even index A is built first, in the others B.
	//
	// Where both come from one function of yours, mark it //go:noinline. Inlined,
	// the same code lies in the program twice, at two places that no process
	// changes, and these alone can differ by some percent.
	A, B func() rtcompare.Candidate
	// Options are those of [rtcompare.Compare], adapted by [Process.Options].
	Options rtcompare.CompareOptions
}

// Pairs makes a suite that compares the pairs one after the other and records
// each under its name. An error names the pair: a name that is empty or used
// twice, a missing builder, or what Compare says.
func Pairs(pairs ...Pair) func(*Process) error {
	return func(p *Process) error {
		if err := checkPairs(pairs); err != nil {
			return err
		}
		for _, pair := range pairs {
			a, b := pair.build(p.Index)
			report, err := rtcompare.Compare(a, b, p.Options(pair.Options))
			if err != nil {
				return fmt.Errorf("pair %q: %w", pair.Name, err)
			}
			p.Record(pair.Name, report)
		}
		return nil
	}
}

// build builds both fixtures, in an order that alternates from process to
// process. The roles never swap.
func (pair Pair) build(index int) (a, b rtcompare.Candidate) {
	if index%2 == 0 {
		a = pair.A()
		return a, pair.B()
	}
	b = pair.B()
	return pair.A(), b
}

// Suites makes one suite that runs several, one after the other, and ends with
// the first error.
func Suites(suites ...func(*Process) error) func(*Process) error {
	return func(p *Process) error {
		for i, suite := range suites {
			if suite == nil {
				return fmt.Errorf("suite %d is nil", i)
			}
			if err := suite(p); err != nil {
				return err
			}
		}
		return nil
	}
}

// checkPairs looks at everything that can be seen without building a fixture.
func checkPairs(pairs []Pair) error {
	if len(pairs) == 0 {
		return errors.New("no pair was given")
	}
	seen := make(map[string]bool, len(pairs))
	for i, pair := range pairs {
		switch {
		case pair.Name == "":
			return fmt.Errorf("pair %d has no name", i)
		case seen[pair.Name]:
			return fmt.Errorf("pair %d: the name %q is used twice", i, pair.Name)
		case pair.A == nil:
			return fmt.Errorf("pair %q: A is nil and has to build a candidate", pair.Name)
		case pair.B == nil:
			return fmt.Errorf("pair %q: B is nil and has to build a candidate", pair.Name)
		}
		seen[pair.Name] = true
	}
	return nil
}

// pairNames tells calls at the same place apart.
func pairNames(pairs []Pair) []string {
	names := make([]string, len(pairs))
	for i, pair := range pairs {
		names[i] = pair.Name
	}
	return names
}
