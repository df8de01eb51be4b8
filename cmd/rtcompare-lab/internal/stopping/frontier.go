package stopping

import (
	"fmt"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
)

// The true differences whose delay the frontier shows, as indices of truths,
// and the conditions of the delays.
var frontierTruths = []int{2, 3}

var frontierDelays = []string{"iid", "ar0.46", "ar0.46, 10% slowed"}

// candidate is a rule's place in the trade of false alarms against time.
type candidate struct {
	name string
	// rates are the false alarms by condition, worst the largest of them.
	rates []float64
	worst float64
	// costs are mean numbers of rounds.
	costs []float64
}

// beats reports whether a candidate is as good as another one in everything,
// and better in something.
func (c candidate) beats(other candidate) bool {
	better := c.worst < other.worst
	if c.worst > other.worst {
		return false
	}
	for i, cost := range c.costs {
		if cost > other.costs[i] {
			return false
		}
		better = better || cost < other.costs[i]
	}
	return better
}

// frontierTable shows false alarms against time for all rules.
func (r results) frontierTable() *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "stopping: false alarms against time, for units of other lengths and other rules",
		Nominal: "nominal 1%", Trials: r.setup.Trials, ErrorAt: errorRate,
		Columns: []string{"rule"},
		Notes: []string{
			"go run ./cmd/rtcompare-lab stopping",
			"Per noise the share of identical commands called different; then the mean rounds until a difference is seen, where a comparison",
			fmt.Sprintf("without the right answer counts with all %d rounds.", r.setup.Rounds),
			"frontier: no other rule is at least as good in the worst rate and in all delays, and better in one of them.",
			"from 5: the first answer comes with the fifth unit. no A/A: without what identical code shows within the units, which is also",
			"what is left where a' is the same process as a, and its noise the same.",
		},
	}
	for _, c := range r.conditions {
		table.Columns = append(table.Columns, c.Name)
	}
	table.Columns = append(table.Columns, "worst")
	for _, truth := range frontierTruths {
		for _, name := range frontierDelays {
			table.Columns = append(table.Columns, fmt.Sprintf("%g%%, %s", 100*truths[truth], name))
		}
	}
	table.Columns = append(table.Columns, "frontier")
	candidates := make([]candidate, len(r.rules))
	for i := range candidates {
		candidates[i] = r.candidate(i)
	}
	for i, c := range candidates {
		row := []any{c.name}
		for _, rate := range c.rates {
			row = append(row, sheet.Percent(rate))
		}
		row = append(row, sheet.Percent(c.worst))
		for _, cost := range c.costs {
			row = append(row, cost)
		}
		table.Add(append(row, mark(candidates, i))...)
	}
	return table
}

// mark says whether a candidate is on the frontier.
func mark(candidates []candidate, index int) string {
	for _, other := range candidates {
		if other.beats(candidates[index]) {
			return ""
		}
	}
	return "*"
}

func (r results) candidate(rule int) candidate {
	c := candidate{name: r.rules[rule].Name(), rates: r.falseRates(rule)}
	c.worst = sheet.Worst(c.rates, false)
	for _, truth := range frontierTruths {
		for _, name := range frontierDelays {
			for i, condition := range r.conditions {
				if condition.Name == name {
					c.costs = append(c.costs, r.cost(i, rule, truth))
				}
			}
		}
	}
	return c
}
