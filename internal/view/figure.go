package view

import (
	"fmt"
	"math"
)

// FigureOf is a number of both candidates, and the logarithm of their ratio with
// its bounds, NaN where there is none.
type FigureOf struct {
	Name, Unit, A, B    string
	ValueA, ValueB      float64
	LogRatio, Low, High float64
	Level               float64
}

// Figure renders it as one line.
func Figure(f FigureOf) string {
	text := fmt.Sprintf("%s: %s %s, %s %s", f.Name, f.A, amount(f.ValueA, f.Unit), f.B, amount(f.ValueB, f.Unit))
	if math.IsNaN(f.LogRatio) {
		return text
	}
	kind := "as much"
	if f.Unit == "ns" {
		kind = "as long"
	}
	return fmt.Sprintf("%s; %s %s times %s [%s, %s]", text, f.B, finer(math.Exp(f.LogRatio)), kind, finer(math.Exp(f.Low)), finer(math.Exp(f.High)))
}

// amount renders a number with its unit.
func amount(v float64, unit string) string {
	switch {
	case math.IsNaN(v):
		return "unknown"
	case unit == "ns":
		return Nanoseconds(v)
	case unit == "B":
		return Bytes(v)
	case unit == "":
		return significant(v, 4)
	}
	return significant(v, 4) + " " + unit
}
