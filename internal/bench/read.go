package bench

import (
	"fmt"
	"math"
	"strings"

	"github.com/rtcompare/rtcompare/internal/gobuild"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/source"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// Kind is the kind of these runs in the heads of records.
const Kind = "benchmarks"

// Read judges a record of two versions again. What only the running program
// knew, such as benchmarks that one version lacks, is not in it.
func Read(recorded record.Record) (Result, error) {
	if recorded.Head.Kind != Kind || len(recorded.Head.Arms) != 2 {
		return Result{}, fmt.Errorf("the record holds a run of %s, and not of benchmarks at two versions", recorded.Head.Kind)
	}
	r := &run{options: Options{ErrorRate: number(recorded.Head.Plan, "error_rate", DefaultErrorRate), Margin: number(recorded.Head.Plan, "margin", DefaultMargin)}}
	r.result.Units = recorded.Units
	r.result.SuiteRatio, r.result.SuiteLow, r.result.SuiteHigh = math.NaN(), math.NaN(), math.NaN()
	for side, arm := range recorded.Head.Arms {
		r.result.Versions[side] = source.Version{Name: arm.Name}
	}
	known := map[string]*rowRun{}
	layouts := map[int]bool{}
	for _, u := range recorded.Units {
		row := known[u.Row]
		if row == nil {
			row = readRow(u.Row)
			known[u.Row] = row
			r.rows = append(r.rows, row)
			r.result.Rows = append(r.result.Rows, row.Row)
		}
		row.Collections = row.Collections || u.Purpose == record.Cost
		if u.Stage == judgeStage {
			layouts[u.Index] = true
		}
	}
	r.result.Benchmarks = len(r.rows)
	r.result.Plan = Plan{Rows: len(r.rows), Judged: len(r.rows), Layouts: len(layouts)}
	for _, row := range r.rows {
		if ratios := r.ratios(row, screenStage); len(ratios) > 0 {
			row.Screened, _ = stat.MeanAndSD(ratios)
		}
	}
	r.conclude(r.rows)
	return r.result, nil
}

// readRow takes a row's key apart.
func readRow(key string) *rowRun {
	path, name := "", key
	if i := strings.LastIndex(key, ".Benchmark"); i >= 0 {
		path, name = key[:i], key[i+1:]
	}
	return &rowRun{Row: &Row{
		Package: gobuild.Package{ImportPath: path}, Name: name, Screened: math.NaN(), Driver: gobuild.Pausing,
		Leaked: [2]int{-1, -1}, Bytes: [2]float64{-1, -1}, Allocs: [2]float64{-1, -1},
	}}
}

func number(plan map[string]any, key string, otherwise float64) float64 {
	if v, ok := plan[key].(float64); ok && v > 0 {
		return v
	}
	return otherwise
}
