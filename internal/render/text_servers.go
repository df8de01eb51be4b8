package render

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/rtcompare/rtcompare/internal/view"
)

// latencyRows are the quantiles that the text shows, by the name of the metric
// under which they are judged.
var latencyRows = []struct {
	metric string
	at     float64
}{{"p50", 0.5}, {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}, {"p99.9", 0.999}, {"max", 1}}

// isShownWithLatencies reports whether the table of latencies has room for a
// pair's ratio: it has where there are two sides.
func isShownWithLatencies(c *view.Comparison, p view.Pair) bool {
	if len(c.Sides) != 2 || !hasLatency(c) {
		return false
	}
	return isLatencyRow(p.Judgement.Metric) && !c.IsMain(p)
}

func isLatencyRow(metric string) bool {
	for _, row := range latencyRows {
		if row.metric == metric {
			return true
		}
	}
	return false
}

func hasLatency(c *view.Comparison) bool {
	for i := range c.Sides {
		if latencyAt(&c.Sides[i], latencyRows[0].metric, latencyRows[0].at) != "" {
			return true
		}
	}
	return false
}

// latencyAt is the latency that a share of all requests did not exceed, or, where
// only each unit's was kept, the units' median.
func latencyAt(s *view.Side, metric string, at float64) string {
	for _, q := range s.Latency {
		if q.At == at {
			return view.AnyUnit.Time(q.Value)
		}
	}
	if series := s.Find(metric); series != nil && series.Known > 0 {
		return view.AnyUnit.Time(series.Median)
	}
	return ""
}

// latencies writes a table of latencies, with the judged ratio where there are
// two sides.
func (t *text) latencies() {
	if !hasLatency(t.c) {
		return
	}
	g := &grid{right: map[int]bool{}}
	head := []string{"latency"}
	if t.anyService() {
		head[0] = "latency from the planned time on"
	}
	for i := range t.c.Sides {
		head = append(head, t.c.Sides[i].Letter)
		g.right[i+1] = true
	}
	two, one := len(t.c.Sides) == 2, len(t.c.Sides) == 1
	switch {
	case two && t.anyLatencyJudged():
		head = append(head, "B / A", "")
	case one:
		head = append(head, "95% for the median of a unit")
	}
	g.add(head...)
	for _, row := range latencyRows {
		cells := []string{row.metric}
		for i := range t.c.Sides {
			cells = append(cells, latencyAt(&t.c.Sides[i], row.metric, row.at))
		}
		switch {
		case two:
			cells = append(cells, t.latencyRatio(row.metric)...)
		case one:
			cells = append(cells, unitInterval(&t.c.Sides[0], row.metric))
		}
		g.add(cells...)
	}
	t.table(g)
	t.service()
}

// service writes the latencies from the moment a request was really sent. They
// are kept where requests have planned times, from which the others count.
func (t *text) service() {
	if !t.anyService() {
		return
	}
	g := &grid{right: map[int]bool{}}
	head := []string{"latency from sending on"}
	for i := range t.c.Sides {
		head = append(head, t.c.Sides[i].Letter)
		g.right[i+1] = true
	}
	g.add(head...)
	for _, row := range latencyRows {
		cells, known := []string{row.metric}, false
		for i := range t.c.Sides {
			text := latencyAt(&view.Side{Series: t.c.Sides[i].Series}, servicePrefix+row.metric, row.at)
			cells, known = append(cells, text), known || text != ""
		}
		if known {
			g.add(cells...)
		}
	}
	t.table(g)
}

// servicePrefix marks the metrics of latencies from the moment of sending.
const servicePrefix = "service-"

func (t *text) anyService() bool {
	for i := range t.c.Sides {
		for _, row := range latencyRows {
			if t.c.Sides[i].Find(servicePrefix+row.metric) != nil {
				return true
			}
		}
	}
	return false
}

// unitInterval is where the median of the units' latencies lies.
func unitInterval(s *view.Side, metric string) string {
	series := s.Find(metric)
	if series == nil || math.IsNaN(series.MedianLow) {
		return ""
	}
	return "[" + view.AnyUnit.Time(series.MedianLow) + ", " + view.AnyUnit.Time(series.MedianHigh) + "]"
}

func (t *text) anyLatencyJudged() bool {
	for _, p := range t.c.Pairs {
		if isShownWithLatencies(t.c, p) {
			return true
		}
	}
	return false
}

func (t *text) latencyRatio(metric string) []string {
	p, ok := t.c.Pair(0, 1, metric)
	if !ok {
		return []string{"", ""}
	}
	return []string{ratioToBase(p), view.VerdictWord(p)}
}

// table writes a grid whose first row is its head, and an empty line.
func (t *text) table(g *grid) {
	for i, line := range g.lines() {
		if i == 0 {
			line = t.paint(faint, line)
		}
		t.line(line)
	}
	t.line("")
}

// totals writes what servers answered, how often, and what went wrong.
func (t *text) totals() {
	g := &grid{right: map[int]bool{}}
	head := []string{"answers"}
	var names []string
	for i := range t.c.Sides {
		head = append(head, t.c.Sides[i].Letter)
		g.right[i+1] = true
		for _, count := range t.c.Sides[i].Counts {
			if t.c.Sides[i].Server && !contains(names, count.Name) {
				names = append(names, count.Name)
			}
		}
	}
	if len(names) == 0 {
		return
	}
	g.add(head...)
	for _, name := range names {
		cells := []string{printable(name)}
		for i := range t.c.Sides {
			cells = append(cells, timesOf(&t.c.Sides[i], name))
		}
		g.add(cells...)
	}
	t.table(g)
	t.generator()
}

func contains(names []string, name string) bool {
	for _, known := range names {
		if known == name {
			return true
		}
	}
	return false
}

func timesOf(s *view.Side, name string) string {
	for _, count := range s.Counts {
		if count.Name == name {
			return strconv.FormatInt(count.Times, 10)
		}
	}
	return "0"
}

// generator says what the load generator itself needed for a request.
func (t *text) generator() {
	var parts []string
	for i := range t.c.Sides {
		if cost := t.c.Sides[i].Find(view.SeriesClientCost); cost != nil && cost.Known > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", t.c.Sides[i].Letter, view.AnyUnit.Time(cost.Median)))
		}
	}
	if len(parts) > 0 {
		t.line(t.paint(faint, "CPU time of the load generator for a request: "+strings.Join(parts, ", ")))
	}
}
