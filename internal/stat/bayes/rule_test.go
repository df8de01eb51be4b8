package bayes

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestDecide(t *testing.T) {
	rule := unbatched(0.01)
	at := func(rounds int, p float64) Analysis {
		return Analysis{Rounds: rounds, HasMargin: true, Practical: p, Different: 0.9999}
	}
	for _, c := range []struct {
		a    Analysis
		want Verdict
	}{
		{at(20, 0.99), Different}, {at(20, 0.9899), Undecided}, {at(20, 0.011), Undecided}, {at(20, 0.009), Indistinguishable},
		{at(1, 0.999), Undecided}, {at(199, 0.5), Undecided}, {at(200, 0.5), OutOfRounds}, {at(200, 0.995), Different},
		{Analysis{Rounds: 20, Different: 0.995}, Different}, {Analysis{Rounds: 20, Different: 0.5, Practical: 0.995}, Undecided},
	} {
		if got := Decide(c.a, rule); got != c.want {
			t.Errorf("%+v: %q, want %q", c.a, got, c.want)
		}
	}
}

// TestDecideOnSeries are the examples of finefile's own tests.
func TestDecideOnSeries(t *testing.T) {
	small := []float64{0.001, -0.0012, 0.0008, -0.0005, 0.0011, -0.0009, 0.0002, -0.0006}
	for _, c := range []struct {
		name        string
		differences []float64
		rule        Rule
		want        Verdict
	}{
		{"two rounds never conclude", []float64{1.79, 1.81}, unbatched(0.01), Undecided},
		{"four close rounds do", []float64{1.80, 1.81, 1.79, 1.80}, unbatched(0.01), Different},
		{"little noise within the margin", small, unbatched(0.01), Indistinguishable},
		{"little noise against a point", small, unbatched(0), Undecided},
		{"before the first round for a verdict", repeated(0.5, 15), DefaultRule(), Undecided},
		{"at the first round for a verdict", repeated(0.5, 16), DefaultRule(), Different},
	} {
		if got := Decide(analysed(t, c.differences, c.rule), c.rule); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestValidate(t *testing.T) {
	if err := DefaultRule().Validate(); err != nil {
		t.Error(err)
	}
	for word, change := range map[string]func(*Rule){
		"batch-rounds":  func(r *Rule) { r.BatchRounds = 0 },
		"min-rounds":    func(r *Rule) { r.MinRounds = 7 },
		"max-rounds":    func(r *Rule) { r.MaxRounds = 15 },
		"certainty":     func(r *Rule) { r.Certainty = 1 },
		"credible-mass": func(r *Rule) { r.CredibleMass = 0.5 },
		"min-effect":    func(r *Rule) { r.MinEffect = math.NaN() },
		"prior-scale":   func(r *Rule) { r.PriorScale = math.Inf(1) },
	} {
		r := DefaultRule()
		change(&r)
		if err := r.Validate(); err == nil || !strings.HasPrefix(err.Error(), word+" ") {
			t.Errorf("%s: %v", word, err)
		}
	}
	if got := LeastRounds(1); got != 16 {
		t.Errorf("without batches the first verdict comes after %d rounds", got)
	}
	if got := LeastRounds(10); got != 40 {
		t.Errorf("with batches of ten the first verdict comes after %d rounds", got)
	}
}

func TestBatches(t *testing.T) {
	for _, c := range []struct{ rounds, batchRounds, size, batches int }{
		{16, 4, 4, 4}, {24, 4, 4, 6}, {25, 4, 5, 5}, {100, 4, 10, 10}, {200, 4, 14, 14}, {40, 4, 6, 6},
		{8, 4, 4, 2}, {200, 1, 1, 200}, {200, 0, 1, 200}, {30, 20, 20, 0}, {0, 4, 4, 0},
	} {
		if size := BatchSize(c.rounds, c.batchRounds); size != c.size {
			t.Errorf("%d rounds, at least %d: batches of %d, want %d", c.rounds, c.batchRounds, size, c.size)
		}
		if got := len(BatchMeans(make([]float64, c.rounds), c.batchRounds)); got != c.batches {
			t.Errorf("%d rounds, at least %d: %d batches, want %d", c.rounds, c.batchRounds, got, c.batches)
		}
	}
	if got := BatchMeans([]float64{100, 1, 3, 5, 7}, 2); !slices.Equal(got, []float64{2, 6}) {
		t.Errorf("the oldest round stays in: %v", got)
	}
}
