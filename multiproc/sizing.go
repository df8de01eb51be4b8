package multiproc

import (
	"context"
	"fmt"
	"math"

	"github.com/rtcompare/rtcompare"
)

// againAt is the share of what the first stage asks for that runs before it is
// asked again. Six processes know their own scatter so badly that runs sized by
// them alone take a fifth more than they need; asked much earlier or later than
// this, the answer gains nothing.
//
// A first stage below fewestAgain is not asked again: it errs so widely that the
// intervals of runs which happen to end early would miss too often.
const (
	againAt     = 0.3
	fewestAgain = 6
)

// run runs all stages.
func (p *parent) run(ctx context.Context) (Results, error) {
	if err := p.runStages(func(target int) error { return p.stage(ctx, target) }); err != nil {
		return p.results(), err
	}
	r := p.results()
	if p.opt.Layouts > 0 {
		for _, c := range r.Comparisons {
			r.Precise = r.Precise && c.Pooled.Processes > 0 && narrow(c.Pooled, p.opt.AbsPrecision, p.opt.RelPrecision)
		}
	}
	if r.Processes == 0 {
		return r, fmt.Errorf("no process finished: %w", p.failures[0].err())
	}
	return r, nil
}

// runStages runs the first stage, a share of what it asks for, and what all of
// these ask for. Each size depends on processes that come before it and on
// nothing else, so that a resumed run takes the same ones. stage runs processes
// up to a number.
func (p *parent) runStages(stage func(target int) error) error {
	if err := stage(p.first); err != nil {
		return err
	}
	p.staged = true
	judged := p.second()
	if err := stage(judged); err != nil {
		return err
	}
	target, precise := p.last(judged)
	p.judged, p.precise = judged, precise
	return stage(target)
}

// second is how many processes have run when the size is decided: the first
// stage, or a share of what it asks for where that is more. It looks at the
// scatter, never at the answer.
func (p *parent) second() int {
	if p.first == p.most || p.first < fewestAgain {
		return p.first
	}
	asked, ok := p.asked(p.first)
	if !ok {
		return p.first
	}
	share := math.Ceil(againAt * float64(asked))
	if share >= float64(p.most) {
		return p.most
	}
	return min(p.most, max(p.first, roundUp(int(share), p.step())))
}

// last is how many processes run in the end: as many as the first ones ask for.
// It reports whether that many are allowed.
func (p *parent) last(judged int) (target int, precise bool) {
	if p.first == p.most && p.opt.Layouts > 0 {
		return p.most, true
	}
	asked, ok := p.asked(judged)
	if !ok || asked > p.most {
		return p.most, false
	}
	return max(judged, min(p.most, roundUp(asked, p.step()))), true
}

// step is what sizes are rounded up to: whole rotations, and whole waves.
func (p *parent) step() int { return max(p.wave, p.opt.Rotation) }

// asked is how many processes the first ones ask for: what the comparison that
// scatters most does. It is not ok where a comparison cannot be pooled.
func (p *parent) asked(first int) (asked int, ok bool) {
	for _, c := range p.comparisons(first) {
		pooled, err := fasterFirst(c.Reports, p.opt.Level)
		if err != nil {
			return 0, false
		}
		asked = max(asked, pooled.ProcessesFor(p.opt.AbsPrecision, p.opt.RelPrecision))
	}
	return asked, asked > 0
}

// fasterFirst pools the reports with the faster candidate in the place of A. The
// precision that is asked for is one of Delta, which is a share of B's time and
// so another number with A and B swapped; sizes must not depend on which of the
// two was called A.
func fasterFirst(reports []rtcompare.Report, level float64) (rtcompare.Pooled, error) {
	pooled, err := rtcompare.Combine(reports, level)
	if err != nil || pooled.Decision.LogRatio >= 0 {
		return pooled, err
	}
	swapped := make([]rtcompare.Report, len(reports))
	for i, r := range reports {
		swapped[i] = swap(r)
	}
	return rtcompare.Combine(swapped, level)
}

// swap is what a report says about the difference, with A and B swapped.
func swap(r rtcompare.Report) rtcompare.Report {
	d, e := r.Decision, r.Estimate
	d.LogRatio, d.Low, d.High = -d.LogRatio, -d.High, -d.Low
	e.Delta, e.Low, e.High = swapShare(e.Delta), swapShare(e.High), swapShare(e.Low)
	return rtcompare.Report{Decision: d, Estimate: e, Origin: r.Origin}
}

// swapShare is 1 - B/A where share is 1 - A/B.
func swapShare(share float64) float64 { return -share / (1 - share) }

// narrow reports whether an interval is as narrow as asked for, with the faster
// candidate in the place of A.
func narrow(p rtcompare.Pooled, abs, rel float64) bool {
	d := p.Decision
	if d.LogRatio < 0 {
		d.LogRatio, d.Low, d.High = -d.LogRatio, -d.High, -d.Low
	}
	var seen rtcompare.Pooled
	seen.Delta, seen.Low, seen.High = d.Delta()
	return seen.Precise(abs, rel)
}
