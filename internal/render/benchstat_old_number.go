package render

import (
	"strconv"
	"strings"
)

// oldNumber writes a number as the benchstat of before 2023 did: with three
// digits for the number that decides about its row, and a unit glued to it.
func oldNumber(value, scale float64, unit string) string {
	if hasUnit(unit, "ns/op") || hasUnit(unit, "ns/GC") {
		return oldTime(value, scale)
	}
	factor, suffix := 1.0, ""
	switch {
	case hasUnit(unit, "MB/s"):
		factor, suffix = 1e6, "B/s"
	case hasUnit(unit, "B/op"), hasUnit(unit, "bytes/op"), hasUnit(unit, "bytes"):
		suffix = "B"
	}
	digits, divisor, prefix := 2, 1.0, ""
	scale *= factor
	for _, step := range oldPrefixes {
		if scale >= step.from {
			digits, divisor, prefix = step.digits, step.divisor, step.prefix
			break
		}
	}
	return strconv.FormatFloat(value/(divisor/factor), 'f', digits, 64) + prefix + suffix
}

// oldStep says how numbers from some size on are written.
type oldStep struct {
	from    float64
	digits  int
	divisor float64
	prefix  string
}

var oldPrefixes = []oldStep{
	{9.95e13, 0, 1e12, "T"}, {9.95e12, 1, 1e12, "T"}, {9.95e11, 2, 1e12, "T"},
	{9.95e10, 0, 1e9, "G"}, {9.95e9, 1, 1e9, "G"}, {9.95e8, 2, 1e9, "G"},
	{9.95e7, 0, 1e6, "M"}, {9.95e6, 1, 1e6, "M"}, {9.95e5, 2, 1e6, "M"},
	{9.95e4, 0, 1e3, "k"}, {9.95e3, 1, 1e3, "k"}, {995, 2, 1e3, "k"},
	{99.5, 0, 1, ""}, {9.95, 1, 1, ""},
}

// The sizes of times are in seconds, their divisor is multiplied.
var oldTimes = []oldStep{
	{99.5, 0, 1, "s"}, {9.95, 1, 1, "s"}, {0.995, 2, 1, "s"},
	{0.0995, 0, 1e3, "ms"}, {0.00995, 1, 1e3, "ms"}, {0.000995, 2, 1e3, "ms"},
	{0.0000995, 0, 1e6, "µs"}, {0.00000995, 1, 1e6, "µs"}, {0.000000995, 2, 1e6, "µs"},
	{0.0000000995, 0, 1e9, "ns"}, {0.00000000995, 1, 1e9, "ns"},
}

func oldTime(value, scale float64) string {
	chosen := oldStep{0, 2, 1e9, "ns"}
	for _, step := range oldTimes {
		if scale/1e9 >= step.from {
			chosen = step
			break
		}
	}
	return strconv.FormatFloat(value/1e9*chosen.divisor, 'f', chosen.digits, 64) + chosen.prefix
}

// hasUnit reports whether a unit is another, or ends in a dash and the other.
func hasUnit(unit, base string) bool {
	return unit == base || strings.HasSuffix(unit, "-"+base)
}
