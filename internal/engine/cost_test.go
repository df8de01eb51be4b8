package engine

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
)

// allocating is an arm of 100 ns operations that allocates and collects once
// per heap bytes.
func allocating(bytes, heap int64, seed uint64) script {
	s := noisy(100, seed)
	s.bytes, s.heap, s.helpers = bytes, heap, 0.5
	return s
}

func TestCountArms(t *testing.T) {
	blind := noisy(100, 1)
	blind.blind = true
	tests := []struct {
		name string
		arm  script
		ns   float64
		want Count
	}{
		{"nothing allocated", steady(100), 100, Count{0, 0, 100, false}},
		{"64 bytes in 100 ns", script{steady(100).nanoseconds, 64, 1 << 20, 0.5, false}, 100, Count{64, 4, 150, true}},
		// 4 MiB in a second is the limit: 40 bytes in 10 µs lie below it.
		{"hardly anything", script{steady(10_000).nanoseconds, 40, 1 << 20, 0, false}, 10_000, Count{40, 2.5, 10_000, false}},
		{"what the runtime takes meanwhile", script{steady(1e6).nanoseconds, 2, 1 << 20, 0, false}, 1e6, Count{0, 0, 1e6, false}},
		{"processor time that cannot be read", script{steady(100).nanoseconds, 64, 1 << 20, 0, true}, 100, Count{64, 4, -1, true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			loop := w.loop(t, order.Plain(1), order.New(order.ABBA, nil), tt.arm)
			counts, unit, err := CountArms(context.Background(), loop, 1000, []float64{tt.ns})
			if err != nil {
				t.Fatal(err)
			}
			if counts[0] != tt.want {
				t.Errorf("count %+v, want %+v", counts[0], tt.want)
			}
			// Ten milliseconds, or one batch that lasts longer.
			if cell := unit.Cells[0]; unit.Purpose != record.Count || float64(cell.N)*tt.ns < float64(countStretch)*0.99 || len(cell.Bytes) != 1 {
				t.Errorf("unit %+v", unit)
			}
		})
	}
}

func TestPlanCosts(t *testing.T) {
	const n = 1000 // a batch of 0.1 ms
	blind := allocating(64, 128_000, 1)
	blind.blind = true
	tests := []struct {
		name    string
		arms    []script
		want    int // batches in a stretch
		unknown bool
	}{
		{"no arm allocates", []script{steady(100), steady(100)}, 0, false},
		{"a collection every second batch", []script{steady(100), allocating(64, 128_000, 1)}, 20, false},
		{"the one that collects most often decides", []script{allocating(64, 256_000, 1), allocating(64, 128_000, 2)}, 20, false},
		{"collections that do not come", []script{steady(100), allocating(64, 0, 1)}, 0, true},
		{"one comes, the other does not", []script{allocating(64, 0, 1), allocating(64, 128_000, 2)}, 20, false},
		{"the other way round", []script{allocating(64, 128_000, 2), allocating(64, 0, 1)}, 20, false},
		{"collections that cannot be read", []script{steady(100), blind}, 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			loop := w.loop(t, order.Plain(2), order.New(order.ABBA, nil), tt.arms...)
			counts, _, err := CountArms(context.Background(), loop, n, []float64{100, 100})
			if err != nil {
				t.Fatal(err)
			}
			began := w.now()
			plan, err := PlanCosts(context.Background(), loop, n, counts, w.now, 50*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			// Waiting proceeds in doubled stretches, so a plan may be a little
			// longer, and the first collection was partly paid for before.
			if plan.Unknown != tt.unknown || plan.Batches < tt.want-tt.want/10 || plan.Batches > tt.want+tt.want/4 {
				t.Errorf("plan %+v, want %d batches, unknown %v", plan, tt.want, tt.unknown)
			}
			if took := w.now() - began; took > 2*2*50*time.Millisecond {
				t.Errorf("waited for %v", took)
			}
		})
	}
}

// The stretches of a comparison hold at least ten collections of the arm that
// allocates, one arm at a time, each settled before its stretch.
func TestCostStretches(t *testing.T) {
	w := &world{}
	design := small()
	design.Identical = true
	outcome := w.sequential(t, design, w.hooks(), allocating(64, 128_000, 1), noisy(100, 2))
	if outcome.Costs.Unknown || outcome.Costs.Batches == 0 {
		t.Fatalf("plan %+v", outcome.Costs)
	}
	units := record.Select(outcome.Units, record.Cost)
	if len(units) < 3 {
		t.Fatalf("%d stretches", len(units))
	}
	for i, u := range units {
		if len(u.Cells) != 4 {
			t.Fatalf("unit %d has %d cells", i, len(u.Cells))
		}
		for _, cell := range u.Cells {
			if len(cell.Wall) != 1 || len(cell.CPU) != 1 || cell.N != outcome.N*int64(outcome.Costs.Batches) {
				t.Errorf("cell %+v", cell)
			}
			if cell.Arm == 0 && cell.Collections[0] < collectionsPerStretch-1 {
				t.Errorf("unit %d saw %d collections", i, cell.Collections[0])
			}
		}
	}
}

