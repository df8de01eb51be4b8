package engine

import (
	"context"
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

const (
	// correlationTimes is how many correlation times a unit lasts at least, so
	// that units hardly depend on each other.
	correlationTimes = 10
	// unitWarmup bounds the unmeasured rounds at the start of a unit.
	unitWarmup = 20 * time.Millisecond
	// sizingPairs is how many pairs the correlation time is measured on.
	sizingPairs = 200
)

// size fixes the length of a unit before the first one is judged: the planned
// time and number of pairs, and ten measured correlation times; but so that
// the budget that is left holds a few units.
func (r *run) size(ctx context.Context) error {
	pairsPerRound := max(1, len(r.slots())/len(r.arms))
	request := Request{Lead: r.outcome.Lead, N: r.outcome.N}
	if r.roundTime(r.outcome.Lead) > r.left()/(2*fewestUnits) {
		// Rounds this long leave no time for a trial, and no choice.
		r.outcome.Rounds, r.outcome.ShortUnits = 2, 2*pairsPerRound < r.design.UnitPairs
		return nil
	}
	trialRounds := min((sizingPairs+pairsPerRound-1)/pairsPerRound, r.roundsIn(r.left()/(2*fewestUnits)))
	began := r.now()
	trial, err := r.loop.Measure(ctx, request, trialRounds, record.Pilot)
	if err != nil {
		return err
	}
	perRound := max(1, (r.now()-began)/time.Duration(trialRounds))
	trial.Stage = len(leadIns) + 1
	if err := r.keep(trial); err != nil {
		return err
	}
	rounds := math.Ceil(float64(r.design.Unit) / float64(perRound))
	rounds = max(rounds, math.Ceil(float64(r.design.UnitPairs)/float64(pairsPerRound)))
	// The first replicas alone were looked at, so the correlation time is one in
	// rounds.
	rounds = max(rounds, math.Ceil(correlationTimes*correlationPairs(trial, len(r.arms))))
	wanted := int(rounds)
	affordable := int(r.left() / (fewestUnits * perRound))
	r.outcome.Rounds = evenRounds(min(wanted, affordable))
	r.outcome.ShortUnits = r.outcome.Rounds < wanted && r.outcome.Rounds*pairsPerRound < r.design.UnitPairs
	return nil
}

func (r *run) roundsIn(d time.Duration) int {
	return evenRounds(int(d / max(1, r.roundTime(r.outcome.Lead))))
}

// evenRounds makes forward and backward rounds equally many.
func evenRounds(rounds int) int { return max(2, rounds+rounds%2) }

// correlationPairs estimates after how many pairs the log ratios of a trial
// stop resembling each other: the long-run variance of their signs over the
// variance that independent pairs would have. It is the largest over the arms,
// and at least one.
func correlationPairs(trial record.Unit, arms int) float64 {
	largest := 1.0
	for arm := 1; arm < arms; arm++ {
		ratios := PairRatios(trial, arm)
		if len(ratios) < 2 {
			continue
		}
		lambda, _ := stat.LongRunVarianceOfSigns(ratios)
		// Values that tie with the median have no sign; the variance of
		// independent signs is the share of the others.
		lambda /= signed(ratios)
		if !math.IsNaN(lambda) && !math.IsInf(lambda, 0) {
			largest = max(largest, lambda)
		}
	}
	return largest
}

// signed is the share of values that differ from the median.
func signed(x []float64) float64 {
	median, differing := stat.Median(x), 0
	for _, v := range x {
		if v != median {
			differing++
		}
	}
	return float64(differing) / float64(len(x))
}

// typicalUnits is how many units of short batches are measured where stretches
// with collections decide. They are shown beside the answer, and five of them
// give an interval.
const typicalUnits = 5

// measure runs units until the stopping rule is content or the budget is
// spent. Where an arm allocates enough to matter, stretches with collections
// carry the verdict. They come after one unit of short batches, then in turn
// with further ones, and have the time to themselves when there are enough of
// those.
func (r *run) measure(ctx context.Context) error {
	mainUnits, costUnits := 0, 0
	for index := 0; ; index++ {
		r.stage(StageMeasuring, index, 0)
		isCost := r.outcome.Costs.Batches > 0 && mainUnits > 0 && (costUnits < typicalUnits || costUnits <= typicalUnits+mainUnits || mainUnits >= typicalUnits)
		// The order of building alternates among units of a kind, whatever
		// their sequence.
		before := mainUnits
		if isCost {
			before = costUnits
		}
		unit, err := r.unit(ctx, before%2 == 1, isCost)
		if err != nil {
			return err
		}
		unit.Index = index
		if err := r.keep(unit); err != nil {
			return err
		}
		if isCost {
			costUnits++
		} else {
			mainUnits++
		}
		if r.hooks.Look != nil && r.hooks.Look(r.outcome.Units) {
			r.outcome.Decided = true
			return nil
		}
		if r.left() <= 0 {
			return nil
		}
	}
}

func (r *run) unit(ctx context.Context, reverse, isCost bool) (record.Unit, error) {
	if r.design.Rebuild {
		if err := r.rebuild(ctx, reverse); err != nil {
			return record.Unit{}, err
		}
	}
	if r.leavesGarbage() {
		if err := r.loop.Settle(ctx); err != nil {
			return record.Unit{}, err
		}
	}
	if isCost {
		return r.costUnit(ctx)
	}
	request := Request{Lead: r.outcome.Lead, N: r.outcome.N}
	// Some unmeasured rounds pay for the collection and the waking up; a few
	// where operations are short, none where they are long.
	warm := Warmup{Rounds: min(2, int(unitWarmup/max(1, r.roundTime(r.outcome.Lead))))}
	if err := r.loop.Warm(ctx, request, warm, r.now); err != nil {
		return record.Unit{}, err
	}
	return r.loop.Measure(ctx, request, r.outcome.Rounds, record.Main)
}

// leavesGarbage reports whether there is anything to settle between units. On a
// busy machine settling takes longer than many rounds, so it is not done for
// arms that leave nothing behind.
func (r *run) leavesGarbage() bool {
	if r.design.Rebuild {
		return true
	}
	for _, count := range r.outcome.Counts {
		if count.Allocates || count.BytesPerOp < 0 {
			return true
		}
	}
	return len(r.outcome.Counts) == 0
}

func (r *run) rebuild(ctx context.Context, reverse bool) error {
	old := r.loop
	r.loop = Loop{} // Nothing is closed twice, whatever comes now.
	if err := old.Close(); err != nil {
		return err
	}
	return r.open(ctx, reverse)
}

func (r *run) keep(u record.Unit) error {
	r.outcome.Units = append(r.outcome.Units, u)
	if r.hooks.Keep != nil {
		return r.hooks.Keep(u)
	}
	return nil
}
