package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// Published tests figures of the published library's documents again, beside
// what ours does in the same place.
func Published(s Setup) []*sheet.Sheet {
	return []*sheet.Sheet{
		belowTheStep(s), noiseFloors(s), tieRates(s), coarseClock(s), autocorrelated(s), unpairedCoverage(s), commonDisturbances(s), reducedSettings(s),
	}
}

// belowTheStep measures operations that differ by less than a step of the clock,
// in batches of the length that the library asks for.
func belowTheStep(s Setup) *sheet.Sheet {
	const operation, sd = 37.8, 0.002
	table := &sheet.Sheet{
		Title:   "published: a difference below a step of the clock, simulated clock of 41 ns (theirs: 1.89 ns/op recovered to within 0.07 points)",
		Trials:  s.Trials,
		Columns: []string{"ns/op apart", "true difference", "mean of estimates", "mean error, points", "95% of errors below, points", "interval covers"},
		Notes:   []string{fmt.Sprintf("operations of %g ns, an sd of %g%% per pair, batches of a thousand steps; differences as the share of B's time.", operation, 100*sd)},
	}
	for _, apart := range []float64{0.378, 1.89, 7.56} {
		truth := math.Log1p(apart / operation)
		type result struct {
			estimate float64
			covers   bool
		}
		seen := trial.Run(s.Plan, fmt.Sprintf("below the step, %g", apart), s.Trials, func(r *rand.Rand) result {
			f := coarse(rtcompare.DefaultMaxQuantizationError, sd, noise.White())
			f.Truth = truth
			c := f.Simulate(r)
			j := judge.Judge(c.Units, c.Policy)
			return result{-math.Expm1(-j.LogRatio), j.Low <= truth && truth <= j.High}
		})
		errors := make([]float64, len(seen))
		for i, v := range seen {
			errors[i] = math.Abs(v.estimate + math.Expm1(-truth))
		}
		mean, _ := stat.MeanAndSD(errors)
		table.Add(apart, sheet.Percent(-math.Expm1(-truth)), sheet.Percent(trial.Mean(seen, func(v result) float64 { return v.estimate })),
			fmt.Sprintf("%.3f", 100*mean), fmt.Sprintf("%.3f", 100*quantileOf(errors, 0.95)), sheet.Percent(trial.Share(seen, func(v result) bool { return v.covers })))
	}
	return table
}

