package rtcompare

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/arm/fn"
	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/host"
)

// machine is a machine whose clock moves only in the batches of its own
// candidates. A comparison on it takes no time and gives the same result
// everywhere.
type machine struct {
	clock time.Duration
	// tick is the step of the clock, slept how far the wall clock ran ahead.
	tick, slept time.Duration
	cpu         time.Duration
	collections int64
	allocated   int64
	// switches counts lost processors.
	switches int64
	// visits lists the candidates in the order of their batches, sizes the
	// batch sizes.
	visits []byte
	sizes  []uint64
}

func newMachine() *machine { return &machine{tick: time.Nanosecond} }

func (m *machine) now() time.Duration { return m.clock / m.tick * m.tick }

func (m *machine) environment() environment {
	epoch := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clocks := clock.Clocks{Wall: func() time.Time { return epoch.Add(m.clock + m.slept) }, Awake: func() time.Duration { return m.clock }}
	return environment{
		instruments: fn.Instruments{
			Now:         m.now,
			Switches:    func() (int64, int64, bool) { return m.switches, 1, true },
			CPU:         func() (time.Duration, bool) { return m.cpu, true },
			Collections: func() int64 { return m.collections },
			Allocated:   func() (int64, int64) { return m.allocated, m.allocated / 16 },
		},
		now:     m.now,
		reading: func() clock.Reading { return clock.Reading{Tick: m.tick, ReadCost: 40} },
		watch:   clocks.Start,
		load:    func() host.Load { return host.Load{LoadAverage: -1, PressureCPU: -1} },
		facts:   func() host.Facts { return host.Facts{} },
	}
}

// work is a candidate of the machine.
type work struct {
	name string
	// ns is the time of one operation, scatter its relative scatter from
	// batch to batch, seed that of the scatter.
	ns, scatter float64
	seed        uint64
	// lead makes batches that come right after another candidate's slower by
	// this factor, if not zero.
	cold float64
	// drift is the relative rise over a thousand batches.
	drift float64
	// bytes are allocated per operation; a collection comes after every heap
	// of them and takes collectorNs per operation of that stretch. helpers is
	// processor time per time.
	bytes       int
	heap        int64
	collectorNs float64
	helpers     float64
}

func (m *machine) candidate(w work) Candidate {
	id := byte('a')
	if w.name != "" {
		id = w.name[0]
	}
	noise := NewDPRNG(w.seed + 1)
	batches, allocated := 0, int64(0)
	return Candidate{Name: w.name, Batch: func(n uint64) {
		factor := 1 + w.scatter*normal(&noise) + w.drift*float64(batches)/1000
		if last := len(m.visits) - 1; w.cold > 0 && last >= 0 && m.visits[last] != id {
			factor *= w.cold
		}
		batches++
		m.visits, m.sizes = append(m.visits, id), append(m.sizes, n)
		ns := w.ns * float64(n) * factor
		if w.bytes > 0 {
			m.allocated += int64(w.bytes) * int64(n)
			before := allocated
			allocated += int64(w.bytes) * int64(n)
			if w.heap > 0 {
				fresh := allocated/w.heap - before/w.heap
				m.collections += fresh
				ns += float64(fresh) * w.collectorNs * float64(w.heap) / float64(w.bytes)
			}
		}
		m.clock += time.Duration(ns)
		m.cpu += time.Duration(ns * (1 + w.helpers))
	}}
}

// normal is a standard normal number (Box and Muller 1958).
func normal(r *DPRNG) float64 {
	return math.Sqrt(-2*math.Log(1-r.Float64())) * math.Cos(2*math.Pi*r.Float64())
}

// pair are two candidates with scatter of half a percent.
func (m *machine) pair(nsA, nsB float64) []Candidate {
	return []Candidate{m.candidate(work{name: "a", ns: nsA, scatter: 0.005, seed: 1}), m.candidate(work{name: "b", ns: nsB, scatter: 0.005, seed: 2})}
}

// run compares candidates on the machine. The order of blocks is drawn from a
// fixed seed where the options leave it to chance.
func (m *machine) run(ctx context.Context, candidates []Candidate, opt CompareOptions) ([]Report, error) {
	if opt.Collect.Seed == 0 {
		opt.Collect.Seed = 9
	}
	return compareWith(ctx, candidates, opt, m.environment())
}

// compare runs a comparison that has to succeed.
func (m *machine) compare(t *testing.T, candidates []Candidate, opt CompareOptions) Report {
	t.Helper()
	reports, err := m.run(context.Background(), candidates, opt)
	if err != nil {
		t.Fatal(err)
	}
	return reports[0]
}

// short are options of the fixed protocol for few batches.
func short() CompareOptions {
	return CompareOptions{
		Collect:        CollectOptions{Repeats: 51, InnerLoops: 200, SkipWarmup: true},
		ValidationRuns: 10, Level: 0.95, Seed: 42, SkipChecks: true,
	}
}

// warned reports whether a warning holds a phrase.
func warned(warnings []string, phrase string) bool {
	for _, w := range warnings {
		if strings.Contains(w, phrase) {
			return true
		}
	}
	return false
}

func near(a, b, tolerance float64) bool { return a == b || math.Abs(a-b) <= tolerance }
