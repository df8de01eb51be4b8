package rtcompare

import (
	"errors"
	"fmt"
	"math"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

// ruling is a decision with the judgements it was made from.
type ruling struct {
	Decision
	typical, processor *Decision
	judgements         []record.Judgement
	warnings           []record.Warning
}

// judge decides about one candidate against the first, from the units so far.
// Where collections belong to the cost, the stretches that hold them decide,
// and processor time is judged beside them.
func (c *comparison) judge(units []record.Unit, index int) ruling {
	main := judge.Judge(units, c.finalPolicy(index, record.Main, judge.Wall))
	typical := decisionOf(main, c.opt.Margin)
	if !c.opt.sequential() || len(record.Select(units, record.Cost)) == 0 {
		return ruling{Decision: typical, judgements: []record.Judgement{main}, warnings: main.Warnings}
	}
	wall := judge.Judge(units, c.finalPolicy(index, record.Cost, judge.Wall))
	cpu := judge.Judge(units, c.finalPolicy(index, record.Cost, judge.CPU))
	r := ruling{Decision: decisionOf(wall, c.opt.Margin), typical: &typical, judgements: []record.Judgement{wall, main, cpu}, warnings: wall.Warnings}
	r.Collections = true
	processor := decisionOf(cpu, c.opt.Margin)
	if cpu.Units == 0 {
		return r
	}
	r.processor = &processor
	if r.opposite(processor) {
		r.Verdict, r.Mixed = Inconclusive, true
		r.warnings = append(r.warnings, record.Warning{Code: view.CodeMixed, Arm: index, Values: map[string]float64{
			"wall": math.Exp(r.LogRatio), "cpu": math.Exp(processor.LogRatio)}})
	}
	return r
}

// finalPolicy is the policy, with the block length of the estimate and the
// machine's sleep.
func (c *comparison) finalPolicy(index int, purpose record.Purpose, metric judge.Metric) judge.Policy {
	p := c.policy(index, purpose, metric)
	p.BlockLength = 1
	if !c.opt.sequential() {
		p.BlockLength = c.blockLength(index)
	}
	if c.watch.Gap(SuspendThreshold) > 0 {
		p.Unfit = view.CodeSuspended
	}
	return p
}

func logMargin(margin float64) float64 { return math.Log1p(margin) }

// explainArm names the candidate in an error of the sizing that belongs to one.
func explainArm(err error, candidates []Candidate) error {
	var of *engine.ArmError
	if errors.As(err, &of) && of.Arm >= 0 && of.Arm < len(candidates) {
		return explainCalibration(of.Err, label(candidates[of.Arm], of.Arm))
	}
	if errors.Is(err, engine.ErrBudget) {
		return fmt.Errorf("option Budget: %w; ask for a larger one, or make an operation smaller", err)
	}
	return err
}
