// Package parameters is the language in which several benchmarks are written as
// one command line: lists and ranges of values, the places where they are put,
// and how many times an option has to be given. It is hyperfine's language, so
// that a command line carries over unchanged.
//
// The package turns texts into values. It starts nothing and reads no files.
package parameters

import (
	"fmt"
	"strings"
)

// MaxValues is the largest number of values of one parameter, and of benchmarks
// that all parameters together may make. It is hyperfine's limit.
const MaxValues = 100_000

// Value is a parameter of one benchmark.
type Value struct {
	// Name is the parameter's name, without the braces around it.
	Name string
	// Value is the text that takes the place of {Name}.
	Value string
}

// Axis is a parameter with all values that it takes, in order.
type Axis struct {
	// Name is the parameter's name, without the braces around it.
	Name string
	// Values are the texts that take the place of {Name}.
	Values []string
}

// checkName says what is wrong with a parameter's name.
func checkName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("a parameter needs a name: what stands between the braces in the command")
	case strings.ContainsAny(name, "{}"):
		return fmt.Errorf("parameter %q: write the name without braces; they belong into the command", name)
	}
	return nil
}

// Combinations returns every combination of the axes' values: the first axis
// changes fastest, the last one slowest, which is hyperfine's order. Without
// axes there is one combination, and it is empty. Two axes of one name, an axis
// without values and more than [MaxValues] combinations are errors.
func Combinations(axes []Axis) ([][]Value, error) {
	total := 1
	seen := make(map[string]bool, len(axes))
	for _, axis := range axes {
		if err := checkName(axis.Name); err != nil {
			return nil, err
		}
		if seen[axis.Name] {
			return nil, fmt.Errorf("parameter %q is given twice: give all its values at once", axis.Name)
		}
		seen[axis.Name] = true
		if len(axis.Values) == 0 {
			return nil, fmt.Errorf("parameter %q has no values", axis.Name)
		}
		if len(axis.Values) > MaxValues/total {
			return nil, fmt.Errorf("the parameters make more than %d combinations: use fewer values", MaxValues)
		}
		total *= len(axis.Values)
	}
	combinations := make([][]Value, total)
	for i := range combinations {
		combination := make([]Value, len(axes))
		rest := i
		for j, axis := range axes {
			combination[j] = Value{Name: axis.Name, Value: axis.Values[rest%len(axis.Values)]}
			rest /= len(axis.Values)
		}
		combinations[i] = combination
	}
	return combinations, nil
}
