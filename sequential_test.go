package rtcompare

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
)

func TestBudgetEndsWhenTheAnswerIsClear(t *testing.T) {
	m := newMachine()
	r := m.compare(t, m.pair(100, 110), CompareOptions{Budget: time.Minute})
	if r.Decision.Verdict != AFaster || !r.Resolved || !near(r.Decision.LogRatio, math.Log(1.1), 0.01) {
		t.Errorf("%+v, resolved %v", r.Decision, r.Resolved)
	}
	p := r.Protocol
	if !p.Sequential || !p.Decided || p.Duration > 10*time.Second || p.PairsPerUnit < unitPairs || p.LeadIn != 0 || p.LeadInLoops != 0 {
		t.Errorf("protocol %+v", p)
	}
	d := r.Decision
	if d.Level != DefaultBudgetLevel || d.Units < judge.FirstLook || d.Pairs != len(r.SamplesA) || d.IdenticalRuns != 2*d.Units || d.Pairs != d.Units*p.PairsPerUnit {
		t.Errorf("decision %+v with %d samples", d, len(r.SamplesA))
	}
	// Every unit is a run of identical code.
	if !r.Validated || r.ValidationA.Runs != d.Units || r.ValidationB.Runs != d.Units || r.NoiseFloor <= 0 || r.NoiseFloor >= max(r.ValidationA.NoiseFloor, r.ValidationB.NoiseFloor) {
		t.Errorf("validated %v with %+v", r.Validated, r.ValidationA)
	}
	if e, err := EstimateDifference(r.SamplesA, r.SamplesB, EstimateOptions{Level: 0.99, BlockLength: r.BlockLength, Paired: true}); err != nil || e != r.Estimate || r.BlockLength != 1 {
		t.Errorf("%+v became %+v, error %v", r.Estimate, e, err)
	}
	if len(r.Warnings) != 0 {
		t.Errorf("warnings %q", r.Warnings)
	}
	if r.CostA.BytesPerOp != 0 || r.CostA.AllocsPerOp != 0 || r.CostA.NsPerOpWithCollections != -1 {
		t.Errorf("costs %+v", r.CostA)
	}
}

func TestBudgetFindsEquivalence(t *testing.T) {
	m := newMachine()
	r := m.compare(t, m.pair(100, 100), CompareOptions{Budget: time.Minute, Margin: 0.02})
	if r.Decision.Verdict != Equivalent || !r.Protocol.Decided || r.Resolved {
		t.Errorf("%+v after %v", r.Decision, r.Protocol.Duration)
	}
	m = newMachine()
	r = m.compare(t, m.pair(100, 100.5), CompareOptions{Budget: time.Minute, Margin: 0.02})
	if !r.Decision.WithinMargin && r.Decision.Verdict != Equivalent {
		t.Errorf("%+v", r.Decision)
	}
}

func TestASpentBudgetSaysWhatWouldDo(t *testing.T) {
	m := newMachine()
	a := m.candidate(work{name: "a", ns: 100, scatter: 0.2, seed: 1})
	b := m.candidate(work{name: "b", ns: 100.3, scatter: 0.2, seed: 2})
	r := m.compare(t, []Candidate{a, b}, CompareOptions{Budget: 3 * time.Second, Margin: 1e-6})
	if r.Decision.Verdict != Inconclusive || r.Protocol.Decided || r.Resolved {
		t.Fatalf("%+v", r.Decision)
	}
	if spent := r.Protocol.Duration; spent < 3*time.Second || spent > 4*time.Second {
		t.Errorf("spent %v of 3 s", spent)
	}
	if !warned(r.Warnings, "a budget of about") || !warned(r.Warnings, "both directions remain possible") {
		t.Errorf("warnings %q", r.Warnings)
	}
}

func TestPrecisionEndsAtTheWantedWidth(t *testing.T) {
	for _, precision := range []float64{0.02, 0.005} {
		m := newMachine()
		a := m.candidate(work{name: "a", ns: 100, scatter: 0.05, seed: 1})
		b := m.candidate(work{name: "b", ns: 100, scatter: 0.05, seed: 2})
		r := m.compare(t, []Candidate{a, b}, CompareOptions{Precision: precision})
		half := (r.Decision.High - r.Decision.Low) / 2
		if !r.Protocol.Decided || half > precision || r.Decision.Units < judge.FirstLook || r.Decision.Level != 0.99 {
			t.Errorf("half-width %v for %v after %d units", half, precision, r.Decision.Units)
		}
	}
	// A clear answer alone does not end it.
	m := newMachine()
	loud := []Candidate{m.candidate(work{name: "a", ns: 100, scatter: 0.2, seed: 1}), m.candidate(work{name: "b", ns: 200, scatter: 0.2, seed: 2})}
	r := m.compare(t, loud, CompareOptions{Precision: 1e-5, Budget: 2 * time.Second})
	if r.Protocol.Decided || r.Decision.Verdict != AFaster || r.Protocol.Duration < 2*time.Second {
		t.Errorf("%+v after %v", r.Decision, r.Protocol.Duration)
	}
}

