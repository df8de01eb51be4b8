package engine

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// leadIns are the lengths of lead-in that the pilot chooses from. A batch right
// after the other arm's runs in caches that the other arm filled; a lead-in by
// the same arm brings back the state that the arm has when it runs alone.
var leadIns = [...]time.Duration{0, 100 * time.Microsecond, 500 * time.Microsecond, time.Millisecond, 2 * time.Millisecond}

const (
	// longestLeadIn is the longest of the usual ones, and the batch length from
	// which no lead-in is needed: such a batch is its own.
	longestLeadIn = 2 * time.Millisecond
	// LongestSoak is the lead-in that stands for running alone. Some caches
	// take that long to settle.
	LongestSoak = 20 * time.Millisecond
	// soakShare is the smallest number of soaks that a budget has to hold.
	soakShare = 300
	// soakedBatches are timed together after each soak: it is the expensive
	// part, and the state lasts.
	soakedBatches = 10
	soakedRounds  = 2
	// blockRounds are measured with one lead-in at a stretch, after
	// blockSettling of unmeasured rounds with the same one: what a lead-in does
	// shows only in the state that its own repetition leads to.
	blockRounds   = 10
	blockSettling = 4 * time.Millisecond
	// fewestCycles show that nothing changes, where nothing does.
	fewestCycles = 2
	mostCycles   = 10
	// pilotShare is the part of the budget that each of the two steps of the
	// pilot may take.
	pilotShare = 10
	// leadTolerance is the largest shift of a log ratio that a lead-in may
	// leave, ownTolerance that of an arm's own time, below which nothing can be
	// hidden in the ratio.
	leadTolerance = 0.04
	ownTolerance  = 0.02
	// pilotLevel is modest: there are few cycles, and a lead-in that is longer
	// than needed costs time and no truth.
	pilotLevel = 0.90
)

// Pilot compares lead-ins.
type Pilot struct {
	// Loop visits one replica of every arm.
	Loop Loop
	// N is the batch size, NsPerOp the mean time of an operation over the arms,
	// which turns times into operations.
	N       int64
	NsPerOp float64
	Now     Clock
}

// Operations is how many operations a lead-in of the given length has.
func (p Pilot) Operations(lead time.Duration) int64 {
	return int64(math.Ceil(float64(lead) / p.NsPerOp))
}

// Block measures rounds with one lead-in, in the state that this lead-in leads
// to.
func (p Pilot) Block(ctx context.Context, lead time.Duration) (record.Unit, error) {
	request := Request{Lead: p.Operations(lead), N: p.N}
	if err := p.Loop.Warm(ctx, request, Warmup{Rounds: 2, Duration: blockSettling}, p.Now); err != nil {
		return record.Unit{}, err
	}
	return p.Loop.Measure(ctx, request, blockRounds, record.Pilot)
}

// Soaked measures rounds in which every arm first runs for so long that it finds
// the machine as if it ran alone.
func (p Pilot) Soaked(ctx context.Context, soak time.Duration) (record.Unit, error) {
	request := Request{Lead: p.Operations(soak), N: p.N, Batches: soakedBatches}
	return p.Loop.Measure(ctx, request, soakedRounds, record.Pilot)
}

// Ends measures without a lead-in and with a soak, in turn, at least once and
// until the given time is over. It ends sooner where nothing changes.
func (p Pilot) Ends(ctx context.Context, soak, limit time.Duration) (cold, soaked record.Unit, err error) {
	start := p.Now()
	for cycle := 0; cycle < 1 || (cycle < mostCycles && p.Now()-start < limit); cycle++ {
		block, err := p.Block(ctx, 0)
		if err != nil {
			return cold, soaked, err
		}
		long, err := p.Soaked(ctx, soak)
		if err != nil {
			return cold, soaked, err
		}
		cold, soaked = join(cold, block), join(soaked, long)
		if cycle+1 >= fewestCycles && ownTimesHold(cold, soaked) {
			break
		}
	}
	soaked.Stage = len(leadIns)
	return cold, soaked, nil
}

// between measures the lead-ins between none and a soak, in turn, in whole
// cycles until the given time is over.
func (p Pilot) between(ctx context.Context, limit time.Duration) ([]record.Unit, error) {
	units := make([]record.Unit, len(leadIns)-1)
	start := p.Now()
	for cycle := 0; cycle < mostCycles; cycle++ {
		blocks := make([]record.Unit, len(units))
		for i, lead := range leadIns[1:] {
			if p.Now()-start >= limit {
				return units, nil
			}
			block, err := p.Block(ctx, lead)
			if err != nil {
				return units, err
			}
			blocks[i] = block
		}
		for i, block := range blocks {
			units[i] = join(units[i], block)
			units[i].Stage = i + 1
		}
	}
	return units, nil
}

