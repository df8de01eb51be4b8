package rtcompare

import (
	"math"
	"runtime"
	"testing"
	"time"
)

// steadyPair are candidates of exactly the same speed.
func (m *machine) steadyPair() []Candidate {
	return []Candidate{m.candidate(work{name: "a", ns: 100}), m.candidate(work{name: "b", ns: 100})}
}

// after runs an action in the given batch of a candidate.
func after(c Candidate, count int, action func()) Candidate {
	batch, ran := c.Batch, 0
	c.Batch = func(n uint64) {
		if ran++; ran == count {
			action()
		}
		batch(n)
	}
	return c
}

func TestWarningsAppearWhereTheyBelong(t *testing.T) {
	tests := []struct {
		name       string
		candidates func(m *machine) []Candidate
		opt        func(*CompareOptions)
		phrase     string
		want       bool
	}{
		{"clean", func(m *machine) []Candidate { return m.pair(100, 150) }, nil, "", false},
		{"identical code", func(m *machine) []Candidate { return m.pair(100, 100) },
			func(o *CompareOptions) { o.Margin = 1e-9 }, "does not exceed what identical code shows", true},
		{"zero is inside", func(m *machine) []Candidate { return m.pair(100, 100) },
			func(o *CompareOptions) { o.Margin = 1e-9 }, "both directions remain possible", true},
		{"zero is outside", func(m *machine) []Candidate { return m.pair(100, 150) }, nil, "both directions remain possible", false},
		{"A and B drift together", func(m *machine) []Candidate {
			return []Candidate{m.candidate(work{name: "a", ns: 100, scatter: 0.005, seed: 1, drift: 1}), m.candidate(work{name: "b", ns: 100, scatter: 0.005, seed: 2, drift: 1})}
		}, nil, "b drifted: it was", true},
		{"their ratio does not", func(m *machine) []Candidate {
			return []Candidate{m.candidate(work{name: "a", ns: 100, scatter: 0.005, seed: 1, drift: 1}), m.candidate(work{name: "b", ns: 100, scatter: 0.005, seed: 2, drift: 1})}
		}, nil, "the ratio of the two drifted", false},
		{"the ratio drifts", func(m *machine) []Candidate {
			return []Candidate{m.candidate(work{name: "a", ns: 100, scatter: 0.005, seed: 1}), m.candidate(work{name: "b", ns: 100, scatter: 0.005, seed: 2, drift: 2})}
		}, nil, "the ratio of the two drifted", true},
		{"a drift that is smaller than the resolution", func(m *machine) []Candidate {
			return []Candidate{m.candidate(work{name: "a", ns: 100, scatter: 0.005, seed: 1, drift: 0.05}), m.candidate(work{name: "b", ns: 100, scatter: 0.005, seed: 2})}
		}, nil, "drifted", false},
		{"coarse", func(m *machine) []Candidate { return m.steadyPair() }, nil, "are exactly zero", true},
		{"fine", func(m *machine) []Candidate { return m.pair(100, 100) }, nil, "are exactly zero", false},
		{"the machine slept", func(m *machine) []Candidate {
			p := m.pair(100, 150)
			p[1] = after(p[1], 100, func() { m.slept = 40 * time.Second })
			return p
		}, nil, "the machine slept for about 40 s", true},
		{"the clock was put right", func(m *machine) []Candidate {
			p := m.pair(100, 150)
			p[1] = after(p[1], 100, func() { m.slept = 200 * time.Millisecond })
			return p
		}, nil, "slept", false},
		{"the clock was set back", func(m *machine) []Candidate {
			p := m.pair(100, 150)
			p[1] = after(p[1], 100, func() { m.slept = -5 * time.Second })
			return p
		}, nil, "slept", false},
		{"a busy machine", func(m *machine) []Candidate {
			p := m.pair(100, 150)
			batch := p[0].Batch
			p[0].Batch = func(n uint64) { batch(n); m.switches++ }
			return p
		}, nil, "took the processor away during 50.0% of the batches", true},
		{"the faster one scatters widely", func(m *machine) []Candidate {
			return []Candidate{m.candidate(work{name: "a", ns: 60, scatter: 0.1, seed: 1}), m.candidate(work{name: "b", ns: 100, scatter: 0.01, seed: 2})}
		}, func(o *CompareOptions) { o.Collect.Repeats = 201 }, "a is the faster one and its times spread", true},
		{"the slower one may", func(m *machine) []Candidate {
			return []Candidate{m.candidate(work{name: "a", ns: 60, scatter: 0.01, seed: 1}), m.candidate(work{name: "b", ns: 100, scatter: 0.1, seed: 2})}
		}, func(o *CompareOptions) { o.Collect.Repeats = 201 }, "its times spread", false},
		{"a few percent of one instance", func(m *machine) []Candidate { return m.pair(100, 103) }, nil, "one instance of each candidate", true},
		{"short batches", func(m *machine) []Candidate { return m.pair(100, 150) },
			func(o *CompareOptions) { o.Collect.InnerLoops = 3 }, "a batch lasts 299 ns, and reading the clock alone takes 40 ns", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := newMachine()
			opt := short()
			if tt.opt != nil {
				tt.opt(&opt)
			}
			r := m.compare(t, tt.candidates(m), opt)
			if tt.phrase == "" && len(r.Warnings) > 0 || tt.phrase != "" && warned(r.Warnings, tt.phrase) != tt.want {
				t.Errorf("warnings %q", r.Warnings)
			}
		})
	}
}