func TestShortBudgets(t *testing.T) {
	for _, budget := range []time.Duration{10 * time.Millisecond, 30 * time.Millisecond, 100 * time.Millisecond} {
		m := newMachine()
		r := m.compare(t, m.pair(100_000, 130_000), CompareOptions{Budget: budget})
		if math.IsNaN(r.NsPerOpA) || len(r.SamplesA) == 0 || math.IsNaN(r.Decision.LogRatio) {
			t.Errorf("budget %v: %+v", budget, r.Decision)
		}
		if d := r.Decision; d.Units < judge.FirstLook && d.Verdict != Inconclusive {
			t.Errorf("budget %v: %v after %d units", budget, d.Verdict, d.Units)
		}
		if !warned(r.Warnings, "a unit holds") || r.String() == "" {
			t.Errorf("budget %v: warnings %q", budget, r.Warnings)
		}
	}
}

// A budget that cannot hold the fewest units says so before it is wasted.
func TestABudgetThatCannotDoIsAnError(t *testing.T) {
	for _, budget := range []time.Duration{1, 4 * time.Millisecond} {
		m := newMachine()
		_, err := m.run(context.Background(), m.pair(100_000, 130_000), CompareOptions{Budget: budget})
		if err == nil || !strings.Contains(err.Error(), "option Budget") || m.clock > 10*time.Millisecond {
			t.Errorf("budget %v: error %v after %v", budget, err, m.clock)
		}
	}
}

// Caches that the other candidate fills make short batches slow; a lead-in
// brings back what a candidate does alone.
func TestBudgetMeasuresAfterALeadIn(t *testing.T) {
	m := newMachine()
	// Five batches in a row are what it takes to warm up.
	a := m.candidate(work{name: "a", ns: 100, scatter: 0.005, seed: 1})
	cold := m.candidate(work{name: "b", ns: 100, scatter: 0.005, seed: 2, cold: 1.5})
	r := m.compare(t, []Candidate{a, cold}, CompareOptions{Budget: 20 * time.Second})
	if r.Protocol.LeadIn != 100*time.Microsecond || r.Protocol.LeadInLoops == 0 {
		t.Errorf("lead-in %v", r.Protocol.LeadIn)
	}
	if !near(r.Decision.LogRatio, 0, 0.01) || r.Decision.names() && !r.Decision.WithinMargin {
		t.Errorf("%+v", r.Decision)
	}
}

func TestBudgetWithoutValidation(t *testing.T) {
	m := newMachine()
	r := m.compare(t, m.pair(100, 110), CompareOptions{Budget: time.Minute, SkipValidation: true})
	if r.Validated || r.NoiseFloor != 0 || r.Decision.IdenticalRuns != 0 || r.Decision.Verdict != AFaster || !warned(r.Warnings, "validation skipped") {
		t.Errorf("%+v, warnings %q", r.Decision, r.Warnings)
	}
	if r.Decision.Pairs != r.Decision.Units*r.Protocol.PairsPerUnit {
		t.Errorf("%d pairs in %d units of %d", r.Decision.Pairs, r.Decision.Units, r.Protocol.PairsPerUnit)
	}
}

func TestBudgetProgress(t *testing.T) {
	m := newMachine()
	var seen []Progress
	opt := CompareOptions{Budget: time.Second, Precision: 1e-9, Progress: func(p Progress) { seen = append(seen, p) }}
	m.compare(t, m.pair(100, 110), opt)
	var stages []string
	last := -1
	for _, p := range seen {
		stages = append(stages, p.Stage)
		if p.Stage == StageMeasuring {
			if p.Total != 1000 || p.Done < last || p.Done > 1100 {
				t.Errorf("progress %+v after %d", p, last)
			}
			last = p.Done
		}
	}
	if got := strings.Join(slices.Compact(stages), " "); got != "calibrating validating measuring resampling" || last < 500 {
		t.Errorf("stages %s, last at %d", got, last)
	}
}

