package render

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

// Summarise computes what the forms show from the record of a run of commands
// or servers. The only errors are histograms of latencies that are damaged; a
// record of nothing gives a comparison of nothing.
func Summarise(r record.Record) (view.Comparison, error) {
	c := view.Comparison{
		Tool: r.Head.Tool, Started: r.Head.Started, Plan: r.Head.Plan, Host: hostFacts(r.Head.Host),
		Name: planText(r.Head.Plan, "name"), Ending: ending(r),
	}
	c.Metric = planText(r.Head.Plan, "metric")
	c.ReferenceNamed, _ = r.Head.Plan["reference_named"].(bool)
	if reference := planNumber(r.Head.Plan, "reference"); reference > 0 && reference < float64(len(r.Head.Arms)) {
		c.Reference = int(reference)
	}
	servers := areServers(r)
	sides := weave(r, servers)
	for i, arm := range r.Head.Arms {
		side := view.Side{
			Letter: view.Letter(i), Name: arm.Name, Command: arm.Command, Parameters: arm.Parameters,
			Server: servers[i], Series: sides[i].series(),
		}
		if side.Name == "" {
			side.Name = arm.Command
		}
		side.Counts, side.Requests = totals(r.Units, i, servers[i])
		markBounds(&side)
		histogram, err := mergeLatency(r.Units, i)
		if err != nil {
			return view.Comparison{}, err
		}
		side.Latency = quantiles(histogram)
		c.Sides = append(c.Sides, side)
	}
	c.Pairs = pairs(r)
	c.Groups = groups(&c)
	c.Warnings = allWarnings(&c, r)
	return c, nil
}

// areServers tells servers from commands in a record of both by what they are
// started or reached by.
func areServers(r record.Record) []bool {
	servers := make([]bool, len(r.Head.Arms))
	for i, arm := range r.Head.Arms {
		servers[i] = r.Head.Kind == "servers" || r.Head.Kind != "commands" && isAddress(arm.Command)
	}
	return servers
}

func isAddress(command string) bool {
	for _, scheme := range []string{"http://", "https://", "unix:"} {
		if strings.HasPrefix(command, scheme) {
			return true
		}
	}
	return false
}

func ending(r record.Record) view.Ending {
	e := view.Ending{
		Method: planText(r.Head.Plan, "method"), Reason: planText(r.Head.Plan, "stopped"),
		Seconds: planNumber(r.Head.Plan, "seconds"), Torn: r.Torn,
	}
	if r.End != nil {
		e.Reason, e.Seconds, e.Machine = r.End.Stopped, r.End.Seconds, r.End.Machine
	}
	return e
}

func planText(plan map[string]any, key string) string {
	text, _ := plan[key].(string)
	return text
}

// planNumber reads a number of the plan as it was set or as JSON gives it back.
func planNumber(plan map[string]any, key string) float64 {
	switch v := plan[key].(type) {
	case float64:
		return v
	case int:
		return float64(v)
	}
	return 0
}

// hostFacts returns the facts about the machine as JSON gives them back.
func hostFacts(host any) map[string]any {
	if facts, ok := host.(map[string]any); ok || host == nil {
		return facts
	}
	var facts map[string]any
	if text, err := json.Marshal(host); err == nil && json.Unmarshal(text, &facts) != nil {
		return nil
	}
	return facts
}

// totals adds up an arm's counts and requests over its main units.
func totals(units []record.Unit, arm int, server bool) (counts []view.Total, requests int64) {
	sum := map[string]int64{}
	for _, unit := range record.Select(units, record.Main) {
		for i := range unit.Cells {
			cell := &unit.Cells[i]
			if cell.Arm != arm {
				continue
			}
			for name, times := range cell.Counts {
				sum[name] += times
			}
			if server {
				requests += max(0, cell.N) * int64(len(cell.Wall))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sum)) {
		counts = append(counts, view.Total{Name: name, Times: sum[name]})
	}
	return counts, requests
}

// countAtFloor is the count of runs whose memory was only bounded from above.
const countAtFloor = "memory at floor"

// markBounds keeps the mark of an upper bound on a side's memory only where it
// concerns the median: where at least half of the runs were bounded.
func markBounds(s *view.Side) {
	if memory := s.Find(view.SeriesMemory); memory != nil {
		memory.UpperBound = memory.UpperBound && 2*total(s, countAtFloor) >= float64(memory.Known)
	}
}

// pairs returns the judgements of the record that name known arms. Where a pair
// was judged again, the last judgement counts.
func pairs(r record.Record) []view.Pair {
	d := describedMetrics(r.Head.Metrics)
	var found []view.Pair
	for _, j := range r.Judgements {
		if j.Base < 0 || j.Arm < 0 || j.Base >= len(r.Head.Arms) || j.Arm >= len(r.Head.Arms) || j.Base == j.Arm {
			continue
		}
		described, ok := d.byName[j.Metric]
		if !ok {
			described = timeMetric(j.Metric)
		}
		p := view.Pair{Judgement: j, Describes: described}
		again := slices.IndexFunc(found, func(old view.Pair) bool {
			return old.Base == j.Base && old.Arm == j.Arm && old.Judgement.Metric == j.Metric
		})
		if again >= 0 {
			found[again] = p
			continue
		}
		found = append(found, p)
	}
	return found
}

// bestFirst orders the sides by the metric that carries the verdict, best first:
// by their judged distance from the reference, and by their medians where that
// is missing.
func bestFirst(c *view.Comparison) []int {
	cost := make([]float64, len(c.Sides))
	reference := mainMedian(c, c.Reference)
	higher := slices.ContainsFunc(c.Pairs, func(p view.Pair) bool { return c.IsMain(p) && p.Describes.Better == "higher" })
	for i := range c.Sides {
		cost[i] = math.Log(mainMedian(c, i) / reference)
		if p, ok := c.Main(c.Reference, i); ok && p.Bounded() && i != c.Reference {
			cost[i] = p.LogRatio
		}
		if higher {
			cost[i] = -cost[i]
		}
		if math.IsNaN(cost[i]) {
			cost[i] = math.Inf(1)
		}
	}
	return sidesBy(len(c.Sides), func(i int) float64 { return cost[i] })
}

// mainMedian is a side's median of the metric that carries the verdict.
func mainMedian(c *view.Comparison, side int) float64 {
	if side >= len(c.Sides) {
		return math.NaN()
	}
	s := c.Sides[side].Cost()
	if c.MainMetric() != view.SeriesWall {
		s = c.Sides[side].Find(c.MainMetric())
	}
	if s == nil {
		return math.NaN()
	}
	return s.Median
}

func sidesBy(count int, key func(int) float64) []int {
	order := make([]int, count)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(key(a), key(b)) })
	return order
}

func groups(c *view.Comparison) [][]int {
	if len(c.Sides) < 3 {
		return nil
	}
	return view.GroupSides(bestFirst(c), func(a, b int) (told, judged bool) {
		p, ok := c.Main(a, b)
		return ok && p.Decided(), ok
	})
}
