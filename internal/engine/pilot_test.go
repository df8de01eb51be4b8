package engine

import (
	"context"
	"slices"
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

// A shift that the interval shows needs the longer lead-in, none does not.
func TestPilotChoosesByTheInterval(t *testing.T) {
	barely := noisy(100, 2)
	cold := script{nanoseconds: func(b batch) float64 {
		if b.lead == 0 {
			return 1.02 * barely.nanoseconds(b)
		}
		return barely.nanoseconds(b)
	}}
	w := &world{}
	units, err := RunPilot(context.Background(), w.loop(t, order.Plain(2), order.New(order.ABBA, nil), steady(100), cold), 1000,
		[]int64{0, 1000}, w.now, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	// The shift of two percent is visible.
	if got := ChooseLead(units); got != 1 {
		t.Errorf("chose %d although the interval excludes zero", got)
	}
	same := []record.Unit{units[1], units[1]}
	if got := ChooseLead(same); got != 0 {
		t.Errorf("chose %d between equal ones", got)
	}
}

func TestPilotFallsBackToTheLongest(t *testing.T) {
	w := &world{}
	design := small()
	design.Budget = 300 * time.Millisecond // a tenth of it holds three rounds or so
	outcome := w.sequential(t, design, Hooks{}, noisy(100, 1), noisy(100, 2))
	rounds := pairsOf(record.Select(outcome.Units, record.Pilot)[0])
	if rounds >= fewestPilotRounds {
		t.Fatalf("the pilot had %d rounds", rounds)
	}
	if outcome.LeadTime != longestLeadIn {
		t.Errorf("lead-in of %v after %d rounds", outcome.LeadTime, rounds)
	}
}

// A batch as long as the longest lead-in is its own lead-in.
func TestLongBatchesNeedNoPilot(t *testing.T) {
	w := &world{}
	design := small()
	design.Batch = 2 * time.Millisecond
	outcome := w.sequential(t, design, Hooks{}, coldUntil(100, time.Millisecond, 1), noisy(100, 2))
	if outcome.Lead != 0 || outcome.LeadTime != 0 {
		t.Errorf("lead-in of %v", outcome.LeadTime)
	}
	for _, u := range record.Select(outcome.Units, record.Pilot) {
		if u.Stage < len(leadIns) {
			t.Errorf("the record holds a pilot of stage %d", u.Stage)
		}
	}
}

func TestRunPilotTurnsLeadInsAndDirections(t *testing.T) {
	w := &world{}
	loop := w.loop(t, order.Plain(2), order.New(order.ABBA, nil), steady(1), steady(1))
	leads := []int64{0, 10, 20}
	units, err := RunPilot(context.Background(), loop, 5, leads, w.now, 100)
	if err != nil {
		t.Fatal(err)
	}
	var visits []int64
	for _, e := range w.log[2:] {
		visits = append(visits, e.request.Lead)
	}
	// One round of all lead-ins takes 2·(0+10+20+3·5) = 90: the second begins
	// in time and is finished.
	if want := []int64{0, 0, 10, 10, 20, 20, 0, 0, 10, 10, 20, 20}; !slices.Equal(visits, want) {
		t.Errorf("lead-ins %v, want %v", visits, want)
	}
	if got, want := trace(w.log, "do"), "a b b a a b b a a b b a"; got != want {
		t.Errorf("visited %s, want %s", got, want)
	}
	for i, u := range units {
		if u.Stage != i || u.Purpose != record.Pilot || pairsOf(u) != 2 || u.Cells[1].Lead != leads[i] {
			t.Errorf("unit %d: %+v", i, u)
		}
	}
}

func TestRunPilotIsBounded(t *testing.T) {
	tests := []struct {
		name   string
		limit  time.Duration
		rounds int
	}{
		{"at least one round", 0, 1},
		{"at most sixty", time.Hour, mostPilotRounds},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			loop := w.loop(t, order.Plain(2), order.New(order.ABBA, nil), steady(1), steady(1))
			units, err := RunPilot(context.Background(), loop, 5, []int64{0, 9}, w.now, tt.limit)
			if err != nil || pairsOf(units[0]) != tt.rounds || pairsOf(units[1]) != tt.rounds {
				t.Errorf("%d and %d rounds, error %v", pairsOf(units[0]), pairsOf(units[1]), err)
			}
		})
	}
}

func TestPairRatiosOfMissingArms(t *testing.T) {
	u := record.Unit{Cells: []record.Cell{{Arm: 0, Wall: []int64{1, 2, 4}}, {Arm: 1, Wall: []int64{0, 2}}}}
	if got := PairRatios(u, 1); len(got) != 2 || got[0] != 0 || got[1] != 0 {
		t.Errorf("ratios %v; a time of zero counts as the shortest there is", got)
	}
	if got := PairRatios(u, 2); got != nil {
		t.Errorf("ratios %v of an arm that is not there", got)
	}
}
