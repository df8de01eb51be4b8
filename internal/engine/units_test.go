package engine

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/record"
)

// pairsOf counts the pairs of the first arm with the base in a unit.
func pairsOf(u record.Unit) int {
	pairs := 0
	for replica := 0; u.Find(0, replica) != nil; replica++ {
		pairs += len(u.Find(0, replica).Wall)
	}
	return pairs
}

// noisy has neighbouring batches that do not resemble each other. Arms with
// different seeds have nothing in common.
func noisy(ns float64, seed uint64) script {
	state := seed
	return script{nanoseconds: func(batch) float64 {
		state = state*6364136223846793005 + 1442695040888963407
		return ns * (1 + float64(state>>40)/(1<<24)/100)
	}}
}

func TestUnitLength(t *testing.T) {
	tests := []struct {
		name   string
		arms   []script
		change func(*Design)
		// pairs is the expected number of pairs in a unit, within a tenth.
		pairs int
		short bool
	}{
		{"the smallest number of pairs", []script{noisy(100, 1), noisy(100, 2)}, func(d *Design) { d.Unit = 0; d.UnitPairs = 60 }, 60, false},
		{"the shortest time", []script{noisy(100, 1), noisy(100, 2)}, func(d *Design) { d.UnitPairs = 1 }, 80, false},
		{"two replicas make two pairs a round", []script{noisy(100, 1), noisy(100, 2)}, func(d *Design) { d.Unit = 0; d.UnitPairs = 60; d.Identical = true }, 60, false},
		{"the budget makes short units", []script{noisy(100, 1), noisy(100, 2)}, func(d *Design) { d.UnitPairs = 5000 }, 750, true},
		{"shorter but with enough pairs is not short", []script{noisy(100, 1), noisy(100, 2)}, func(d *Design) { d.Unit = time.Second }, 750, false},
		{"never below two rounds", []script{steady(5e6), steady(5e6)}, func(d *Design) { d.Budget = time.Nanosecond }, 2, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			design := small()
			tt.change(&design)
			outcome := w.sequential(t, design, Hooks{}, tt.arms...)
			units := record.Select(outcome.Units, record.Main)
			got := pairsOf(units[0])
			if slack := max(2, tt.pairs/10); got < tt.pairs-slack || got > tt.pairs+slack {
				t.Errorf("%d pairs in a unit, want about %d", got, tt.pairs)
			}
			if outcome.ShortUnits != tt.short {
				t.Errorf("short units: %v", outcome.ShortUnits)
			}
			if outcome.Rounds%2 != 0 {
				t.Errorf("%d rounds: forward and backward do not balance", outcome.Rounds)
			}
			for i, u := range units {
				if pairsOf(u) != got {
					t.Errorf("unit %d holds %d pairs, the first %d", i, pairsOf(u), got)
				}
			}
		})
	}
}

// Where neighbours resemble each other a unit lasts ten correlation times, as
// measured before the first unit.
func TestUnitLastsTenCorrelationTimes(t *testing.T) {
	slow, switches := false, noisy(1, 3).nanoseconds
	telegraph := script{nanoseconds: func(b batch) float64 {
		random := (switches(b) - 1) * 100 // uniform in 0 to 1
		if random < 0.05 {
			slow = !slow
		}
		if slow {
			return 120 + random
		}
		return 100 + random
	}}
	w := &world{}
	design := small()
	design.Unit, design.UnitPairs, design.Budget = 0, 1, time.Minute
	outcome := w.sequential(t, design, Hooks{}, noisy(100, 1), telegraph)
	pilots := record.Select(outcome.Units, record.Pilot)
	trial := pilots[len(pilots)-1]
	if got := pairsOf(trial); got != sizingPairs {
		t.Fatalf("the trial holds %d pairs", got)
	}
	want := evenRounds(int(math.Ceil(correlationTimes * correlationPairs(trial, 2))))
	if outcome.Rounds != want || want < 60 {
		t.Errorf("a unit holds %d rounds, want %d", outcome.Rounds, want)
	}
}

