package view

import (
	"math"
	"testing"
)

// The lines of the run that finefile's own documents show.
func TestFinefileLines(t *testing.T) {
	j := JZS{
		Name: "rewrite", A: Side{Name: "baseline"}, B: Side{Name: "candidate"}, Verdict: "different", Rounds: 8, Batches: 4, BatchSize: 4,
		CredibleMass: 0.95, LogRatio: math.Log(1.33341), Different: 0.7921, MinEffect: 0.01, Practical: 0.7919,
	}
	if got, want := j.FinefileHeader(), "Compare: rewrite (a = baseline, b = candidate)"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := j.FinefileProgress(32), "  round   8 ( 32 runs)   ratio 1.3334   P(different) 79.2%   P(> 1.0%) 79.2%"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	j.Rounds, j.LogRatio, j.Low, j.High, j.LogBF10, j.Different, j.Practical = 18, math.Log(1.3338), math.Log(1.2835), math.Log(1.3860), math.Log(108.2), 0.9908, 0.9907
	want := "  Different: baseline is 33.4% faster than candidate\n" +
		"  Throughput ratio baseline/candidate:  1.3338  [1.2835, 1.3860] (95.0% credible)\n" +
		"  P(different) 99.1%   BF10 108   after 18 rounds (4 batches of 4)\n" +
		"  P(difference exceeds 1.0%) 99.1%\n"
	if got := j.FinefileResult(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	j.Verdict, j.MinEffect, j.LogBF10 = "max-rounds", 0, 900
	want = "  Inconclusive (hit max-rounds)\n" +
		"  Throughput ratio baseline/candidate:  1.3338  [1.2835, 1.3860] (95.0% credible)\n" +
		"  P(different) 99.1%   BF10 e^900.0   after 18 rounds (4 batches of 4)\n"
	if got := j.FinefileResult(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