// noiseFloors shows how the largest difference of identical code grows with
// the number of runs, and that its 90 % quantile settles.
func noiseFloors(s Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "published: noise floor against the number of runs of identical code (their maximum climbs 0.208 to 0.356% from 10 to 80 runs, their 90% quantile stays at 0.144 to 0.169%)",
		Trials:  s.Trials,
		Columns: []string{"runs", "maximum", "its middle 80%", "90% quantile", "its middle 80%", "ours: t of the root mean square", "its middle 80%"},
		Notes:   []string{"white noise, means over the trials, in percent of the time; ours is the half-width that identical code adds to a decision."},
	}
	for _, runs := range []int{10, 20, 40, 80} {
		seen := trial.Run(s.Plan, fmt.Sprintf("floor, %d", runs), s.Trials, func(r *rand.Rand) [3]float64 {
			c := trial.Fixed{Noise: noise.White(), Runs: runs}.Simulate(r)
			sizes := make([]float64, runs)
			for i, v := range c.Identical[0] {
				sizes[i] = math.Abs(v)
			}
			slices.Sort(sizes)
			j := judge.Judge(c.Units, c.Policy)
			return [3]float64{sizes[runs-1], stat.Quantile(sizes, rtcompare.NoiseFloorQuantile), stat.StudentQuantile(1-fixedErrorRate/2, float64(2*runs)) * j.IdenticalSpread}
		})
		row := []any{runs}
		for k := range 3 {
			values := make([]float64, len(seen))
			for i, v := range seen {
				values[i] = v[k]
			}
			mean, _ := stat.MeanAndSD(values)
			slices.Sort(values)
			row = append(row, sheet.Percent(mean), fmt.Sprintf("%.2f..%.2f%%", 100*stat.Quantile(values, 0.1), 100*stat.Quantile(values, 0.9)))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// coarse is a comparison on a clock whose step matters.
func coarse(tick, sd float64, level noise.Model) trial.Fixed {
	scale := sd / noise.SD
	return trial.Fixed{Noise: noise.Model{Name: "coarse", Tick: tick, New: func(r *rand.Rand) noise.Process {
		return scaled{level.New(r), scale}
	}}}
}

// scaled is a process made smaller or larger.
type scaled struct {
	noise.Process
	factor float64
}

func (s scaled) Pair() (first, second float64) {
	first, second = s.Process.Pair()
	return s.factor * first, s.factor * second
}

// tieRates repeats the published relation between the share of a batch that a
// step of the clock may be and the share of bootstrapped differences that are
// exactly zero.
func tieRates(s Setup) *sheet.Sheet {
	const sd = 0.005
	table := &sheet.Sheet{
		Title:   "published: tie rate of identical code against the quantisation target (theirs: 100, 15.3 and 0.6% at 0.01, 0.001 and 0.0001)",
		Trials:  s.Trials,
		Columns: []string{"target", "tie rate", "decision: pairs tied", "decision: false verdicts", "decision: unmeasurable"},
		Notes:   []string{fmt.Sprintf("white noise with an sd of %g%% per pair, times read on a clock with a step of target times the batch.", 100*sd)},
	}
	for _, target := range []float64{0.01, 0.001, 0.0001} {
		type result struct {
			tied float64
			j    record.Judgement
		}
		seen := trial.Run(s.Plan, fmt.Sprintf("ties, %g", target), s.Trials, func(r *rand.Rand) result {
			c := coarse(target, sd, noise.White()).Simulate(r)
			return result{stat.BootstrapMedian(c.Ratios, 1).Mass(0), judge.Judge(c.Units, c.Policy)}
		})
		table.Add(target, sheet.Percent(trial.Mean(seen, func(v result) float64 { return v.tied })),
			sheet.Percent(trial.Mean(seen, func(v result) float64 { return v.j.Tied })),
			sheet.Percent(trial.Share(seen, func(v result) bool { return named(v.j.Verdict) })),
			sheet.Percent(trial.Share(seen, func(v result) bool { return v.j.Verdict == record.Unmeasurable })))
	}
	return table
}

// coarseClock shows that on a coarse clock identical code differs by exactly
// one step, and what keeps that from being called a difference.
func coarseClock(s Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "published: identical code on a coarse clock (theirs: 4 of 30 called different at exactly one step, before a gate was added)",
		Nominal: "nominal 5%", Trials: s.Trials, ErrorAt: fixedErrorRate,
		Columns: []string{"step of the clock", "interval and floor, no gate", "same with the gate", "decision", "pairs tied"},
		Notes:   []string{"AR(1) noise with rho = 0.99, whose level wanders from one step of the clock to the next; the step is in standard deviations of a pair."},
	}
	for _, step := range []float64{0.5, 1, 2, 4} {
		type result struct {
			ungated, gated bool
			j              record.Judgement
		}
		seen := trial.Run(s.Plan, fmt.Sprintf("coarse, %g", step), s.Trials, func(r *rand.Rand) result {
			c := coarse(step*noise.SD, noise.SD, noise.AR(0.99)).Simulate(r)
			ungated := c
			ungated.Policy.Tick = 0
			return result{published(ungated), published(c), judge.Judge(c.Units, c.Policy)}
		})
		table.Add(step, sheet.Percent(trial.Share(seen, func(v result) bool { return v.ungated })),
			sheet.Percent(trial.Share(seen, func(v result) bool { return v.gated })),
			sheet.Percent(trial.Share(seen, func(v result) bool { return named(v.j.Verdict) })),
			sheet.Percent(trial.Mean(seen, func(v result) float64 { return v.j.Tied })))
	}
	return table
}
