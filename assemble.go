package rtcompare

import (
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/host"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
	"github.com/rtcompare/rtcompare/internal/view"
)

// reports makes one report per candidate after the first.
func (c *comparison) reports() []Report {
	all := make([]Report, 0, len(c.candidates)-1)
	machine := machineFindings(c.loadBefore, c.env.load(), c.env.facts())
	for index := 1; index < len(c.candidates); index++ {
		r := c.report(index)
		r.Machine = machine
		all = append(all, r)
	}
	return all
}

func (c *comparison) report(index int) Report {
	m := c.measured
	main := record.Select(m.units, record.Main)
	r := Report{
		SamplesA: joined(main, 0), SamplesB: joined(main, index), Seed: c.seed,
		NameA: displayName(c.candidates[0], 0), NameB: displayName(c.candidates[index], index),
		LiveHeap: liveHeap(), Suspended: c.watch.Gap(SuspendThreshold), Protocol: c.protocol(main, index),
	}
	r.NsPerOpA, r.NsPerOpB = stat.Median(r.SamplesA), stat.Median(r.SamplesB)
	c.validations(&r, main, index)
	r.BlockLength = c.blockLength(index)
	c.estimate(&r)
	c.drifts(&r)
	if fastest := min(r.NsPerOpA, r.NsPerOpB) * float64(r.Protocol.InnerLoops); fastest > 0 {
		r.Quantization = c.env.tickNanoseconds() / fastest
	}
	c.costs(&r, index)
	c.decide(&r, index)
	return r
}

// joined returns one arm's samples over all units and replicas, in measured
// order.
func joined(units []record.Unit, arm int) []float64 {
	var all []float64
	for i := range units {
		first, second := samples(units[i].Find(arm, 0)), samples(units[i].Find(arm, 1))
		for k := range first {
			all = append(all, first[k])
			if k < len(second) {
				all = append(all, second[k])
			}
		}
	}
	return all
}

