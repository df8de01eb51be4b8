package rtcompare

import (
	"context"
	"math"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

// spinning is real work of about the given length per operation.
func spinning(steps int) Candidate {
	return Candidate{Name: "spinning", Batch: func(n uint64) {
		x := uint64(1)
		for range n {
			for range steps {
				x = x*6364136223846793005 + 1442695040888963407
			}
		}
		spinSink = x
	}}
}

var spinSink uint64

// collected runs Collect's protocol on the machine.
func (m *machine) collected(t *testing.T, candidates []Candidate, opt CollectOptions) [][]float64 {
	t.Helper()
	h := newHarness(candidates, opt, m.environment())
	if err := h.size(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	unit, err := h.series(context.Background(), -1)
	if err != nil {
		t.Fatal(err)
	}
	all := make([][]float64, len(candidates))
	for i := range candidates {
		all[i] = samples(unit.Find(i, 0))
	}
	return all
}

func TestCollectOrder(t *testing.T) {
	tests := []struct {
		name string
		opt  CollectOptions
		want string // of the whole journal
	}{
		{"ABBA", CollectOptions{Repeats: 12, SkipWarmup: true}, "^(abba){6}$"},
		{"sequential", CollectOptions{Repeats: 12, SkipWarmup: true, Order: OrderSequential}, "^(ab){12}$"},
		{"random", CollectOptions{Repeats: 40, SkipWarmup: true, Order: OrderRandom, Seed: 7}, "^(ab|ba)*(ab)(ab|ba)*(ba)(ab|ba)*$"},
		{"warm-up by count", CollectOptions{Repeats: 11, Warmup: 4, WarmupDuration: 1}, "^(abba){2}(abba){5}ab$"},
		{"default warm-up of one", CollectOptions{Repeats: 11, WarmupDuration: 1}, "^ab(abba){5}ab$"},
		{"an hour that is skipped", CollectOptions{Repeats: 11, WarmupDuration: time.Hour, SkipWarmup: true}, "^(abba){5}ab$"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine()
			tt.opt.InnerLoops = 10
			m.collected(t, m.pair(100, 100), tt.opt)
			if !regexp.MustCompile(tt.want).Match(m.visits) {
				t.Errorf("visited %s, want %s", m.visits, tt.want)
			}
		})
	}
}

func TestRandomOrderFollowsTheSeed(t *testing.T) {
	visits := func(seed uint64) string {
		m := newMachine()
		m.collected(t, m.pair(100, 100), CollectOptions{Repeats: 30, InnerLoops: 10, SkipWarmup: true, Order: OrderRandom, Seed: seed})
		return string(m.visits)
	}
	first, again, other := visits(5), visits(5), visits(6)
	if first != again || first == other {
		t.Errorf("orders %s, %s and %s", first, again, other)
	}
}

func TestThreeCandidatesTurnAround(t *testing.T) {
	m := newMachine()
	three := append(m.pair(100, 100), m.candidate(work{name: "c", ns: 100}))
	got := m.collected(t, three, CollectOptions{Repeats: 12, InnerLoops: 10, SkipWarmup: true})
	if !strings.HasPrefix(string(m.visits), "abccbaabccba") || len(got) != 3 || len(got[2]) != 12 {
		t.Errorf("visited %s", m.visits)
	}
}

func TestWarmupDurationIsOfAllTogether(t *testing.T) {
	m := newMachine()
	m.collected(t, m.pair(100, 300), CollectOptions{Repeats: 11, InnerLoops: 1000, WarmupDuration: 10 * time.Millisecond})
	// A round of both takes 0.4 ms.
	if got := len(m.visits)/2 - 11; got < 25 || got > 26 {
		t.Errorf("%d rounds of warm-up", got)
	}
}

func TestSamplesAreTimesPerOperation(t *testing.T) {
	m := newMachine()
	a := m.candidate(work{name: "a", ns: 100})
	var seen []uint64
	b := Candidate{Batch: func(n uint64) { seen = append(seen, n); m.clock += time.Duration(250 * n) }}
	got := m.collected(t, []Candidate{a, b}, CollectOptions{Repeats: 13, InnerLoops: 77, SkipWarmup: true})
	if !slices.Equal(got[0], slices.Repeat([]float64{100}, 13)) || !slices.Equal(got[1], slices.Repeat([]float64{250}, 13)) {
		t.Errorf("samples %v", got)
	}
	if !slices.Equal(seen, slices.Repeat([]uint64{77}, 13)) {
		t.Errorf("batch sizes %v", seen)
	}
}

func TestDefaultRepeats(t *testing.T) {
	m := newMachine()
	if got := m.collected(t, m.pair(100, 100), CollectOptions{InnerLoops: 10, SkipWarmup: true}); len(got[0]) != DefaultRepeats {
		t.Errorf("%d samples", len(got[0]))
	}
}

func TestSetupAndTeardownAreUntimedAlsoInTheWarmup(t *testing.T) {
	m := newMachine()
	var journal strings.Builder
	a := m.candidate(work{name: "a", ns: 100})
	batch := a.Batch
	a.Setup = func() { journal.WriteString("s"); m.clock += time.Hour }
	a.Batch = func(n uint64) { journal.WriteString("b"); batch(n) }
	a.Teardown = func() { journal.WriteString("t"); m.clock += time.Hour }
	got := m.collected(t, []Candidate{a, m.candidate(work{name: "b", ns: 100})}, CollectOptions{Repeats: 11, InnerLoops: 10, Warmup: 3, WarmupDuration: 1})
	if want := strings.Repeat("sbt", 3+11); journal.String() != want {
		t.Errorf("ran %s", journal.String())
	}
	if slices.Max(got[0]) != 100 {
		t.Errorf("set-up was measured: %v", got[0])
	}
}

func TestTheLargerBatchSizeServesBoth(t *testing.T) {
	m := newMachine()
	m.collected(t, m.pair(20, 4000), CollectOptions{Repeats: 11, SkipWarmup: true})
	last := m.sizes[len(m.sizes)-2:]
	if last[0] != last[1] || last[0] < 1000 || last[0] > 1300 {
		t.Errorf("batches of %v operations", last)
	}
}

func TestCollectForReal(t *testing.T) {
	a, b, err := Collect(spinning(20), spinning(200), CollectOptions{Repeats: 15, WarmupDuration: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if len(a) != 15 || len(b) != 15 {
		t.Errorf("%d and %d samples", len(a), len(b))
	}
	for i, v := range append(slices.Clone(a), b...) {
		if !(v > 0) || math.IsInf(v, 0) {
			t.Errorf("sample %d is %v", i, v)
		}
	}
	if Median(a) >= Median(b) {
		t.Errorf("a tenth of the work took %v ns, all of it %v ns", Median(a), Median(b))
	}
}

func TestDisableGC(t *testing.T) {
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	percent := func() int {
		p := debug.SetGCPercent(-1)
		debug.SetGCPercent(p)
		return p
	}
	for _, disable := range []bool{false, true} {
		inside := 0
		c := Candidate{Batch: func(uint64) { inside = percent() }}
		opt := CollectOptions{Repeats: 11, InnerLoops: 1, SkipWarmup: true, DisableGC: disable}
		calls := map[string]func() error{
			"Collect": func() error { _, _, err := Collect(c, c, opt); return err },
			"Compare": func() error {
				_, err := Compare(c, c, CompareOptions{Collect: opt, ValidationRuns: 2, SkipChecks: true})
				return err
			},
			"ValidateHarness": func() error { _, err := ValidateHarness(c, ValidationOptions{Collect: opt, Runs: 2}); return err },
			"a failure": func() error {
				_, _ = CalibrateInnerLoops(c, CalibrationOptions{MaxInnerLoops: 2, DisableGC: disable})
				return nil
			},
		}
		for name, call := range calls {
			if err := call(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if want := map[bool]int{false: 77, true: -1}[disable]; inside != want {
				t.Errorf("%s, DisableGC %v: %d inside", name, disable, inside)
			}
			if got := percent(); got != 77 {
				t.Errorf("%s, DisableGC %v: %d afterwards", name, disable, got)
			}
		}
	}
}
