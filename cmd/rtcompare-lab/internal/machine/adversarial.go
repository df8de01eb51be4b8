package machine

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
	"github.com/rtcompare/rtcompare/internal/view"
)

// Adversarial measures pairs that naive measuring gets wrong, each in three
// ways: alone, with a Budget, and by the default protocol.
func Adversarial(s Setup, budget, alone, slice time.Duration) (*sheet.Sheet, error) {
	table := &sheet.Sheet{
		Title: fmt.Sprintf("adversarial: B/A alone in plain loops with their collections (%v per pair), with a Budget of %v, and by the default protocol", alone, budget),
		Columns: []string{"pair A / B", "A alone ns/op", "B alone ns/op", "B/A alone", "interval", "own process each", "with a Budget", "its interval", "verdict",
			"contradiction", "warnings", "default B/A", "its verdict", "its warnings"},
		Notes: []string{
			"alone: the compared instances one at a time, half before and half after the comparison with a Budget; the median over neighbouring slices, with its 95% interval.",
			"own process each: B/A where every slice has a process, and fixture, of its own.",
			"contradiction: the two intervals are more than 10% apart; unanswered: they are, and there is no verdict; warned: they are, and a warning",
			"says that the batches are too short.",
		},
	}
	contradictions, judged := 0, 0
	for number, p := range adversarial() {
		if !s.wanted(p.name) {
			continue
		}
		for range s.Runs {
			row, contradicts, err := s.adversarialRow(number, p, budget, alone, slice)
			if err != nil {
				return nil, err
			}
			table.Rows = append(table.Rows, row)
			judged++
			if contradicts {
				contradictions++
			}
		}
		s.progress("adversarial pairs", number+1, len(adversarial()))
	}
	if judged > 0 {
		table.Bars = []sheet.Bar{{Name: "adversarial pairs whose answer contradicts the times alone", Kind: sheet.Number, Measured: float64(contradictions), Trials: judged}}
	}
	return table, nil
}

// tolerance is how far the interval alone may lie from the other one.
const tolerance = 0.10

func (s Setup) adversarialRow(number int, p pair, budget, alone, slice time.Duration) ([]any, bool, error) {
	processes, err := s.ownProcesses(number, alone)
	if err != nil {
		return nil, false, err
	}
	var opt rtcompare.CompareOptions
	opt.Collect.InnerLoops = p.loops
	a, b := p.candidates(s)
	fixed, err := s.compare(p.name, a, b, opt)
	if err != nil {
		return nil, false, err
	}
	opt.Budget = budget
	a, b = p.candidates(s)
	instances, err := s.sameInstances(a.Batch, b.Batch, alone/2, slice)
	if err != nil {
		return nil, false, err
	}
	sequential, err := s.compare(p.name, a, b, opt)
	if err != nil {
		return nil, false, err
	}
	later, err := s.sameInstances(a.Batch, b.Batch, alone/2, slice)
	if err != nil {
		return nil, false, err
	}
	for which := range instances {
		instances[which] = append(instances[which], later[which]...)
	}
	d := sequential.Decision
	truth, low, high := instances.interval()
	answers := d.Verdict == rtcompare.AFaster || d.Verdict == rtcompare.BFaster || d.Verdict == rtcompare.Equivalent
	warned := codes(sequential)
	excused := !answers || strings.Contains(warned, view.CodeShortBatch)
	contradicts := low-d.High > math.Log1p(tolerance) || d.Low-high > math.Log1p(tolerance)
	return []any{
		p.name, stat.Median(instances[0]), stat.Median(instances[1]), ratioText(truth), boundsText(low, high), fmt.Sprintf("%.3f", processes.ratio()),
		ratioText(d.LogRatio), boundsText(d.Low, d.High), verdict(sequential), contradiction(contradicts, answers, excused), warned,
		ratioText(fixed.Decision.LogRatio), verdict(fixed), codes(fixed),
	}, contradicts && !excused, nil
}

func ratioText(logarithm float64) string { return fmt.Sprintf("%.3f", math.Exp(logarithm)) }

func boundsText(low, high float64) string { return ratioText(low) + ".." + ratioText(high) }

// contradiction is a word for an interval that contradicts the ratio alone. It
// weighs less where the comparison gives no answer, or says that its batches
// were made too short for one.
func contradiction(contradicts, answers, excused bool) string {
	switch {
	case !contradicts:
		return "no"
	case !answers:
		return "unanswered"
	case excused:
		return "warned"
	}
	return "YES"
}

// candidates builds both sides anew.
func (p pair) candidates(s Setup) (a, b rtcompare.Candidate) {
	first, second := p.sides[0], p.sides[1]
	return rtcompare.Candidate{Name: first.name, Batch: first.build(s.random(p.name, 0))},
		rtcompare.Candidate{Name: second.name, Batch: second.build(s.random(p.name, 1))}
}

func verdict(r rtcompare.Report) string {
	text := r.Decision.Verdict.String()
	if r.Decision.Mixed {
		text = "mixed"
	}
	if r.Decision.Collections {
		text += " (with collections)"
	}
	return text
}

// codes are the stable names of a report's warnings, from its record.
func codes(r rtcompare.Report) string {
	var text bytes.Buffer
	if err := r.WriteRecord(&text); err != nil {
		return err.Error()
	}
	kept, err := record.Read(&text)
	if err != nil || len(kept.Judgements) == 0 {
		return "-"
	}
	var names []string
	for _, w := range kept.Judgements[0].Warnings {
		names = append(names, w.Code)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ",")
}
