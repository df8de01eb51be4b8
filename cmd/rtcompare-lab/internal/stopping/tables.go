package stopping

import (
	"fmt"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
)

// results are the outcomes of every rule under every condition.
type results struct {
	setup      Setup
	conditions []Condition
	rules      []Rule
	// outcomes by condition, rule and trial.
	outcomes [][][]outcome
}

func (s Setup) measure(conditions []Condition, rules []Rule) results {
	r := results{setup: s, conditions: conditions, rules: rules}
	for _, c := range conditions {
		r.outcomes = append(r.outcomes, s.simulate(c, rules, shifts()))
	}
	return r
}

// falseRates are a rule's rates of false alarms, by condition.
func (r results) falseRates(rule int) []float64 {
	rates := make([]float64, len(r.conditions))
	for i := range rates {
		rates[i] = falseAlarms(r.outcomes[i][rule])
	}
	return rates
}

// find is the index of a rule.
func (r results) find(name string) int {
	for i, rule := range r.rules {
		if rule.Name() == name {
			return i
		}
	}
	return -1
}

// fullTrials is the number of trials that the bars are meant for.
const fullTrials = 6000

const errorRate, largestRate = 0.01, 0.015

// falseTable shows how often identical code is called different.
func (r results) falseTable(count int, inProcess []float64) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("stopping: identical commands called different at any look, up to %d rounds of a b b' a'", r.setup.Rounds),
		Nominal: "nominal 1%", Trials: r.setup.Trials, ErrorAt: errorRate,
		Columns: []string{"noise"},
		Notes: []string{
			"go run ./cmd/rtcompare-lab stopping",
			"The noise is that of the rounds' differences and runs on from round to round, also where every run is a fresh process;",
			"10% slowed: of all runs, by 30% on average. Nobody stops because the sides look the same: every look counts.",
			"jzs: finefile's rule, a look after every round. Without a margin its answer means what the library's means; its default is the",
			"margin of 1%. cut from start: the newest rounds are left out of its batches, not the oldest as the rule says.",
			"All others: the library's judge. 1 round: units of one round, as they come where nothing is known about correlation.",
			"as the engine sizes: the first twentieth of the rounds fixes the length of a unit. correlation 3: the interval is wider by",
			"the root of 3, for units of which so many in a row are assumed to resemble each other. ladder: units of several lengths",
			"(1, 4 and 24 rounds at assumed correlations of 6, 3 and 1), each at its share of the error rate; the interval is what they agree on.",
			"No rule here is right about noise that is slower still: see -noise ar0.9,slow-regime.",
			fmt.Sprintf("in process: units of 100 rounds of short batches, up to %d units.", inProcessUnits),
		},
	}
	for i := range count {
		table.Columns = append(table.Columns, r.rules[i].Name())
	}
	table.Columns = append(table.Columns, "in process")
	for i, c := range r.conditions {
		row := []any{c.Name}
		for rule := range count {
			row = append(row, sheet.Percent(falseAlarms(r.outcomes[i][rule])))
		}
		table.Add(append(row, sheet.Percent(inProcess[i]))...)
	}
	table.Bars = []sheet.Bar{
		rateBar("identical commands called different, worst noise, "+recommendedName, largestRate, r.falseRates(r.find(recommendedName)), r.setup.Trials),
		rateBar("identical functions called different, worst noise, in process", largestRate, inProcess, r.setup.Trials),
	}
	return table
}

func rateBar(name string, limit float64, rates []float64, trials int) sheet.Bar {
	return sheet.Bar{Name: name, Limit: limit, Measured: sheet.Worst(rates, false), Trials: trials, Full: fullTrials, Binding: true}
}

// delayTable shows how soon a true difference is seen.
func (r results) delayTable(count int) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("stopping: rounds until b is called slower, at most %d; standard deviation of a round 3%%", r.setup.Rounds),
		Nominal: "wrong direction at most 1%", Trials: r.setup.Trials,
		Columns: []string{"noise", "rule"},
		Notes: []string{
			"go run ./cmd/rtcompare-lab stopping",
			"b is slower by the percentage above the column: the share of comparisons that end with saying so, and after how many rounds",
			"on average. The others end with another answer or not at all. A round is four runs under every rule, so rounds are time.",
			"wrong direction: the share that calls b faster, at the worst of the differences. same at 1%: a difference of exactly the",
			"margin called too small to matter; finefile's rule without a margin never says that.",
		},
	}
	for _, truth := range truths {
		table.Columns = append(table.Columns, fmt.Sprintf("%g%%", 100*truth), fmt.Sprintf("rounds (%g%%)", 100*truth))
	}
	table.Columns = append(table.Columns, "wrong direction", "same at 1%")
	var wrongOnes []float64
	for i, c := range r.conditions {
		for rule := range count {
			row, wrong := delayRow(r.outcomes[i][rule])
			table.Add(append([]any{c.Name, r.rules[rule].Name()}, row...)...)
			if r.rules[rule].Name() == recommendedName {
				wrongOnes = append(wrongOnes, wrong)
			}
		}
	}
	table.Bars = append([]sheet.Bar{rateBar("wrong direction, worst noise, "+recommendedName, errorRate, wrongOnes, r.setup.Trials)}, r.delayBars()...)
	return table
}

// delayRow is one rule's row, without the names, and its worst share of wrong
// directions.
func delayRow(o []outcome) (row []any, wrong float64) {
	for k := range truths {
		row = append(row, sheet.Percent(share(o, k, Slower)), roundsUntil(o, k, Slower))
		wrong = max(wrong, share(o, k, Faster))
	}
	return append(row, sheet.Percent(wrong), sheet.Percent(share(o, 0, Same))), wrong
}

// delayBars are bars on the mean number of rounds, where those without the
// right answer count in full. A condition that is not tested has none.
func (r results) delayBars() []sheet.Bar {
	const condition = "ar0.46"
	limits := map[float64]float64{0.05: 60, 0.20: 30}
	var bars []sheet.Bar
	for i, c := range r.conditions {
		if c.Name != condition {
			continue
		}
		for k, truth := range truths {
			if limit, limited := limits[truth]; limited {
				bars = append(bars, sheet.Bar{
					Name: fmt.Sprintf("rounds until %g%% is seen, %s, %s", 100*truth, condition, recommendedName),
					Kind: sheet.Number, Limit: limit, Measured: r.cost(i, r.find(recommendedName), k), Trials: r.setup.Trials, Binding: true,
				})
			}
		}
	}
	return bars
}

// cost is the mean number of rounds of a comparison, where one without the
// right answer takes them all.
func (r results) cost(condition, rule, truth int) float64 {
	total := 0.0
	for _, o := range r.outcomes[condition][rule] {
		if e := o.endings[truth]; e.answer == Slower {
			total += float64(e.rounds)
		} else {
			total += float64(r.setup.Rounds)
		}
	}
	return total / float64(len(r.outcomes[condition][rule]))
}
