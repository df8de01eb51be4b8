package engine

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
)

// coldUntil is an arm that is half as slow again in batches whose lead-in is
// shorter than the given time.
func coldUntil(ns float64, warm time.Duration, seed uint64) script {
	noise := noisy(ns, seed)
	return script{nanoseconds: func(b batch) float64 {
		v := noise.nanoseconds(b)
		if float64(b.lead)*ns < float64(warm) {
			return 1.5 * v
		}
		return v
	}}
}

func TestPilotTakesTheShortestLeadInThatSuffices(t *testing.T) {
	tests := []struct {
		name string
		arm  script
		want time.Duration
	}{
		{"none needed", noisy(100, 2), 0},
		{"warm after 60 µs", coldUntil(100, 60*time.Microsecond, 2), 100 * time.Microsecond},
		{"warm after 300 µs", coldUntil(100, 300*time.Microsecond, 2), 500 * time.Microsecond},
		{"warm after 0.6 ms", coldUntil(100, 600*time.Microsecond, 2), time.Millisecond},
		{"warm after 1.3 ms", coldUntil(100, 1300*time.Microsecond, 2), 2 * time.Millisecond},
		{"warm after 5 ms", coldUntil(100, 5*time.Millisecond, 2), LongestSoak},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			design := small()
			design.Budget = 10 * time.Second
			outcome := w.sequential(t, design, w.hooks(), noisy(100, 1), tt.arm)
			if outcome.LeadTime != tt.want {
				t.Fatalf("lead-in of %v, want %v", outcome.LeadTime, tt.want)
			}
			// The arm is slower while the lead-in is worked out.
			if ran := float64(outcome.Lead) * 100; ran < float64(tt.want)*0.75 || ran > float64(tt.want)*1.02 {
				t.Errorf("%d operations for %v", outcome.Lead, tt.want)
			}
			// Everything measured afterwards uses it, for both arms alike.
			for _, e := range after(w.log, StageMeasuring) {
				if e.what == "do" && e.request.Lead != outcome.Lead {
					t.Fatalf("%s ran after a lead-in of %d", e.name(), e.request.Lead)
				}
			}
			main := record.Select(outcome.Units, record.Main)[0]
			for _, cell := range main.Cells {
				if cell.Lead != outcome.Lead {
					t.Errorf("the record says %d", cell.Lead)
				}
			}
		})
	}
}

// Any arm that needs the lead-in decides, not only the first one after the base.
func TestPilotLooksAtEveryArm(t *testing.T) {
	w := &world{}
	design := small()
	design.Budget = 10 * time.Second
	outcome := w.sequential(t, design, Hooks{}, noisy(100, 1), noisy(100, 2), coldUntil(100, 300*time.Microsecond, 3))
	if outcome.LeadTime != 500*time.Microsecond {
		t.Errorf("lead-in of %v", outcome.LeadTime)
	}
}

// A batch as long as the longest lead-in is its own lead-in.
func TestLongBatchesNeedNoPilot(t *testing.T) {
	w := &world{}
	design := small()
	design.Batch = longestLeadIn
	outcome := w.sequential(t, design, Hooks{}, coldUntil(100, time.Millisecond, 1), noisy(100, 2))
	if outcome.Lead != 0 || outcome.LeadTime != 0 {
		t.Errorf("lead-in of %v", outcome.LeadTime)
	}
	for _, u := range record.Select(outcome.Units, record.Pilot) {
		if u.Stage <= len(leadIns) {
			t.Errorf("the record holds a pilot of stage %d", u.Stage)
		}
	}
}

// cycles are so many in the units below.
const cycles = 6

// blocks is what six blocks with one lead-in measured, and soaks what six soaks
// did: the arms took the given times, each with a scatter of its own.
func blocks(scatter float64, ns ...float64) record.Unit {
	return times(scatter, blockRounds*cycles, ns)
}
func soaks(scatter float64, ns ...float64) record.Unit {
	return times(scatter, soakedRounds*cycles, ns)
}

