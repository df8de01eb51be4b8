// Package view turns results into the words that people read. It is the only
// place with sentences, so that the same fact reads the same everywhere.
package view

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Percent renders a share with three significant digits, and whole numbers from
// 1000 % up.
func Percent(share float64) string {
	v := 100 * share
	switch {
	case math.IsNaN(v):
		return "unknown"
	case math.IsInf(v, 0):
		return "unbounded"
	case math.Abs(v) >= 1000:
		return strconv.FormatFloat(v, 'f', 0, 64) + "%"
	case v == 100:
		return "100%"
	case math.Abs(v) < 0.001:
		if v == 0 {
			return "0%"
		}
		return strconv.FormatFloat(v, 'g', 2, 64) + "%"
	}
	return significant(v, 3) + "%"
}

// levelPercent renders a confidence level, such as 99% or 99.5%.
func levelPercent(level float64) string {
	return strconv.FormatFloat(math.Round(level*1e8)/1e6, 'f', -1, 64) + "%"
}

// SignedPercent is Percent with a plus sign in front of positive shares.
func SignedPercent(share float64) string {
	if share > 0 {
		return "+" + Percent(share)
	}
	return Percent(share)
}

// significant renders v with the given number of significant digits and no
// exponent.
func significant(v float64, digits int) string {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	// The exponent after rounding counts: 9.996 has one digit more than 10.0.
	_, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', digits-1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	return strconv.FormatFloat(v, 'f', max(0, digits-1-power), 64)
}

// Nanoseconds renders a time per operation with four significant digits and a
// unit that suits it.
func Nanoseconds(ns float64) string {
	switch {
	case math.IsNaN(ns):
		return "unknown"
	case ns >= 1e9:
		return significant(ns/1e9, 4) + " s"
	case ns >= 1e6:
		return significant(ns/1e6, 4) + " ms"
	case ns >= 1e4:
		return significant(ns/1e3, 4) + " µs"
	}
	return significant(ns, 4) + " ns"
}

// Bytes renders a number of bytes per operation.
func Bytes(b float64) string {
	switch {
	case b >= 10<<20:
		return significant(b/(1<<20), 3) + " MiB"
	case b >= 10<<10:
		return significant(b/(1<<10), 3) + " KiB"
	}
	return significant(b, 3) + " B"
}

// Count renders a number of things per operation.
func Count(v float64) string { return significant(v, 3) }

func times(ratio float64) string {
	if math.IsInf(ratio, 0) || ratio >= 1e6 {
		return "very many"
	}
	if ratio >= 100 {
		return fmt.Sprintf("%.0f", ratio)
	}
	return fmt.Sprintf("%.2f", ratio)
}

// finer renders a ratio near one with three decimals.
func finer(ratio float64) string {
	if math.Abs(ratio-1) < 0.1 {
		return fmt.Sprintf("%.3f", ratio)
	}
	return times(ratio)
}
