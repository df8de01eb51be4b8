package rtcompare

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/view"
)

const (
	// checkCostTime is what the check may take in any case where batches are
	// short, checkCostShare the part of the comparison's own time that it may
	// take.
	checkCostTime  = 3 * time.Second
	checkCostShare = 4
	// checkProbeTime is the longest wait for a candidate's collections, or this
	// many rounds.
	checkProbeTime   = time.Second
	checkProbeRounds = 2
	// checkCostUnits is the smallest number of stretches of each candidate;
	// further ones follow until checkCostSpan is over.
	checkCostUnits = 5
	checkCostSpan  = 500 * time.Millisecond
	// enoughCollections in one batch make it as good as a stretch.
	enoughCollections = 10
)

// collector counts allocations, and where they matter compares stretches that
// are long enough for garbage collections.
func (k *checking) collector(ctx context.Context) error {
	m := &k.measured
	counts, counted, err := engine.CountArms(ctx, k.loop, k.n, k.nsPerOp)
	if err != nil {
		return fmt.Errorf("counting allocations: %w", err)
	}
	m.counts = counts
	m.units = append(m.units, counted)
	if k.opt.Collect.DisableGC || k.left() <= 0 || k.answered() {
		return nil
	}
	limit := k.own / checkCostShare
	if !k.long() {
		limit = max(limit, checkCostTime)
	}
	limit = min(limit, k.left())
	began := k.env.now()
	wait := k.affordableWait(limit)
	if wait == 0 {
		k.leaveOut(view.CodeCollectorLeftOut)
		return nil
	}
	probe := max(checkProbeTime, checkProbeRounds*k.round)
	if m.costs, err = engine.PlanCosts(ctx, k.loop, k.n, counts, k.env.now, min(probe, wait)); err != nil {
		return fmt.Errorf("waiting for garbage collections: %w", err)
	}
	if m.costs.Unknown && k.long() && wait < probe {
		m.costs.Unknown = false
		k.leaveOut(view.CodeCollectorLeftOut)
	}
	if m.costs.Batches == 0 {
		return nil
	}
	return k.stretches(ctx, k.env.now()-began, began+limit)
}

// affordableWait is how long to wait for the collections of one candidate. As
// many batches as one of them waits for all others run as well, and each of the
// stretches takes as long again. It is zero where not even one batch each fits.
func (k *checking) affordableWait(limit time.Duration) time.Duration {
	wait := time.Duration(math.MaxInt64)
	rounds := float64(limit) / float64((1+checkCostUnits)*max(1, k.round))
	for arm, count := range k.measured.counts {
		if count.Allocates {
			wait = min(wait, time.Duration(min(rounds*float64(k.took[arm]), float64(limit))))
		}
	}
	if rounds < 1 && k.allocates() {
		return 0
	}
	return max(1, wait)
}

// allocates reports whether collections are a part of any candidate's cost.
func (k *checking) allocates() bool {
	for _, count := range k.measured.counts {
		if count.Allocates {
			return true
		}
	}
	return false
}

// answered reports whether long batches say by themselves what stretches would:
// those that hold many collections, and those before each of which garbage is
// collected, since a stretch of them is no different. The latter leave
// collections out because they were asked to, as with DisableGC, so that no
// winner is in doubt; that the cost is unknown is said.
func (k *checking) answered() bool {
	if !k.long() || !k.allocates() {
		return false
	}
	m, between := &k.measured, k.opt.Collect.GCBetween
	for arm, count := range m.counts {
		if count.Allocates && k.collections[arm] < enoughCollections && !between {
			return false
		}
	}
	for arm := range m.counts {
		if m.counts[arm].Allocates && k.collections[arm] == 0 {
			m.costs.Unknown = true
		}
		m.counts[arm].Allocates = false // nothing is hidden
	}
	return true
}

// stretches measures as many as an estimate needs, if the time until the end is
// enough. One of each candidate takes about as long as one did before.
func (k *checking) stretches(ctx context.Context, one, end time.Duration) error {
	began := k.env.now()
	if began+checkCostUnits*one > end+one {
		k.leaveOut(view.CodeCollectorLeftOut)
		return nil
	}
	request := engine.Request{N: k.n, Batches: k.measured.costs.Batches, Counters: true}
	for i := 0; i < checkCostUnits || k.env.now()-began < checkCostSpan; i++ {
		if i > 1 && k.env.now() > end+one {
			if i < checkCostUnits {
				k.leaveOut(view.CodeCollectorLeftOut)
			}
			return nil
		}
		unit, err := engine.CostUnit(ctx, k.loop, request)
		if err != nil {
			return fmt.Errorf("measuring garbage collections: %w", err)
		}
		unit.Index = i
		k.measured.units = append(k.measured.units, unit)
	}
	return nil
}
