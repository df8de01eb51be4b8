package rtcompare

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/host"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
)

// The stages that CompareOptions.Progress is told of.
const (
	StageCalibrating = "calibrating"
	StageValidating  = "validating"
	StageMeasuring   = "measuring"
	StageResampling  = "resampling"
)

// Progress tells how far a comparison is.
type Progress struct {
	// Stage is one of the Stage constants.
	Stage string
	// Done and Total count the steps of the stage: runs of identical code while
	// validating, and with a Budget milliseconds of it while measuring. Other
	// stages are reported once, with 0 and 1.
	Done, Total int
}

// Compare measures two candidates and says whether one is really faster.
//
// With a Budget or a Precision in the options it measures both in short
// interleaved units, each of which also compares each candidate with itself,
// and ends as soon as the answer is clear. Without, it follows the fixed
// protocol: it sizes the batches, measures each candidate against itself,
// interleaved, then both against each other, and tests for trends. Afterwards
// it checks in a fraction of a second whether the caches or the garbage
// collector would change the answer.
//
// Options are checked before anything is measured. An error names the candidate
// and the option; a panic in a candidate's code is an error with its stack.
func Compare(a, b Candidate, opt CompareOptions) (Report, error) {
	return CompareContext(context.Background(), a, b, opt)
}

// CompareContext is Compare and ends within one batch of ctx being done, with
// an error that wraps ctx's.
func CompareContext(ctx context.Context, a, b Candidate, opt CompareOptions) (Report, error) {
	reports, err := compareWith(ctx, []Candidate{a, b}, opt, realEnvironment())
	if err != nil {
		return Report{}, err
	}
	return reports[0], nil
}

// comparison is the state of one call.
type comparison struct {
	env        environment
	candidates []Candidate
	opt        CompareOptions
	seed       uint64
	start      time.Duration
	watch      clock.Stopwatch
	loadBefore host.Load
	measured   measured
	// validated keeps what identical code of each arm showed.
	validated map[int]HarnessValidation
}

// measured is what either protocol hands over to the reports.
type measured struct {
	units    []record.Unit
	protocol Protocol
	counts   []engine.Count
	costs    engine.CostPlan
	// plannedRuns and plannedPairs are what MaxDuration may have cut.
	plannedRuns, plannedPairs int
	checks                    *checks
	shortUnits                bool
}

// compareWith measures all candidates and returns one report per candidate
// after the first, each against the first.
func compareWith(ctx context.Context, candidates []Candidate, opt CompareOptions, env environment) ([]Report, error) {
	if err := checkCandidates(candidates); err != nil {
		return nil, err
	}
	if err := opt.check(); err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	seed, err := seedOrRandom(opt.Seed)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, engine.Stopped(ctx)
	}
	c := &comparison{env: env, candidates: candidates, opt: opt, seed: seed, start: env.now(), watch: env.watch(), loadBefore: env.load()}
	defer disableCollector(opt.Collect.DisableGC)()
	if opt.sequential() {
		err = c.runSequential(ctx)
	} else {
		err = c.runFixed(ctx)
	}
	if err != nil {
		return nil, err
	}
	c.measured.protocol.Duration = env.now() - c.start
	c.progress(StageResampling, 0, 1)
	return c.reports(), nil
}

func (c *comparison) progress(stage string, done, total int) {
	if c.opt.Progress != nil {
		c.opt.Progress(Progress{Stage: stage, Done: done, Total: total})
	}
}

// errorRate is the share of wrong verdicts per pair: with several candidates
// the asked one is divided among the pairs (Bonferroni).
func (c *comparison) errorRate() float64 {
	return (1 - c.opt.Level) / float64(max(1, len(c.candidates)-1))
}

// policy is how the candidate with the given index is judged against the first.
func (c *comparison) policy(index int, purpose record.Purpose, metric judge.Metric) judge.Policy {
	return judge.Policy{
		Arm: index, Metric: metric, Purpose: purpose, ErrorRate: c.errorRate(), Margin: logMargin(c.opt.Margin),
		Tick: c.env.tickNanoseconds(), Overhead: float64(c.env.reading().ReadCost), Sequential: c.opt.sequential(),
	}
}

// seedOrRandom returns the seed, or a random one with the lowest bit set.
func seedOrRandom(seed uint64) (uint64, error) {
	if seed != 0 {
		return seed, nil
	}
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return 0, fmt.Errorf("drawing a random seed: %w", err)
	}
	return binary.LittleEndian.Uint64(random[:]) | 1, nil
}

