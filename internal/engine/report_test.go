package engine

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
)

// gathering counts its visits and reports how many there were since the last
// report.
type gathering struct{ visits int64 }

func (g *gathering) Do(_ context.Context, request Request, s *Sample) error {
	g.visits++
	s.Wall = request.N
	s.Extra = []Extra{{"visit", float64(g.visits)}, {"unread", math.NaN()}}
	return nil
}
func (g *gathering) Settle(context.Context) error { return nil }
func (g *gathering) Close() error                 { return nil }
func (g *gathering) Report(cell *record.Cell) error {
	cell.Counts = map[string]int64{"visits": g.visits}
	g.visits = 0
	return nil
}

func TestSessionsReportWhatTheyGatheredInAUnit(t *testing.T) {
	loop := Loop{Slots: order.Plain(1), Sessions: []Session{&gathering{}}, Order: order.New(order.ABBA, nil)}
	if err := loop.Warm(context.Background(), Request{N: 1}, Warmup{Rounds: 5}, func() time.Duration { return 0 }); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		unit, err := loop.Measure(context.Background(), Request{N: 1}, 3, record.Main)
		if err != nil {
			t.Fatal(err)
		}
		cell := unit.Cells[0]
		if cell.Counts["visits"] != 3 {
			t.Errorf("%d visits reported, want the 3 of the unit without the warm-up", cell.Counts["visits"])
		}
		if got := cell.Extra["visit"]; !slices.Equal(got, record.Values{1, 2, 3}) {
			t.Errorf("series %v", got)
		}
		if got := cell.Extra["unread"]; len(got) != 3 || !math.IsNaN(got[1]) {
			t.Errorf("unread series %v", got)
		}
	}
}
