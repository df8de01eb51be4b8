package view

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Summary is everything that the text of a comparison of two sides needs.
type Summary struct {
	Difference
	NsA, NsB float64
	// Verdict is one of the words of [record.Verdict], said of B against A, or
	// empty where nothing was judged.
	Verdict  string
	Resolved bool
	Mixed    bool
	// WithinMargin is set when one side is faster by less than the margin.
	WithinMargin bool
	Margin       float64
	Validated    bool
	NoiseFloor   float64
	// Identical is the number of comparisons of identical code.
	Identical int
	// Smallest is the smallest log ratio the run would have found.
	Smallest        float64
	PValue          float64
	Autocorrelation float64
	BlockLength     int
	Collections     bool
	Sequential      bool
	Units           int
	Pairs           int
	LeadIn          time.Duration
	Duration        time.Duration
	CostA, CostB    Cost
	// Typical and Processor are further log ratios, NaN where there are none.
	Typical, Processor float64
	// Preempted is the share of batches that lost the processor; -1 where that
	// is not known.
	Preempted   float64
	SpreadRatio float64
	SpreadLow   float64
	SpreadHigh  float64
	Thresholds  []Threshold
	Warnings    []string
	Machine     []string
}

// Cost is what one operation needs besides time; -1 means not measured.
type Cost struct{ Bytes, Allocs, CPU, WithCollections float64 }

// Threshold is the confidence that A saves at least a share of B's time.
type Threshold struct{ Share, Confidence float64 }

// Report renders a comparison as a short text.
func Report(s Summary) string {
	var out strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&out, format+"\n", values...) }
	if s.A == s.B {
		s.A, s.B = s.A+" (A)", s.B+" (B)"
	}
	if s.Verdict == "" && s.NsA == 0 && s.NsB == 0 && s.LogRatio == 0 {
		return "Nothing was compared: this report is empty."
	}
	if s.Collections {
		line("%s: %s per operation with garbage collections (median)", s.A, Nanoseconds(s.CostA.WithCollections))
		line("%s: %s per operation with garbage collections (median)", s.B, Nanoseconds(s.CostB.WithCollections))
	} else {
		line("%s: %s per operation (median)", s.A, Nanoseconds(s.NsA))
		line("%s: %s per operation (median)", s.B, Nanoseconds(s.NsB))
	}
	line("%s", s.Sentence())
	line("%s", s.IntervalSentence())
	costLines(line, s)
	line("")
	line("%s", floorSentence(s))
	line("%s", howSentence(s))
	if s.Preempted > 0 {
		line("The operating system took the processor away in %s of the batches; none was left out.", Percent(s.Preempted))
	}
	if s.Smallest > 0 && !math.IsInf(s.Smallest, 0) {
		line("A difference of %s would have been found nine times in ten by a run like this (90%% power).", Percent(math.Expm1(s.Smallest)))
	}
	line("")
	line("Verdict: %s", verdictSentence(s))
	list(line, "Warnings:", s.Warnings)
	list(line, "Machine:", s.Machine)
	if len(s.Thresholds) > 0 {
		line("")
	}
	for _, t := range s.Thresholds {
		line("Confidence that %s: %.1f%%", thresholdClause(s, t.Share), 100*t.Confidence)
	}
	return strings.TrimRight(out.String(), "\n")
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func list(line func(string, ...any), title string, items []string) {
	if len(items) == 0 {
		return
	}
	line("")
	line("%s", title)
	for _, item := range items {
		line("  - %s", item)
	}
}

