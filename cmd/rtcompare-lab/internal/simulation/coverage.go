package simulation

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

func quantileOf(x []float64, p float64) float64 {
	slices.Sort(x)
	return stat.Quantile(x, p)
}

// Coverage counts how often the decision's interval holds the truth.
func Coverage(s Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "coverage: the decision's 95% interval holds the true log ratio, default protocol",
		Nominal: "nominal 95%", Trials: s.Trials, ErrorAt: fixedErrorRate,
		Columns: []string{"noise", "truth 0", "truth 3%", "half-width", "half-width of the series alone", "smallest visible"},
		Notes:   []string{"half-widths are means, in points of the log ratio; the smallest visible difference is the median run's."},
	}
	var all, sharp []float64
	for _, m := range s.models(noise.All()...) {
		var shares [2]float64
		var seen []record.Judgement
		alone := 0.0
		for i, truth := range []float64{0, 0.03} {
			name := fmt.Sprintf("coverage, %s, %g", m.Name, truth)
			type result struct {
				record.Judgement
				alone float64
			}
			found := trial.Run(s.Plan, name, s.Trials, func(r *rand.Rand) result {
				c := trial.Fixed{Noise: m, Truth: truth}.Simulate(r)
				low, high := stat.BootstrapMedian(c.Ratios, 1).Interval(1 - fixedErrorRate)
				return result{judge.Judge(c.Units, c.Policy), (high - low) / 2}
			})
			shares[i] = trial.Share(found, func(j result) bool { return j.Low <= truth && truth <= j.High })
			alone = trial.Mean(found, func(j result) float64 { return j.alone })
			for _, f := range found {
				seen = append(seen, f.Judgement)
			}
		}
		all = append(all, shares[:]...)
		if !m.Heavy {
			sharp = append(sharp, shares[:]...)
		}
		visible := make([]float64, len(seen))
		for i, j := range seen {
			visible[i] = j.SmallestVisible
		}
		table.Add(m.Name, sheet.Percent(shares[0]), sheet.Percent(shares[1]),
			sheet.Percent(trial.Mean(seen, func(j record.Judgement) float64 { return (j.High - j.Low) / 2 })),
			sheet.Percent(alone), sheet.Percent(stat.Median(visible)))
	}
	table.Bars = []sheet.Bar{rateBar("coverage of the decision's interval, lowest", 0.93, true, all, s.Trials)}
	if len(sharp) > 0 {
		table.Bars = append(table.Bars, rateBar("coverage, highest of iid, lognormal, AR and contamination up to 20%", 0.985, false, sharp, s.Trials))
	}
	return table
}

// Equivalence counts how often a difference at the edge of the margin is called
// equivalent, and how often a smaller one is.
func Equivalence(s Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "equivalence: called equivalent within 1%, default protocol",
		Nominal: "nominal at most 5% at the margin", Trials: s.Trials, ErrorAt: fixedErrorRate,
		Columns: []string{"noise", "truth -margin", "-margin/2", "0", "+margin/2", "+margin"},
	}
	var edges []float64
	models := s.models(noise.White(), noise.AR(0.2), noise.AR(0.4), noise.Contaminated(0.1), noise.Contaminated(0.2))
	for _, m := range models {
		row := []any{m.Name}
		for _, share := range []float64{-1, -0.5, 0, 0.5, 1} {
			seen := trial.Run(s.Plan, fmt.Sprintf("equivalence, %s, %g", m.Name, share), s.Trials, func(r *rand.Rand) record.Verdict {
				c := trial.Fixed{Noise: m, Truth: share * margin}.Simulate(r)
				j := judge.Judge(c.Units, c.Policy)
				if j.WithinMargin {
					return record.Equivalent
				}
				return j.Verdict
			})
			rate := trial.Share(seen, func(v record.Verdict) bool { return v == record.Equivalent })
			if share == 1 || share == -1 {
				edges = append(edges, rate)
			}
			row = append(row, sheet.Percent(rate))
		}
		table.Rows = append(table.Rows, row)
	}
	table.Notes = []string{"a verdict of faster or slower that adds \"by less than the margin\" counts as equivalent here: it says the same about the margin."}
	table.Bars = []sheet.Bar{rateBar("called equivalent with a difference of exactly the margin", 0.065, false, edges, s.Trials)}
	return table
}