// Collections belong to the cost: B allocates and looks faster in short batches.
func TestCollectionsDecideWhereACandidateAllocates(t *testing.T) {
	m := newMachine()
	a := m.candidate(work{name: "a", ns: 100, scatter: 0.002, seed: 1})
	b := m.candidate(work{name: "b", ns: 95, scatter: 0.002, seed: 2, bytes: 16, heap: 200_000, collectorNs: 30})
	r := m.compare(t, []Candidate{a, b}, CompareOptions{Budget: time.Minute})
	if !r.Decision.Collections || r.Decision.Verdict != AFaster || !near(r.Decision.LogRatio, math.Log(1.25), 0.03) {
		t.Errorf("%+v", r.Decision)
	}
	if r.Typical == nil || !near(r.Typical.LogRatio, math.Log(0.95), 0.02) || r.Processor == nil || r.Processor.Verdict != AFaster {
		t.Errorf("typical %+v, processor %+v", r.Typical, r.Processor)
	}
	if r.CostB.BytesPerOp < 16 || r.CostB.BytesPerOp > 17 || r.CostB.CollectionsPerStretch < 9 || r.CostA.CollectionsPerStretch > 1 ||
		!near(r.CostB.NsPerOpWithCollections, 125, 4) || !near(r.CostA.CPUNsPerOp, 100, 3) {
		t.Errorf("costs %+v and %+v", r.CostA, r.CostB)
	}
	if text := r.String(); !strings.Contains(text, "with garbage collections") || !strings.Contains(text, "Without collections, in short batches") {
		t.Errorf("text:\n%s", text)
	}
}

func TestOppositeTimesAreMixed(t *testing.T) {
	m := newMachine()
	a := m.candidate(work{name: "a", ns: 100, scatter: 0.002, seed: 1})
	// The collector runs on other processors: less time, more processor time.
	b := m.candidate(work{name: "b", ns: 90, scatter: 0.002, seed: 2, bytes: 16, heap: 200_000, helpers: 1})
	r := m.compare(t, []Candidate{a, b}, CompareOptions{Budget: 5 * time.Second})
	if !r.Decision.Mixed || r.Decision.Verdict != Inconclusive || r.Resolved || !r.Protocol.Decided {
		t.Errorf("%+v, resolved %v, decided %v", r.Decision, r.Resolved, r.Protocol.Decided)
	}
	if !warned(r.Warnings, "opposite directions") || warned(r.Warnings, "a budget of about") {
		t.Errorf("warnings %q", r.Warnings)
	}
	if r.Processor == nil || r.Processor.Verdict != AFaster || !near(r.Processor.LogRatio, math.Log(1.8), 0.02) {
		t.Errorf("processor %+v", r.Processor)
	}
}

func TestUnseenCollectionsAreSaid(t *testing.T) {
	m := newMachine()
	a := m.candidate(work{name: "a", ns: 100, scatter: 0.002, seed: 1})
	b := m.candidate(work{name: "b", ns: 90, scatter: 0.002, seed: 2, bytes: 16})
	r := m.compare(t, []Candidate{a, b}, CompareOptions{Budget: 500 * time.Millisecond})
	if !warned(r.Warnings, "cost unknown") || r.Decision.Collections {
		t.Errorf("%+v, warnings %q", r.Decision, r.Warnings)
	}
}

func TestNewIsRebuiltForEveryRunAndUnit(t *testing.T) {
	for name, opt := range protocols() {
		t.Run(name, func(t *testing.T) {
			m := newMachine()
			if opt.Budget > 0 {
				opt.Budget = 300 * time.Millisecond
			}
			var order []byte
			candidates := m.pair(100, 101)
			counts := make([][2]*int, 2)
			for i := range candidates {
				with, built, released := rebuilt(candidates[i])
				build := with.New
				with.New = func() (Batch, func()) {
					order = append(order, candidates[i].Name[0])
					return build()
				}
				counts[i] = [2]*int{built, released}
				with.Name = candidates[i].Name
				candidates[i] = with
			}
			r, err := m.run(context.Background(), slices.Clone(candidates), opt)
			if err != nil {
				t.Fatal(err)
			}
			least := 2*opt.ValidationRuns + 2
			if opt.Budget > 0 {
				least = 2 * r[0].Decision.Units
			}
			for i, c := range counts {
				if *c[0] != *c[1] || *c[0] < least {
					t.Errorf("candidate %d was built %d times and released %d times, at least %d wanted", i, *c[0], *c[1], least)
				}
			}
			// Neither is always the one that is built last.
			aLast, bLast := strings.Count(string(order), "ab"), strings.Count(string(order), "ba")
			if aLast == 0 || bLast == 0 {
				t.Errorf("built %s", order)
			}
		})
	}
}

func TestUnitsOfABudgetAreInTheRecord(t *testing.T) {
	m := newMachine()
	r := m.compare(t, m.pair(100, 110), CompareOptions{Budget: time.Minute})
	if got := len(record.Select(r.evidence.units, record.Main)); got != r.Decision.Units {
		t.Errorf("%d main units in the record, %d judged", got, r.Decision.Units)
	}
	for _, purpose := range []record.Purpose{record.Pilot, record.Count} {
		if len(record.Select(r.evidence.units, purpose)) == 0 {
			t.Errorf("no %s in the record", purpose)
		}
	}
}
