package rtcompare

import (
	"context"
	"math"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCompareFindsADifference(t *testing.T) {
	tests := []struct {
		name     string
		nsA, nsB float64
		verdict  Verdict
		delta    float64
	}{
		{"A takes half the time", 100, 200, AFaster, 0.5},
		{"B takes half the time", 200, 100, BFaster, -1},
		{"A is 3 % faster", 97, 100, AFaster, 0.03},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine()
			r := m.compare(t, m.pair(tt.nsA, tt.nsB), short())
			if r.Decision.Verdict != tt.verdict || !r.Resolved || !r.Estimate.Excludes(0) {
				t.Errorf("%v, resolved %v", r.Decision, r.Resolved)
			}
			if !near(r.Estimate.Delta, tt.delta, 0.01) || !near(r.Decision.LogRatio, math.Log(tt.nsB/tt.nsA), 0.01) {
				t.Errorf("difference %v, log ratio %v", r.Estimate.Delta, r.Decision.LogRatio)
			}
			if !near(r.NsPerOpA, tt.nsA, tt.nsA/50) || !near(r.NsPerOpB, tt.nsB, tt.nsB/50) {
				t.Errorf("%v and %v ns", r.NsPerOpA, r.NsPerOpB)
			}
			if len(r.SamplesA) != 51 || len(r.SamplesB) != 51 || r.DriftA.N != 51 || r.DriftB.N != 51 || r.DriftRatio.N != 51 {
				t.Errorf("%d and %d samples, drift of %d", len(r.SamplesA), len(r.SamplesB), r.DriftA.N)
			}
			// A few percent can come from the place of one instance in memory.
			if placed := warned(r.Warnings, "one instance"); placed != (math.Abs(r.Decision.LogRatio) < placementWarning) || len(r.Warnings) > 1 || len(r.Warnings) == 1 && !placed {
				t.Errorf("warnings %q", r.Warnings)
			}
		})
	}
}

