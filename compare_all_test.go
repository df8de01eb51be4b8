package rtcompare

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// all compares several candidates on the machine as CompareAll does.
func (m *machine) all(t *testing.T, candidates []Candidate, opt CompareOptions) []Report {
	t.Helper()
	reports, err := m.run(context.Background(), candidates, opt)
	if err != nil {
		t.Fatal(err)
	}
	return reports
}

func TestSeveralCandidatesAgainstTheFirst(t *testing.T) {
	for name, opt := range map[string]CompareOptions{"fixed": short(), "budget": {Budget: time.Minute}} {
		t.Run(name, func(t *testing.T) {
			m := newMachine()
			three := append(m.pair(100, 150), m.candidate(work{name: "c", ns: 80, scatter: 0.005, seed: 3}))
			reports := m.all(t, three, opt)
			if len(reports) != 2 {
				t.Fatalf("%d reports", len(reports))
			}
			level := 0.95
			if opt.Budget > 0 {
				level = 0.99
			}
			want := []struct {
				name    string
				verdict Verdict
				ratio   float64
			}{{"b", AFaster, 1.5}, {"c", BFaster, 0.8}}
			for i, r := range reports {
				if r.NameA != "a" || r.NameB != want[i].name || r.Decision.Verdict != want[i].verdict || !near(math.Exp(r.Decision.LogRatio), want[i].ratio, 0.02) {
					t.Errorf("report %d: %q and %q, %+v", i, r.NameA, r.NameB, r.Decision)
				}
				// Two verdicts share the error rate.
				if !near(r.Decision.Level, 1-(1-level)/2, 1e-12) {
					t.Errorf("report %d: level %v", i, r.Decision.Level)
				}
				if r.ValidationA.Runs == 0 || r.ValidationB.Runs != r.ValidationA.Runs {
					t.Errorf("report %d: %d and %d runs", i, r.ValidationA.Runs, r.ValidationB.Runs)
				}
			}
			if !slices.Equal(reports[0].SamplesA, reports[1].SamplesA) || slices.Equal(reports[0].SamplesB, reports[1].SamplesB) {
				t.Error("the reports do not share the first candidate's samples")
			}
			if p := reports[1].Protocol; p.Batches != 2*len(reports[1].SamplesA) {
				t.Errorf("%d batches of two of the three candidates, %d samples", p.Batches, len(reports[1].SamplesA))
			}
		})
	}
}

// The first pair is decided at once, the second takes longer: all go on.
func TestABudgetEndsWhenEveryPairIsDecided(t *testing.T) {
	m := newMachine()
	three := []Candidate{
		m.candidate(work{name: "a", ns: 100, scatter: 0.1, seed: 1}),
		m.candidate(work{name: "b", ns: 400, scatter: 0.1, seed: 2}),
		m.candidate(work{name: "c", ns: 101.2, scatter: 0.1, seed: 3}),
	}
	reports := m.all(t, three, CompareOptions{Budget: time.Hour})
	for i, r := range reports {
		if r.Decision.Verdict == Inconclusive || !r.Protocol.Decided {
			t.Errorf("report %d: %+v", i, r.Decision)
		}
	}
	if reports[0].Decision.Units != reports[1].Decision.Units || reports[0].Decision.Units < 6 {
		t.Errorf("%d and %d units", reports[0].Decision.Units, reports[1].Decision.Units)
	}
}

func TestCompareAll(t *testing.T) {
	candidates := []Candidate{spinning(50), spinning(100), spinning(400)}
	for i, name := range []string{"one", "two", "eight"} {
		candidates[i].Name = name
	}
	opt := CompareOptions{Collect: CollectOptions{Repeats: 21, InnerLoops: 200, SkipWarmup: true}, ValidationRuns: 4, SkipChecks: true}
	all, err := CompareAll(context.Background(), candidates, opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Reports) != 2 || len(all.HolmP) != 2 {
		t.Fatalf("%d reports and %d p-values", len(all.Reports), len(all.HolmP))
	}
	for i, p := range all.HolmP {
		if own := all.Reports[i].Decision.PValue; !(p >= own && p <= 2*own || p == 1) {
			t.Errorf("adjusted p %v of %v", p, own)
		}
	}
	text := all.String()
	for _, part := range []string{"one: ", "two: ", "eight: ", "\n\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("the text does not hold %q:\n%s", part, text)
		}
	}
	if !strings.HasPrefix(text, all.Reports[0].String()) || !strings.HasSuffix(text, all.Reports[1].String()) {
		t.Errorf("text:\n%s", text)
	}
}