// A machine that slept is trusted with nothing.
func TestASleepIsUnmeasurable(t *testing.T) {
	for name, opt := range map[string]CompareOptions{"fixed": short(), "budget": {Budget: 2 * time.Second}} {
		m := newMachine()
		p := m.pair(100, 200)
		p[1] = after(p[1], 100, func() { m.slept = time.Hour })
		r := m.compare(t, p, opt)
		if r.Decision.Verdict != Unmeasurable || r.Resolved || r.Suspended != time.Hour {
			t.Errorf("%s: %v, resolved %v, suspended %v", name, r.Decision.Verdict, r.Resolved, r.Suspended)
		}
	}
}

// A step of the clock is no difference, whatever the scatter says.
func TestADifferenceBelowTheClockIsNotResolved(t *testing.T) {
	m := newMachine()
	m.tick = time.Microsecond
	r := m.compare(t, []Candidate{m.candidate(work{name: "a", ns: 100}), m.candidate(work{name: "b", ns: 105})}, short())
	if !near(r.Quantization, 0.05, 1e-9) || r.Decision.names() || r.Resolved {
		t.Errorf("one step of %v of a batch: %+v", r.Quantization, r.Decision)
	}
	if !warned(r.Warnings, "rounding to the clock's step of 5.00% of a batch") {
		t.Errorf("warnings %q", r.Warnings)
	}
	m = newMachine()
	m.tick = time.Microsecond
	r = m.compare(t, []Candidate{m.candidate(work{name: "a", ns: 100}), m.candidate(work{name: "b", ns: 110})}, short())
	if r.Decision.Verdict != AFaster || warned(r.Warnings, "rounding") {
		t.Errorf("two steps: %+v, warnings %q", r.Decision, r.Warnings)
	}
}

// Batches without any time are no measurement, and end in no endless check.
func TestBatchesWithoutTime(t *testing.T) {
	m := newMachine()
	nothing := Candidate{Name: "nothing", Batch: func(uint64) {}}
	opt := short()
	opt.SkipChecks = false
	batches := 0
	some := m.candidate(work{name: "a", ns: 100})
	nothing.Batch = func(uint64) { batches++ }
	r := m.compare(t, []Candidate{some, nothing}, opt)
	if r.Decision.Verdict != Unmeasurable || r.Resolved || batches > 10_000_000 {
		t.Errorf("%+v after %d batches", r.Decision, batches)
	}
	if r.String() == "" || !warned(r.Warnings, "no time at all") {
		t.Errorf("warnings %q", r.Warnings)
	}
	m = newMachine()
	r = m.compare(t, []Candidate{nothing, nothing}, short())
	if r.Decision.names() || r.Resolved || r.NsPerOpA != 0 || r.String() == "" {
		t.Errorf("%+v", r.Decision)
	}
}

func TestLargeHeap(t *testing.T) {
	large := make([]byte, 3*LargeHeapThreshold)
	runtime.GC()
	m := newMachine()
	r := m.compare(t, m.pair(100, 150), short())
	if r.LiveHeap < 3*LargeHeapThreshold || !warned(r.Warnings, "MiB of live data") {
		t.Errorf("%d bytes, warnings %q", r.LiveHeap, r.Warnings)
	}
	runtime.KeepAlive(large)
}

// Fixtures that differ from instance to instance, as separately built maps do:
// without New that is a difference, with New it is noise.
func TestNewTurnsPlacementIntoNoise(t *testing.T) {
	m := newMachine()
	places := NewDPRNG(5)
	placed := func(name string, seed uint64) Candidate {
		return Candidate{Name: name, New: func() (Batch, func()) {
			w := work{name: name, ns: 100 * (1 + 0.02*normal(&places)), scatter: 0.002, seed: seed}
			return m.candidate(w).Batch, nil
		}}
	}
	r := m.compare(t, []Candidate{placed("a", 1), placed("b", 2)}, short())
	if r.Decision.names() || r.Decision.IdenticalSpread < 0.01 {
		t.Errorf("%+v", r.Decision)
	}
	if !warned(r.Warnings, "identical code looked different in") || !warned(r.Warnings, "runs of identical code differ") {
		t.Errorf("warnings %q", r.Warnings)
	}
	// With a budget every unit has fixtures of its own, and a real difference
	// of four percent is found among them.
	slower := placed("b", 3)
	build := slower.New
	slower.New = func() (Batch, func()) {
		batch, release := build()
		return func(n uint64) { before := m.clock; batch(n); m.clock += (m.clock - before) / 25 }, release
	}
	r = m.compare(t, []Candidate{placed("a", 1), slower}, CompareOptions{Budget: time.Minute})
	if r.Decision.Verdict != AFaster || !near(r.Decision.LogRatio, math.Log(1.04), 0.02) || r.Decision.Units < 6 {
		t.Errorf("%+v", r.Decision)
	}
}

func TestBlocksFollowTheAutocorrelation(t *testing.T) {
	for _, memory := range []float64{0, 0.7} {
		m := newMachine()
		correlated := func(name string, seed uint64) Candidate {
			noise, state := NewDPRNG(seed), 0.0
			return Candidate{Name: name, Batch: func(n uint64) {
				state = memory*state + math.Sqrt(1-memory*memory)*normal(&noise)
				m.clock += time.Duration(100 * float64(n) * (1 + 0.01*state))
			}}
		}
		opt := short()
		opt.Collect.Repeats = 101
		r := m.compare(t, []Candidate{correlated("a", 1), correlated("b", 2)}, opt)
		want := 1
		if r.Autocorrelation > AutocorrelationThreshold {
			want = AutoBlockLength(101)
		}
		if r.BlockLength != want || (memory > 0) != (want > 1) {
			t.Errorf("autocorrelation %v, blocks of %d", r.Autocorrelation, r.BlockLength)
		}
	}
}
