package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchmath"
)

// Tables computes a table for each unit, in the order in which units were seen.
func (c *OldCollection) Tables() []OldTable {
	for _, m := range c.metrics {
		m.settle()
	}
	var tables []OldTable
	for _, unit := range c.units {
		t := OldTable{Metric: oldMetric(unit), Compared: len(c.inputs) == 2, Inputs: c.inputs, Groups: c.groups}
		for _, group := range c.groups {
			for _, benchmark := range c.benchmarks[group] {
				if row, ok := c.row(&t, oldKey{group: group, benchmark: benchmark, unit: unit}); ok {
					t.Rows = append(t.Rows, row)
				}
			}
		}
		if len(t.Rows) == 0 {
			continue
		}
		c.sort(t.Rows)
		if c.options.Geomean {
			c.addGeomean(&t, unit)
		}
		tables = append(tables, t)
	}
	return tables
}

// row makes a row. With two inputs it is left out where one has no values.
func (c *OldCollection) row(t *OldTable, key oldKey) (OldRow, bool) {
	row := OldRow{Benchmark: key.benchmark}
	if len(c.groups) > 1 {
		row.Group = key.group
	}
	scaled := false
	for _, key.input = range c.inputs {
		m := c.metrics[key]
		if m == nil {
			if t.Compared {
				return row, false
			}
			m = new(OldMetrics)
		} else if !scaled {
			row.Scale, scaled = m.Mean, true
		}
		row.Metrics = append(row.Metrics, m)
	}
	if t.Compared {
		c.compare(&row, t.Metric)
	}
	return row, true
}

// compare fills in what is said about the difference of two inputs.
func (c *OldCollection) compare(row *OldRow, metric string) {
	old, new := row.Metrics[0], row.Metrics[1]
	p, problem := c.test(old.Kept, new.Kept)
	row.Delta = "~"
	switch {
	case problem != "":
		row.Note = "(" + problem + ")"
		return
	case p >= c.options.Alpha || math.IsNaN(p):
	case new.Mean == old.Mean:
		row.Delta = "0.00%"
	default:
		row.Percent = (new.Mean/old.Mean - 1.0) * 100.0
		row.Delta = fmt.Sprintf("%+.2f%%", row.Percent)
		row.Change = -1
		if row.Percent < 0 == (metric != "speed") {
			row.Change = +1
		}
	}
	if p != -1 {
		row.Note = fmt.Sprintf("(p=%0.3f n=%d+%d)", p, len(old.Kept), len(new.Kept))
	}
}

// test returns a p-value, -1 for no test, or what prevents one.
func (c *OldCollection) test(old, new []float64) (p float64, problem string) {
	thresholds := &benchmath.Thresholds{CompareAlpha: c.options.Alpha}
	a, b := &benchmath.Sample{Values: old, Thresholds: thresholds}, &benchmath.Sample{Values: new, Thresholds: thresholds}
	switch {
	case c.options.Test == "none":
		return -1, ""
	case c.options.Test == "ttest" && (len(old) < 2 || len(new) < 2), len(old) == 0, len(new) == 0:
		return 0, "too few samples"
	case c.options.Test == "ttest" && constant(old) && constant(new):
		return 0, "zero variance"
	case c.options.Test == "ttest":
		return benchmath.AssumeNormal.Compare(a, b).P, ""
	case constant(old) && constant(new) && old[0] == new[0]:
		return 0, "all equal"
	}
	return benchmath.AssumeNothing.Compare(a, b).P, ""
}

func constant(values []float64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

// sort orders rows; equal ones keep their order.
func (c *OldCollection) sort(rows []OldRow) {
	order, reverse := strings.CutPrefix(c.options.Sort, "-")
	var compare func(a, b OldRow) int
	switch order {
	case "name":
		compare = func(a, b OldRow) int { return strings.Compare(a.Benchmark, b.Benchmark) }
	case "delta":
		improvement := func(r OldRow) float64 { return math.Abs(r.Percent) * float64(r.Change) }
		compare = func(a, b OldRow) int { return cmp.Compare(improvement(a), improvement(b)) }
	default:
		return
	}
	slices.SortStableFunc(rows, func(a, b OldRow) int {
		if reverse {
			return compare(b, a)
		}
		return compare(a, b)
	})
}

// addGeomean adds the geometric means of the inputs. Values of zero are left out.
// A mean of one benchmark only would say nothing new.
func (c *OldCollection) addGeomean(t *OldTable, unit string) {
	row := OldRow{Benchmark: c.options.GeomeanName}
	most, complete, scaled := 0, t.Compared, false
	for _, input := range c.inputs {
		var means []float64
		for _, group := range c.groups {
			for _, benchmark := range c.benchmarks[group] {
				if m := c.metrics[oldKey{input, group, benchmark, unit}]; m != nil && m.Mean != 0 {
					means = append(means, m.Mean)
				}
			}
		}
		most = max(most, len(means))
		if len(means) == 0 {
			complete = false
			row.Metrics = append(row.Metrics, new(OldMetrics))
			continue
		}
		m := &OldMetrics{Unit: unit, Mean: geometricMean(means)}
		if !scaled {
			row.Scale, scaled = m.Mean, true
		}
		row.Metrics = append(row.Metrics, m)
	}
	if most <= 1 {
		return
	}
	if complete {
		row.Percent = (row.Metrics[1].Mean/row.Metrics[0].Mean - 1.0) * 100.0
		row.Delta = fmt.Sprintf("%+.2f%%", row.Percent)
	}
	t.Rows = append(t.Rows, row)
}

// oldMetric is the name that stands for a unit.
func oldMetric(unit string) string {
	for _, name := range [][2]string{{"ns/op", "time/op"}, {"ns/GC", "time/GC"}, {"B/op", "alloc/op"}, {"MB/s", "speed"}} {
		if unit == name[0] {
			return name[1]
		}
		if prefix, ok := strings.CutSuffix(unit, "-"+name[0]); ok {
			return prefix + "-" + name[1]
		}
	}
	return unit
}
