package render

import (
	"math"
	"slices"

	"github.com/rtcompare/rtcompare/internal/view"
)

type jzsDocument struct {
	Comparisons []jzsEntry  `json:"comparisons"`
	Results     []jzsResult `json:"results"`
}

type jzsEntry struct {
	Name         string   `json:"name"`
	A            string   `json:"a"`
	B            string   `json:"b"`
	Verdict      string   `json:"verdict"`
	Rounds       int      `json:"rounds"`
	Batches      int      `json:"batches"`
	BatchSize    int      `json:"batch_size"`
	Certainty    number   `json:"certainty"`
	CredibleMass number   `json:"credible_mass"`
	Interleave   string   `json:"interleave"`
	PriorScale   number   `json:"prior_scale"`
	LogBF10      number   `json:"log_bf10"`
	BF10         *number  `json:"bf10,omitempty"`
	LogRatio     number   `json:"log_throughput_ratio"`
	LogInterval  []number `json:"log_throughput_ratio_ci"`
	LogSD        number   `json:"log_throughput_ratio_stddev"`
	Differences  []number `json:"log_throughput_ratio_differences"`
	Ratio        number   `json:"throughput_ratio"`
	Interval     []number `json:"throughput_ratio_ci"`
	Different    number   `json:"p_different"`
	ByRound      []number `json:"p_different_by_round"`
	MinEffect    *number  `json:"min_effect,omitempty"`
	Practical    *number  `json:"p_practical,omitempty"`
}

// jzsResult is a result as finefile writes it for a server.
type jzsResult struct {
	Command   string   `json:"command"`
	Mean      number   `json:"mean"`
	SD        *number  `json:"stddev,omitempty"`
	Median    number   `json:"median"`
	Min       number   `json:"min"`
	Max       number   `json:"max"`
	Times     []number `json:"times"`
	ExitCodes []*int64 `json:"exit_codes"`
}

// JZSJSON exports comparisons by finefile's rule with finefile's keys: the
// comparisons, and two results for each.
func JZSJSON(list []view.JZS) ([]byte, error) {
	d := jzsDocument{Comparisons: []jzsEntry{}, Results: []jzsResult{}}
	for i := range list {
		d.Comparisons = append(d.Comparisons, jzsEntryOf(&list[i]))
		d.Results = append(d.Results, jzsResultOf(&list[i].A), jzsResultOf(&list[i].B))
	}
	return encode(d)
}

// JZSText renders a comparison by finefile's rule for a terminal.
func JZSText(j view.JZS, o Options) string {
	c := view.Comparison{Sides: []view.Side{j.A, j.B}}
	t := &text{c: &c, o: o}
	t.sides()
	t.latencies()
	t.totals()
	s := yellow
	switch j.Verdict {
	case "different":
		s = green
	case "indistinguishable":
		s = bold
	}
	t.conclusion(s, j.Sentence(), j.Interval())
	t.small(j.Evidence())
	t.small(j.How())
	return t.out.String()
}

func jzsEntryOf(j *view.JZS) jzsEntry {
	e := jzsEntry{
		Name: j.Name, A: j.A.Name, B: j.B.Name, Verdict: j.Verdict, Rounds: j.Rounds, Batches: j.Batches, BatchSize: j.BatchSize,
		Certainty: number(j.Certainty), CredibleMass: number(j.CredibleMass), Interleave: j.Interleave, PriorScale: number(j.PriorScale),
		LogBF10: number(j.LogBF10), BF10: pointer(math.Exp(j.LogBF10)), LogRatio: number(j.LogRatio), LogInterval: numbers([]float64{j.Low, j.High}),
		LogSD: number(j.SD), Differences: numbers(j.Differences), Ratio: number(math.Exp(j.LogRatio)),
		Interval: numbers([]float64{math.Exp(j.Low), math.Exp(j.High)}), Different: number(j.Different), ByRound: numbers(j.DifferentByRound),
	}
	if j.MinEffect > 0 {
		e.MinEffect, e.Practical = pointer(j.MinEffect), pointer(j.Practical)
	}
	return e
}

func jzsResultOf(s *view.Side) jzsResult {
	full := resultOf(s)
	codes := slices.Clone(full.ExitCodes)
	if codes == nil {
		codes = []*int64{}
	}
	return jzsResult{
		Command: full.Command, Mean: full.Mean, SD: full.SD, Median: full.Median, Min: full.Min, Max: full.Max,
		Times: full.Times, ExitCodes: codes,
	}
}
