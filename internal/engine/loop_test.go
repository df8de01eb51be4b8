package engine

import (
	"context"
	"errors"
	"testing"

	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
)

// coin hands out scripted bits; an exhausted coin shows heads.
type coin struct{ tails []bool }

func (c *coin) Uint64() uint64 {
	if len(c.tails) == 0 {
		return 0
	}
	tail := c.tails[0]
	c.tails = c.tails[1:]
	if tail {
		return 1 << 63
	}
	return 0
}

func TestMeasureVisitsInOrder(t *testing.T) {
	tests := []struct {
		name  string
		kind  order.Kind
		coin  order.Coin
		slots []order.Slot
		want  string
	}{
		{"ABBA", order.ABBA, nil, order.Plain(2), "a b b a a b b a"},
		{"sequential", order.Sequential, nil, order.Plain(2), "a b a b a b a b"},
		{"random", order.Random, &coin{[]bool{true, true, false, true}}, order.Plain(2), "b a b a a b b a"},
		{"blocks", order.Blocks, &coin{[]bool{true, false}}, order.Plain(2), "b a a b a b b a"},
		{"three arms", order.ABBA, nil, order.Plain(3), "a b c c b a a b c c b a"},
		{"nested", order.ABBA, nil, order.Nested(2), "a b b' a' a' b' b a a b b' a' a' b' b a"},
		{"nested, three arms", order.Sequential, nil, order.Nested(3), "a b c c' b' a' a b c c' b' a' a b c c' b' a' a b c c' b' a'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			loop := w.loop(t, tt.slots, order.New(tt.kind, tt.coin), steady(1), steady(2), steady(3))
			unit, err := loop.Measure(context.Background(), Request{N: 5}, 4, record.Main)
			if err != nil {
				t.Fatal(err)
			}
			if got := trace(w.log, "do"); got != tt.want {
				t.Errorf("visited %s\nwant    %s", got, tt.want)
			}
			for _, cell := range unit.Cells {
				if len(cell.Wall) != 4 || cell.Wall[3] != 5*int64(cell.Arm+1) || cell.N != 5 {
					t.Errorf("cell %+v", cell)
				}
			}
		})
	}
}

// The lead-in belongs to the visit of every arm, with the same number of
// operations, and is not part of what is measured.
func TestLeadInIsTheSameForAllArmsAndUntimed(t *testing.T) {
	w := &world{}
	loop := w.loop(t, order.Plain(2), order.New(order.ABBA, nil), steady(1), steady(2))
	unit, err := loop.Measure(context.Background(), Request{Lead: 70, N: 10}, 3, record.Main)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range w.log[2:] {
		if e.request.Lead != 70 || e.request.N != 10 {
			t.Errorf("%s was asked for %+v", e.name(), e.request)
		}
	}
	for _, cell := range unit.Cells {
		if cell.Lead != 70 || cell.N != 10 || cell.Wall[0] != 10*int64(cell.Arm+1) {
			t.Errorf("cell %+v", cell)
		}
	}
	if want := 3 * (70 + 10) * (1 + 2); int(w.time) != want {
		t.Errorf("the clock moved by %d, want %d with the lead-ins", w.time, want)
	}
}

func TestMeasureAddsUpBatches(t *testing.T) {
	w := &world{}
	arm := steady(2)
	arm.bytes, arm.heap, arm.helpers = 16, 320, 0.5
	loop := w.loop(t, order.Plain(1), order.New(order.ABBA, nil), arm)
	unit, err := loop.Measure(context.Background(), Request{N: 10, Batches: 4, Counters: true, Allocations: true}, 2, record.Cost)
	if err != nil {
		t.Fatal(err)
	}
	cell := unit.Cells[0]
	if cell.N != 40 || cell.Wall[1] != 80 || cell.CPU[1] != 120 || cell.Collections[0] != 2 || cell.Bytes[0] != 640 || cell.Allocs[0] != 40 {
		t.Errorf("cell %+v", cell)
	}
}

func TestCountsThatWereNotReadStayEmpty(t *testing.T) {
	var cell record.Cell
	add(&cell, Sample{Wall: 3, CPU: -1, Bytes: -1, Allocs: -1, Collections: -1})
	if len(cell.Wall) != 1 || cell.CPU != nil || cell.Bytes != nil || cell.Allocs != nil || cell.Collections != nil {
		t.Errorf("cell %+v", cell)
	}
}