func times(scatter float64, rounds int, ns []float64) record.Unit {
	u := record.Unit{Purpose: record.Pilot}
	for arm, v := range ns {
		noise := noisy(1, uint64(arm+1))
		cell := record.Cell{Arm: arm, N: 10}
		for range rounds {
			jitter := 200*noise.nanoseconds(batch{}) - 201 // uniform in -1 to 1
			cell.Wall = append(cell.Wall, int64(v*(1+scatter*jitter)))
		}
		u.Cells = append(u.Cells, cell)
	}
	return u
}

func TestCompareLeads(t *testing.T) {
	const ms = 1e6
	tests := []struct {
		name        string
		short, long record.Unit
		want        Answer
	}{
		{"the same", blocks(0.001, ms, 2*ms), soaks(0.001, ms, 2*ms), Suffices},
		{"the same for each arm", blocks(0.01, ms, 2*ms), soaks(0.01, ms, 2*ms), Suffices},
		{"both slower alike", blocks(0.001, 1.3*ms, 2.6*ms), soaks(0.001, ms, 2*ms), Suffices},
		{"the ratio shifts", blocks(0.001, ms, 2.6*ms), soaks(0.001, ms, 2*ms), Differs},
		{"the ratio shifts the other way", blocks(0.001, 1.3*ms, 2*ms), soaks(0.001, ms, 2*ms), Differs},
		{"by less than is tolerated", blocks(0.001, ms, 2.06*ms), soaks(0.001, ms, 2*ms), Suffices},
		{"noise hides it", blocks(0.5, ms, 2.2*ms), soaks(0.5, ms, 2*ms), Unclear},
		{"the third arm shifts", blocks(0.001, ms, ms, 1.5*ms), soaks(0.001, ms, ms, ms), Differs},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := CompareLeads(tt.short, tt.long); got != tt.want {
				shift, low, high := LeadShift(tt.short, tt.long, 1, 0.95)
				t.Errorf("answer %d, want %d; shift %v [%v, %v]", got, tt.want, shift, low, high)
			}
		})
	}
}

