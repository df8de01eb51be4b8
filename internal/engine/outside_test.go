package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/record"
)

func outsideRun(t *testing.T, w *world, design OutsideDesign, look func([]record.Unit) bool, scripts ...script) (Outcome, error) {
	t.Helper()
	hooks := w.hooks()
	hooks.Look = look
	return Outside(context.Background(), w.arms(scripts...), design, w.now, hooks)
}

// milliseconds is an arm that takes so long per operation.
func milliseconds(ms float64) script { return steady(ms * 1e6) }

func TestOutsideSchedulesExactRuns(t *testing.T) {
	tests := []struct {
		name     string
		schedule []int
		odd      bool
		want     string
		units    int
	}{
		{"four runs", []int{1, 1}, false, "a b b' a' a' b' b a", 2},
		{"five runs", []int{2}, true, "a b b' a' a' b' b a a b", 1},
		{"one run", []int{0}, true, "a b", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			stop := func([]record.Unit) bool { return true } // a schedule is kept all the same
			outcome, err := outsideRun(t, w, OutsideDesign{N: 1, Schedule: tt.schedule, Odd: tt.odd, Budget: time.Nanosecond}, stop, milliseconds(1), milliseconds(2))
			if err != nil {
				t.Fatal(err)
			}
			if got := trace(w.log, "do"); got != tt.want {
				t.Errorf("visited %s, want %s", got, tt.want)
			}
			if len(outcome.Units) != tt.units || outcome.Decided {
				t.Errorf("%d units, decided %v", len(outcome.Units), outcome.Decided)
			}
			if bad := w.leftOpen(); len(bad) > 0 {
				t.Error(bad)
			}
		})
	}
}

func TestOutsideUnitsLastTheirTime(t *testing.T) {
	w := &world{}
	design := OutsideDesign{N: 1, Unit: 500 * time.Millisecond, Budget: time.Minute}
	outcome, err := outsideRun(t, w, design, func(u []record.Unit) bool { return len(u) == 3 }, milliseconds(10), milliseconds(15))
	if err != nil {
		t.Fatal(err)
	}
	// A round of a b b a takes 50 ms, so ten of them fill a unit.
	if outcome.Rounds != 10 || !outcome.Decided || len(outcome.Units) != 3 || len(outcome.Units[0].Cells) != 4 || len(outcome.Units[0].Cells[0].Wall) != 10 {
		t.Errorf("%d rounds, decided %v, %d units", outcome.Rounds, outcome.Decided, len(outcome.Units))
	}
}

func TestOutsideLongRoundsAreUnitsAndTheLeastIsMeasured(t *testing.T) {
	w := &world{}
	design := OutsideDesign{N: 1, Unit: 500 * time.Millisecond, Budget: 10 * time.Second, AtLeast: 5}
	outcome, err := outsideRun(t, w, design, nil, milliseconds(3000), milliseconds(3000))
	if err != nil {
		t.Fatal(err)
	}
	if outcome.Rounds != 1 || len(outcome.Units) != 5 {
		t.Errorf("%d rounds in %d units, want 5 units of one round though the budget is over", outcome.Rounds, len(outcome.Units))
	}
	if outcome.Units[0].Order != "b" || outcome.Units[1].Order != "f" {
		t.Errorf("directions %q %q, want them to alternate after the pilot's round", outcome.Units[0].Order, outcome.Units[1].Order)
	}
}

func TestOutsidePilotRunsUntilSettled(t *testing.T) {
	w := &world{}
	design := OutsideDesign{N: 1, Unit: 100 * time.Millisecond, Budget: 100 * time.Second, AtMost: 2, Settled: func(p record.Unit) bool { return len(p.Order) == 4 }}
	outcome, err := outsideRun(t, w, design, nil, milliseconds(10), milliseconds(10))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := trace(w.log, "do")[:15], "a b b a a b b a"; got != want {
		t.Errorf("pilot %s, want %s", got, want)
	}
	if len(outcome.Units) != 2 {
		t.Errorf("%d units, want the 2 at most", len(outcome.Units))
	}
	for _, u := range outcome.Units {
		if u.Purpose != record.Main {
			t.Errorf("a %s unit among those that are judged", u.Purpose)
		}
	}
}

// A run that is continued keeps its size, and its units go on counting.
func TestOutsideContinues(t *testing.T) {
	first := &world{}
	design := OutsideDesign{N: 1, Unit: 40 * time.Millisecond, Budget: time.Minute, AtMost: 3}
	before, err := outsideRun(t, first, design, nil, milliseconds(10), milliseconds(10))
	if err != nil {
		t.Fatal(err)
	}
	second := &world{}
	design.Earlier, design.Rounds, design.AtMost = before.Units, before.Rounds, 5
	after, err := outsideRun(t, second, design, nil, milliseconds(10), milliseconds(10))
	if err != nil {
		t.Fatal(err)
	}
	if len(after.Units) != 5 || after.Units[3].Index != 3 || after.Rounds != before.Rounds {
		t.Errorf("%d units, %d rounds in each after %d", len(after.Units), after.Rounds, before.Rounds)
	}
}

func TestOutsideKeepsWhatWasMeasuredBeforeAFailure(t *testing.T) {
	w := &world{}
	w.at = func(call int, e event) error {
		if call > 40 && e.what == "do" {
			return errFake
		}
		return nil
	}
	outcome, err := outsideRun(t, w, OutsideDesign{N: 1, Unit: 40 * time.Millisecond, Budget: time.Minute}, nil, milliseconds(10), milliseconds(10))
	if !errors.Is(err, errFake) {
		t.Fatalf("error %v", err)
	}
	if len(outcome.Units) == 0 {
		t.Error("nothing is left of the units before the failure")
	}
	if bad := w.leftOpen(); len(bad) > 0 {
		t.Error(bad)
	}
}

// One arm that is a hundred times as fast does not make the other's visits a
// hundred times as long as planned.
func TestOutsideVisitsOfTheSlowestArmAreBounded(t *testing.T) {
	for _, tt := range []struct {
		slow         script
		fewest, want int64
	}{{steady(1e5), 1, 20_000}, {steady(1e7), 1, 20}, {steady(1e7), 200, 200}} {
		w := &world{}
		design := OutsideDesign{Batch: 20 * time.Millisecond, MaxN: 1 << 40, FewestN: tt.fewest, AtMost: 1, Budget: time.Hour, Rounds: 1}
		outcome, err := outsideRun(t, w, design, nil, steady(1e3), tt.slow)
		if err != nil {
			t.Fatal(err)
		}
		if outcome.N > tt.want+tt.want/4 || outcome.N < tt.want/11 {
			t.Errorf("%d operations in a visit, want about %d", outcome.N, tt.want)
		}
	}
}

// A bound on the operations of a visit wins over its length.
func TestOutsideVisitsKeepToTheirMostOperations(t *testing.T) {
	w := &world{}
	design := OutsideDesign{Batch: 20 * time.Millisecond, MaxN: 60, FewestN: 60, AtMost: 1, Budget: time.Hour, Rounds: 1}
	outcome, err := outsideRun(t, w, design, nil, steady(3500), steady(3500))
	if err != nil || outcome.N != 60 {
		t.Errorf("%d operations, error %v; want the 60 that are allowed", outcome.N, err)
	}
}