func TestPreemptionsAreCountedOrUnknown(t *testing.T) {
	tests := []struct {
		name    string
		samples []int
		want    int
	}{
		{"none", []int{0, 0}, 0},
		{"counted", []int{1, 0, 1}, 2},
		{"one unknown makes all unknown", []int{1, -1, 1}, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var cell record.Cell
			for _, p := range tt.samples {
				add(&cell, Sample{Preempted: p})
			}
			if cell.Preempted != tt.want {
				t.Errorf("preempted %d, want %d", cell.Preempted, tt.want)
			}
			var joined record.Unit
			for _, p := range tt.samples {
				joined = join(joined, record.Unit{Cells: []record.Cell{{Wall: []int64{1}, Preempted: p}}})
			}
			if got := joined.Cells[0]; got.Preempted != tt.want || len(got.Wall) != len(tt.samples) {
				t.Errorf("joined %+v, want preempted %d", got, tt.want)
			}
		})
	}
}

func TestOpenBuildsInSlotOrderOrReversed(t *testing.T) {
	for _, tt := range []struct {
		reverse bool
		want    string
	}{{false, "a b b' a'"}, {true, "a' b' b a"}} {
		w := &world{}
		loop, err := Open(context.Background(), w.arms(steady(1), steady(1)), order.Nested(2), Slot{Seed: 3}, tt.reverse, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := trace(w.log, "open"); got != tt.want {
			t.Errorf("reverse %v: opened %s, want %s", tt.reverse, got, tt.want)
		}
		// Wherever a session was built, it has to stand in its own slot.
		for i, session := range loop.Sessions {
			s := session.(*fakeSession)
			if s.arm.index != loop.Slots[i].Arm || s.replica != loop.Slots[i].Replica {
				t.Errorf("reverse %v: slot %v holds %s", tt.reverse, loop.Slots[i], s.event("").name())
			}
		}
	}
}

func TestOpenClosesWhatItOpenedBeforeAnError(t *testing.T) {
	w := &world{at: func(_ int, e event) error {
		if e.what == "open" && e.session == 3 {
			return errFake
		}
		return nil
	}}
	_, err := Open(context.Background(), w.arms(steady(1), steady(1)), order.Nested(2), Slot{}, false, nil)
	if !errors.Is(err, errFake) {
		t.Errorf("error %v", err)
	}
	if bad := w.leftOpen(); len(bad) > 0 || w.opened != 2 {
		t.Errorf("opened %d, %v", w.opened, bad)
	}
}

func TestOpenStopsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := &world{at: func(int, event) error { cancel(); return nil }}
	_, err := Open(ctx, w.arms(steady(1), steady(1)), order.Plain(2), Slot{}, false, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if bad := w.leftOpen(); len(bad) > 0 || w.opened != 1 {
		t.Errorf("opened %d, %v", w.opened, bad)
	}
}

func TestCloseClosesAllAndReturnsTheFirstError(t *testing.T) {
	second := errors.New("second")
	w := &world{at: func(_ int, e event) error {
		switch {
		case e.what == "close" && e.session == 2:
			return errFake
		case e.what == "close" && e.session == 3:
			return second
		}
		return nil
	}}
	loop := w.loop(t, order.Plain(4), nil, steady(1), steady(1), steady(1), steady(1))
	if err := loop.Close(); !errors.Is(err, errFake) {
		t.Errorf("error %v", err)
	}
	if bad := w.leftOpen(); len(bad) > 0 {
		t.Error(bad)
	}
}

func TestRunStopsBetweenVisits(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := &world{}
	loop := w.loop(t, order.Plain(3), order.New(order.ABBA, nil), steady(1), steady(1), steady(1))
	w.at = func(call int, _ event) error {
		if call == 3+2 {
			cancel()
		}
		return nil
	}
	unit, err := loop.Measure(ctx, Request{N: 1}, 9, record.Main)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	// The fake session itself refuses the batch that was about to start.
	if got := trace(w.log, "do"); got != "a b" || len(unit.Cells[0].Wall) != 1 || len(unit.Cells[2].Wall) != 0 {
		t.Errorf("visited %s, kept %+v", got, unit.Cells)
	}
}

func TestStoppedWrapsErrorAndCause(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errFake)
	if err := Stopped(ctx); !errors.Is(err, context.Canceled) || !errors.Is(err, errFake) {
		t.Errorf("error %v", err)
	}
}
