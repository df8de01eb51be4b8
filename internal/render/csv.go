package render

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"

	"github.com/rtcompare/rtcompare/internal/view"
)

// hyperfineColumns are the first columns of the CSV export, times in seconds.
// Parameters follow, then our own columns.
var hyperfineColumns = []string{"command", "mean", "stddev", "median", "user", "system", "min", "max"}

var ourColumns = []string{"runs", "cpu", "memory_byte", "requests_per_second", "latency_p50", "latency_p99", "ratio", "ratio_low", "ratio_high", "verdict"}

// CSV exports a line for each side, as hyperfine does, with further columns at
// the end. Unknown numbers are empty; the standard deviation of one run is 0.
func CSV(c view.Comparison) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	parameters := parameterNames(&c)
	head := append([]string(nil), hyperfineColumns...)
	for _, name := range parameters {
		head = append(head, "parameter_"+name)
	}
	rows := [][]string{append(head, ourColumns...)}
	for i := range c.Sides {
		rows = append(rows, csvRow(&c, i, parameters))
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, fmt.Errorf("writing the comparison as CSV: %w", err)
	}
	return out.Bytes(), nil
}

// parameterNames are the names of all parameters in the order of their first
// use.
func parameterNames(c *view.Comparison) []string {
	var names []string
	for i := range c.Sides {
		for _, p := range c.Sides[i].Parameters {
			if !contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

func csvRow(c *view.Comparison, i int, parameters []string) []string {
	side := &c.Sides[i]
	in := func(name string, of func(*view.Series) float64) float64 {
		if s := side.Find(name); s != nil {
			return of(s)
		}
		return math.NaN()
	}
	mean := func(s *view.Series) float64 { return s.Mean }
	median := func(s *view.Series) float64 { return s.Median }
	secondsOf := func(name string, of func(*view.Series) float64) string { return plainNumber(in(name, of) / 1e9) }
	sd := secondsOf(view.SeriesWall, func(s *view.Series) float64 { return s.SD })
	if sd == "" {
		sd = "0"
	}
	row := []string{
		side.Name, secondsOf(view.SeriesWall, mean), sd, secondsOf(view.SeriesWall, median),
		secondsOf(view.SeriesUser, mean), secondsOf(view.SeriesSystem, mean),
		secondsOf(view.SeriesWall, func(s *view.Series) float64 { return s.Min }),
		secondsOf(view.SeriesWall, func(s *view.Series) float64 { return s.Max }),
	}
	for _, name := range parameters {
		row = append(row, parameterOf(side, name))
	}
	row = append(row, strconv.Itoa(side.Runs()), secondsOf(view.SeriesCPU, mean),
		plainNumber(in(view.SeriesMemory, median)), plainNumber(in(view.SeriesRate, median)),
		plainNumber(quantileOf(side, 0.5)/1e9), plainNumber(quantileOf(side, 0.99)/1e9))
	return append(row, csvVerdict(c, i)...)
}

func parameterOf(s *view.Side, name string) string {
	for _, p := range s.Parameters {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

func quantileOf(s *view.Side, at float64) float64 {
	for _, q := range s.Latency {
		if q.At == at {
			return q.Value
		}
	}
	return math.NaN()
}

// csvVerdict is the ratio of the elapsed times to the reference's with its
// interval, and the verdict.
func csvVerdict(c *view.Comparison, i int) []string {
	if i == c.Reference {
		return []string{"1", "", "", "reference"}
	}
	p, ok := c.Main(c.Reference, i)
	if !ok {
		return []string{"", "", "", ""}
	}
	if !p.Bounded() {
		return []string{"", "", "", string(p.Verdict)}
	}
	return []string{plainNumber(math.Exp(p.LogRatio)), plainNumber(math.Exp(p.Low)), plainNumber(math.Exp(p.High)), string(p.Verdict)}
}
