package simulation

import (
	"math"
	"math/rand/v2"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// FalseVerdicts counts how often the default protocol calls one of two
// identical candidates faster, beside what two other rules say about the same
// measurements.
func FalseVerdicts(s Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "false-verdicts: identical code called faster or slower, default protocol (101 pairs, 40 runs of identical code per candidate)",
		Nominal: "nominal 5%", Trials: s.Trials, ErrorAt: fixedErrorRate,
		Columns: []string{"noise", "decision", "plain interval", "published rule", "equivalent", "blocks used"},
		Notes: []string{
			"plain interval: the exact bootstrap interval of the median ratio excludes zero.",
			"published rule: that interval, with blocks where the autocorrelation asks for them, excludes zero, and the",
			"difference exceeds the 90% quantile of what identical code showed and one and a half ticks.",
		},
	}
	var rates []float64
	for _, m := range s.models(noise.All()...) {
		seen := trial.Run(s.Plan, "false verdicts, "+m.Name, s.Trials, func(r *rand.Rand) ruled { return rule(trial.Fixed{Noise: m}.Simulate(r)) })
		rate := trial.Share(seen, func(v ruled) bool { return named(v.verdict) })
		rates = append(rates, rate)
		table.Add(m.Name, sheet.Percent(rate),
			sheet.Percent(trial.Share(seen, func(v ruled) bool { return v.plain })),
			sheet.Percent(trial.Share(seen, func(v ruled) bool { return v.published })),
			sheet.Percent(trial.Share(seen, func(v ruled) bool { return v.verdict == record.Equivalent })),
			sheet.Percent(trial.Share(seen, func(v ruled) bool { return v.blocks })))
	}
	table.Bars = []sheet.Bar{rateBar("false verdicts under the worst noise, default protocol", 0.067, false, rates, s.Trials)}
	return table
}

// ruled is what three rules say about one comparison.
type ruled struct {
	verdict                  record.Verdict
	plain, published, blocks bool
}

func rule(c trial.Comparison) ruled {
	return ruled{
		verdict:   judge.Judge(c.Units, c.Policy).Verdict,
		plain:     excludes(stat.BootstrapMedian(c.Ratios, 1).Interval(rtcompare.DefaultConfidenceLevel)),
		published: published(c), blocks: c.Policy.BlockLength > 1,
	}
}

// published is the rule of the published library on the scale of log ratios.
func published(c trial.Comparison) bool {
	low, high := stat.BootstrapMedian(c.Ratios, c.Policy.BlockLength).Interval(rtcompare.DefaultConfidenceLevel)
	if !excludes(low, high) {
		return false
	}
	difference := math.Abs(1 - math.Exp(-stat.Median(c.Ratios)))
	return difference > noiseFloor(c) && difference > rtcompare.QuantizationGate*c.Policy.Tick/shortest(c)
}

// noiseFloor is the larger of the two candidates' 90 % quantiles.
func noiseFloor(c trial.Comparison) float64 {
	floor := 0.0
	for _, identical := range c.Identical {
		sizes := make([]float64, len(identical))
		for i, v := range identical {
			sizes[i] = math.Abs(1 - math.Exp(-v))
		}
		floor = max(floor, quantileOf(sizes, rtcompare.NoiseFloorQuantile))
	}
	return floor
}

// shortest is the median batch of the faster arm.
func shortest(c trial.Comparison) float64 {
	fastest := math.Inf(1)
	for _, cell := range c.Units[len(c.Units)-1].Cells {
		times := make([]float64, len(cell.Wall))
		for i, wall := range cell.Wall {
			times[i] = float64(wall)
		}
		fastest = min(fastest, stat.MedianInPlace(times))
	}
	return fastest
}
