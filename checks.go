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
	// leftOut says which checks would have taken too long.
	leftOut []record.Warning
}

const (
	// longBatch is the batch length from which caches settle within a batch,
	// and from which the checks have to be counted in batches.
	longBatch = 2 * time.Millisecond
	// checkPilotTime is what the pilot may take in any case, and checkPilotArm
	// what it may for each candidate. A check that is cut says less; it never
	// says something wrong.
	checkPilotTime = 150 * time.Millisecond
	checkPilotArm  = 60 * time.Millisecond
	// checkPilotShare is the part of the comparison's own time that the pilot
	// may take.
	checkPilotShare = 10
	// pilotRounds is about how many rounds the shortest pilot has, and
	// pilotSoaks how many soaks of each candidate.
	pilotRounds = 32
	pilotSoaks  = 2
	checkLevel  = 0.95
)

// check looks at the caches and then at the collector. From end on, if it is not
// negative, it begins nothing further.
func (c *comparison) check(ctx context.Context, h *harness, series record.Unit, end time.Duration) (err error) {
	own := c.env.now() - c.start
	loop, err := h.open(ctx, order.Plain(len(h.arms)))
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := loop.Close(); err == nil {
			err = closeErr
		}
	}()
	k := &checking{comparison: c, loop: loop, n: h.n, own: own, end: end}
	for arm := range h.arms {
		// A batch that took no time on a coarse clock took a nanosecond at most.
		k.nsPerOp = append(k.nsPerOp, max(stat.Median(samples(series.Find(arm, 0))), 1/float64(h.n)))
	}
	c.measured.checks = &checks{}
	if err := k.look(ctx); err != nil {
		return fmt.Errorf("looking at one batch of each: %w", err)
	}
	if err := k.caches(ctx); err != nil {
		return fmt.Errorf("checking the caches: %w", err)
	}
	return k.collector(ctx)
}

// checking is the state of the checks of one comparison.
type checking struct {
	*comparison
	loop    engine.Loop
	n       int64
	nsPerOp []float64
	// own is how long the comparison took without them, end when its time is
	// up, negative if never.
	own, end time.Duration
	// took is how long one batch of each candidate takes with all that goes
	// around it, round the sum, and collections how many came in each.
	took        []time.Duration
	round       time.Duration
	collections []int64
}

// left is the time until the end.
func (k *checking) left() time.Duration {
	if k.end < 0 {
		return time.Hour
	}
	return k.end - k.env.now()
}

// long reports whether batches take so long that the time for the checks has to
// follow that of the comparison.
func (k *checking) long() bool { return k.round >= longBatch*time.Duration(len(k.nsPerOp)) }

// leaveOut remembers that a check would have taken too long.
func (k *checking) leaveOut(code string) {
	k.measured.checks.leftOut = append(k.measured.checks.leftOut, record.Warning{Code: code, Values: map[string]float64{
		"batch_seconds": k.round.Seconds() / float64(len(k.nsPerOp))}})
}

// look measures one batch of every candidate.
func (k *checking) look(ctx context.Context) error {
	for _, session := range k.loop.Sessions {
		began := k.env.now()
		sample := engine.Sample{CPU: -1, Bytes: -1, Allocs: -1, Collections: -1, Preempted: -1}
		if err := session.Do(ctx, engine.Request{N: k.n, Counters: true}, &sample); err != nil {
			return err
		}
		took := k.env.now() - began
		k.took, k.collections = append(k.took, took), append(k.collections, sample.Collections)
		k.round += took
	}
	return nil
}

// caches compares batches without a lead-in and after a soak. Long batches are
// their own lead-in.
func (k *checking) caches(ctx context.Context) error {
	arms, mean := time.Duration(len(k.nsPerOp)), 0.0
	for _, ns := range k.nsPerOp {
		mean += ns / float64(arms)
	}
	if mean*float64(k.n) >= float64(longBatch) || k.left() <= checkPilotTime {
		return nil
	}
	if pilotRounds*k.round+pilotSoaks*arms*engine.LongestSoak > max(checkPilotTime, arms*checkPilotArm, k.own/checkPilotShare) {
		k.leaveOut(view.CodeCachesLeftOut)
		return nil
	}
	pilot := engine.Pilot{Loop: k.loop, N: k.n, NsPerOp: mean, Now: k.env.now}
	cold, warm, err := pilot.Ends(ctx, engine.LongestSoak, checkPilotTime)
	if err != nil {
		return err
	}
	k.measured.units = append(k.measured.units, cold, warm)
	k.measured.checks.cold, k.measured.checks.warm = &cold, &warm
	return nil
}

// findings are the warnings of the checks, and whether one of them contradicts
// the verdict.
func (c *comparison) findings(r ruling, index int) (found []record.Warning, contradicted bool) {
	m := c.measured
	if m.checks == nil {
		return nil, false
	}
	for _, w := range m.checks.leftOut {
		w.Arm = index
		found = append(found, w)
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
