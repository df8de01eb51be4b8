package render

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

func mustSummarise(t *testing.T, r record.Record) view.Comparison {
	t.Helper()
	c, err := Summarise(r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// swapped is the same run with A called B and B called A, judged anew.
func swapped(r record.Record, margin float64) record.Record {
	r.Head.Arms = slices.Clone(r.Head.Arms)
	slices.Reverse(r.Head.Arms)
	units := make([]record.Unit, len(r.Units))
	for i, u := range r.Units {
		u.Cells = slices.Clone(u.Cells)
		for k := range u.Cells {
			u.Cells[k].Arm = 1 - u.Cells[k].Arm
		}
		units[i] = u
	}
	r.Units = units
	var judged []record.Judgement
	for _, j := range r.Judgements {
		judged = append(judged, judge.Judge(units, judge.Policy{Arm: 1, Metric: judge.Metric(j.Metric), ErrorRate: j.ErrorRate, Margin: margin, Sequential: true, Tick: 40}))
	}
	r.Judgements = judged
	return r
}

// A run whose two sides change places tells the same story with the letters
// changed: faster, slower, equal or undecided.
func TestSwappingTwoSidesMirrorsTheVerdicts(t *testing.T) {
	exchange := strings.NewReplacer("A", "B", "B", "A")
	margin := math.Log(1.01)
	decided := 0
	for seed := range uint64(30) {
		run := simulated{seed: seed, names: []string{"x", "y"}, millis: []float64{5, 5 * math.Exp(0.02*float64(seed%7)-0.06)}, units: 10, servers: seed%3 == 0}
		r := run.record(t)
		a, b := mustSummarise(t, r), mustSummarise(t, swapped(r, margin))
		for i := range a.Pairs {
			p, q := a.Pairs[i], b.Pairs[i]
			want := exchange.Replace(a.Sentence(p))
			got := b.Sentence(q)
			if !p.Decided() { // "A and B" stays in the order of the letters
				want, got = strings.ReplaceAll(want, "B and A", "A and B"), strings.ReplaceAll(got, "B and A", "A and B")
			} else {
				decided++
			}
			if got != want {
				t.Errorf("seed %d: %s\nafter the swap: %s", seed, a.Sentence(p), b.Sentence(q))
			}
			if p.Decided() && a.Numbers(p) != b.Numbers(q) {
				t.Errorf("seed %d: %s and %s", seed, a.Numbers(p), b.Numbers(q))
			}
		}
	}
	if decided < 20 {
		t.Errorf("only %d decided pairs were compared", decided)
	}
}
