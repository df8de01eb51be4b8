package view

import (
	"fmt"
	"math"
	"strconv"

	"github.com/rtcompare/rtcompare/internal/record"
)

// TimeUnit is the unit that times are shown in; the zero value chooses one for
// each value.
type TimeUnit string

// The units of time that a user can ask for.
const (
	AnyUnit     TimeUnit = ""
	Microsecond TimeUnit = "microsecond"
	Millisecond TimeUnit = "millisecond"
	Second      TimeUnit = "second"
)

// UnitFor is the unit that suits a time: microseconds below a millisecond,
// milliseconds below a second.
func UnitFor(ns float64) TimeUnit {
	switch {
	case ns < 1e6:
		return Microsecond
	case ns < 1e9:
		return Millisecond
	}
	return Second
}

// Symbol is the unit's short name.
func (u TimeUnit) Symbol() string {
	switch u {
	case Microsecond:
		return "µs"
	case Millisecond:
		return "ms"
	}
	return "s"
}

// Nanoseconds is the length of the unit.
func (u TimeUnit) Nanoseconds() float64 {
	switch u {
	case Microsecond:
		return 1e3
	case Millisecond:
		return 1e6
	}
	return 1e9
}

// Number renders a time as a bare number with the unit's usual decimals: one,
// or three for seconds.
func (u TimeUnit) Number(ns float64) string {
	if math.IsNaN(ns) || math.IsInf(ns, 0) {
		return "unknown"
	}
	decimals := 3
	if u == Microsecond || u == Millisecond {
		decimals = 1
	}
	return strconv.FormatFloat(ns/u.Nanoseconds(), 'f', decimals, 64)
}

// Time renders a time with three significant digits, or more where the unit
// that was asked for makes the number larger.
func (u TimeUnit) Time(ns float64) string {
	switch {
	case math.IsNaN(ns) || math.IsInf(ns, 0):
		return "unknown"
	case u != AnyUnit:
		return significant(ns/u.Nanoseconds(), 3) + " " + u.Symbol()
	case ns >= 1e9:
		return significant(ns/1e9, 3) + " s"
	case ns >= 1e6:
		return significant(ns/1e6, 3) + " ms"
	case ns >= 1e3:
		return significant(ns/1e3, 3) + " µs"
	}
	return significant(ns, 3) + " ns"
}

// Amount renders a number of bytes.
func Amount(bytes float64) string {
	switch {
	case math.IsNaN(bytes) || math.IsInf(bytes, 0):
		return "unknown"
	case bytes >= 1<<30:
		return significant(bytes/(1<<30), 3) + " GiB"
	case bytes >= 1<<20:
		return significant(bytes/(1<<20), 3) + " MiB"
	case bytes >= 1<<10:
		return significant(bytes/(1<<10), 3) + " KiB"
	}
	return significant(bytes, 3) + " B"
}

// Value renders a value of a metric in its unit.
func Value(m record.Metric, v float64, unit TimeUnit) string {
	text := ""
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "unknown"
	case m.Unit == "ns":
		text = unit.Time(v)
	case m.Unit == "B":
		text = Amount(v)
	case v == math.Trunc(v) && math.Abs(v) < 1e6:
		text = strconv.FormatFloat(v, 'f', 0, 64)
	default:
		text = significant(v, 4)
	}
	if m.Unit != "" && m.Unit != "ns" && m.Unit != "B" {
		text += " " + m.Unit
	}
	return text
}

// Rate renders a number of things per second.
func Rate(perSecond float64) string {
	switch {
	case math.IsNaN(perSecond) || math.IsInf(perSecond, 0):
		return "unknown"
	case perSecond >= 1e6:
		return significant(perSecond/1e6, 3) + "M/s"
	case perSecond >= 1e4:
		return significant(perSecond/1e3, 3) + "k/s"
	}
	return significant(perSecond, 3) + "/s"
}

// Times renders a ratio with its interval, such as "1.112× [1.094 1.131]". The
// decimals follow the width of the interval.
func Times(ratio, low, high float64) string {
	if !isRatio(ratio) {
		return "unknown"
	}
	if !isRatio(low) || !isRatio(high) {
		return decimal(ratio, 3) + "×"
	}
	decimals := 3
	for width := high - low; width > 0 && width < 0.002 && decimals < 6; width *= 10 {
		decimals++
	}
	return fmt.Sprintf("%s× [%s %s]", decimal(ratio, decimals), decimal(low, decimals), decimal(high, decimals))
}

// isRatio leaves out what nobody could use.
func isRatio(v float64) bool { return v > 0 && v < 1e9 }

// decimal renders a ratio with that many decimals, and fewer for large ones.
func decimal(v float64, decimals int) string {
	if math.IsInf(v, 0) {
		return "very many"
	}
	for limit := 10.0; v >= limit && decimals > 0; limit *= 10 {
		decimals--
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}
