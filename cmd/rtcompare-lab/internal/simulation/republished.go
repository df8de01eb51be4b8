package simulation

import (
	"fmt"
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

// autocorrelated counts confidences outside 5 to 95 % for two series of
// identical code with a memory, and decisions at the same nominal rate.
func autocorrelated(s Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "published: false signals under AR(1), confidence outside 5 to 95%, n = 101 (theirs: plain 8.0/10.0/13.5/21.7/33.1%, blocks 9.4/10.0/10.9/12.7/16.7%)",
		Nominal: "nominal 10%", Trials: s.Trials, ErrorAt: 0.10,
		Columns: []string{"rho", "plain", "blocks of 5", "decision at 10%"},
		Notes:   []string{"plain and blocks: BootstrapConfidence and BlockBootstrapConfidence of two unpaired series; decision: the default protocol at an error rate of 10%."},
	}
	for _, rho := range []float64{0, 0.08, 0.2, 0.4, 0.6} {
		signals := trial.Run(s.Plan, fmt.Sprintf("signals, %g", rho), s.Trials, func(r *rand.Rand) [3]bool {
			a, b := times(noise.AR(rho).New(r), 101), times(noise.AR(rho).New(r), 101)
			c := trial.Fixed{Noise: noise.AR(rho)}.Simulate(r)
			c.Policy.ErrorRate = 0.10
			return [3]bool{signal(a, b, 1), signal(a, b, 5), named(judge.Judge(c.Units, c.Policy).Verdict)}
		})
		row := []any{rho}
		for k := range 3 {
			row = append(row, sheet.Percent(trial.Share(signals, func(v [3]bool) bool { return v[k] })))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// times are those of one arm.
func times(p noise.Process, n int) []float64 {
	next := oneSided(p)
	x := make([]float64, n)
	for i := range x {
		x[i] = next()
	}
	return x
}

func signal(a, b []float64, blockLength int) bool {
	confidence := rtcompare.BlockBootstrapConfidence(a, b, []float64{0}, rtcompare.DefaultResamples, blockLength, 1)[0].Confidence
	return confidence > 0.95 || confidence < 0.05
}

// unpairedCoverage counts how often the unpaired interval holds zero.
func unpairedCoverage(s Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "published: coverage of the unpaired 95% interval, identical code (theirs for n from 11 to 101: normal 97.2 to 96.0, lognormal 97.0 to 96.4, contaminated 96.9 to 96.3%)",
		Nominal: "nominal 95%", Trials: s.Trials, ErrorAt: 0.05,
		Columns: []string{"times", "n = 11", "21", "51", "101"},
	}
	contaminated := func(r *rand.Rand) func() float64 {
		p := noise.Contaminated(0.1).New(r)
		return oneSided(p)
	}
	for _, kind := range []struct {
		name string
		next func(r *rand.Rand) func() float64
	}{
		{"normal", func(r *rand.Rand) func() float64 { return oneSided(noise.White().New(r)) }},
		{"lognormal", lognormalTimes},
		{"contaminated", contaminated},
	} {
		row := []any{kind.name}
		for _, n := range []int{11, 21, 51, 101} {
			held := trial.Run(s.Plan, fmt.Sprintf("unpaired, %s, %d", kind.name, n), s.Trials, func(r *rand.Rand) bool {
				var both [2][]float64
				for side := range both {
					next := kind.next(r)
					for range n {
						both[side] = append(both[side], next())
					}
				}
				e, err := rtcompare.EstimateDifference(both[0], both[1], rtcompare.EstimateOptions{})
				return err == nil && e.Low <= 0 && 0 <= e.High
			})
			row = append(row, sheet.Percent(trial.Share(held, func(yes bool) bool { return yes })))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// commonDisturbances compares the two intervals on pairs that share most of
// their noise.
func commonDisturbances(s Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "published: disturbances that hit both sides of a pair, n = 101 (theirs: unpaired covers 99 to 100% and is up to 5 times as wide, paired 94 to 95%)",
		Nominal: "nominal 95%", Trials: s.Trials, ErrorAt: 0.05,
		Columns: []string{"common noise / own noise", "unpaired covers", "paired covers", "unpaired width / paired width"},
	}
	for _, share := range []float64{0, 1, 2, 5} {
		type result struct {
			unpaired, paired bool
			width            float64
		}
		seen := trial.Run(s.Plan, fmt.Sprintf("common, %g", share), s.Trials, func(r *rand.Rand) result {
			own := noise.White().New(r)
			var a, b []float64
			for range 101 {
				first, second := own.Pair()
				both := share * noise.SD / math.Sqrt2 * r.NormFloat64()
				a, b = append(a, math.Exp(first+both)), append(b, math.Exp(second+both))
			}
			u, _ := rtcompare.EstimateDifference(a, b, rtcompare.EstimateOptions{})
			p, _ := rtcompare.EstimateDifference(a, b, rtcompare.EstimateOptions{Paired: true})
			return result{!u.Excludes(0), !p.Excludes(0), (u.High - u.Low) / (p.High - p.Low)}
		})
		widths := make([]float64, len(seen))
		for i, v := range seen {
			widths[i] = v.width
		}
		table.Add(share, sheet.Percent(trial.Share(seen, func(v result) bool { return v.unpaired })),
			sheet.Percent(trial.Share(seen, func(v result) bool { return v.paired })), stat.Median(widths))
	}
	return table
}

// reducedSettings counts what short settings, as in a test, say of identical
// code.
func reducedSettings(s Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "published: identical code with reduced settings, 21 pairs and 10 runs of identical code (theirs: 0 of 200 resolved, twice; the floor alone cleared in 15 to 20%)",
		Nominal: "nominal 5%", Trials: s.Trials, ErrorAt: fixedErrorRate,
		Columns: []string{"noise", "decision", "interval excludes zero", "noise floor exceeded", "published rule"},
	}
	for _, m := range s.models(noise.White(), noise.Contaminated(0.2), noise.AR(0.2), noise.Wander()) {
		type result struct {
			verdict                    record.Verdict
			excluded, floor, published bool
		}
		seen := trial.Run(s.Plan, "reduced, "+m.Name, s.Trials, func(r *rand.Rand) result {
			c := trial.Fixed{Noise: m, Runs: 10, Pairs: 21}.Simulate(r)
			return result{
				judge.Judge(c.Units, c.Policy).Verdict,
				excludes(stat.BootstrapMedian(c.Ratios, c.Policy.BlockLength).Interval(rtcompare.DefaultConfidenceLevel)),
				math.Abs(1-math.Exp(-stat.Median(c.Ratios))) > noiseFloor(c), published(c),
			}
		})
		table.Add(m.Name, sheet.Percent(trial.Share(seen, func(v result) bool { return named(v.verdict) })),
			sheet.Percent(trial.Share(seen, func(v result) bool { return v.excluded })),
			sheet.Percent(trial.Share(seen, func(v result) bool { return v.floor })),
			sheet.Percent(trial.Share(seen, func(v result) bool { return v.published })))
	}
	return table
}
