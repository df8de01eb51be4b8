package rtcompare

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
	"github.com/rtcompare/rtcompare/internal/view"
)

// ReadRecord reads what [Report.WriteRecord] wrote, plain or gzipped, and
// returns the report that it belongs to. The verdict is the recorded one.
// Samples, validations, estimate and trends are computed again from the
// batches. What a record does not hold stays empty: Confidence, LiveHeap,
// Machine, and the numbers behind Protocol that only the running program knew.
//
// An error says what is wrong with the record: a line that cannot be read, no
// head, or no judgement because the run was not finished.
func ReadRecord(in io.Reader) (Report, error) {
	found, err := record.Read(in)
	if err != nil {
		return Report{}, err
	}
	if len(found.Judgements) == 0 {
		return Report{}, errors.New("the record holds no judgement: its run was not finished")
	}
	plan, err := planOf(found.Head)
	if err != nil {
		return Report{}, err
	}
	headline := found.Judgements[0]
	index := headline.Arm
	if index < 1 || index >= len(found.Head.Arms) {
		return Report{}, fmt.Errorf("the record judges arm %d of %d", index, len(found.Head.Arms))
	}
	c := recordedComparison(found, plan)
	main := record.Select(found.Units, record.Main)
	r := Report{
		SamplesA: joined(main, 0), SamplesB: joined(main, index), Seed: found.Head.Seed, Origin: plan.Origin,
		NameA: found.Head.Arms[0].Name, NameB: found.Head.Arms[index].Name,
		evidence: &evidence{head: found.Head, units: found.Units, judgements: found.Judgements},
	}
	r.NsPerOpA, r.NsPerOpB = stat.Median(r.SamplesA), stat.Median(r.SamplesB)
	r.Protocol = c.measured.protocol
	r.Protocol.countBatches(main, index)
	c.validations(&r, main, index)
	r.BlockLength = c.blockLength(index)
	c.estimate(&r)
	c.drifts(&r)
	c.costs(&r, index)
	if fastest := min(r.NsPerOpA, r.NsPerOpB) * float64(plan.N); fastest > 0 {
		r.Quantization = plan.Tick / fastest
	}
	r.readDecision(found, plan.Margin)
	return r, nil
}

// recordedPlan is the part of a record's plan that a report is rebuilt from.
type recordedPlan struct {
	Sequential bool    `json:"sequential"`
	Level      float64 `json:"level"`
	Margin     float64 `json:"margin"`
	Resamples  uint64  `json:"resamples"`
	N          uint64  `json:"n"`
	LeadIn     uint64  `json:"lead_in"`
	Tick       float64 `json:"tick_ns"`
	ReadCost   float64 `json:"read_cost_ns"`
	Origin     Origin  `json:"origin"`
}

// planOf reads the plan out of a head. It was written from another type, so it
// goes through its text once more.
func planOf(head record.Head) (recordedPlan, error) {
	var plan recordedPlan
	text, err := json.Marshal(head.Plan)
	if err == nil {
		err = json.Unmarshal(text, &plan)
	}
	if err != nil {
		return plan, fmt.Errorf("reading the record's plan: %w", err)
	}
	return plan, nil
}

// recordedComparison is the comparison as far as reports are computed from it.
func recordedComparison(found record.Record, plan recordedPlan) *comparison {
	c := &comparison{seed: found.Head.Seed}
	for _, arm := range found.Head.Arms {
		c.candidates = append(c.candidates, Candidate{Name: arm.Name})
	}
	c.opt.Level, c.opt.Resamples, c.opt.Margin = plan.Level, plan.Resamples, plan.Margin
	if plan.Sequential {
		c.opt.Budget = time.Nanosecond // any budget says that it was sequential
	}
	c.measured.units = found.Units
	c.measured.protocol = Protocol{
		Sequential: plan.Sequential, InnerLoops: plan.N, LeadInLoops: plan.LeadIn, Tick: time.Duration(plan.Tick), ReadCost: time.Duration(plan.ReadCost),
	}
	for range found.Head.Arms {
		c.measured.counts = append(c.measured.counts, engine.Count{BytesPerOp: -1, AllocsPerOp: -1, CPUPerOp: -1})
	}
	return c
}

// countBatches counts the timed batches of two arms, and how many of them lost
// the processor.
func (p *Protocol) countBatches(main []record.Unit, index int) {
	for _, unit := range main {
		for _, cell := range unit.Cells {
			if cell.Arm != 0 && cell.Arm != index {
				continue
			}
			p.Batches += len(cell.Wall)
			if cell.Preempted < 0 || p.Preempted < 0 {
				p.Preempted = -1
			} else {
				p.Preempted += cell.Preempted
			}
		}
	}
}

// readDecision sets the verdict and the warnings from the judgements: the
// headline, and where collections decided, the short batches and the processor
// time beside it.
func (r *Report) readDecision(found record.Record, margin float64) {
	headline := found.Judgements[0]
	r.Decision = recordedDecision(headline, margin)
	names := make([]string, len(found.Head.Arms))
	for i, arm := range found.Head.Arms {
		names[i] = arm.Name
	}
	for _, w := range headline.Warnings {
		r.Warnings = append(r.Warnings, view.Warning(w, names))
		r.Decision.Mixed = r.Decision.Mixed || w.Code == view.CodeMixed
		if w.Code == view.CodeSuspended {
			r.Suspended = time.Duration(w.Values["seconds"] * float64(time.Second))
		}
	}
	if len(found.Judgements) >= 3 {
		typical := recordedDecision(found.Judgements[1], margin)
		r.Decision.Collections, r.Typical = true, &typical
		if cpu := found.Judgements[2]; cpu.Units > 0 {
			processor := recordedDecision(cpu, margin)
			r.Processor = &processor
		}
	}
	delta, _, _ := r.Decision.Delta()
	r.Resolved = r.Decision.names() && math.Abs(delta) > r.NoiseFloor
}

// recordedDecision undoes what writing did to bounds that were infinite.
func recordedDecision(j record.Judgement, margin float64) Decision {
	for _, v := range []*float64{&j.Low, &j.High, &j.SmallestVisible} {
		if math.Abs(*v) == math.MaxFloat64 {
			*v = math.Inf(int(math.Copysign(1, *v)))
		}
	}
	return decisionOf(j, margin)
}
