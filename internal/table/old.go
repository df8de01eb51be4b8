package table

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rtcompare/rtcompare/internal/benchtext"
)

// OldOptions are those of the benchstat of before 2023. The zero value is its
// default, except that it splits by no labels.
type OldOptions struct {
	// Alpha is the p-value below which a difference is shown; 0 means 0.05.
	Alpha float64
	// Test is "utest" (also ""), "ttest" or "none", which shows every difference.
	Test string
	// Geomean adds a row of geometric means.
	Geomean bool
	// GeomeanName is what that row is called; empty means "[Geomean]", as in the
	// newest version. Versions up to 2025 said "[Geo mean]".
	GeomeanName string
	// Sort is the order of rows: "none" (also ""), "name" or "delta", with a "-"
	// in front for the reverse.
	Sort string
	// SplitBy lists the labels that form groups of rows, such as "pkg".
	SplitBy []string
}

// oldTests has the spellings of tests.
var oldTests = map[string]string{"": "utest", "u": "utest", "u-test": "utest", "utest": "utest",
	"t": "ttest", "t-test": "ttest", "ttest": "ttest", "none": "none"}

// OldCollection collects results for the tables of the benchstat of before 2023:
// golang.org/x/perf/benchstat. Values are means without outliers, and only two
// inputs are compared.
type OldCollection struct {
	options        OldOptions
	inputs, units  []string
	groups         []string
	benchmarks     map[string][]string // by group
	known          map[string]bool     // what is in units, groups and benchmarks
	metrics        map[oldKey]*OldMetrics
	groupOf        map[*benchtext.Config]map[string]string
	lastKey        oldKey
	lastShape      *benchtext.Shape
	lastConfig     *benchtext.Config
	lastMetricsRow []*OldMetrics
}

type oldKey struct{ input, group, benchmark, unit string }

// OldMetrics is one cell.
type OldMetrics struct {
	// Unit is the unit as it was written; empty where there are no values.
	Unit string
	// Values are all values, Kept those without outliers.
	Values, Kept []float64
	// Min, Mean and Max are those of Kept.
	Min, Mean, Max float64
}

// OldTable is the table of one unit.
type OldTable struct {
	// Metric is the name that stands for the unit, such as "time/op".
	Metric string
	// Compared is set where there are exactly two inputs.
	Compared       bool
	Inputs, Groups []string
	Rows           []OldRow
}

// OldRow is one benchmark.
type OldRow struct {
	Benchmark string
	// Group is empty where there is only one group.
	Group string
	// Metrics has a cell for each input.
	Metrics []*OldMetrics
	// Scale is the value that decides how all of the row are written.
	Scale float64
	// Percent is the difference, 0 where it is not shown.
	Percent     float64
	Delta, Note string
	// Change is +1 for better, -1 for worse and 0 for no difference shown.
	Change int
}

// NewOldCollection returns a collection. The error names an option that it does
// not know.
func NewOldCollection(o OldOptions) (*OldCollection, error) {
	test, ok := oldTests[strings.ToLower(o.Test)]
	if !ok {
		return nil, fmt.Errorf("no test is called %q; there are utest, ttest and none", o.Test)
	}
	o.Test = test
	if o.Alpha == 0 {
		o.Alpha = 0.05
	}
	if o.GeomeanName == "" {
		o.GeomeanName = "[Geomean]"
	}
	switch strings.TrimPrefix(o.Sort, "-") {
	case "", "none", "name", "delta":
	default:
		return nil, fmt.Errorf("no order is called %q; there are none, name and delta", o.Sort)
	}
	return &OldCollection{options: o, benchmarks: map[string][]string{}, known: map[string]bool{},
		metrics: map[oldKey]*OldMetrics{}, groupOf: map[*benchtext.Config]map[string]string{}}, nil
}

// AddInput adds an input, also one that will have no results.
func (c *OldCollection) AddInput(label string) { c.inputs = append(c.inputs, label) }

