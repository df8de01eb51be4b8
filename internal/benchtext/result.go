package benchtext

import (
	"fmt"

	"golang.org/x/perf/benchunit"
)

// Position is a place in an input.
type Position struct {
	// File is the path as it was given, "-" for standard input.
	File string
	// Line counts from 1.
	Line int
}

// String returns file:line.
func (p Position) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Result is one line of results. It belongs to the reader that returned it and
// is overwritten by the next one; what its pointers lead to never changes.
type Result struct {
	// Name is the full name without "Benchmark", such as "Sort/size=10-8".
	Name string
	// Iterations is the number of operations that the values are means of.
	Iterations int
	// Numbers are the measurements as they were written, in written order.
	Numbers []float64
	// Shape has the unit of each number. Results with the same units in the same
	// order share one shape.
	Shape *Shape
	// Config is the configuration in force at this line. Results with the same
	// configuration share one.
	Config *Config
	// Position is where the numbers stood.
	Position Position
}

// Value returns the i-th measurement in base units: seconds for ns, bytes for
// MB.
func (r *Result) Value(i int) float64 { return r.Numbers[i] * r.Shape.Units[i].Factor }

// Unit is the unit of a measurement.
type Unit struct {
	// Written is the unit as it was written, such as "ns/op".
	Written string
	// Base is the unit in base units, such as "sec/op".
	Base string
	// Factor turns a written number into base units. It is 1 where the written
	// unit is a base unit already.
	Factor float64
}

// Shape is the list of units of a result line.
type Shape struct{ Units []Unit }

// newUnit finds the base unit with the rules of benchunit: ns and MB become sec
// and B, but only above the fraction line.
func newUnit(written string) Unit {
	factor, base := benchunit.Tidy(1, written)
	return Unit{Written: written, Base: base, Factor: factor}
}

// Setting is one configuration line, or a value that this program added.
type Setting struct {
	Key, Value string
	// FromFile is set for lines of the input, not for the label of the file.
	FromFile bool
}

// Config is a set of settings in the order in which their keys appeared.
type Config struct{ Settings []Setting }

// Get returns the value of a key, or "" where it is not set.
func (c *Config) Get(key string) string {
	for _, s := range c.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// FileKey is the key under which a configuration holds the label of its input.
const FileKey = ".file"

// BaseUnit returns a written unit in base units, such as "sec/op" for "ns/op".
func BaseUnit(written string) string { return newUnit(written).Base }