func TestChooseLead(t *testing.T) {
	const ms = 1e6
	warm, cold, unclear := blocks(0.001, ms, 2*ms), blocks(0.001, ms, 3*ms), blocks(0.5, ms, 2.2*ms)
	soaked, soak := soaks(0.001, ms, 2*ms), 20*time.Millisecond
	tests := []struct {
		name    string
		between []record.Unit
		soaked  record.Unit
		want    time.Duration
	}{
		{"the first that suffices", []record.Unit{cold, warm, cold, warm}, soaked, leadIns[2]},
		{"none, so the soak", []record.Unit{cold, cold, cold, cold}, soaked, soak},
		{"the noise hides it", []record.Unit{unclear, unclear, unclear, unclear}, soaks(0.5, ms, 2*ms), longestLeadIn},
	}
	for _, tt := range tests {
		if got := chooseLead(tt.between, tt.soaked, soak); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// Whatever runs second is slower, and the two directions of a pair of rounds
// take that out.
func TestShiftsHoldNoEffectOfPosition(t *testing.T) {
	const ms = 1e6
	second := func(u record.Unit, effect float64) record.Unit {
		for i := range u.Cells[0].Wall {
			late := &u.Cells[1-i%2]
			late.Wall[i] = int64(float64(late.Wall[i]) * (1 + effect))
		}
		return u
	}
	shift, low, high := LeadShift(second(blocks(0.001, ms, 2*ms), 0.3), soaks(0.001, ms, 2*ms), 1, 0.95)
	if math.Abs(shift) > 0.001 || low > 0 || high < 0 {
		t.Errorf("shift %v [%v, %v]", shift, low, high)
	}
	ratio, low, high := SoakedRatio(second(soaks(0.001, ms, 2*ms), 0.3), 1, 0.95)
	if math.Abs(ratio-math.Ln2) > 0.001 || low > ratio || high < ratio {
		t.Errorf("ratio %v [%v, %v]", ratio, low, high)
	}
}

// A pilot over arms of 1 ns an operation, with batches of 1000.
func (w *world) pilot(t *testing.T) Pilot {
	t.Helper()
	loop := w.loop(t, order.Plain(2), order.New(order.ABBA, nil), steady(1), steady(1))
	w.log = nil
	return Pilot{Loop: loop, N: 1000, NsPerOp: 1, Now: w.now}
}

// What a lead-in does shows in the state that its own repetition leads to.
func TestABlockSettlesWithItsOwnLeadIn(t *testing.T) {
	w := &world{}
	unit, err := w.pilot(t).Block(context.Background(), 100*time.Microsecond)
	if err != nil {
		t.Fatal(err)
	}
	if unit.Purpose != record.Pilot || pairsOf(unit) != blockRounds || unit.Cells[0].Lead != 100_000 {
		t.Errorf("unit %+v", unit)
	}
	rounds := len(asked(w.log)) / 2
	if settling := time.Duration(rounds-blockRounds) * 2 * 101 * time.Microsecond; settling < blockSettling || settling > blockSettling+time.Millisecond {
		t.Errorf("%v of settling", settling)
	}
	for _, e := range w.log {
		if e.request.Lead != 100_000 || e.request.N != 1000 {
			t.Errorf("asked %s for %+v", e.name(), e.request)
		}
	}
}

func TestASoakStandsForRunningAlone(t *testing.T) {
	w := &world{}
	unit, err := w.pilot(t).Soaked(context.Background(), LongestSoak)
	if err != nil {
		t.Fatal(err)
	}
	if got := trace(w.log, "do"); got != "a b b a" {
		t.Errorf("visited %s", got)
	}
	for _, cell := range unit.Cells {
		if cell.Lead != int64(LongestSoak) || cell.N != 1000*soakedBatches || len(cell.Wall) != soakedRounds {
			t.Errorf("cell %+v", cell)
		}
	}
}

func TestTheEndsAreMeasuredInTurn(t *testing.T) {
	for _, tt := range []struct {
		name   string
		limit  time.Duration
		arm    script
		cycles int
	}{
		{"at least once", 0, steady(1), 1},
		{"until nothing has changed twice", time.Hour, steady(1), fewestCycles},
		{"at most ten times", time.Hour, coldUntil(1, time.Millisecond, 1), mostCycles},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			loop := w.loop(t, order.Plain(2), order.New(order.ABBA, nil), steady(1), tt.arm)
			p := Pilot{Loop: loop, N: 1000, NsPerOp: 1, Now: w.now}
			cold, soaked, err := p.Ends(context.Background(), 2*time.Millisecond, tt.limit)
			if err != nil || pairsOf(cold) != tt.cycles*blockRounds || pairsOf(soaked) != tt.cycles*soakedRounds || cold.Stage != 0 || soaked.Stage != len(leadIns) {
				t.Errorf("%d and %d pairs in stages %d and %d, error %v", pairsOf(cold), pairsOf(soaked), cold.Stage, soaked.Stage, err)
			}
			if len(cold.Order) != pairsOf(cold) || strings.Count(cold.Order, "f") != pairsOf(cold)/2 {
				t.Errorf("order %s", cold.Order)
			}
		})
	}
}

func TestMissingArmsSayNothing(t *testing.T) {
	soaked := soaks(0, 1e6, 2e6)
	for _, missing := range []record.Unit{{}, {Cells: soaked.Cells[:1]}, {Cells: []record.Cell{{}, {Arm: 1}}}} {
		if shift, _, _ := LeadShift(missing, soaked, 1, 0.95); !math.IsNaN(shift) {
			t.Errorf("a shift of %v of nothing", shift)
		}
		if got := CompareLeads(missing, soaked); len(missing.Cells) > 1 && got == Suffices {
			t.Errorf("nothing suffices")
		}
	}
	zero := record.Unit{Cells: []record.Cell{{Arm: 0, Wall: []int64{1, 2, 4}}, {Arm: 1, Wall: []int64{0, 2}}}}
	if got := PairRatios(zero, 1); len(got) != 2 || got[0] != 0 || got[1] != 0 {
		t.Errorf("ratios %v; a time of zero counts as the shortest there is", got)
	}
	if got := PairRatios(zero, 2); got != nil {
		t.Errorf("ratios %v of an arm that is not there", got)
	}
}
