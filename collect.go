package rtcompare

import (
	"context"
	"fmt"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
)

// Collect measures two candidates and returns one sample per round for each, in
// nanoseconds per operation and in measured order. Samples with the same index
// were measured next to each other: they are pairs.
//
// Collect owns order, warm-up, collections and the division by the batch size;
// the candidate owns the loop. What is measured is the whole batch body: a loop
// counter or a copied input that both candidates carry makes a difference look
// smaller than it is. See HOWTO.md.
//
// An error names the candidate and the option: a nil Batch, a negative or too
// small count, an unknown order, a batch that could not be sized, or a panic in
// a candidate's code.
func Collect(a, b Candidate, opt CollectOptions) (samplesA, samplesB []float64, err error) {
	candidates := []Candidate{a, b}
	if err := checkCandidates(candidates); err != nil {
		return nil, nil, err
	}
	if err := opt.check(); err != nil {
		return nil, nil, err
	}
	h := newHarness(candidates, opt, realEnvironment())
	defer disableCollector(opt.DisableGC)()
	if err := h.size(context.Background(), nil); err != nil {
		return nil, nil, err
	}
	unit, err := h.series(context.Background(), time.Duration(-1))
	if err != nil {
		return nil, nil, err
	}
	return samples(unit.Find(0, 0)), samples(unit.Find(1, 0)), nil
}

// samples converts a cell's batches to nanoseconds per operation.
func samples(cell *record.Cell) []float64 {
	if cell == nil {
		return nil
	}
	converted := make([]float64, len(cell.Wall))
	for i, wall := range cell.Wall {
		converted[i] = float64(wall) / float64(cell.N)
	}
	return converted
}

// harness drives the fixed protocol over the engine: sizing, warm-up, runs of
// identical code, and the series itself.
type harness struct {
	env        environment
	candidates []Candidate
	arms       []engine.Arm
	opt        CollectOptions
	coin       *DPRNG
	n          int64
	// kind is the order of the series: strict for Collect, whose callers may
	// count on it, and in blocks that begin in a random direction for Compare.
	kind order.Kind
	// batch is about how long a batch of the slowest candidate takes, zero if
	// it was not sized here.
	batch time.Duration
	// rebuilds counts the openings of rebuilt fixtures, whose order alternates.
	rebuilds int
}

func newHarness(candidates []Candidate, opt CollectOptions, env environment) *harness {
	opt = opt.withDefaults()
	h := &harness{env: env, candidates: candidates, opt: opt, n: int64(opt.InnerLoops), kind: order.Kind(opt.Order)}
	for i, c := range candidates {
		h.arms = append(h.arms, function(c, i, opt, env))
	}
	coin := NewDPRNG(opt.Seed)
	h.coin = &coin
	return h
}

// open opens the slots' instances. Fixtures that are rebuilt are built in
// alternating order, so that none is always the last.
func (h *harness) open(ctx context.Context, slots []order.Slot) (engine.Loop, error) {
	h.rebuilds++
	sequence := order.New(order.Kind(h.opt.Order), h.coin)
	return engine.Open(ctx, h.arms, slots, engine.Slot{Seed: h.opt.Seed}, h.rebuilds%2 == 0, sequence)
}

// size fixes the batch size for everything that follows: the largest that any
// candidate needs.
func (h *harness) size(ctx context.Context, progress func(Progress)) error {
	if h.n > 0 {
		return nil
	}
	if progress != nil {
		progress(Progress{Stage: StageCalibrating, Total: 1})
	}
	loop, err := h.open(ctx, order.Plain(len(h.arms)))
	if err != nil {
		return err
	}
	target, _ := batchTarget(h.opt, h.env)
	found, err := engine.CalibrateAll(ctx, loop.Sessions, engine.CalibrationPlan{Target: target, MaxN: int64(h.opt.MaxInnerLoops)})
	if err != nil {
		loop.Close()
		return explainArm(err, h.candidates)
	}
	h.n = found[0].N
	for _, c := range found {
		h.batch = max(h.batch, c.Shortest)
	}
	return loop.Close()
}

func (h *harness) warmup() engine.Warmup {
	if h.opt.SkipWarmup {
		return engine.Warmup{}
	}
	return engine.Warmup{Rounds: h.opt.Warmup, Duration: h.opt.WarmupDuration}
}

// series warms up and measures every candidate once per round. From the
// deadline on, if it is not negative, it ends with the smallest number of
// rounds that an estimate needs.
func (h *harness) series(ctx context.Context, deadline time.Duration) (unit record.Unit, err error) {
	loop, err := h.open(ctx, order.Plain(len(h.arms)))
	if err != nil {
		return unit, err
	}
	defer func() {
		if closeErr := loop.Close(); err == nil {
			err = closeErr
		}
	}()
	request := engine.Request{N: h.n}
	if err := loop.Warm(ctx, request, h.warmup(), h.env.now); err != nil {
		return unit, err
	}
	more := func(done int) bool {
		if done >= MinimumDataPoints && deadline >= 0 && h.env.now() > deadline {
			return false
		}
		return done < h.opt.Repeats
	}
	loop.Order = order.New(h.kind, h.coin)
	unit, err = loop.MeasureWhile(ctx, request, more, record.Main, h.opt.Repeats)
	if err != nil {
		return unit, fmt.Errorf("measuring: %w", err)
	}
	return unit, nil
}