// Add adds a result of an input that was added before.
func (c *OldCollection) Add(r *benchtext.Result) {
	if r.Iterations == 0 {
		return
	}
	input := r.Config.Get(benchtext.FileKey)
	if r.Shape != c.lastShape || r.Config != c.lastConfig || r.Name != c.lastKey.benchmark || input != c.lastKey.input {
		c.find(r, input)
	}
	for i, m := range c.lastMetricsRow {
		m.Values = append(m.Values, r.Numbers[i])
	}
}

// find looks up the cells of a kind of line.
func (c *OldCollection) find(r *benchtext.Result, input string) {
	key := oldKey{input: input, group: c.group(r), benchmark: r.Name}
	c.lastShape, c.lastConfig, c.lastKey = r.Shape, r.Config, key
	c.lastMetricsRow = c.lastMetricsRow[:0]
	for _, u := range r.Shape.Units {
		key.unit = u.Written
		m, ok := c.metrics[key]
		if !ok {
			c.remember("g", key.group, &c.groups)
			list := c.benchmarks[key.group]
			c.remember("b"+key.group+"\x00", key.benchmark, &list)
			c.benchmarks[key.group] = list
			c.remember("u", key.unit, &c.units)
			m = &OldMetrics{Unit: key.unit}
			c.metrics[key] = m
		}
		c.lastMetricsRow = append(c.lastMetricsRow, m)
	}
}

// remember adds a text to a list that does not have it.
func (c *OldCollection) remember(kind, text string, list *[]string) {
	if !c.known[kind+text] {
		c.known[kind+text] = true
		*list = append(*list, text)
	}
}

// group is the labels that a result is split by. Those of the name go before
// those of the configuration.
func (c *OldCollection) group(r *benchtext.Result) string {
	if len(c.options.SplitBy) == 0 {
		return ""
	}
	names := nameLabels(r.Name)
	var parts []string
	for _, label := range c.options.SplitBy {
		value := names[label]
		if value == "" && label != benchtext.FileKey {
			value = r.Config.Get(label)
		}
		if value != "" {
			parts = append(parts, label+":"+value)
		}
	}
	return strings.Join(parts, " ")
}

// nameLabels are the labels in a name: name, gomaxprocs, sub1 and so on, or the
// keys that are written out.
func nameLabels(name string) map[string]string {
	labels := map[string]string{}
	if dash := strings.LastIndexByte(name, '-'); dash >= 0 {
		if _, err := strconv.Atoi(name[dash+1:]); err == nil {
			labels["gomaxprocs"], name = name[dash+1:], name[:dash]
		}
	}
	parts := strings.Split(name, "/")
	labels["name"] = parts[0]
	for i, part := range parts[1:] {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			key, value = fmt.Sprintf("sub%d", i+1), part
		}
		labels[key] = value
	}
	return labels
}

// settle drops outliers and computes the mean: values more than one and a half
// times the distance of the quartiles away from them are left out (Tukey 1977).
func (m *OldMetrics) settle() {
	sorted := slices.Clone(m.Values)
	slices.Sort(sorted)
	q1, q3 := oldQuantile(sorted, 0.25), oldQuantile(sorted, 0.75)
	lo, hi := q1-1.5*(q3-q1), q3+1.5*(q3-q1)
	m.Kept, m.Mean = nil, 0
	m.Min, m.Max = math.Inf(1), math.Inf(-1)
	for _, v := range m.Values {
		if lo <= v && v <= hi {
			m.Kept = append(m.Kept, v)
			m.Min, m.Max = min(m.Min, v), max(m.Max, v)
			m.Mean += (v - m.Mean) / float64(len(m.Kept))
		}
	}
	if len(m.Kept) == 0 {
		m.Min, m.Mean, m.Max = math.NaN(), math.NaN(), math.NaN()
	}
}

// oldQuantile is the quantile of type 8 (Hyndman and Fan 1996).
func oldQuantile(sorted []float64, p float64) float64 {
	place, share := math.Modf(1/3.0 + p*(float64(len(sorted))+1/3.0))
	k := int(place)
	switch {
	case k <= 0:
		return sorted[0]
	case k >= len(sorted):
		return sorted[len(sorted)-1]
	}
	return sorted[k-1] + share*(sorted[k]-sorted[k-1])
}
