package rtcompare

import (
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/record"
)

func checked() CompareOptions {
	opt := short()
	opt.SkipChecks = false
	return opt
}

func TestChecksThatFindNothingSayNothing(t *testing.T) {
	m := newMachine()
	r := m.compare(t, m.pair(100, 150), checked())
	if len(r.Warnings) != 0 || r.Decision.Verdict != AFaster {
		t.Errorf("%v, warnings %q", r.Decision.Verdict, r.Warnings)
	}
	if r.CostA.BytesPerOp != 0 || r.CostB.AllocsPerOp != 0 || !near(r.CostA.CPUNsPerOp, 100, 5) {
		t.Errorf("costs %+v and %+v", r.CostA, r.CostB)
	}
	if len(r.SamplesA) != 51 || r.Protocol.Batches != 102 {
		t.Errorf("%d samples, %d batches: the checks are no part of them", len(r.SamplesA), r.Protocol.Batches)
	}
}

// Each batch of B right after A's runs in caches that A filled.
func TestColdCachesAreFound(t *testing.T) {
	m := newMachine()
	candidates := []Candidate{
		m.candidate(work{name: "a", ns: 100, scatter: 0.005, seed: 1}),
		m.candidate(work{name: "b", ns: 100, scatter: 0.005, seed: 2, cold: 1.5}),
	}
	r := m.compare(t, candidates, checked())
	if !warned(r.Warnings, "after running alone for 20 ms the ratio B/A is 1.00") && !warned(r.Warnings, "after running alone for 20 ms the ratio B/A is 0.99") {
		t.Errorf("warnings %q", r.Warnings)
	}
	if r.Decision.Verdict != Inconclusive || r.Resolved || !warned(r.Warnings, "contradicts the direction") {
		t.Errorf("%+v, warnings %q", r.Decision, r.Warnings)
	}
	// The samples and their estimate stay what they were.
	if !near(r.Estimate.Delta, 1-1/1.5, 0.02) {
		t.Errorf("estimate %v", r.Estimate)
	}
}

// A lead-in that only changes the size of the difference warns.
func TestColdCachesThatLeaveTheWinner(t *testing.T) {
	m := newMachine()
	candidates := []Candidate{
		m.candidate(work{name: "a", ns: 100, scatter: 0.005, seed: 1}),
		m.candidate(work{name: "b", ns: 200, scatter: 0.005, seed: 2, cold: 1.3}),
	}
	r := m.compare(t, candidates, checked())
	if r.Decision.Verdict != AFaster || !r.Resolved || !warned(r.Warnings, "after running alone for 20 ms the ratio B/A is") || warned(r.Warnings, "contradicts") {
		t.Errorf("%+v, warnings %q", r.Decision, r.Warnings)
	}
}

func TestCollectionsAreFound(t *testing.T) {
	m := newMachine()
	candidates := []Candidate{
		m.candidate(work{name: "a", ns: 100, scatter: 0.005, seed: 1}),
		// A collection falls into one of a hundred batches, and no median sees it.
		m.candidate(work{name: "b", ns: 90, scatter: 0.005, seed: 2, bytes: 16, heap: 320_000, collectorNs: 40}),
	}
	r := m.compare(t, candidates, checked())
	if !warned(r.Warnings, "with its garbage collections the ratio B/A is 1.30 instead of 0.9") {
		t.Errorf("warnings %q", r.Warnings)
	}
	if r.Decision.Verdict != Inconclusive || r.Resolved || !near(r.CostB.NsPerOpWithCollections, 130, 4) || r.Decision.Collections {
		t.Errorf("%+v, costs %+v", r.Decision, r.CostB)
	}
}

// The faster one allocates, and its collections never came: nobody knows.
func TestUnseenCollectionsTakeTheVictoryAway(t *testing.T) {
	for _, tt := range []struct {
		name     string
		nsA, nsB float64
		want     Verdict
	}{{"the faster one allocates", 100, 80, Inconclusive}, {"the slower one allocates", 100, 140, AFaster}} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine()
			candidates := []Candidate{
				m.candidate(work{name: "a", ns: tt.nsA, scatter: 0.005, seed: 1}),
				m.candidate(work{name: "b", ns: tt.nsB, scatter: 0.005, seed: 2, bytes: 16}),
			}
			r := m.compare(t, candidates, checked())
			if r.Decision.Verdict != tt.want || !warned(r.Warnings, "cost unknown") {
				t.Errorf("%+v, warnings %q", r.Decision, r.Warnings)
			}
		})
	}
}

func TestChecksAreLeftOut(t *testing.T) {
	tests := []struct {
		name   string
		change func(*CompareOptions)
		pilots bool
	}{
		{"with validation", func(*CompareOptions) {}, true},
		{"without validation", func(o *CompareOptions) { o.SkipValidation = true }, false},
		{"skipped", func(o *CompareOptions) { o.SkipChecks = true }, false},
		{"no time left", func(o *CompareOptions) { o.MaxDuration = time.Millisecond }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine()
			opt := checked()
			tt.change(&opt)
			r := m.compare(t, m.pair(100, 150), opt)
			units := r.evidence.units
			if got := len(record.Select(units, record.Pilot)) > 0; got != tt.pilots {
				t.Errorf("pilot measured: %v", got)
			}
			if got := len(record.Select(units, record.Count)) > 0; got != tt.pilots || (r.CostA.BytesPerOp >= 0) != tt.pilots {
				t.Errorf("allocations counted: %v, %v", got, r.CostA.BytesPerOp)
			}
		})
	}
}

