package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/rtcompare/rtcompare"
)

// compare runs Compare in both assignments of roles. A difference that belongs
// to a fixture changes its sign with them; one that belongs to a position in
// the measurement does not.
func compare(s settings, c [2]rtcompare.Candidate, out io.Writer) error {
	for _, roles := range bothRoles(c) {
		report, err := rtcompare.Compare(roles[0], roles[1], s.compareOptions())
		if err != nil {
			return err
		}
		fmt.Fprint(out, describe(s, report))
	}
	return nil
}

func bothRoles(c [2]rtcompare.Candidate) [2][2]rtcompare.Candidate {
	return [2][2]rtcompare.Candidate{{c[0], c[1]}, {c[1], c[0]}}
}

// describe renders one assignment of roles: what the samples alone say, the
// trends, and the verdict. The names are those of the fixtures.
func describe(s settings, r rtcompare.Report) string {
	var text strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&text, format+"\n", values...) }
	floor, within := "noise floor not measured", "identical code not measured"
	if r.Validated {
		floor, within = fmt.Sprintf("noise floor %.3f%%", 100*r.NoiseFloor), "identical code counted in"
	}
	e := r.Estimate
	line("n=%d %s build=%s first=%s second=%s: %.2f and %.2f ns, difference %+.3f%% [%+.3f%%, %+.3f%%], %s, resolved %t",
		s.nodes, s.workload, s.order, r.NameA, r.NameB, r.NsPerOpA, r.NsPerOpB, 100*e.Delta, 100*e.Low, 100*e.High, floor, r.Resolved)
	line("  drift %s %s, %s %s, ratio %s", r.NameA, shift(r.DriftA), r.NameB, shift(r.DriftB), shift(r.DriftRatio))
	delta, low, high := r.Decision.Delta()
	line("  verdict %s, %+.3f%% [%+.3f%%, %+.3f%%] at %g%%, %s; the truth is 0",
		verdict(r), 100*delta, 100*low, 100*high, 100*r.Decision.Level, within)
	for _, w := range r.Warnings {
		line("  warning: %s", w)
	}
	return text.String()
}

// verdict names the fixture instead of the role.
func verdict(r rtcompare.Report) string {
	switch r.Decision.Verdict {
	case rtcompare.AFaster:
		return r.NameA + " faster"
	case rtcompare.BFaster:
		return r.NameB + " faster"
	}
	return r.Decision.Verdict.String()
}

func shift(d rtcompare.DriftReport) string {
	if d.N == 0 {
		return "not tested"
	}
	return fmt.Sprintf("%+.2f%% (p %.3f)", 100*d.RelativeShift, d.PValue)
}

// prefix shows what it does to a measurement that one of the fixtures has just
// run alone, with the caches to itself. All four experiments use one batch
// size.
func prefix(s settings, c [2]rtcompare.Candidate, out io.Writer) error {
	collect := s.collect()
	for _, candidate := range c {
		size, err := rtcompare.CalibrateInnerLoops(candidate, rtcompare.CalibrationOptions{MaxQuantizationError: quantizationError})
		if err != nil {
			return err
		}
		collect.InnerLoops = max(collect.InnerLoops, size.InnerLoops)
	}
	fmt.Fprintf(out, "n=%d %s build=%s, %d operations per batch; median B/A, the truth is 1\n", s.nodes, s.workload, s.order, collect.InnerLoops)
	for _, alone := range []struct {
		text string
		runs []rtcompare.Candidate
	}{
		{"nobody ran alone", nil},
		{"A ran alone", c[:1]},
		{"B ran alone", c[1:]},
		{"A, then B ran alone", c[:]},
	} {
		for _, candidate := range alone.runs {
			if _, err := rtcompare.ValidateHarness(candidate, rtcompare.ValidationOptions{Collect: collect, Runs: s.validation}); err != nil {
				return err
			}
		}
		a, b, err := rtcompare.Collect(c[0], c[1], collect)
		if err != nil {
			return err
		}
		ratios := make([]float64, len(a))
		for i := range ratios {
			ratios[i] = b[i] / a[i]
		}
		fmt.Fprintf(out, "  after %-20s %.4f\n", alone.text+":", rtcompare.Median(ratios))
	}
	return nil
}