func TestCompareFillsTheReport(t *testing.T) {
	m := newMachine()
	runtime.GC() // the live heap is known after a collection only
	r := m.compare(t, m.pair(100, 120), short())
	for i, v := range []HarnessValidation{r.ValidationA, r.ValidationB} {
		if v.Runs != 10 || len(v.Deltas) != 10 || v.Level != 0.95 || v.InnerLoops != 200 {
			t.Errorf("validation %d: %+v", i, v)
		}
	}
	if !r.Validated || r.NoiseFloor != max(r.ValidationA.NoiseFloor, r.ValidationB.NoiseFloor) || r.NoiseFloor <= 0 || r.NoiseFloor > 0.01 {
		t.Errorf("noise floor %v", r.NoiseFloor)
	}
	if r.Autocorrelation != max(r.ValidationA.Autocorrelation, r.ValidationB.Autocorrelation) {
		t.Errorf("autocorrelation %v", r.Autocorrelation)
	}
	if want := 1 / (min(r.NsPerOpA, r.NsPerOpB) * 200); r.Quantization != want {
		t.Errorf("quantization %v, want %v", r.Quantization, want)
	}
	p := r.Protocol
	if p.Sequential || p.InnerLoops != 200 || p.PairsPerUnit != 51 || p.Batches != 102 || p.Preempted != 0 || p.Tick != 1 || p.ReadCost != 40 || p.Duration != m.clock {
		t.Errorf("protocol %+v", p)
	}
	if r.NameA != "a" || r.NameB != "b" || r.Seed != 42 || r.Suspended != 0 {
		t.Errorf("names %q and %q, seed %d, suspended %v", r.NameA, r.NameB, r.Seed, r.Suspended)
	}
	d := r.Decision
	if d.Level != 0.95 || d.Margin != DefaultMargin || d.Units != 1 || d.Pairs != 51 || d.IdenticalRuns != 20 || d.PValue > 1e-3 || !(d.Low <= d.LogRatio && d.LogRatio <= d.High) {
		t.Errorf("decision %+v", d)
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	if r.LiveHeap == 0 || r.LiveHeap > stats.Sys {
		t.Errorf("%d bytes of live heap of %d", r.LiveHeap, stats.Sys)
	}
	if r.Typical != nil || r.Processor != nil || r.CostA.BytesPerOp != -1 || r.CostB.NsPerOpWithCollections != -1 {
		t.Errorf("costs without checks: %+v, %+v", r.CostA, r.CostB)
	}
}

// The decision contains the estimate's interval: it knows more that can go
// wrong, never less.
func TestTheDecisionContainsTheEstimate(t *testing.T) {
	for seed := uint64(1); seed <= 20; seed++ {
		m := newMachine()
		r := m.compare(t, []Candidate{
			m.candidate(work{name: "a", ns: 100, scatter: 0.02, seed: seed}),
			m.candidate(work{name: "b", ns: 101, scatter: 0.03, seed: 100 + seed}),
		}, short())
		_, low, high := r.Decision.Delta()
		if low > r.Estimate.Low+1e-12 || high < r.Estimate.High-1e-12 {
			t.Errorf("seed %d: [%v, %v] does not hold [%v, %v]", seed, low, high, r.Estimate.Low, r.Estimate.High)
		}
	}
}

func TestIdenticalCodeHasNoWinner(t *testing.T) {
	const comparisons = 200
	named := 0
	for seed := uint64(1); seed <= comparisons; seed++ {
		m := newMachine()
		r := m.compare(t, []Candidate{
			m.candidate(work{name: "a", ns: 100, scatter: 0.02, seed: seed}),
			m.candidate(work{name: "b", ns: 100, scatter: 0.02, seed: 1000 + seed}),
		}, short())
		if r.Resolved {
			named++
		}
		if !r.Resolved && r.Decision.Verdict != Equivalent && len(r.Warnings) == 0 {
			t.Errorf("seed %d: %v without a warning", seed, r.Decision.Verdict)
		}
	}
	if named > comparisons*6/100 {
		t.Errorf("%d of %d comparisons of identical code named a winner", named, comparisons)
	}
}

func TestEquivalentWithinTheMargin(t *testing.T) {
	m := newMachine()
	opt := short()
	opt.Margin = 0.05
	r := m.compare(t, m.pair(100, 100), opt)
	if r.Decision.Verdict != Equivalent || r.Resolved || r.Decision.Margin != 0.05 {
		t.Errorf("%+v, resolved %v", r.Decision, r.Resolved)
	}
}

func TestSkipValidation(t *testing.T) {
	m := newMachine()
	opt := short()
	opt.SkipValidation, opt.ValidationRuns = true, 0
	r := m.compare(t, m.pair(100, 200), opt)
	if r.Validated || r.NoiseFloor != 0 || r.ValidationA.Runs != 0 || r.ValidationB.Deltas != nil || math.IsNaN(r.Autocorrelation) {
		t.Errorf("validated %v, floor %v, %+v", r.Validated, r.NoiseFloor, r.ValidationA)
	}
	if !warned(r.Warnings, "validation skipped") || len(r.Warnings) != 1 {
		t.Errorf("warnings %q", r.Warnings)
	}
	if r.Decision.Verdict != AFaster || !r.Resolved || r.Decision.IdenticalRuns != 0 {
		t.Errorf("%+v", r.Decision)
	}
	if got := len(m.visits); got != 2*51 {
		t.Errorf("%d batches, want the samples only", got)
	}
}

func TestThresholdsGetConfidences(t *testing.T) {
	m := newMachine()
	opt := short()
	opt.Thresholds = []float64{0.9, 0.2, 0, -0.1, 0.2}
	r := m.compare(t, m.pair(100, 200), opt)
	if len(r.Confidence) != 4 || !slices.IsSortedFunc(r.Confidence, func(a, b ThresholdConfidence) int { return int(math.Copysign(1, a.Threshold-b.Threshold)) }) {
		t.Fatalf("confidences %v", r.Confidence)
	}
	if c, ok := r.Confidence.At(0.2); !ok || c < 0.95 {
		t.Errorf("confidence %v at 20 %%", c)
	}
	if c, ok := r.Confidence.At(0.9); !ok || c > 0.05 {
		t.Errorf("confidence %v at 90 %%", c)
	}
	if r = m.compare(t, m.pair(100, 200), short()); r.Confidence != nil {
		t.Errorf("confidences %v without thresholds", r.Confidence)
	}
}

// A reader can work out again what the report says.
func TestTheReportCanBeRecomputed(t *testing.T) {
	m := newMachine()
	opt := short()
	opt.Thresholds, opt.Resamples, opt.Level = []float64{0, 0.01}, 777, 0.9
	r := m.compare(t, m.pair(100, 101), opt)
	again := EstimateOptions{Level: r.Estimate.Level, Resamples: 777, BlockLength: r.BlockLength, Seed: r.Seed, Paired: true}
	e, err := EstimateDifference(r.SamplesA, r.SamplesB, again)
	if err != nil || e != r.Estimate || e.Level != 0.9 || e.Resamples != 777 {
		t.Errorf("%+v became %+v, error %v", r.Estimate, e, err)
	}
	c, err := ConfidencesFor(r.SamplesA, r.SamplesB, opt.Thresholds, again)
	if err != nil || !slices.Equal(c, r.Confidence) {
		t.Errorf("%v became %v, error %v", r.Confidence, c, err)
	}
	drift, err := DetectDrift(r.SamplesB)
	if err != nil || drift != r.DriftB {
		t.Errorf("%+v became %+v, error %v", r.DriftB, drift, err)
	}
}

func TestASeedIsDrawnWhereNoneIsGiven(t *testing.T) {
	m := newMachine()
	opt := short()
	opt.Seed = 0
	a, b := m.compare(t, m.pair(100, 200), opt), m.compare(t, m.pair(100, 200), opt)
	if a.Seed == 0 || a.Seed == b.Seed || a.Seed&1 == 0 {
		t.Errorf("seeds %d and %d", a.Seed, b.Seed)
	}
}

func TestOneBatchSizeThroughout(t *testing.T) {
	m := newMachine()
	opt := short()
	opt.Collect.InnerLoops, opt.ValidationRuns = 0, 2
	opt.Collect.Repeats = MinimumDataPoints
	r := m.compare(t, m.pair(50, 200), opt)
	settled := r.Protocol.InnerLoops
	count := 0
	for _, n := range m.sizes {
		if n == settled {
			count++
		}
	}
	// A batch of the faster candidate has to last 20 µs.
	if settled < 400 || settled > 500 || count < 2*2*2*MinimumDataPoints+2*MinimumDataPoints || r.ValidationA.InnerLoops != settled {
		t.Errorf("%d of %d batches had the settled size %d", count, len(m.sizes), settled)
	}
}

// Nobody gets three batches in a row, so that nobody works undisturbed for
// longer than the other.
func TestNoCandidateRunsThreeTimesInARow(t *testing.T) {
	for _, order := range []Order{OrderABBA, OrderSequential} {
		m := newMachine()
		opt := short()
		opt.Collect.Order, opt.Collect.SkipWarmup, opt.Collect.WarmupDuration = order, false, time.Millisecond
		m.compare(t, m.pair(100, 200), opt)
		if bad := regexp.MustCompile("aaa|bbb").FindIndex(m.visits); bad != nil {
			t.Errorf("%v: %s at batch %d of %d", order, m.visits[bad[0]:bad[1]], bad[0], len(m.visits))
		}
	}
}

func TestProgress(t *testing.T) {
	m := newMachine()
	var seen []Progress
	opt := short()
	opt.ValidationRuns, opt.Collect.InnerLoops = 3, 0
	opt.Progress = func(p Progress) { seen = append(seen, p) }
	m.compare(t, m.pair(100, 200), opt)
	want := []Progress{
		{StageCalibrating, 0, 1}, {StageValidating, 0, 3}, {StageValidating, 1, 3}, {StageValidating, 2, 3}, {StageValidating, 3, 3},
		{StageMeasuring, 0, 1}, {StageResampling, 0, 1},
	}
	if !slices.Equal(seen, want) {
		t.Errorf("progress %v\nwant     %v", seen, want)
	}
	seen = nil
	opt.Collect.InnerLoops, opt.SkipValidation = 100, true
	m.compare(t, m.pair(100, 200), opt)
	if want := []Progress{{StageMeasuring, 0, 1}, {StageResampling, 0, 1}}; !slices.Equal(seen, want) {
		t.Errorf("progress %v, want %v", seen, want)
	}
}

func TestCompareNamesTheFailingCandidate(t *testing.T) {
	m := newMachine()
	stuck := Candidate{Name: "stuck", Batch: func(uint64) { m.clock += 100 }}
	opt := short()
	opt.Collect.InnerLoops, opt.Collect.MaxInnerLoops = 0, 10_000
	for _, budget := range []time.Duration{0, time.Second} {
		opt.Budget = budget
		if budget > 0 {
			opt.Collect.Repeats, opt.ValidationRuns = 0, 0
		}
		good := m.candidate(work{name: "a", ns: 100})
		_, err := m.run(context.Background(), []Candidate{good, stuck}, opt)
		if err == nil || !strings.Contains(err.Error(), `candidate B ("stuck")`) || !strings.Contains(err.Error(), "ignores its n") {
			t.Errorf("budget %v: error %v", budget, err)
		}
	}
}
