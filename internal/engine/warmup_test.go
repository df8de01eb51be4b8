package engine

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/order"
)

func TestWarm(t *testing.T) {
	tests := []struct {
		name   string
		warmup Warmup
		rounds int
	}{
		{"none", Warmup{}, 0},
		{"by count", Warmup{Rounds: 3}, 3},
		{"by time", Warmup{Duration: 50 * time.Microsecond}, 2},
		{"time beats count", Warmup{Rounds: 1, Duration: 100 * time.Microsecond}, 4},
		{"count beats time", Warmup{Rounds: 6, Duration: 50 * time.Microsecond}, 6},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &world{}
			// A round takes 10 + 20 µs.
			loop := w.loop(t, order.Plain(2), order.New(order.ABBA, nil), steady(10), steady(20))
			if err := loop.Warm(context.Background(), Request{N: 1000}, tt.warmup, w.now); err != nil {
				t.Fatal(err)
			}
			want := strings.TrimSpace(strings.Repeat("a b b a ", tt.rounds)[:4*tt.rounds])
			if got := trace(w.log, "do"); got != want {
				t.Errorf("ran %s, want %s", got, want)
			}
		})
	}
}

// A warm-up must not eat the budget of a short comparison.
func TestWarmupTakesAtMostATenthOfTheBudget(t *testing.T) {
	w := &world{}
	design := small()
	design.Warmup = Warmup{Duration: time.Hour}
	w.sequential(t, design, w.hooks(), steady(10), steady(10))
	warming := after(w.log, StageWarming)
	piloting := after(w.log, StagePiloting)
	took := piloting[0].at - warming[0].at
	if low, high := design.Budget/10, design.Budget/10+5*time.Millisecond; took < low || took > high {
		t.Errorf("the warm-up took %v of %v", took, design.Budget)
	}
}