// Batches that are their own lead-in need no pilot.
func TestLongBatchesAreNotCheckedForCaches(t *testing.T) {
	m := newMachine()
	opt := checked()
	opt.Collect.InnerLoops = 30_000
	r := m.compare(t, m.pair(100, 150), opt)
	if got := record.Select(r.evidence.units, record.Pilot); len(got) != 0 {
		t.Errorf("%d pilots", len(got))
	}
}

// The checks look at the collector only where it may work.
func TestDisableGCLeavesTheCollectorAlone(t *testing.T) {
	m := newMachine()
	opt := checked()
	opt.Collect.DisableGC = true
	candidates := []Candidate{
		m.candidate(work{name: "a", ns: 100, scatter: 0.005, seed: 1}),
		m.candidate(work{name: "b", ns: 80, scatter: 0.005, seed: 2, bytes: 16, heap: 320_000, collectorNs: 40}),
	}
	r := m.compare(t, candidates, opt)
	if got := record.Select(r.evidence.units, record.Cost); len(got) != 0 || r.Decision.Verdict != BFaster {
		t.Errorf("%d stretches, %v", len(got), r.Decision.Verdict)
	}
}

// few is a comparison with as few batches as there can be.
func few() CompareOptions {
	opt := checked()
	opt.Collect.Repeats, opt.ValidationRuns = MinimumDataPoints, 2
	opt.Collect.InnerLoops = 1
	return opt
}

// Where one operation is long, the checks stay below their shares of the
// comparison's own time, and say what they left out for that reason.
func TestChecksOfLongOperationsAreBounded(t *testing.T) {
	ms := func(n float64) float64 { return n * 1e6 }
	tests := []struct {
		name    string
		a, b    work
		change  func(*CompareOptions)
		leftOut string
		verdict Verdict
	}{
		{"collections come seldom", work{ns: ms(100)}, work{ns: ms(50), bytes: 1 << 20, heap: 5 << 20}, nil,
			"so the check of what garbage collections add was left out", Inconclusive},
		{"one side is far slower and collections come seldom", work{ns: ms(100), bytes: 1 << 20}, work{ns: ms(5000), bytes: 1 << 30}, nil,
			"so the check of what garbage collections add was left out", AFaster},
		{"every batch holds many", work{ns: ms(100)}, work{ns: ms(50), bytes: 40 << 20, heap: 4 << 20}, nil, "", BFaster},
		{"garbage is collected before each batch", work{ns: ms(100)}, work{ns: ms(50), bytes: 1 << 20, heap: 50 << 20},
			func(o *CompareOptions) { o.Collect.GCBetween = true }, "", BFaster},
		{"nothing is allocated", work{ns: ms(100)}, work{ns: ms(50)}, nil, "", BFaster},
		{"there is time enough", work{ns: ms(100)}, work{ns: ms(50), bytes: 4 << 20, heap: 2 << 20},
			func(o *CompareOptions) { o.Collect.Repeats, o.ValidationRuns = 31, 10 }, "", BFaster},
		{"a short comparison of batches of almost two milliseconds", work{ns: ms(1.7)}, work{ns: ms(2)}, nil, "so the check of the caches was left out", AFaster},
		{"a long one", work{ns: ms(1.7)}, work{ns: ms(2)},
			func(o *CompareOptions) { o.Collect.Repeats, o.ValidationRuns = 51, 20 }, "", AFaster},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run := func(skip bool) Report {
				opt := few()
				if tt.change != nil {
					tt.change(&opt)
				}
				opt.SkipChecks = skip
				m := newMachine()
				tt.a.name, tt.b.name = "a", "b"
				tt.a.scatter, tt.b.scatter, tt.b.seed = 0.001, 0.001, 1
				return m.compare(t, []Candidate{m.candidate(tt.a), m.candidate(tt.b)}, opt)
			}
			alone, r := run(true), run(false)
			// One batch of each to look at and two to count are not in the shares.
			fixed := time.Duration(3 * (r.NsPerOpA + r.NsPerOpB))
			limit := alone.Protocol.Duration*5/4 + alone.Protocol.Duration/10 + fixed
			if r.Protocol.Duration > limit {
				t.Errorf("it takes %v, without the checks %v", r.Protocol.Duration, alone.Protocol.Duration)
			}
			if got := warned(r.Warnings, "was left out"); got != (tt.leftOut != "") || !warned(r.Warnings, tt.leftOut) && got {
				t.Errorf("warnings %q, want %q", r.Warnings, tt.leftOut)
			}
			if r.Decision.Verdict != tt.verdict {
				t.Errorf("verdict %v, want %v; warnings %q", r.Decision.Verdict, tt.verdict, r.Warnings)
			}
		})
	}
}