func TestLongBudgetsHoldUnitsOfThePlannedLength(t *testing.T) {
	w := &world{}
	design := small()
	outcome := w.sequential(t, design, w.hooks(), noisy(100, 1), noisy(100, 2))
	var begins []time.Duration
	for _, e := range w.log {
		if e.what == "keep" && e.note == string(record.Main) {
			begins = append(begins, e.at)
		}
	}
	for i := 1; i < len(begins); i++ {
		// Two unmeasured rounds come before each unit.
		if took := begins[i] - begins[i-1]; took < design.Unit || took > design.Unit*5/4 {
			t.Errorf("unit %d took %v, planned %v", i, took, design.Unit)
		}
	}
	if left := design.Budget - outcome.Spent; left > 0 || left < -2*design.Unit {
		t.Errorf("the run took %v of %v", outcome.Spent, design.Budget)
	}
	if outcome.Decided {
		t.Error("decided without a stopping rule")
	}
}

// A budget that cannot hold the units of a first look ends at once.
func TestABudgetForNothingIsAnError(t *testing.T) {
	w := &world{}
	design := small()
	design.FirstLook, design.Budget = 5, 19*time.Millisecond
	_, err := Sequential(context.Background(), w.arms(steady(1e6), steady(1e6)), design, w.now, w.hooks())
	if !errors.Is(err, ErrBudget) || after(w.log, StageWarming) != nil || len(w.leftOpen()) > 0 {
		t.Errorf("error %v, sessions %v", err, w.leftOpen())
	}
	design.Budget = 25 * time.Millisecond
	if _, err := Sequential(context.Background(), w.arms(steady(1e6), steady(1e6)), design, w.now, Hooks{}); err != nil {
		t.Errorf("error %v", err)
	}
}

// The error speaks of a duration that somebody can read.
func TestBudgetErrorIsRounded(t *testing.T) {
	for ns, want := range map[float64]string{1_234_567: "take 24.7ms at least", 3_141_592_653: "take 1m2.9s at least", 27: "take 540ns at least"} {
		w := &world{}
		design := small()
		design.FirstLook, design.Budget, design.N = 5, 1, 1
		_, err := Sequential(context.Background(), w.arms(steady(ns), steady(ns)), design, w.now, w.hooks())
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v ns: %v", ns, err)
		}
	}
}

func TestLookEndsTheRun(t *testing.T) {
	w := &world{}
	looks := 0
	hooks := w.hooks()
	hooks.Look = func(units []record.Unit) bool {
		looks++
		if got := len(record.Select(units, record.Main)); got != looks {
			t.Errorf("look %d saw %d units", looks, got)
		}
		return looks == 3
	}
	outcome := w.sequential(t, small(), hooks, noisy(100, 1), noisy(100, 2))
	units := record.Select(outcome.Units, record.Main)
	if !outcome.Decided || len(units) != 3 || outcome.Spent >= small().Budget {
		t.Errorf("decided %v after %d units and %v", outcome.Decided, len(units), outcome.Spent)
	}
	for i, u := range units {
		if u.Index != i {
			t.Errorf("unit %d has index %d", i, u.Index)
		}
	}
}

func TestEveryUnitIsKeptAtOnce(t *testing.T) {
	w := &world{}
	var kept []record.Unit
	outcome := w.sequential(t, small(), Hooks{Keep: func(u record.Unit) error { kept = append(kept, u); return nil }}, noisy(100, 1), noisy(100, 2))
	if len(kept) != len(outcome.Units) {
		t.Fatalf("kept %d of %d units", len(kept), len(outcome.Units))
	}
	purposes := map[record.Purpose]int{}
	for i := range kept {
		purposes[kept[i].Purpose]++
		if kept[i].Purpose != outcome.Units[i].Purpose || kept[i].Index != outcome.Units[i].Index {
			t.Errorf("unit %d was kept as %+v", i, kept[i])
		}
	}
	if purposes[record.Pilot] < 2 || purposes[record.Count] != 1 || purposes[record.Main] < 2 {
		t.Errorf("kept %v", purposes)
	}
}

