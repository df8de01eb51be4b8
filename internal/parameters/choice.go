package parameters

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// TimeUnit is the unit that times are shown in. The zero value is automatic.
type TimeUnit string

// The time units that hyperfine knows, with nanoseconds added.
const (
	TimeAuto        TimeUnit = ""
	TimeNanosecond  TimeUnit = "nanosecond"
	TimeMicrosecond TimeUnit = "microsecond"
	TimeMillisecond TimeUnit = "millisecond"
	TimeSecond      TimeUnit = "second"
)

// ParseTimeUnit reads the value of --time-unit; "auto" and nothing mean that
// every time gets the unit that suits it.
func ParseTimeUnit(text string) (TimeUnit, error) {
	if text == "" || text == "auto" {
		return TimeAuto, nil
	}
	return choose("time-unit", TimeUnit(text), TimeMicrosecond, TimeMillisecond, TimeSecond, TimeNanosecond)
}

// Duration is one of the unit, 0 for the automatic one.
func (u TimeUnit) Duration() time.Duration {
	switch u {
	case TimeNanosecond:
		return time.Nanosecond
	case TimeMicrosecond:
		return time.Microsecond
	case TimeMillisecond:
		return time.Millisecond
	case TimeSecond:
		return time.Second
	}
	return 0
}

// Sort is the order in which results are shown.
type Sort string

// The orders that hyperfine knows.
const (
	// SortAuto sorts the summary by time and leaves tables in input order.
	SortAuto Sort = "auto"
	// SortCommand leaves everything in the order of the command line.
	SortCommand Sort = "command"
	// SortMeanTime sorts everything by mean time, the fastest first.
	SortMeanTime Sort = "mean-time"
)

// ParseSort reads the value of --sort; nothing means auto.
func ParseSort(text string) (Sort, error) {
	if text == "" {
		return SortAuto, nil
	}
	return choose("sort", Sort(text), SortAuto, SortCommand, SortMeanTime)
}

// Style is how much a terminal is made use of.
type Style string

// The styles that hyperfine knows.
const (
	// StyleAuto is one of the others, see [Style.Resolve].
	StyleAuto Style = "auto"
	// StyleBasic has neither colour nor moving lines.
	StyleBasic Style = "basic"
	// StyleFull has both, even where nothing looks like a terminal.
	StyleFull Style = "full"
	// StyleNoColor has moving lines without colour.
	StyleNoColor Style = "nocolor"
	// StyleColor has colour without moving lines.
	StyleColor Style = "color"
	// StyleNone shows nothing of a benchmark.
	StyleNone Style = "none"
)

// ParseStyle reads the value of --style; nothing means auto.
func ParseStyle(text string) (Style, error) {
	if text == "" {
		return StyleAuto, nil
	}
	return choose("style", Style(text), StyleAuto, StyleBasic, StyleFull, StyleNoColor, StyleColor, StyleNone)
}

// Resolve turns StyleAuto into what suits: basic where the stream is not a
// terminal or commands print to it, nocolor where colour is unknown or unwanted,
// full otherwise. Every other style stays.
func (s Style) Resolve(terminal, outputInherited, color bool) Style {
	switch {
	case s != StyleAuto && s != "":
		return s
	case !terminal || outputInherited:
		return StyleBasic
	case !color:
		return StyleNoColor
	}
	return StyleFull
}

// Color reports whether the style has colour. StyleAuto has to be resolved first.
func (s Style) Color() bool { return s == StyleFull || s == StyleColor }

// Live reports whether the style has lines that are redrawn. StyleAuto has to be
// resolved first.
func (s Style) Live() bool { return s == StyleFull || s == StyleNoColor }

// choose returns the value if it is one of the known ones.
func choose[T ~string](option string, value T, known ...T) (T, error) {
	if slices.Contains(known, value) {
		return value, nil
	}
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = string(k)
	}
	var none T
	return none, fmt.Errorf("--%s=%s: it has to be one of %s", option, value, strings.Join(words, ", "))
}
