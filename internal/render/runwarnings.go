package render

import (
	"math"
	"strings"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
	"github.com/rtcompare/rtcompare/internal/view"
)

const (
	// outlierScore is hyperfine's limit of the modified z score: 14.826 median
	// absolute deviations from the median.
	outlierScore = 14.826
	// fewestForOutliers runs are needed to call one of them unusual.
	fewestForOutliers = 5
	// shellLimit is the time below which a shell's own time cannot be subtracted
	// with any sharpness, as hyperfine has it.
	shellLimit = 5e6
	// busyShare is the share of a run spent waiting for a processor that is
	// worth a warning.
	busyShare = 0.05
	// generatorShare is how much of its time a load generator may be busy.
	generatorShare = 0.9
)

// allWarnings lists the warnings of the judgements and of the run, and those
// that the runs themselves give reason for, each once.
func allWarnings(c *view.Comparison, r record.Record) []record.Warning {
	var found []record.Warning
	add := func(w record.Warning) {
		for _, old := range found {
			if old.Code == w.Code && old.Arm == w.Arm {
				return
			}
		}
		found = append(found, w)
	}
	for _, p := range c.Pairs {
		for _, w := range p.Warnings {
			add(w)
		}
	}
	for _, p := range c.Pairs {
		if w, opposite := mixed(c, p); opposite {
			add(w)
		}
	}
	if r.End != nil {
		for _, w := range r.End.Warnings {
			add(w)
		}
	}
	for i := range c.Sides {
		for _, w := range sideWarnings(&c.Sides[i], i, planNumber(c.Plan, "loops")) {
			add(w)
		}
	}
	if r.Torn {
		add(record.Warning{Code: view.CodeTornRecord, Arm: -1})
	}
	return found
}

// mixed warns of a pair of which one side needs less time and the other less
// processor time.
func mixed(c *view.Comparison, p view.Pair) (w record.Warning, opposite bool) {
	if p.Judgement.Metric != view.SeriesWall || !p.Decided() {
		return w, false
	}
	cpu, ok := c.Pair(p.Base, p.Arm, view.SeriesCPU)
	if !ok || !cpu.Decided() || (cpu.LogRatio < 0) == (p.LogRatio < 0) {
		return w, false
	}
	values := map[string]float64{"wall": math.Exp(p.LogRatio), "cpu": math.Exp(cpu.LogRatio)}
	return record.Warning{Code: view.CodeMixed, Arm: p.Arm, Values: values}, true
}

func sideWarnings(s *view.Side, arm int, loops float64) []record.Warning {
	var found []record.Warning
	warn := func(code string, values map[string]float64) {
		found = append(found, record.Warning{Code: code, Arm: arm, Values: values})
	}
	if wall := s.Find(view.SeriesWall); wall != nil && !s.Server {
		first, others := outliers(wall.Values, wall.Median)
		if first {
			warn(view.CodeFirstRunSlow, map[string]float64{"first_ns": wall.Values[0], "median_ns": wall.Median})
		}
		if others > 0 {
			warn(view.CodeOutliers, map[string]float64{"count": float64(others)})
		}
		if shell := s.Find(view.SeriesShell); shell != nil && shell.Median > 0 && wall.Min < shellLimit {
			warn(view.CodeShellTime, map[string]float64{"shell_ns": shell.Median})
		}
	}
	if count := failedRuns(s); count > 0 {
		warn(view.CodeExitsIgnored, map[string]float64{"count": count})
	}
	for _, counted := range []struct{ name, code string }{{"timed out", view.CodeTimedOut}, {"left behind", view.CodeLeftBehind}} {
		if count := total(s, counted.name); count > 0 {
			warn(counted.code, map[string]float64{"count": count})
		}
	}
	if share := shareOf(s, view.SeriesRunDelay, 1); share > busyShare {
		warn(view.CodeMachineBusy, map[string]float64{"share": share})
	}
	if share := generatorLoad(s, loops); share > generatorShare {
		warn(view.CodeGeneratorBusy, map[string]float64{"share": min(1, share)})
	}
	if failed := sum(s.Find(view.SeriesFailed)); s.Server && failed > 0 {
		warn(view.CodeRequestErrors, map[string]float64{"failed": failed, "requests": float64(s.Requests)})
	}
	return found
}

// outliers applies hyperfine's rule: whether the first run is far slower than
// the rest, and how many others lie far off on either side.
func outliers(values []float64, median float64) (first bool, others int) {
	if len(values) < fewestForOutliers {
		return false, 0
	}
	deviations := make([]float64, len(values))
	for i, v := range values {
		deviations[i] = math.Abs(v - median)
	}
	limit := outlierScore * stat.Median(deviations)
	for i, v := range values {
		switch {
		case !(math.Abs(v-median) > limit) || limit == 0:
		case i == 0 && v > median:
			first = true
		default:
			others++
		}
	}
	return first, others
}

func failedRuns(s *view.Side) (count float64) {
	codes := s.Find(view.SeriesExitCode)
	if codes == nil {
		return 0
	}
	for _, code := range codes.Values {
		if code != 0 && !math.IsNaN(code) {
			count++
		}
	}
	return count
}

func total(s *view.Side, prefix string) (times float64) {
	for _, count := range s.Counts {
		if strings.HasPrefix(count.Name, prefix) {
			times += float64(count.Times)
		}
	}
	return times
}

func sum(s *view.Series) (total float64) {
	if s == nil {
		return 0
	}
	for _, v := range knownValues(s.Values) {
		total += v
	}
	return total
}

// generatorLoad is the share of its processors' time that the load generator
// used; 0 where it is not known.
func generatorLoad(s *view.Side, loops float64) float64 {
	if busy := s.Find(view.SeriesClientBusy); busy != nil && busy.Known > 0 {
		return busy.Median
	}
	if !s.Server || loops <= 0 {
		return 0
	}
	return shareOf(s, view.SeriesClientCPU, loops)
}

// shareOf is the share of the elapsed time, on that many processors, that a
// series of times makes up; 0 where it is not known.
func shareOf(s *view.Side, name string, processors float64) float64 {
	part, whole := s.Find(name), s.Find(view.SeriesWall)
	if part == nil || whole == nil || !(sum(whole) > 0) {
		return 0
	}
	return sum(part) / sum(whole) / max(1, processors)
}
