package render

import (
	"fmt"
	"math"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

const (
	// blockCells is how wide a histogram in a line is.
	blockCells = 16
	// leastName is how far a name is shortened at most.
	leastName = 12
)

// sides writes a line for each side, or a table where there are many, and all
// numbers where details are wanted.
func (t *text) sides() {
	if t.o.Details {
		t.details()
	}
	many := len(t.c.Sides) >= manySides
	if t.o.Details && !many {
		return
	}
	s := commonScale(t.c)
	g := &grid{right: map[int]bool{1: true}}
	name := 1
	if many {
		g.right = map[int]bool{2: true, 3: true, 4: true, 5: true, 6: true}
		g.add(t.head()...)
	}
	for _, i := range t.sorted() {
		g.add(t.side(i, many, s)...)
	}
	if !many {
		g.right = map[int]bool{2: true, 3: true, 4: true, 5: true}
	}
	t.dropHistogram(g)
	g.fit(name, t.o.width(), leastName)
	for i, line := range g.lines() {
		if many && i == 0 {
			line = t.paint(faint, line)
		}
		t.line(line)
	}
	if s.spread() && t.hasHistogram(g) {
		what, unit := "Histograms of the runs", t.o.TimeUnit
		if kindOf(t.c) == "servers" {
			what, unit = "Histograms of the runs' time over their requests", view.AnyUnit
		}
		t.line(t.paint(faint, fmt.Sprintf("%s reach from %s to %s.", what, unit.Time(s.low), unit.Time(s.high))))
	}
	if len(t.c.Sides) > 1 {
		t.line("")
	}
}

// sorted is the order of the sides in the text.
func (t *text) sorted() []int {
	switch {
	case t.o.Sort == SortMean:
		return sidesBy(len(t.c.Sides), func(i int) float64 { return meanCost(&t.c.Sides[i]) })
	case t.o.Sort == SortCommand || len(t.c.Sides) < manySides:
		return sidesBy(len(t.c.Sides), func(int) float64 { return 0 })
	}
	return bestFirst(t.c)
}

// meanCost is a side's mean time; unknown ones come last.
func meanCost(s *view.Side) float64 {
	if cost := s.Cost(); cost != nil && !math.IsNaN(cost.Mean) {
		return cost.Mean
	}
	return math.Inf(1)
}

func (t *text) head() []string {
	cells := []string{"", "", "time", "CPU", "memory", t.ownName(), "to " + t.c.Sides[t.c.Reference].Letter, "", ""}
	if metric := t.c.MainMetric(); metric != view.SeriesWall {
		cells[6] = view.MetricName(metric) + " " + cells[6]
	}
	switch kindOf(t.c) {
	case "servers":
		cells[2], cells[3], cells[4] = "requests", "CPU each", ""
	case "commands and servers":
		cells[2] = "time or rate"
	}
	return cells
}

func (t *text) side(i int, many bool, s scale) []string {
	side := &t.c.Sides[i]
	cells := []string{side.Letter, printable(side.Name), t.speed(side), t.cpu(side, many), t.memory(side), t.own(side, many)}
	if many {
		cells = append(cells, t.relation(i)...)
	}
	histogram := ""
	if cost := side.Cost(); cost != nil && cost.Known > 1 && s.spread() {
		histogram = blocks(cost.Values, s, blockCells)
	}
	return append(cells, histogram)
}

// speed is a command's time or a server's requests per second.
func (t *text) speed(s *view.Side) string {
	if s.Server {
		if rate := s.Find(view.SeriesRate); rate != nil {
			return view.Rate(rate.Median)
		}
		return "unknown"
	}
	if wall := s.Find(view.SeriesWall); wall != nil {
		return t.o.TimeUnit.Time(wall.Median)
	}
	return "no runs"
}

func (t *text) cpu(s *view.Side, bare bool) string {
	name, suffix := view.SeriesCPU, ""
	if s.Server {
		name, suffix = view.SeriesRequestCPU, " a request"
	}
	cpu := s.Find(name)
	if cpu == nil || cpu.Known == 0 {
		return ""
	}
	if bare {
		return t.o.TimeUnit.Time(cpu.Median)
	}
	if s.Server { // too short for the unit that suits whole runs
		return "CPU " + view.AnyUnit.Time(cpu.Median) + suffix
	}
	return "CPU " + t.o.TimeUnit.Time(cpu.Median) + suffix
}

func (t *text) memory(s *view.Side) string {
	memory := s.Find(view.SeriesMemory)
	if memory == nil || memory.Known == 0 {
		return ""
	}
	return bounded(memory.Metric, view.Amount(memory.Median))
}

// ownName is the main metric where no other column shows it, else "".
func (t *text) ownName() string {
	switch metric := t.c.MainMetric(); {
	case metric == view.SeriesWall || metric == view.SeriesCPU || metric == view.SeriesMemory || isLatencyRow(metric):
		return ""
	default:
		return view.MetricName(metric)
	}
}

// own is a side's median of the main metric where no other column shows it.
func (t *text) own(s *view.Side, bare bool) string {
	series := s.Find(t.c.MainMetric())
	if t.ownName() == "" || series == nil || series.Known == 0 {
		return ""
	}
	text := bounded(series.Metric, view.Value(series.Metric, series.Median, view.AnyUnit))
	if bare {
		return text
	}
	return t.ownName() + " " + text
}

// bounded marks a value that may in truth be smaller.
func bounded(m record.Metric, text string) string {
	if m.UpperBound {
		return "≤ " + text
	}
	return text
}

// relation is a side's ratio to the reference and the verdict on it.
func (t *text) relation(i int) []string {
	if i == t.c.Reference {
		return []string{"1", "reference"}
	}
	p, ok := t.c.Main(t.c.Reference, i)
	if !ok {
		return []string{"", "not judged"}
	}
	return []string{ratioToBase(p), view.VerdictWord(p)}
}

// ratioToBase is the arm's value over the base's, whichever is larger.
func ratioToBase(p view.Pair) string {
	if !p.Bounded() {
		return "no bounds"
	}
	return view.Times(math.Exp(p.LogRatio), math.Exp(p.Low), math.Exp(p.High))
}

// dropHistogram removes the last column where it does not fit.
func (t *text) dropHistogram(g *grid) {
	widths := g.widths()
	all := 0
	for i, w := range widths {
		if i == 1 {
			w = min(w, 24)
		}
		if w > 0 {
			all += w + len(gap)
		}
	}
	if all-len(gap) <= t.o.width() {
		return
	}
	for _, row := range g.rows {
		row[len(row)-1] = ""
	}
}

func (t *text) hasHistogram(g *grid) bool {
	widths := g.widths()
	return len(widths) > 0 && widths[len(widths)-1] > 0
}

// alone describes a side that was compared with nothing.
func (t *text) alone(s *view.Side) {
	cost := s.Cost()
	if cost == nil || cost.Known == 0 {
		return
	}
	value, kind := t.o.TimeUnit.Time, "command"
	if rate := s.Find(view.SeriesRate); s.Server && rate != nil && rate.Known > 0 {
		cost, value, kind = rate, view.Rate, "server"
	}
	t.line("")
	if math.IsNaN(cost.MedianLow) {
		t.line(fmt.Sprintf("Median %s (too few runs for an interval), mean %s.", value(cost.Median), value(cost.Mean)))
	} else {
		t.line(fmt.Sprintf("Median %s, between %s and %s (95%%), mean %s.", value(cost.Median), value(cost.MedianLow), value(cost.MedianHigh), value(cost.Mean)))
	}
	t.line(fmt.Sprintf("Half of the runs lie between %s and %s, all between %s and %s.", value(cost.P25), value(cost.P75), value(cost.Min), value(cost.Max)))
	if !math.IsNaN(cost.Neighbours) {
		t.line(fmt.Sprintf("Two successive runs typically differ by %s (noise).", view.Percent(math.Expm1(cost.Neighbours))))
	}
	t.line(fmt.Sprintf("Nothing to compare with: a second %s would be judged against this one.", kind))
	t.line("")
}
