package view

import (
	"fmt"
	"math"
	"strings"
)

// Pooled is everything that the text of a pooled comparison needs.
type Pooled struct {
	Difference
	Processes int
	// SpreadWithin is NaN where no process's own interval has bounds.
	SpreadBetween, SpreadWithin           float64
	Inflation, Unexplained                float64
	Validated, Resolved, MayReadInflation bool
	NoiseFloor                            float64
	// Unit and Units name what the observations are, such as 8 "layouts". An
	// empty Unit stands for processes.
	Unit  string
	Units int
	// Equivalent is set when the difference lies inside Margin, WithinMargin
	// when it does and is real nevertheless.
	Equivalent, WithinMargin bool
	Margin                   float64
	// Mixed is set when elapsed and processor time disagree.
	Mixed bool
	// Sources are parts of the scatter, each with its place. Unknown ones are
	// left out.
	Sources  []Source
	Warnings []string
}

// Source is a part of the scatter: how much, as a log ratio, and between or
// within what.
type Source struct {
	Where string
	Size  float64
}

// PooledReport renders a pooled comparison as a short text. It claims a noise
// floor only where one was measured.
func PooledReport(p Pooled) string {
	var out strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&out, format+"\n", values...) }
	one, several := "process", "processes"
	if p.Unit == "" {
		line("%d processes", p.Processes)
	} else {
		one, several = p.Unit, p.Unit+"s"
		line("%d processes on %d %s", p.Processes, p.Units, several)
	}
	line("%s", p.Sentence())
	line("%s", p.IntervalSentence())
	line("%s.", scatterSentence(p, one, several))
	if text := sourcesSentence(p.Sources); text != "" {
		line("%s", text)
	}
	line("")
	line("Verdict: %s", pooledVerdict(p, several))
	list(line, "Warnings:", p.Warnings)
	return strings.TrimRight(out.String(), "\n")
}

// smallestInflation is the smallest one that is not printed as one.
const smallestInflation = 1.05

func scatterSentence(p Pooled, one, several string) string {
	if math.IsNaN(p.SpreadWithin) {
		return fmt.Sprintf("%s scatter by %s; no %s's own interval has bounds to compare that with", capital(several), Percent(p.SpreadBetween), one)
	}
	text := fmt.Sprintf("%s scatter by %s, where one %s's own interval implies %s", capital(several), Percent(p.SpreadBetween), one, Percent(p.SpreadWithin))
	switch {
	case !p.MayReadInflation:
	case p.Inflation < smallestInflation:
		text += fmt.Sprintf(": no more than the noise within one %s explains", one)
	default:
		text += fmt.Sprintf(": one %s alone is about %.1f times too sure", one, p.Inflation)
	}
	if !math.IsNaN(p.Unexplained) {
		text += fmt.Sprintf(" (I² %s)", Percent(p.Unexplained))
	}
	return text
}

// sourcesSentence lists the parts of the scatter, if more than one is known.
func sourcesSentence(sources []Source) string {
	var known []string
	for _, s := range sources {
		if !math.IsNaN(s.Size) {
			known = append(known, s.Where+" "+Percent(s.Size))
		}
	}
	if len(known) < 2 {
		return ""
	}
	return "By source: " + strings.Join(known, ", ") + "."
}

func pooledVerdict(p Pooled, several string) string {
	within := ""
	if p.WithinMargin {
		within = fmt.Sprintf(" It is smaller than the margin of %s.", Percent(p.Margin))
	}
	switch {
	case p.Resolved && p.Validated:
		return fmt.Sprintf("RESOLVED. The difference holds across these %s: its interval excludes zero and it exceeds the noise floor of %s.%s", several, Percent(p.NoiseFloor), within)
	case p.Resolved:
		return fmt.Sprintf("RESOLVED. The difference holds across these %s: its interval excludes zero; no noise floor was checked.%s", several, within)
	case p.Mixed:
		return "NOT RESOLVED, MIXED. One side needs less time and the other less processor time."
	case p.Equivalent:
		return fmt.Sprintf("NOT RESOLVED, EQUIVALENT. Across these %s %s and %s differ by less than %s, the margin that was asked for.", several, p.A, p.B, Percent(p.Margin))
	}
	return fmt.Sprintf("NOT RESOLVED. These %s do not show which side is faster; that does not make them equal.", several)
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
