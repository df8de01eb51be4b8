package render

import (
	"math"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

// woven is a side's raw series in the order in which they were measured.
type woven struct {
	metrics   []record.Metric
	values    map[string][]float64
	positions map[string][]int
	runs      int
}

func (w *woven) add(m record.Metric, value float64, position int) {
	if _, known := w.values[m.Name]; !known {
		w.metrics = append(w.metrics, m)
	}
	w.values[m.Name] = append(w.values[m.Name], value)
	if position >= 0 {
		w.positions[m.Name] = append(w.positions[m.Name], position)
	}
}

// series returns the collected values, with what [statistics] says of them.
func (w *woven) series() []view.Series {
	series := make([]view.Series, 0, len(w.metrics))
	for _, m := range w.metrics {
		values := w.values[m.Name]
		series = append(series, view.Series{Metric: m, Values: values, Positions: w.positions[m.Name], Statistics: statistics(values)})
	}
	return series
}

// weave puts the runs of all replicas of every arm back into the order in which
// they happened. A round visits the cells of its unit from the first to the
// last, or the other way round where the unit's order says 'b'.
func weave(r record.Record, servers []bool) []woven {
	sides := make([]woven, len(r.Head.Arms))
	for i := range sides {
		sides[i] = woven{values: map[string][]float64{}, positions: map[string][]int{}}
	}
	described := describedMetrics(r.Head.Metrics)
	position := 0
	for _, unit := range record.Select(r.Units, record.Main) {
		for round := range rounds(unit) {
			for visit := range unit.Cells {
				cell := &unit.Cells[visitedAt(unit, round, visit)]
				if cell.Arm < 0 || cell.Arm >= len(sides) || round >= len(cell.Wall) {
					continue
				}
				sides[cell.Arm].run(cell, round, position, servers[cell.Arm], described)
				position++
			}
		}
		for i := range unit.Cells {
			if cell := &unit.Cells[i]; cell.Arm >= 0 && cell.Arm < len(sides) {
				sides[cell.Arm].unit(cell, described)
			}
		}
	}
	return sides
}

func rounds(u record.Unit) int {
	most := 0
	for i := range u.Cells {
		most = max(most, len(u.Cells[i].Wall))
	}
	return most
}

func visitedAt(u record.Unit, round, visit int) int {
	if round < len(u.Order) && u.Order[round] == 'b' {
		return len(u.Cells) - 1 - visit
	}
	return visit
}

// described are the metrics of a record by name, and their names in order.
type described struct {
	names  []string
	byName map[string]record.Metric
}

func describedMetrics(metrics []record.Metric) described {
	d := described{byName: map[string]record.Metric{}}
	for _, m := range metrics {
		if _, twice := d.byName[m.Name]; !twice && m.Name != "" {
			d.names = append(d.names, m.Name)
			d.byName[m.Name] = m
		}
	}
	return d
}

// timeMetric describes times in nanoseconds, of which less is better.
func timeMetric(name string) record.Metric {
	return record.Metric{Name: name, Unit: "ns", Better: "lower"}
}

// run adds one run. The time of a command is that of one start, a server's that
// of all requests of the run; what each request took is a series of its own.
func (w *woven) run(cell *record.Cell, round, position int, server bool, d described) {
	n := float64(max(1, cell.N))
	each := n
	if server {
		each = 1
	}
	wall := float64(cell.Wall[round])
	w.runs++
	w.add(timeMetric(view.SeriesWall), wall/each, position)
	cpu := at(cell.CPU, round)
	if len(cell.CPU) > 0 {
		w.add(timeMetric(view.SeriesCPU), cpu/each, position)
	}
	if server {
		w.add(timeMetric(view.SeriesRequest), wall/n, position)
		w.add(record.Metric{Name: view.SeriesRate, Unit: "1/s", Better: "higher"}, rate(n, wall), position)
		if len(cell.CPU) > 0 {
			w.add(timeMetric(view.SeriesRequestCPU), cpu/n, position)
		}
	}
	for _, name := range d.names {
		m := d.byName[name]
		values := cell.Extra[name]
		if m.PerUnit || len(values) != len(cell.Wall) || standard(name) {
			continue
		}
		w.add(m, known(values[round]), position)
		if server && name == view.SeriesClientCPU {
			w.add(timeMetric(view.SeriesClientCost), known(values[round])/n, position)
		}
	}
}

// unit adds the metrics that are read once for each unit.
func (w *woven) unit(cell *record.Cell, d described) {
	for _, name := range d.names {
		if m := d.byName[name]; m.PerUnit && len(cell.Extra[name]) == 1 && !standard(name) {
			w.add(m, known(cell.Extra[name][0]), -1)
		}
	}
}

// standard reports whether a name belongs to a series that [woven.run] makes.
func standard(name string) bool {
	switch name {
	case view.SeriesWall, view.SeriesCPU, view.SeriesRequest, view.SeriesRate, view.SeriesRequestCPU, view.SeriesClientCost:
		return true
	}
	return false
}

// at returns a reading, NaN where it is missing; a negative one was not read.
func at(values []int64, i int) float64 {
	if i >= len(values) || values[i] < 0 {
		return math.NaN()
	}
	return float64(values[i])
}

func known(v float64) float64 {
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

func rate(n, ns float64) float64 {
	if !(ns > 0) {
		return math.NaN()
	}
	return n / ns * 1e9
}
