package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare/internal/bench"
	"github.com/rtcompare/rtcompare/internal/gobuild"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/term"
	"github.com/rtcompare/rtcompare/internal/view"
)

// benchRows are the lines of the table: what stands out, first of all.
func benchRows(result bench.Result) []view.BenchRow {
	var rows []view.BenchRow
	judged := slices.Clone(result.Rows)
	slices.SortStableFunc(judged, func(a, b *bench.Row) int { return importance(b) - importance(a) })
	for _, row := range judged {
		name := shownName(result, row)
		if row.Judgement != nil && row.Failed == nil {
			rows = append(rows, view.TimeRow(name, row.NsPerOp[0], row.NsPerOp[1], *row.Judgement, row.Layouts))
		}
	}
	for _, row := range judged {
		name := shownName(result, row)
		if extra, ok := view.ExactRow(name, "B/op", row.Bytes[0], row.Bytes[1]); ok {
			rows = append(rows, extra)
		}
		if extra, ok := view.ExactRow(name, "allocs/op", row.Allocs[0], row.Allocs[1]); ok {
			rows = append(rows, extra)
		}
		if row.Leaked[1] > row.Leaked[0] && row.Leaked[0] >= 0 {
			rows = append(rows, view.BenchRow{Name: name, Unit: "goroutines", Base: fmt.Sprint(row.Leaked[0]), New: fmt.Sprint(row.Leaked[1]), Change: fmt.Sprintf("+%d", row.Leaked[1]-row.Leaked[0]), Verdict: "left running", Mood: "worse"})
		}
	}
	return rows
}

// importance orders rows: worse ones first, then better ones.
func importance(row *bench.Row) int {
	if row.Judgement == nil {
		return 0
	}
	switch row.Judgement.Verdict {
	case record.Slower:
		return 5
	case record.Faster:
		return 4
	case record.Inconclusive, record.Unmeasurable:
		return 2
	}
	return 1
}

func shownName(result bench.Result, row *bench.Row) string {
	name := strings.TrimPrefix(row.Name, "Benchmark")
	if several(result) {
		name = row.Package.ImportPath[strings.LastIndexByte(row.Package.ImportPath, '/')+1:] + "." + name
	}
	return name
}

// several reports whether the rows come from more than one package.
func several(result bench.Result) bool {
	for _, row := range result.Rows {
		if row.Package.ImportPath != result.Rows[0].Package.ImportPath {
			return true
		}
	}
	return false
}

func benchHeader(result bench.Result) string {
	parts := []string{
		fmt.Sprintf("%s → %s", result.Versions[0].Name, result.Versions[1].Name),
	}
	if result.Toolchain.Version != "" {
		parts = append(parts, result.Toolchain.Version)
	}
	parts = append(parts, fmt.Sprintf("%d benchmarks", result.Benchmarks))
	if result.Built > 0 {
		parts = append(parts, "built in "+rounded(result.Built))
	}
	p := result.Plan
	if p.ScreenLayouts > 0 {
		parts = append(parts, fmt.Sprintf("screened on %d layouts, %d judged on %d fresh ones", p.ScreenLayouts, p.Judged, p.Layouts))
	} else if p.Judged > 0 {
		parts = append(parts, fmt.Sprintf("judged on %d layouts", p.Layouts))
	}
	if result.Screened+result.Judged > 0 {
		parts = append(parts, "measured for "+rounded(result.Screened+result.Judged))
	}
	return strings.Join(parts, " · ")
}

func rounded(d time.Duration) string { return d.Round(time.Second).String() }

// benchText is the table for a terminal.
func benchText(result bench.Result, colour bool) string {
	var out strings.Builder
	styles := term.Styles{Color: colour}
	fmt.Fprintln(&out, benchHeader(result))
	for _, difference := range result.Differences {
		fmt.Fprintln(&out, styles.Yellow("differently built: "+difference))
	}
	rows := benchRows(result)
	if len(rows) > 0 {
		fmt.Fprintln(&out, benchTable(rows, styles))
	}
	for _, line := range benchNotes(result) {
		fmt.Fprintln(&out, line)
	}
	return out.String()
}

