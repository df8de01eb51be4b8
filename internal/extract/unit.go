package extract

import (
	"fmt"
	"strings"
)

// A quantity is what a unit measures; only units of one quantity convert.
type quantity int

const (
	timeQuantity quantity = iota + 1
	byteQuantity
	bitQuantity
	frequencyQuantity
	shareQuantity
)

// unit is a multiple of its quantity's base: nanoseconds, bytes, bits, hertz, 1.
type unit struct {
	quantity quantity
	factor   float64
}

// unitOf returns a unit whose meaning is certain. KB is not among them: programs
// mean 1000 or 1024 bytes by it.
func unitOf(name string) (unit, bool) {
	switch name {
	case "ns", "nsec", "nanosecond", "nanoseconds":
		return unit{timeQuantity, 1}, true
	case "us", "µs", "μs", "usec", "microsecond", "microseconds":
		return unit{timeQuantity, 1e3}, true
	case "ms", "msec", "millisecond", "milliseconds":
		return unit{timeQuantity, 1e6}, true
	case "s", "sec", "secs", "second", "seconds":
		return unit{timeQuantity, 1e9}, true
	case "min", "mins", "minute", "minutes":
		return unit{timeQuantity, 60e9}, true
	case "h", "hr", "hour", "hours":
		return unit{timeQuantity, 3600e9}, true
	case "B", "byte", "bytes":
		return unit{byteQuantity, 1}, true
	case "bit", "bits":
		return unit{bitQuantity, 1}, true
	case "Hz":
		return unit{frequencyQuantity, 1}, true
	case "kHz":
		return unit{frequencyQuantity, 1e3}, true
	case "MHz":
		return unit{frequencyQuantity, 1e6}, true
	case "GHz":
		return unit{frequencyQuantity, 1e9}, true
	case "%":
		return unit{shareQuantity, 0.01}, true
	}
	return prefixedUnit(name)
}

// prefixedUnit knows the decimal prefixes of the SI and the binary ones of IEC
// 80000-13 before bytes and bits.
func prefixedUnit(name string) (unit, bool) {
	base := unit{quantity: byteQuantity}
	prefix, ok := strings.CutSuffix(name, "B")
	if !ok {
		base.quantity = bitQuantity
		if prefix, ok = strings.CutSuffix(name, "bit"); !ok {
			return unit{}, false
		}
	}
	step, letter := 1000.0, prefix
	if binary, ok := strings.CutSuffix(prefix, "i"); ok {
		step, letter = 1024, binary
		if binary == "k" {
			return unit{}, false // the standard writes Ki
		}
		if binary == "K" {
			letter = "k"
		}
	}
	place := strings.Index("kMGTPE", letter)
	if len(letter) != 1 || place < 0 {
		return unit{}, false
	}
	base.factor = step
	for range place {
		base.factor *= step
	}
	return base, true
}

// Convert turns a value from one unit into another: ms into ns, MiB into B, MB/s
// into B/s, ns/op into µs/op. The same unit converts into itself, whatever it is.
// Where it is not certain that both units measure the same, it is an error.
func Convert(value float64, from, to string) (float64, error) {
	if from == to {
		return value, nil
	}
	fromTop, fromBottom, _ := strings.Cut(from, "/")
	toTop, toBottom, _ := strings.Cut(to, "/")
	top, bottom := 1.0, 1.0
	if fromTop != toTop {
		a, aKnown := unitOf(fromTop)
		b, bKnown := unitOf(toTop)
		if !aKnown || !bKnown || a.quantity != b.quantity {
			return 0, conversionError(from, to)
		}
		// Factors are whole powers on one side at least: one rounding in all.
		top, bottom = a.factor, b.factor
	}
	if fromBottom != toBottom {
		a, aKnown := unitOf(fromBottom)
		b, bKnown := unitOf(toBottom)
		if !aKnown || !bKnown || a.quantity != b.quantity {
			return 0, conversionError(from, to)
		}
		top, bottom = top*b.factor, bottom*a.factor
	}
	if top >= bottom {
		return value * (top / bottom), nil
	}
	return value / (bottom / top), nil
}

// conversionError says why two units do not convert.
func conversionError(from, to string) error {
	for _, name := range []string{from, to} {
		if top, _, _ := strings.Cut(name, "/"); top == "KB" {
			return fmt.Errorf("%s may mean 1000 or 1024 bytes: have the program print kB or KiB, or set the unit to %s", name, name)
		}
	}
	return fmt.Errorf("%s cannot be turned into %s", from, to)
}