func TestEveryStretchIsSettled(t *testing.T) {
	w := &world{}
	loop := w.loop(t, order.Nested(2), order.New(order.ABBA, nil), steady(1), steady(1))
	if _, err := CostUnit(context.Background(), loop, Request{N: 10, Batches: 3, Counters: true}); err != nil {
		t.Fatal(err)
	}
	var asked []string
	for _, e := range w.log[4:] {
		asked = append(asked, e.what+" "+e.name())
	}
	want := "settle a, do a, settle b, do b, settle b', do b', settle a', do a'"
	if got := strings.Join(asked, ", "); got != want {
		t.Errorf("asked %s\nwant  %s", got, want)
	}
	if _, unchanged := loop.Sessions[0].(*fakeSession); !unchanged {
		t.Error("the loop's own sessions were changed")
	}
}

// Both kinds of units come, and both in ABBA order and built both ways round.
func TestCostAndMainUnitsTakeTurns(t *testing.T) {
	w := &world{}
	design := small()
	design.Rebuild = true
	outcome := w.sequential(t, design, w.hooks(), allocating(64, 128_000, 1), noisy(100, 2))
	first := map[record.Purpose]int{}
	built := map[record.Purpose][]string{}
	opened := ""
	for _, e := range after(w.log, StageMeasuring) {
		switch e.what {
		case "open":
			opened += e.name()
		case "keep":
			p := record.Purpose(e.note)
			if built[p] = append(built[p], opened); len(built[p]) == 1 {
				first[p] = len(built[record.Main]) + len(built[record.Cost])
			}
			opened = ""
		}
	}
	if len(built[record.Main]) < 2 || len(built[record.Cost]) < 2 || first[record.Main] != 1 || first[record.Cost] != 2 {
		t.Fatalf("%d units and %d stretches, first at %v", len(built[record.Main]), len(built[record.Cost]), first)
	}
	for p, orders := range built {
		for i, got := range orders {
			if want := []string{"ab", "ba"}[i%2]; got != want {
				t.Errorf("%s unit %d was built %s, want %s", p, i, got, want)
			}
		}
	}
	if !outcome.Counts[0].Allocates || outcome.Counts[1].Allocates {
		t.Errorf("counts %+v", outcome.Counts)
	}
}

func TestNoStretchesWhereNothingIsAllocated(t *testing.T) {
	w := &world{}
	outcome := w.sequential(t, small(), w.hooks(), noisy(100, 1), noisy(100, 2))
	if units := record.Select(outcome.Units, record.Cost); len(units) != 0 || outcome.Costs != (CostPlan{}) {
		t.Errorf("%d stretches, plan %+v", len(units), outcome.Costs)
	}
}

func TestNoStretchesWhereNoneAreWanted(t *testing.T) {
	w := &world{}
	design := small()
	design.NoCosts = true
	outcome := w.sequential(t, design, Hooks{}, allocating(64, 128_000, 1), noisy(100, 2))
	if units := record.Select(outcome.Units, record.Cost); len(units) != 0 || !outcome.Counts[0].Allocates || outcome.Costs.Unknown {
		t.Errorf("%d stretches, counts %+v, plan %+v", len(units), outcome.Counts, outcome.Costs)
	}
}

func TestUnknownCostsLeaveShortBatches(t *testing.T) {
	w := &world{}
	outcome := w.sequential(t, small(), w.hooks(), allocating(64, 0, 1), noisy(100, 2))
	if !outcome.Costs.Unknown || len(record.Select(outcome.Units, record.Cost)) != 0 || len(record.Select(outcome.Units, record.Main)) == 0 {
		t.Errorf("plan %+v", outcome.Costs)
	}
}

// Waiting for collections leaves nobody ahead of the others.
func TestArmsStayInStep(t *testing.T) {
	w := &world{}
	design := small()
	w.sequential(t, design, w.hooks(), allocating(64, 128_000, 1), noisy(100, 2))
	ran := map[string]int64{}
	for _, e := range w.log {
		switch e.what {
		case "do":
			ran[e.name()] += e.request.Lead + e.request.N*int64(max(1, e.request.Batches))
		case "stage", "keep":
			if ran["a"] != ran["b"] {
				t.Fatalf("after %s %s a has run %d operations and b %d", e.what, e.note, ran["a"], ran["b"])
			}
		}
	}
}
