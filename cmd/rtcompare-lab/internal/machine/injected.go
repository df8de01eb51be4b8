package machine

import (
	"fmt"
	"math"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// injection is a difference that is put in, and the time to find it.
type injection struct {
	name string
	// steps is what B does for the 20 steps of A.
	steps  int
	budget time.Duration
}

func injections(scale float64) []injection {
	budget := func(seconds float64) time.Duration {
		return time.Duration(scale * seconds * float64(time.Second))
	}
	return []injection{
		{"none", normalSteps, budget(3)},
		{"5%", normalSteps * 21 / 20, budget(10)},
		{"20%", normalSteps * 6 / 5, budget(3)},
		{"factor 2", normalSteps * 2, budget(3)},
	}
}

// Injected compares code with the same code doing more of it, with a Budget,
// on this machine. The true difference is known: the number of steps. scale
// shortens the budgets of 3 and 10 seconds.
func Injected(s Setup, scale float64) (*sheet.Sheet, error) {
	table := &sheet.Sheet{
		Title:   "injected: B does more of what A does; a comparison with a Budget, on this machine",
		Nominal: "wrong at most 1%", Trials: s.Runs,
		Columns: []string{"workload", "injected", "budget", "runs", "right", "wrong", "undecided", "seconds each", "median ratio", "true ratio"},
		Notes:   []string{"right: B slower, or without an injection, no candidate called faster. The ratio is B's time over A's."},
	}
	right, told, falsely, nothing := 0, 0, 0, 0
	for _, w := range []Workload{{"arithmetic", arithmetic}, {"map", mapLookups}, {"sort", sorting}} {
		if !s.wanted(w.Name) {
			continue
		}
		for _, in := range injections(scale) {
			seen, ratios, err := s.injectedRow(w, in)
			if err != nil {
				return nil, err
			}
			good, bad, truth := seen.a, seen.b, float64(in.steps)/normalSteps
			if in.steps == normalSteps {
				good, bad = seen.runs()-seen.a-seen.b, seen.a+seen.b
				falsely += bad
				nothing += seen.runs()
			} else {
				right += good
				told += seen.runs()
			}
			table.Add(w.Name, in.name, in.budget.String(), seen.runs(), good, bad, seen.runs()-good-bad,
				fmt.Sprintf("%.2f", seen.meanSeconds()), fmt.Sprintf("%.4f", stat.Median(ratios)), truth)
		}
	}
	table.Bars = []sheet.Bar{
		{Name: "injected differences told right, real runs", Limit: 0.95, AtLeast: true, Measured: share(right, told), Trials: told, Full: 300},
		{Name: "false verdicts on identical code with a Budget, real runs", Limit: 0.02, Measured: share(falsely, nothing), Trials: nothing, Full: 300},
	}
	return table, nil
}

func share(part, whole int) float64 { return float64(part) / float64(max(1, whole)) }

func (s Setup) injectedRow(w Workload, in injection) (tally, []float64, error) {
	var seen tally
	var ratios []float64
	for i := range s.Runs {
		name := fmt.Sprintf("%s with %s", w.Name, in.name)
		batches := w.Fixture(s.random(name, i))
		a := rtcompare.Candidate{Name: "A", Batch: batches(normalSteps)}
		b := rtcompare.Candidate{Name: "B", Batch: batches(in.steps)}
		r, err := s.compare(name, a, b, rtcompare.CompareOptions{Budget: in.budget})
		if err != nil {
			return seen, ratios, err
		}
		seen.add(r)
		ratios = append(ratios, math.Exp(r.Decision.LogRatio))
		s.progress(name, i+1, s.Runs)
	}
	return seen, ratios, nil
}