func TestKeepErrorEndsTheRun(t *testing.T) {
	for _, purpose := range []record.Purpose{record.Count, record.Pilot, record.Main} {
		w := &world{}
		hooks := Hooks{Keep: func(u record.Unit) error {
			if u.Purpose == purpose {
				return errFake
			}
			return nil
		}}
		outcome, err := Sequential(context.Background(), w.arms(noisy(100, 1), noisy(100, 2)), small(), w.now, hooks)
		if !errors.Is(err, errFake) {
			t.Errorf("%s: error %v", purpose, err)
		}
		if got := len(record.Select(outcome.Units, purpose)); got != 1 {
			t.Errorf("%s: %d units before the end", purpose, got)
		}
		if bad := w.leftOpen(); len(bad) > 0 {
			t.Errorf("%s: %v", purpose, bad)
		}
	}
}

// Where nothing is left behind, nothing is settled.
func TestUnitsWithoutGarbageDoNotSettle(t *testing.T) {
	w := &world{}
	w.sequential(t, small(), w.hooks(), noisy(100, 1), noisy(100, 2))
	if got := trace(w.log, "settle"); got != "" {
		t.Errorf("settled %s", got)
	}
}

func TestStagesComeInOrder(t *testing.T) {
	w := &world{}
	w.sequential(t, small(), w.hooks(), noisy(100, 1), noisy(100, 2))
	var stages []string
	for _, e := range w.log {
		if e.what == "stage" && (len(stages) == 0 || stages[len(stages)-1] != e.note) {
			stages = append(stages, e.note)
		}
	}
	if got := strings.Join(stages, " "); got != "calibrating warming piloting measuring" {
		t.Errorf("stages %s", got)
	}
}

// Sessions that leave garbage settle before every unit, and two rounds run
// unmeasured after that.
func TestUnitsBeginSettledAndAwake(t *testing.T) {
	w := &world{}
	design := small()
	design.Identical, design.NoCosts = true, true
	outcome := w.sequential(t, design, w.hooks(), allocating(64, 1<<20, 1), noisy(100, 2))
	unit := until(after(w.log, StageMeasuring), "keep")
	if got := trace(unit, "settle"); got != "a b b' a'" {
		t.Errorf("settled %s", got)
	}
	if got, want := len(asked(unit)), 4*(outcome.Rounds+2); got != want {
		t.Errorf("%d batches in a unit, want %d", got, want)
	}
	for _, e := range unit[4:] {
		if e.what == "settle" {
			t.Error("settled in the middle of a unit")
		}
	}
}

func TestRebuildAlternatesTheOrderOfBuilding(t *testing.T) {
	w := &world{}
	design := small()
	design.Rebuild, design.Identical = true, true
	outcome := w.sequential(t, design, w.hooks(), noisy(100, 1), noisy(100, 2))
	units := len(record.Select(outcome.Units, record.Main))
	opened := strings.Fields(trace(after(w.log, StageMeasuring), "open"))
	if len(opened) != 4*units {
		t.Fatalf("%d sessions for %d units", len(opened), units)
	}
	for i := range units {
		want := "a b b' a'"
		if i%2 == 1 {
			want = "a' b' b a"
		}
		if got := strings.Join(opened[4*i:4*i+4], " "); got != want {
			t.Errorf("unit %d was built %s, want %s", i, got, want)
		}
	}
	// Every unit runs on its own four sessions.
	sessions := map[int]bool{}
	for _, e := range after(w.log, StageMeasuring) {
		switch e.what {
		case "do":
			sessions[e.session] = true
		case "keep":
			if len(sessions) != 4 {
				t.Errorf("a unit ran on %d sessions", len(sessions))
			}
			sessions = map[int]bool{}
		}
	}
}

func TestWithoutRebuildSessionsLiveThroughout(t *testing.T) {
	w := &world{}
	w.sequential(t, small(), w.hooks(), noisy(100, 1), noisy(100, 2))
	if got := trace(w.log, "open"); got != "a b" {
		t.Errorf("opened %s", got)
	}
}