func costLines(line func(string, ...any), s Summary) {
	if s.Collections && !math.IsNaN(s.Typical) {
		line("Without collections, in short batches, %s takes %s times as long as %s (%s and %s).", s.B, finer(math.Exp(s.Typical)), s.A, Nanoseconds(s.NsA), Nanoseconds(s.NsB))
	}
	if !math.IsNaN(s.Processor) {
		line("In processor time, helpers included, %s takes %s times as much as %s.", s.B, finer(math.Exp(s.Processor)), s.A)
	}
	if math.IsNaN(s.Processor) && s.CostA.CPU > 0 && s.CostB.CPU > 0 {
		line("Processor time per operation, all threads together: %s %s, %s %s.", s.A, Nanoseconds(s.CostA.CPU), s.B, Nanoseconds(s.CostB.CPU))
	}
	if s.CostA.Bytes > 0 || s.CostB.Bytes > 0 {
		line("Memory per operation: %s %s in %s allocations, %s %s in %s.",
			s.A, Bytes(max(0, s.CostA.Bytes)), Count(max(0, s.CostA.Allocs)), s.B, Bytes(max(0, s.CostB.Bytes)), Count(max(0, s.CostB.Allocs)))
	}
	if s.SpreadRatio > 0 && (s.SpreadLow > 1 || s.SpreadHigh < 1) {
		ratio, wider, narrower := s.SpreadRatio, s.B, s.A
		if ratio < 1 {
			ratio, wider, narrower = 1/ratio, s.A, s.B
		}
		line("Slow moments (90th percentile above the median) lie %s times as far away with %s as with %s.", finer(ratio), wider, narrower)
	}
}

func floorSentence(s Summary) string {
	if !s.Validated {
		return "Identical code was not measured, so the noise floor is unknown."
	}
	return fmt.Sprintf("Identical code, measured against itself %d times here, shows differences of up to %s (noise floor).", s.Identical, Percent(s.NoiseFloor))
}

func howSentence(s Summary) string {
	if s.Sequential {
		lead := "without a lead-in"
		if s.LeadIn > 0 {
			lead = fmt.Sprintf("each after a lead-in of %v", s.LeadIn)
		}
		return fmt.Sprintf("%s in %s, %s, in %s.", counted(s.Pairs, "pair of batches", "pairs of batches"), counted(s.Units, "unit", "units"), lead, Seconds(s.Duration.Seconds()))
	}
	if s.BlockLength > 1 {
		return fmt.Sprintf("Neighbouring measurements resemble each other (autocorrelation %+.2f), so they were kept together in blocks of %d.", s.Autocorrelation, s.BlockLength)
	}
	return fmt.Sprintf("Neighbouring measurements are nearly independent (autocorrelation %+.2f), so they were taken one by one.", s.Autocorrelation)
}

func verdictSentence(s Summary) string {
	fasterSide, slowerSide := s.A, s.B
	if s.Verdict == "faster" {
		fasterSide, slowerSide = s.B, s.A
	}
	switch s.Verdict {
	case "faster", "slower":
		return fasterSentence(s, fasterSide, slowerSide)
	case "equivalent":
		return fmt.Sprintf("NOT RESOLVED, EQUIVALENT. %s and %s differ by less than %s (the margin).", s.A, s.B, levelPercent(s.Margin))
	case "unmeasurable":
		return "NOT RESOLVED, UNMEASURABLE. This setup cannot tell; the warnings say why."
	case "inconclusive":
		if s.Mixed {
			return "NOT RESOLVED, MIXED. One side needs less time and the other less processor time."
		}
		return "NOT RESOLVED, INCONCLUSIVE. This run can neither tell which is faster nor that they are equal."
	}
	if s.Resolved {
		return "RESOLVED."
	}
	return "NOT RESOLVED."
}

func fasterSentence(s Summary, fasterSide, slowerSide string) string {
	word := "RESOLVED"
	reason := "its interval excludes zero and it exceeds the noise floor"
	switch {
	case !s.Resolved:
		word = "NOT RESOLVED"
		reason = "its interval excludes zero, but it does not exceed the noise floor"
	case !s.Validated:
		reason = "its interval excludes zero; no noise floor was checked"
	}
	within := ""
	if s.WithinMargin {
		within = fmt.Sprintf(" It is smaller than the margin of %s.", levelPercent(s.Margin))
	}
	return fmt.Sprintf("%s. %s is faster than %s (%s).%s", word, fasterSide, slowerSide, reason, within)
}

func thresholdClause(s Summary, share float64) string {
	switch {
	case share == 0:
		return fmt.Sprintf("%s needs no more time than %s", s.A, s.B)
	case share < 0:
		return fmt.Sprintf("%s needs at most %s more time than %s", s.A, Percent(-share), s.B)
	}
	return fmt.Sprintf("%s needs at least %s less time than %s", s.A, Percent(share), s.B)
}
