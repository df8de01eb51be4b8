package rtcompare

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
	"github.com/rtcompare/rtcompare/internal/view"
)

// checks are what the fixed protocol looks at after its samples. They only
// warn, and take back a verdict that they contradict.
type checks struct {
	// cold and warm hold batches right after the other candidate's, and after a
	// long run of the same candidate; nil where batches are long themselves.
	cold, warm *record.Unit
}

const (
	// longBatch is the batch length from which caches settle within a batch.
	longBatch = 2 * time.Millisecond
	// checkPilotTime and checkCostTime bound the two checks. A check that is
	// cut says less; it never says something wrong.
	checkPilotTime = 150 * time.Millisecond
	checkProbeTime = time.Second
	checkCostTime  = 500 * time.Millisecond
	// checkCostUnits is the smallest number of stretches of each candidate.
	checkCostUnits = 5
	checkLevel     = 0.95
)

// check looks at the caches and then at the collector. From end on, if it is not
// negative, it begins nothing further.
func (c *comparison) check(ctx context.Context, h *harness, series record.Unit, end time.Duration) (err error) {
	left := func() time.Duration {
		if end < 0 {
			return time.Hour
		}
		return end - c.env.now()
	}
	loop, err := h.open(ctx, order.Plain(len(h.arms)))
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := loop.Close(); err == nil {
			err = closeErr
		}
	}()
	nsPerOp := make([]float64, len(h.arms))
	mean := 0.0
	for i := range nsPerOp {
		// A batch that took no time on a coarse clock took a nanosecond at most.
		nsPerOp[i] = max(stat.Median(samples(series.Find(i, 0))), 1/float64(h.n))
		mean += nsPerOp[i] / float64(len(nsPerOp))
	}
	m := &c.measured
	m.checks = &checks{}
	if left() > checkPilotTime {
		if err := c.checkCaches(ctx, loop, h.n, mean); err != nil {
			return fmt.Errorf("checking the caches: %w", err)
		}
	}
	counts, counted, err := engine.CountArms(ctx, loop, h.n, nsPerOp)
	if err != nil {
		return fmt.Errorf("counting allocations: %w", err)
	}
	m.counts = counts
	m.units = append(m.units, counted)
	if c.opt.Collect.DisableGC || left() <= 0 {
		return nil
	}
	if m.costs, err = engine.PlanCosts(ctx, loop, h.n, counts, c.env.now, min(checkProbeTime, left())); err != nil {
		return fmt.Errorf("waiting for garbage collections: %w", err)
	}
	return c.checkCollector(ctx, loop, h.n, left)
}

func (c *comparison) checkCaches(ctx context.Context, loop engine.Loop, n int64, meanNsPerOp float64) error {
	if meanNsPerOp*float64(n) >= float64(longBatch) {
		return nil
	}
	pilot := engine.Pilot{Loop: loop, N: n, NsPerOp: meanNsPerOp, Now: c.env.now}
	cold, warm, err := pilot.Ends(ctx, engine.LongestSoak, checkPilotTime)
	if err != nil {
		return err
	}
	c.measured.units = append(c.measured.units, cold, warm)
	c.measured.checks.cold, c.measured.checks.warm = &cold, &warm
	return nil
}

func (c *comparison) checkCollector(ctx context.Context, loop engine.Loop, n int64, left func() time.Duration) error {
	m := &c.measured
	if m.costs.Batches == 0 {
		return nil
	}
	request := engine.Request{N: n, Batches: m.costs.Batches, Counters: true}
	begun := c.env.now()
	for i := 0; i < checkCostUnits || c.env.now()-begun < checkCostTime; i++ {
		if i > 1 && (c.env.now()-begun > 4*checkCostTime || left() <= 0) {
			return nil
		}
		unit, err := engine.CostUnit(ctx, loop, request)
		if err != nil {
			return fmt.Errorf("measuring garbage collections: %w", err)
		}
		unit.Index = i
		m.units = append(m.units, unit)
	}
	return nil
}

// findings are the warnings of the checks, and whether one of them contradicts
// the verdict.
func (c *comparison) findings(r ruling, index int) (found []record.Warning, contradicted bool) {
	m := c.measured
	if m.checks == nil {
		return nil, false
	}
	if m.checks.cold != nil {
		w, against := coldCache(m.checks, r.Decision, index)
		found, contradicted = append(found, w...), against
	}
	cost := judge.Judge(m.units, c.costCheckPolicy(index))
	if cost.Units < checkCostUnits {
		return found, contradicted
	}
	with := decisionOf(cost, c.opt.Margin)
	if cost.Low > r.LogRatio+logMargin(c.opt.Margin) || cost.High < r.LogRatio-logMargin(c.opt.Margin) {
		found = append(found, record.Warning{Code: view.CodeCollector, Arm: index, Values: map[string]float64{
			"with": math.Exp(cost.LogRatio), "without": math.Exp(r.LogRatio)}})
		// Collections change the ratio; the winner has to win with them too.
		contradicted = contradicted || with.Verdict != r.Verdict
	}
	return found, contradicted || r.opposite(with)
}

func (c *comparison) costCheckPolicy(index int) judge.Policy {
	return judge.Policy{
		Arm: index, Metric: judge.Wall, Purpose: record.Cost, ErrorRate: 1 - checkLevel, Margin: logMargin(c.opt.Margin),
	}
}

// coldCache compares the ratio without a lead-in with that after a soak.
func coldCache(found *checks, d Decision, index int) (warnings []record.Warning, contradicted bool) {
	if engine.CompareLeads(*found.cold, *found.warm) != engine.Differs {
		return nil, false
	}
	warm, low, high := engine.SoakedRatio(*found.warm, index, checkLevel)
	// Warm caches change the ratio; the winner has to win with them too.
	contradicted = (d.Verdict == AFaster && !(low > 0)) || (d.Verdict == BFaster && !(high < 0))
	return []record.Warning{{Code: view.CodeColdCache, Arm: index, Values: map[string]float64{
		"lead_ms": float64(engine.LongestSoak) / float64(time.Millisecond),
		"warm":    math.Exp(warm), "cold": math.Exp(d.LogRatio)}}}, contradicted
}
