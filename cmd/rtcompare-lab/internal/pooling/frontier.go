package pooling

import (
	"math/rand/v2"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
)

// scatters are the further scatters, in points, at which a rule has to cover.
// Around 3 to 4 most runs end where they like, from 6 on few do.
var scatters = []float64{0.5, 1, 1.5, 2, 2.5, 3.5, 4, 4.5, 6, 7, 10}

// Frontier compares rules for the number of processes: how many they take, and
// what their intervals cover.
func Frontier(s simulation.Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "staged: rules for the number of processes, for a half-width of 2 points or a tenth, at most 40 processes",
		Nominal: "nominal 95%", Trials: s.Trials, ErrorAt: 1 - level,
		Columns: []string{
			"rule", "first stage", "mean at 3", "covers at 3", "narrow at 3", "mean at 5", "covers at 5", "narrow at 5",
			"mean at 30%", "covers at 30%", "narrow at 30%", "lowest of all", "goals",
		},
		Notes: []string{
			"columns are for a scatter of 3 points, of 5, and of 5 with a difference of 30%; lowest of all is the lowest coverage at these and at scatters of 0.5 to 10 points.",
			"narrow is how often the interval at the end is as narrow as asked for; goals are a mean of at most 14 at a scatter of 3 and no coverage below 94.2%.",
		},
	}
	for _, rule := range rules() {
		row := []any{rule.name, rule.first}
		var rates []float64
		mean := 0.0
		for i, from := range populations {
			seen := answers(s, rule, from)
			processes := trial.Mean(seen, func(a answer) float64 { return float64(a.processes) })
			if i == 0 {
				mean = processes
			}
			rates = append(rates, coverageOf(seen, from))
			row = append(row, processes, sheet.Percent(rates[i]), sheet.Percent(trial.Share(seen, func(a answer) bool { return a.narrow })))
		}
		for _, points := range scatters {
			from := population{0, points}
			rates = append(rates, coverageOf(answers(s, rule, from), from))
		}
		lowest := sheet.Worst(rates, true)
		goals := "-"
		if mean <= meanGoal && lowest >= lowestCoverage {
			goals = "both"
		}
		table.Rows = append(table.Rows, append(row, sheet.Percent(lowest), goals))
	}
	return table
}

// answers runs a rule. All rules get the same processes.
func answers(s simulation.Setup, by rule, from population) []answer {
	return trial.Run(s.Plan, "rules, "+from.String(), s.Trials, func(r *rand.Rand) answer {
		return by.answer(func() float64 { return from.draw(r) })
	})
}

// answer applies the rule to one run.
func (by rule) answer(next func() float64) answer {
	size := multiprocSizing()
	size.first = by.first
	s := &sample{sizing: size, next: next}
	s.grow(by.first)
	return by.run(s)
}

func coverageOf(seen []answer, from population) float64 {
	truth := from.logRatio()
	return trial.Share(seen, func(a answer) bool { return holds(a.mean-a.half, a.mean+a.half, truth) })
}