func (c *comparison) protocol(main []record.Unit, index int) Protocol {
	p := c.measured.protocol
	reading := c.env.reading()
	p.Tick, p.ReadCost = reading.Tick, reading.ReadCost
	for i := range main {
		for _, cell := range main[i].Cells {
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
	return p
}

// validations sets what identical code showed.
func (c *comparison) validations(r *Report, main []record.Unit, index int) {
	identical := record.Select(c.measured.units, record.AA)
	scale := 1.0
	if c.opt.sequential() {
		// Each unit is a run of identical code, and the estimate is their mean.
		identical = main
		scale = 1 / math.Sqrt(float64(max(1, len(main))))
	}
	r.ValidationA, r.ValidationB = c.validation(identical, 0), c.validation(identical, index)
	r.Validated = r.ValidationA.Runs > 0 && r.ValidationB.Runs > 0
	if r.Validated {
		r.NoiseFloor = scale * max(r.ValidationA.NoiseFloor, r.ValidationB.NoiseFloor)
		r.Autocorrelation = max(r.ValidationA.Autocorrelation, r.ValidationB.Autocorrelation)
		return
	}
	r.ValidationA, r.ValidationB = HarnessValidation{}, HarnessValidation{}
	r.Autocorrelation = max(stat.Lag1(r.SamplesA), stat.Lag1(r.SamplesB))
}

// validation summarizes what identical code of one arm showed, once.
func (c *comparison) validation(identical []record.Unit, arm int) HarnessValidation {
	if c.validated == nil {
		c.validated = make(map[int]HarnessValidation)
	}
	found, ok := c.validated[arm]
	if !ok {
		found = summarize(identical, arm, c.opt.Level)
		c.validated[arm] = found
	}
	return found
}

// blockLength is one, or the automatic length where neighbours resemble each
// other. Units take care of that by themselves.
func (c *comparison) blockLength(index int) int {
	if c.opt.sequential() {
		return 1
	}
	identical := record.Select(c.measured.units, record.AA)
	main := record.Select(c.measured.units, record.Main)
	a, b := joined(main, 0), joined(main, index)
	correlation := max(stat.Lag1(a), stat.Lag1(b))
	if len(identical) > 0 {
		correlation = max(c.validation(identical, 0).Autocorrelation, c.validation(identical, index).Autocorrelation)
	}
	if correlation > AutocorrelationThreshold {
		return AutoBlockLength(min(len(a), len(b)))
	}
	return 1
}

// estimate sets the interval of the samples alone, and the confidences. Where
// they are undefined, on batches without any time, both stay empty and the
// verdict is Unmeasurable.
func (c *comparison) estimate(r *Report) {
	opt := EstimateOptions{Level: c.opt.Level, Resamples: c.opt.Resamples, BlockLength: r.BlockLength, Seed: r.Seed, Paired: true}
	if estimate, err := EstimateDifference(r.SamplesA, r.SamplesB, opt); err == nil {
		r.Estimate = estimate
	}
	if len(c.opt.Thresholds) > 0 {
		if entries, err := ConfidencesFor(r.SamplesA, r.SamplesB, c.opt.Thresholds, opt); err == nil {
			r.Confidence = entries
		}
	}
}

// drifts tests the series and their ratio. A series that cannot be tested keeps
// a zero N.
func (c *comparison) drifts(r *Report) {
	r.DriftA, _ = DetectDrift(r.SamplesA)
	r.DriftB, _ = DetectDrift(r.SamplesB)
	r.DriftRatio, _ = DetectDrift(pairRatios(r.SamplesB, r.SamplesA))
}

// costs sets what operations cost besides time.
func (c *comparison) costs(r *Report, index int) {
	r.CostA, r.CostB = c.cost(0), c.cost(index)
	level := c.opt.Level
	r.Spread.Ratio, r.Spread.Low, r.Spread.High = stat.SpreadRatio(r.SamplesA, r.SamplesB, level)
}

func (c *comparison) cost(arm int) Cost {
	cost := Cost{-1, -1, -1, -1, -1}
	if arm < len(c.measured.counts) {
		count := c.measured.counts[arm]
		cost.BytesPerOp, cost.AllocsPerOp, cost.CPUNsPerOp = count.BytesPerOp, count.AllocsPerOp, count.CPUPerOp
	}
	var wall, cpu, collections []float64
	for _, unit := range record.Select(c.measured.units, record.Cost) {
		for _, cell := range unit.Cells {
			if cell.Arm != arm {
				continue
			}
			wall = append(wall, samples(&cell)...)
			for i := range cell.CPU {
				cpu = append(cpu, float64(cell.CPU[i])/float64(cell.N))
			}
			for _, v := range cell.Collections {
				collections = append(collections, float64(v))
			}
		}
	}
	if len(wall) > 0 {
		cost.NsPerOpWithCollections = stat.Median(wall)
	}
	if len(cpu) > 0 {
		cost.CPUNsPerOp = stat.Median(cpu)
	}
	if len(collections) > 0 {
		cost.CollectionsPerStretch, _ = stat.MeanAndSD(collections)
	}
	return cost
}

// decide sets the verdict, Resolved, the warnings and the evidence.
func (c *comparison) decide(r *Report, index int) {
	ruled := c.judge(c.measured.units, index)
	found, contradicted := c.findings(ruled, index)
	if contradicted && ruled.names() {
		ruled.Verdict = Inconclusive
		found = append(found, record.Warning{Code: view.CodeContradicted, Arm: index})
	}
	if c.measured.costs.Unknown {
		found = append(found, record.Warning{Code: view.CodeCollectorUnseen, Arm: index})
	}
	if ruled.names() && !ruled.Collections && !c.opt.Collect.DisableGC && c.winnerAllocatesMore(ruled.Decision, index) && !c.confirmed(ruled, index) {
		ruled.Verdict = Inconclusive
		found = append(found, record.Warning{Code: view.CodeUnseenWinner, Arm: index})
	}
	r.Decision, r.Typical, r.Processor = ruled.Decision, ruled.typical, ruled.processor
	delta, _, _ := r.Decision.Delta()
	r.Resolved = r.Decision.names() && math.Abs(delta) > r.NoiseFloor
	all := append(c.warnings(r, ruled, index), found...)
	names := make([]string, len(c.candidates))
	for i, candidate := range c.candidates {
		names[i] = displayName(candidate, i)
	}
	for _, w := range all {
		r.Warnings = append(r.Warnings, view.Warning(w, names))
	}
	r.evidence = c.evidence(ruled, all)
}

// winnerAllocatesMore reports whether collections that short batches leave out
// could take the victory away: whether the faster candidate allocates enough to
// matter, and more than the other.
func (c *comparison) winnerAllocatesMore(d Decision, index int) bool {
	if len(c.measured.counts) <= index {
		return false
	}
	winner, loser := c.measured.counts[index], c.measured.counts[0]
	if d.Verdict == AFaster {
		winner, loser = loser, winner
	}
	return winner.Allocates && winner.BytesPerOp > clearlyMore*loser.BytesPerOp
}

// clearlyMore is by how much allocations have to differ to count as different.
const clearlyMore = 1.01

// confirmed reports whether stretches with collections name the same candidate.
func (c *comparison) confirmed(r ruling, index int) bool {
	return decisionOf(judge.Judge(c.measured.units, c.costCheckPolicy(index)), c.opt.Margin).Verdict == r.Verdict
}

func (c *comparison) evidence(ruled ruling, warnings []record.Warning) *evidence {
	arms := make([]record.Arm, len(c.candidates))
	for i, candidate := range c.candidates {
		arms[i] = record.Arm{Name: displayName(candidate, i)}
	}
	judgements := append([]record.Judgement(nil), ruled.judgements...)
	judgements[0].Warnings = warnings
	judgements[0].Verdict = recordVerdict(ruled.Verdict)
	o := c.opt
	return &evidence{
		head: record.Head{
			Tool: "rtcompare", Kind: "functions", Started: time.Now().Add(-c.measured.protocol.Duration).UTC(), Seed: c.seed, Arms: arms, Host: c.env.facts(),
			Plan: map[string]any{
				"sequential": o.sequential(), "level": o.Level, "margin": o.Margin, "budget_ns": o.Budget, "precision": o.Precision,
				"max_duration_ns": o.MaxDuration, "repeats": o.Collect.Repeats, "validation_runs": o.ValidationRuns,
				"skip_validation": o.SkipValidation, "order": o.Collect.Order.String(), "n": c.measured.protocol.InnerLoops,
				"lead_in": c.measured.protocol.LeadInLoops, "tick_ns": c.env.tickNanoseconds(), "read_cost_ns": float64(c.env.reading().ReadCost), "resamples": o.Resamples,
			},
		},
		units: c.measured.units, judgements: judgements,
	}
}

func recordVerdict(v Verdict) record.Verdict {
	return map[Verdict]record.Verdict{
		AFaster: record.Slower, BFaster: record.Faster, Equivalent: record.Equivalent,
		Inconclusive: record.Inconclusive, Unmeasurable: record.Unmeasurable,
	}[v]
}

// machineFindings are what the host's load says about the run.
func machineFindings(before, after host.Load, facts host.Facts) []string {
	var texts []string
	for _, f := range host.Fitness(before, after, facts) {
		texts = append(texts, f.Text)
	}
	return texts
}
