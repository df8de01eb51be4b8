package engine

import (
	"context"
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// LeadIns are the lengths of lead-in that the pilot compares. A batch right
// after the other arm's runs in caches that the other arm filled; a lead-in by
// the same arm brings back the state that the arm has when it runs alone.
var leadIns = [...]time.Duration{0, 100 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 2 * time.Millisecond}

const (
	// longestLeadIn is also the batch length from which no lead-in is needed:
	// such a batch is its own.
	longestLeadIn = 2 * time.Millisecond
	// fewestPilotRounds make a rank interval at the pilot's level possible.
	fewestPilotRounds = 15
	mostPilotRounds   = 60
	pilotLevel        = 0.99
	// pilotShare is the largest part of the budget that the pilot may take.
	pilotShare = 10
)

// pilot finds the lead-in: the shortest after which the ratio of every arm to
// the base is not shown to differ from the ratio after the longest. It first
// compares none with the longest, which settles most cases, and the lengths
// between them only where that shows a difference. Where the time is too short
// for an answer it is the longest.
func (r *run) pilot(ctx context.Context) error {
	mean := 0.0
	for _, ns := range r.nsPerOp {
		mean += ns / float64(len(r.nsPerOp))
	}
	if mean*float64(r.outcome.N) >= float64(longestLeadIn) {
		return nil
	}
	leads := make([]int64, len(leadIns))
	for i, d := range leadIns {
		leads[i] = int64(math.Ceil(float64(d) / mean))
	}
	// Half of the pilot's time for the first question, but enough of it for the
	// smallest number of rounds that can answer it, where the budget allows.
	limit := r.design.Budget / pilotShare
	first := max(limit/2, min(2*limit, fewestPilotRounds*r.pilotRound(leads[0], leads[len(leads)-1])))
	ends, err := RunPilot(ctx, r.plain(), r.outcome.N, []int64{leads[0], leads[len(leads)-1]}, r.now, first)
	if err != nil {
		return err
	}
	chosen := len(leads) - 1
	if leadSuffices(ends[0], ends[1]) {
		chosen = 0
	} else if len(ends[0].Cells[0].Wall) >= fewestPilotRounds {
		between, err := RunPilot(ctx, r.plain(), r.outcome.N, leads[1:], r.now, limit)
		if err != nil {
			return err
		}
		chosen = 1 + ChooseLead(between)
		ends = append(ends, between...)
	}
	r.outcome.Lead, r.outcome.LeadTime = leads[chosen], leadIns[chosen]
	for _, u := range ends {
		if err := r.keep(u); err != nil {
			return err
		}
	}
	return nil
}

// pilotRound is about how long a round with the given lead-ins takes.
func (r *run) pilotRound(leads ...int64) time.Duration {
	total := 0.0
	for _, ns := range r.nsPerOp {
		for _, lead := range leads {
			total += ns * float64(lead+r.outcome.N)
		}
	}
	return time.Duration(total)
}

// RunPilot measures every lead-in in turn, round by round, so that all of them
// see the same machine. It returns one unit per lead-in. It ends after at most
// limit, but not before one round.
func RunPilot(ctx context.Context, loop Loop, n int64, leads []int64, now Clock, limit time.Duration) ([]record.Unit, error) {
	units := make([]record.Unit, len(leads))
	start := now()
	for round := 0; round < mostPilotRounds; round++ {
		if round > 0 && now()-start >= limit {
			break
		}
		forward := loop.Order.Next()
		for i, lead := range leads {
			once := Loop{Slots: loop.Slots, Sessions: loop.Sessions, Order: direction(forward != (i%2 == 1))}
			u, err := once.Measure(ctx, Request{Lead: lead, N: n}, 1, record.Pilot)
			if err != nil {
				return units, err
			}
			u.Stage = i
			units[i] = join(units[i], u)
		}
	}
	return units, nil
}

// direction is a sequence whose next round runs the given way.
func direction(forward bool) *order.Sequence {
	s := order.New(order.ABBA, nil)
	if !forward {
		s.Next()
	}
	return s
}

// join appends the series of b to those of a.
func join(a, b record.Unit) record.Unit {
	if a.Cells == nil {
		return b
	}
	a.Order += b.Order
	for i := range a.Cells {
		a.Cells[i].Wall = append(a.Cells[i].Wall, b.Cells[i].Wall...)
		if b.Cells[i].Preempted < 0 {
			a.Cells[i].Preempted = -1
		} else if a.Cells[i].Preempted >= 0 {
			a.Cells[i].Preempted += b.Cells[i].Preempted
		}
	}
	return a
}

// ChooseLead returns the index of the shortest lead-in that is long enough. The
// units are ordered by their lead-in.
func ChooseLead(units []record.Unit) int {
	last := len(units) - 1
	for i := range last {
		if leadSuffices(units[i], units[last]) {
			return i
		}
	}
	return last
}

// leadSuffices compares the log ratios after two lead-ins, paired by round.
func leadSuffices(short, long record.Unit) bool {
	for arm := 1; short.Find(arm, 0) != nil; arm++ {
		if _, low, high, ok := LeadShift(short, long, arm); !ok || low > 0 || high < 0 {
			return false
		}
	}
	return true
}

// LeadShift is by how much the log ratio of an arm to the base differs after
// the longer lead-in from that after the shorter one: the median over rounds,
// with a rank interval. ok is false when there are too few rounds.
func LeadShift(short, long record.Unit, arm int) (shift, low, high float64, ok bool) {
	a, b := PairRatios(short, arm), PairRatios(long, arm)
	differences := make([]float64, min(len(a), len(b)))
	for i := range differences {
		differences[i] = b[i] - a[i]
	}
	if len(differences) < fewestPilotRounds {
		return 0, 0, 0, false
	}
	ranks := stat.PrepareRankIntervals(differences)
	low, high = ranks.SignTest(pilotLevel)
	return stat.Median(differences), low, high, true
}

// PairRatios returns ln(arm / base) for each pair of a unit, in order.
func PairRatios(u record.Unit, arm int) []float64 {
	base, other := u.Find(0, 0), u.Find(arm, 0)
	if base == nil || other == nil {
		return nil
	}
	ratios := make([]float64, min(len(base.Wall), len(other.Wall)))
	for i := range ratios {
		ratios[i] = math.Log(float64(max(1, other.Wall[i]))) - math.Log(float64(max(1, base.Wall[i])))
	}
	return ratios
}