// benchTable lines the rows up.
func benchTable(rows []view.BenchRow, styles term.Styles) string {
	widths := []int{0, 4, 3, 6}
	cells := make([][]string, len(rows))
	for i, row := range rows {
		name := row.Name
		if row.Unit != "time" {
			name += "   " + row.Unit
		}
		cells[i] = []string{name, row.Base, row.New, row.Change}
		for k, cell := range cells[i] {
			widths[k] = max(widths[k], term.Width(cell))
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s  %s  %s  %s  verdict", term.Pad("", widths[0]), left("base", widths[1]), left("new", widths[2]), term.Pad("change", widths[3]))
	for i, row := range rows {
		verdict := row.Verdict
		switch row.Mood {
		case "worse":
			verdict = styles.Red(verdict)
		case "better":
			verdict = styles.Green(verdict)
		case "unknown":
			verdict = styles.Yellow(verdict)
		}
		fmt.Fprintf(&out, "\n%s  %s  %s  %s  %s", term.Pad(cells[i][0], widths[0]), left(cells[i][1], widths[1]), left(cells[i][2], widths[2]), term.Pad(cells[i][3], widths[3]), verdict)
	}
	return out.String()
}

// left puts blanks before a text.
func left(text string, width int) string {
	return strings.Repeat(" ", max(0, width-term.Width(text))) + text
}

// benchNotes are the sentences below the table: nothing vanishes.
func benchNotes(result bench.Result) []string {
	var notes []string
	add := func(format string, values ...any) { notes = append(notes, fmt.Sprintf(format, values...)) }
	quiet, largest, leftOut := 0, 0.0, []string{}
	for _, row := range result.Rows {
		switch {
		case row.Failed != nil:
			add("%s failed: %v", shownName(result, row), row.Failed)
		case row.LeftOut:
			leftOut = append(leftOut, shownName(result, row))
		case row.Judgement == nil && !math.IsNaN(row.Screened):
			quiet++
			if math.Abs(row.Screened) > math.Abs(largest) {
				largest = row.Screened
			}
		}
	}
	if quiet > 0 {
		add("%d others: none stood out (largest %s), which does not mean that they are equal; --all judges them.", quiet, view.SignedPercent(math.Expm1(largest)))
	}
	if len(leftOut) > 0 {
		add("The time did not suffice for %d: %s. A longer --time takes them in.", len(leftOut), strings.Join(leftOut, ", "))
	}
	if !math.IsNaN(result.SuiteRatio) && len(result.Rows) >= fewestForSuite {
		add("Mean of the suite %s [%s %s].", view.SignedPercent(math.Expm1(result.SuiteRatio)), view.SignedPercent(math.Expm1(result.SuiteLow)), view.SignedPercent(math.Expm1(result.SuiteHigh)))
	}
	if len(result.Unchanged) > 0 {
		add("Nothing changed (same machine code, files and flags): %s.", strings.Join(result.Unchanged, ", "))
	}
	notes = append(notes, missingNotes(result)...)
	for _, err := range result.BuildFailures {
		add("%v", err)
	}
	if result.Driver == gobuild.Processes && result.Reason != "" {
		add("Benchmarks got a process per sample: %s.", result.Reason)
	}
	if result.SourcesChanged {
		add("The working tree changed while it was measured; what was built is what it held at the start.")
	}
	if result.Plan.Judged > 0 {
		add("At most %s of such runs on unchanged code raise a false alarm.", view.Percent(errorRateOf(result)))
	}
	return notes
}

// fewestForSuite rows have a mean that is worth a line.
const fewestForSuite = 5

// errorRateOf is the error rate of the whole run: that of the strictest row
// times the rows that share it.
func errorRateOf(result bench.Result) float64 {
	smallest, count := math.Inf(1), 0
	for _, row := range result.Rows {
		if row.Judgement != nil {
			count++
			smallest = min(smallest, row.Judgement.ErrorRate)
		}
	}
	if count == 0 {
		return bench.DefaultErrorRate
	}
	return min(1, smallest*float64(count))
}

func missingNotes(result bench.Result) []string {
	lists := map[string][]string{}
	var order []string
	note := func(title, name string) {
		if _, known := lists[title]; !known {
			order = append(order, title)
		}
		lists[title] = append(lists[title], name)
	}
	for _, m := range result.Missing {
		name := strings.TrimPrefix(m.Name, "Benchmark")
		version := result.Versions[m.Side].Name
		switch {
		case m.Skipped:
			note("Skipped on "+version, name)
		case m.Reason != "":
			note("Failed on "+version, name+" ("+m.Reason+")")
		case m.Side == 1:
			note("Added", name)
		default:
			note("Removed", name)
		}
	}
	var notes []string
	for _, title := range order {
		notes = append(notes, fmt.Sprintf("%s %d: %s.", title, len(lists[title]), strings.Join(lists[title], ", ")))
	}
	return notes
}

func benchMarkdown(result bench.Result) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n", benchHeader(result))
	rows := benchRows(result)
	if len(rows) > 0 {
		out.WriteString("| benchmark | unit | base | new | change | verdict |\n| --- | --- | ---: | ---: | --- | --- |\n")
	}
	for _, row := range rows {
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s |\n", strings.ReplaceAll(row.Name, "|", "\\|"), row.Unit, row.Base, row.New, row.Change, row.Verdict)
	}
	for _, note := range benchNotes(result) {
		fmt.Fprintf(&out, "\n%s\n", note)
	}
	return out.String()
}

// benchJSON is the result for programs.
func benchJSON(result bench.Result) (string, error) {
	type row struct {
		Package   string            `json:"package"`
		Name      string            `json:"name"`
		Driver    string            `json:"driver"`
		NsPerOp   [2]float64        `json:"ns_per_op"`
		Bytes     [2]float64        `json:"bytes_per_op"`
		Allocs    [2]float64        `json:"allocs_per_op"`
		Screened  *float64          `json:"screened_log_ratio,omitempty"`
		Judgement *record.Judgement `json:"judgement,omitempty"`
		Layouts   int               `json:"layouts,omitempty"`
		Failed    string            `json:"failed,omitempty"`
		LeftOut   bool              `json:"left_out,omitempty"`
	}
	document := struct {
		Schema    string          `json:"schema"`
		Base      string          `json:"base"`
		New       string          `json:"new"`
		Toolchain string          `json:"toolchain"`
		Rows      []row           `json:"rows"`
		Unchanged []string        `json:"unchanged,omitempty"`
		Missing   []bench.Missing `json:"missing,omitempty"`
		Failures  []string        `json:"build_failures,omitempty"`
	}{Schema: "rtcompare-bench/1", Base: result.Versions[0].Name, New: result.Versions[1].Name, Toolchain: result.Toolchain.Version, Unchanged: result.Unchanged, Missing: result.Missing, Rows: []row{}}
	for _, err := range result.BuildFailures {
		document.Failures = append(document.Failures, err.Error())
	}
	for _, r := range result.Rows {
		line := row{Package: r.Package.ImportPath, Name: r.Name, Driver: r.Driver.String(), NsPerOp: r.NsPerOp, Bytes: r.Bytes, Allocs: r.Allocs, Judgement: finiteJudgement(r.Judgement), Layouts: r.Layouts, LeftOut: r.LeftOut}
		if !math.IsNaN(r.Screened) {
			line.Screened = &r.Screened
		}
		if r.Failed != nil {
			line.Failed = r.Failed.Error()
		}
		document.Rows = append(document.Rows, line)
	}
	text, err := json.MarshalIndent(document, "", "  ")
	return string(text) + "\n", err
}

// finiteJudgement is a judgement that JSON can hold.
func finiteJudgement(j *record.Judgement) *record.Judgement {
	if j == nil {
		return nil
	}
	c := *j
	for _, v := range []*float64{&c.Low, &c.High, &c.EquivalenceLow, &c.EquivalenceHigh, &c.SmallestVisible} {
		if math.IsInf(*v, 0) || math.IsNaN(*v) {
			*v = math.Copysign(math.MaxFloat64, *v)
		}
	}
	return &c
}