// pilot finds the lead-in: the shortest that leaves the ratios as they are after
// a soak. Where even the longest usual one changes them it is the soak itself,
// and where the noise hides the answer the longest usual one.
func (r *run) pilot(ctx context.Context) error {
	mean := 0.0
	for _, ns := range r.nsPerOp {
		mean += ns / float64(len(r.nsPerOp))
	}
	if mean*float64(r.outcome.N) >= float64(longestLeadIn) {
		return nil
	}
	p := Pilot{Loop: r.plain(), N: r.outcome.N, NsPerOp: mean, Now: r.now}
	limit := r.design.Budget / pilotShare
	soak := max(longestLeadIn, min(LongestSoak, r.design.Budget/soakShare))
	cold, soaked, err := p.Ends(ctx, soak, limit)
	if err != nil {
		return err
	}
	units := []record.Unit{cold, soaked}
	lead := time.Duration(0)
	if CompareLeads(cold, soaked) != Suffices {
		between, err := p.between(ctx, limit)
		if err != nil {
			return err
		}
		lead = chooseLead(between, soaked, soak)
		for _, u := range between {
			if u.Cells != nil {
				units = append(units, u)
			}
		}
	}
	r.outcome.Lead, r.outcome.LeadTime = p.Operations(lead), lead
	for _, u := range units {
		if err := r.keep(u); err != nil {
			return err
		}
	}
	return nil
}

func chooseLead(between []record.Unit, soaked record.Unit, soak time.Duration) time.Duration {
	answer := Unclear
	for i, u := range between {
		if u.Cells == nil {
			return longestLeadIn
		}
		if answer = CompareLeads(u, soaked); answer == Suffices {
			return leadIns[i+1]
		}
	}
	if answer == Differs {
		return soak
	}
	return longestLeadIn
}

// Answer is what a comparison of two lead-ins says.
type Answer int

const (
	// Unclear: noise hides it.
	Unclear Answer = iota
	// Suffices: the shorter one leaves the ratios as they are after the longer.
	Suffices
	// Differs: it does not.
	Differs
)

// CompareLeads compares the log ratios of all arms to the base after a lead-in
// with those after a soak. If every arm's own time is the same after both, the
// ratios are too, however noisy they are.
func CompareLeads(short, soaked record.Unit) Answer {
	if ownTimesHold(short, soaked) {
		return Suffices
	}
	answer := Suffices
	for arm := 1; short.Find(arm, 0) != nil; arm++ {
		shift, low, high := LeadShift(short, soaked, arm, pilotLevel)
		switch {
		case math.Abs(shift) > leadTolerance && (low > 0 || high < 0):
			return Differs
		case !closeEnough(short, soaked, arm):
			answer = Unclear
		}
	}
	return answer
}

// closeEnough reports whether the ratio is the same after both within the
// tolerance. It takes all rounds together: that a lead-in differs has to be seen
// in every cycle, or slow noise would look like it; that it does not differ
// would be hard to see in so few.
func closeEnough(short, soaked record.Unit, arm int) bool {
	a, b := bothWays(PairRatios(short, arm)), PairRatios(soaked, arm)
	slices.Sort(a)
	slices.Sort(b)
	shift := stat.MedianSorted(b) - stat.MedianSorted(a)
	reach := stat.NormalQuantile((1+pilotLevel)/2) * math.Hypot(stat.MedianError(a), stat.MedianError(b))
	return math.Abs(shift)+reach <= leadTolerance
}

// bothWays is the mean of each forward and backward round's log ratios, which
// holds no effect of position.
func bothWays(pairs []float64) []float64 {
	both := make([]float64, len(pairs)/2)
	for i := range both {
		both[i] = (pairs[2*i] + pairs[2*i+1]) / 2
	}
	return both
}

// ownTimesHold reports whether every arm takes the same time after both.
func ownTimesHold(short, soaked record.Unit) bool {
	for arm := 0; short.Find(arm, 0) != nil; arm++ {
		if !(math.Abs(ownShift(short, soaked, arm)) <= ownTolerance) {
			return false
		}
	}
	return true
}

func ownShift(short, soaked record.Unit, arm int) float64 {
	return logMedian(short.Find(arm, 0)) - logMedian(soaked.Find(arm, 0))
}

func logMedian(cell *record.Cell) float64 {
	if cell == nil || len(cell.Wall) == 0 {
		return math.NaN()
	}
	values := make([]float64, len(cell.Wall))
	for i, wall := range cell.Wall {
		values[i] = math.Log(float64(max(1, wall)) / float64(cell.N))
	}
	return stat.MedianInPlace(values)
}

// LeadShift is by how much the log ratio of an arm to the base is larger after a
// soak than after a lead-in, with a t interval over the cycles in which both
// were measured.
func LeadShift(short, soaked record.Unit, arm int, level float64) (shift, low, high float64) {
	a, b := cycleRatios(short, arm, blockRounds), cycleRatios(soaked, arm, soakedRounds)
	shifts := make([]float64, min(len(a), len(b)))
	for i := range shifts {
		shifts[i] = b[i] - a[i]
	}
	return stat.MeanInterval(shifts, level)
}

// SoakedRatio is the log ratio of an arm to the base after a soak, with a t
// interval over the cycles.
func SoakedRatio(soaked record.Unit, arm int, level float64) (logRatio, low, high float64) {
	return stat.MeanInterval(cycleRatios(soaked, arm, soakedRounds), level)
}

// cycleRatios is the median log ratio of an arm to the base per cycle.
func cycleRatios(u record.Unit, arm, rounds int) []float64 {
	pairs := PairRatios(u, arm)
	cycles := make([]float64, 0, len(pairs)/rounds)
	for ; len(pairs) >= rounds; pairs = pairs[rounds:] {
		cycles = append(cycles, stat.MedianInPlace(bothWays(pairs[:rounds])))
	}
	return cycles
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