// runFixed is the published protocol: batch size, runs of identical code, the
// series, and then our checks.
func (c *comparison) runFixed(ctx context.Context) error {
	h := newHarness(c.candidates, c.opt.Collect, c.env)
	if err := h.size(ctx, c.opt.Progress); err != nil {
		return err
	}
	half, end := time.Duration(-1), time.Duration(-1)
	if c.opt.MaxDuration > 0 {
		half, end = c.start+c.opt.MaxDuration/2, c.start+c.opt.MaxDuration
	}
	m := &c.measured
	m.plannedRuns, m.plannedPairs = c.opt.ValidationRuns, c.opt.Collect.Repeats
	h.opt.Repeats = affordableRepeats(h, c.opt)
	// In strict ABBA whatever has a period of four batches, such as the state of
	// a predictor, falls on the same candidate for the whole series. Blocks that
	// begin in a random direction turn it into scatter, which the interval sees.
	h.kind = balanced(c.opt.Collect.Order)
	if !c.opt.SkipValidation {
		units, err := h.identical(ctx, c.opt.ValidationRuns, half, c.opt.Progress)
		if err != nil {
			return err
		}
		m.units = units
	}
	c.progress(StageMeasuring, 0, 1)
	series, err := h.series(ctx, end)
	if err != nil {
		return err
	}
	m.units = append(m.units, series)
	m.protocol = Protocol{InnerLoops: uint64(h.n), PairsPerUnit: len(series.Cells[0].Wall)}
	if c.opt.SkipValidation || c.opt.SkipChecks || (end >= 0 && c.env.now() > end) {
		return nil
	}
	return c.check(ctx, h, series, end)
}

// affordableRepeats is the number of pairs in a run, cut where ten runs of
// identical code would not fit into half of MaxDuration. It stays odd, and at
// or above the smallest number that an estimate is made from.
func affordableRepeats(h *harness, opt CompareOptions) int {
	repeats := h.opt.Repeats
	if opt.MaxDuration <= 0 || h.batch <= 0 {
		return repeats
	}
	rounds := fewestValidationRuns * 2 * len(h.arms)
	if opt.SkipValidation {
		rounds = len(h.arms)
	}
	affordable := int(opt.MaxDuration / 2 / (h.batch * time.Duration(rounds)))
	if affordable >= repeats {
		return repeats
	}
	return min(repeats, max(MinimumDataPoints, affordable-1+affordable%2))
}

// runSequential measures units until the answer is clear or the budget is spent.
func (c *comparison) runSequential(ctx context.Context) error {
	collect := c.opt.Collect
	target, _ := batchTarget(collect, c.env)
	arms := make([]engine.Arm, len(c.candidates))
	rebuild := false
	for i, candidate := range c.candidates {
		arms[i] = function(candidate, i, collect, c.env)
		rebuild = rebuild || candidate.New != nil
	}
	coin := NewDPRNG(collect.Seed)
	design := engine.Design{
		Order: balanced(collect.Order), Coin: &coin,
		Batch: target, N: int64(collect.InnerLoops), MaxN: int64(collect.MaxInnerLoops),
		Identical: !c.opt.SkipValidation, Rebuild: rebuild,
		Unit: unitDuration, UnitPairs: unitPairs, Budget: c.opt.Budget, FirstLook: judge.FirstLook, NoCosts: collect.DisableGC, Seed: c.seed,
	}
	if !collect.SkipWarmup {
		design.Warmup = engine.Warmup{Rounds: collect.Warmup, Duration: collect.WarmupDuration}
	}
	outcome, err := engine.Sequential(ctx, arms, design, c.env.now, engine.Hooks{Look: c.decided, Stage: c.sequentialProgress})
	if err != nil {
		return explainArm(err, c.candidates)
	}
	pairsPerRound := 1
	if design.Identical {
		pairsPerRound = 2
	}
	c.measured = measured{
		units: outcome.Units, counts: outcome.Counts, costs: outcome.Costs, shortUnits: outcome.ShortUnits,
		protocol: Protocol{
			Sequential: true, InnerLoops: uint64(outcome.N), LeadIn: outcome.LeadTime, LeadInLoops: uint64(outcome.Lead),
			PairsPerUnit: outcome.Rounds * pairsPerRound, Decided: outcome.Decided,
		},
	}
	return nil
}

const (
	// unitDuration and unitPairs are the shortest unit of a sequential
	// comparison. Noise that is slower than a unit is not averaged within one;
	// shorter units would depend on each other.
	unitDuration = 200 * time.Millisecond
	unitPairs    = 200
)

func (c *comparison) sequentialProgress(stage engine.Stage, done, _ int) {
	switch stage {
	case engine.StageCalibrating:
		c.progress(StageCalibrating, 0, 1)
	case engine.StagePiloting:
		c.progress(StageValidating, 0, 1)
	case engine.StageMeasuring:
		spent := c.env.now() - c.start
		c.progress(StageMeasuring, int(spent/time.Millisecond), int(c.opt.Budget/time.Millisecond))
	}
}

// decided is the stopping rule: every pair has a verdict, or the precision that
// was asked for.
func (c *comparison) decided(units []record.Unit) bool {
	for i := 1; i < len(c.candidates); i++ {
		d := c.judge(units, i)
		if c.opt.Precision > 0 {
			if d.Units < judge.FirstLook || !((d.High-d.Low)/2 <= c.opt.Precision) {
				return false
			}
			continue
		}
		if !(d.names() || d.Verdict == Equivalent || d.Mixed) {
			return false
		}
	}
	return true
}
