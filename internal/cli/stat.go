package cli

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rtcompare/rtcompare/internal/benchtext"
	"github.com/rtcompare/rtcompare/internal/render"
	"github.com/rtcompare/rtcompare/internal/table"
	"github.com/rtcompare/rtcompare/internal/term"
	"github.com/rtcompare/rtcompare/internal/view"
)

// statFlags are the flags of the sub-command stat: benchstat's and ours.
type statFlags struct {
	query             table.Query
	alpha, confidence float64
	errorRate, margin float64
	format, color     string
	method            string
	trustUnits        bool
}

func (a *App) statCommand() *cobra.Command {
	f := &statFlags{errorRate: 0.05, margin: 0.01, format: "text", color: "auto", method: string(table.FalseDiscovery)}
	c := &cobra.Command{
		Use:   "stat FILE|LABEL=FILE...",
		Short: "Compare result files of go test -bench",
		Long: `stat reads what go test -bench has written, text or -json, and compares the columns with
the first. Projections and filters are benchstat's. Each row gets an interval for the
difference and a verdict, and all rows share one error rate.

--format benchstat, benchstat-csv and benchstat-old print what the tools of those names
print, byte for byte.`,
		Example: `  rtcompare stat old.txt new.txt
  rtcompare stat -row .name -col /variant results.txt
  rtcompare stat --format benchstat old.txt new.txt`,
		RunE: func(_ *cobra.Command, inputs []string) error { return a.stat(inputs, f) },
	}
	flags := c.Flags()
	flags.StringVar(&f.query.Table, "table", "", "split into tables by `PROJECTION` (default .config)")
	flags.StringVar(&f.query.Row, "row", "", "rows by `PROJECTION` (default .fullname)")
	flags.StringVar(&f.query.Column, "col", "", "columns by `PROJECTION` (default .file)")
	flags.StringVar(&f.query.Ignore, "ignore", "", "`KEYS` whose differences do not matter")
	flags.StringVar(&f.query.Filter, "filter", "", "only results that match `QUERY`")
	flags.Float64Var(&f.alpha, "alpha", 0.05, "p-value up to which the benchstat formats show a difference")
	flags.Float64Var(&f.confidence, "confidence", 0.95, "level of the ranges of the benchstat formats")
	flags.Var(share{&f.errorRate}, "error-rate", "share of wrong findings among the rows said to differ")
	flags.Var(share{&f.margin}, "margin", "largest difference that does not matter")
	flags.Var(choice{&f.method, []string{"bh", "holm", "none"}}, "rows", "how many rows share the error rate: bh, holm, or none for each row on its own")
	flags.Var(choice{&f.format, []string{"text", "benchstat", "benchstat-csv", "benchstat-old"}}, "format", "what is printed: text, benchstat, benchstat-csv or benchstat-old")
	flags.Var(choice{&f.color, []string{"auto", "always", "never"}}, "color", "colour: auto, always or never")
	flags.BoolVar(&f.trustUnits, "trust-units", false, "let Unit lines of one input decide about all")
	return c
}

// benchstatFlags are written with one dash by benchstat's users.
var benchstatFlags = []string{"table", "row", "col", "ignore", "filter", "alpha", "confidence", "format"}

// twoDashes writes benchstat's flags as ours are.
func twoDashes(arguments []string) []string {
	var all []string
	for i, argument := range arguments {
		if argument == "--" {
			return append(all, arguments[i:]...)
		}
		name, isFlag := strings.CutPrefix(argument, "-")
		name, _, _ = strings.Cut(name, "=")
		for _, known := range benchstatFlags {
			if isFlag && name == known {
				argument = "-" + argument
				break
			}
		}
		all = append(all, argument)
	}
	return all
}

func (a *App) stat(inputs []string, f *statFlags) error {
	if len(inputs) == 0 {
		return usageHint("rtcompare stat old.txt new.txt; - is standard input", "stat needs result files")
	}
	if f.format == "benchstat-old" {
		return a.statOld(inputs, f)
	}
	compatible := f.format != "text"
	files := benchtext.Files{Inputs: benchtext.ParseInputs(inputs), Stdin: a.Stdin, Options: benchtext.Options{NoRepair: compatible}}
	builder, err := table.NewBuilder(table.Options{Query: f.query, TrustUnits: f.trustUnits || compatible, ZeroKeepsUnit: compatible})
	if err != nil {
		return usage("%w", err)
	}
	for files.Scan() {
		if err := builder.Add(files.Result()); err != nil {
			return usage("%w", err)
		}
	}
	if err := files.Err(); err != nil {
		return usage("%w", err)
	}
	a.sayNotes(files.Notes())
	set, err := builder.Set(files.Notes())
	if errors.Is(err, table.ErrEmpty) {
		return usageHint("is it the output of go test -bench, and does the filter let anything through?", "%w in %s", err, strings.Join(inputs, ", "))
	}
	if err != nil {
		return usage("%w", err)
	}
	if compatible {
		return a.statBenchstat(set, f)
	}
	a.sayFindings(set.Findings)
	judged, err := set.Judge(table.JudgeOptions{ErrorRate: f.errorRate, Margin: f.margin, Method: table.Method(f.method)})
	if err != nil {
		return usage("%w", err)
	}
	text := statText(judged, term.Styles{Color: a.useColor(f.color, a.stdoutStream())}, f)
	return writeAll(a.Stdout, []byte(text))
}

func (a *App) statBenchstat(set *table.Set, f *statFlags) error {
	tables, err := set.Benchstat(table.BenchstatOptions{Alpha: f.alpha, Confidence: f.confidence})
	if err != nil {
		return usage("%w", err)
	}
	var out bytes.Buffer
	if f.format == "benchstat" {
		err = render.Benchstat(&out, tables, set.ColumnFields)
	} else {
		err = render.BenchstatCSV(&out, a.Stderr, tables, set.ColumnFields)
	}
	if err != nil {
		return incomplete("writing the result: %w", err)
	}
	_, err = a.Stdout.Write(out.Bytes())
	return err
}

func (a *App) statOld(inputs []string, f *statFlags) error {
	collection, err := table.NewOldCollection(table.OldOptions{Alpha: f.alpha, SplitBy: []string{"pkg", "goos", "goarch"}})
	if err != nil {
		return usage("%w", err)
	}
	files := benchtext.Files{Inputs: benchtext.ParseInputs(inputs), Stdin: a.Stdin, Options: benchtext.Options{NoRepair: true}}
	for _, input := range inputs {
		collection.AddInput(input)
	}
	for files.Scan() {
		collection.Add(files.Result())
	}
	if err := files.Err(); err != nil {
		return usage("%w", err)
	}
	var out bytes.Buffer
	if err := render.BenchstatOld(&out, collection.Tables()); err != nil {
		return incomplete("writing the result: %w", err)
	}
	_, err = a.Stdout.Write(out.Bytes())
	return err
}

// sayNotes tells what was wrong with the input.
func (a *App) sayNotes(notes *benchtext.Notes) {
	for _, p := range notes.Problems {
		a.messages.Warningf("%v", p)
	}
	for _, failed := range notes.Failures {
		a.messages.Warningf("%v", failed)
	}
}

// sayFindings tells what the arrangement shows: nothing vanishes without a word.
func (a *App) sayFindings(found table.Findings) {
	for _, key := range found.UnknownKeys {
		a.messages.Warningf("%v", key)
		a.code = worst(a.code, ExitUsage)
	}
	for _, s := range found.Splits {
		a.messages.Warningf("the inputs differ in %s (%s), so their rows stand in different tables and are not compared; --ignore %s compares them", s.Key, strings.Join(s.Values, ", "), s.Key)
	}
	if found.Processors > 0 {
		a.messages.Warningf("%d rows would have a partner if the number of processors at the end of their names were left out", found.Processors)
	}
	if len(found.UntrustedUnits) > 0 {
		a.messages.Warningf("Unit lines of only some inputs are not followed; --trust-units follows them")
	}
	if found.Collection == table.Blocks {
		a.messages.Warningf("all runs of one side come before those of the other: what changed on the machine meanwhile looks like a difference (with a correlation of 0.4 from run to run 16%% of equal rows differ at 5%%); measure in turns, or use rtcompare bench")
	}
}

// statText is the table for a terminal.
func statText(judged *table.Judged, styles term.Styles, f *statFlags) string {
	var out strings.Builder
	for i, t := range judged.Set.Tables {
		if i > 0 {
			out.WriteString("\n")
		}
		for _, s := range t.Settings {
			if s.Value != "" {
				fmt.Fprintf(&out, "%s: %s\n", s.Key, s.Value)
			}
		}
		fmt.Fprintf(&out, "%s\n", statTable(judged, i, styles, f))
	}
	family := judged.Family
	switch {
	case family.Refused:
		fmt.Fprintf(&out, "\nToo few runs for so many rows: nothing could have been said of any of the %d. %d runs of each side would do.\n", family.Tests, family.NeededRuns)
	case family.Tests > 0:
		fmt.Fprintf(&out, "\n%d of %d rows differ; intervals at %s, so that a row differs exactly if its interval excludes 0%%.\n", family.Differing, family.Tests, view.Percent(family.Level))
	}
	return out.String()
}

func statTable(judged *table.Judged, index int, styles term.Styles, f *statFlags) string {
	t := judged.Set.Tables[index]
	var rows []view.BenchRow
	for r, row := range t.Rows {
		for c := range t.Columns {
			comparison := judged.Tables[index].Comparisons[r][c]
			label := row.Label
			if len(t.Columns) > 2 {
				label += "   " + strings.Join(t.Columns[c].Values, " ")
			}
			switch {
			case comparison != nil:
				rows = append(rows, statRow(label, t.Unit, comparison, f))
			case row.OneSided() && row.Cells[c] != nil:
				rows = append(rows, view.BenchRow{Name: label, Unit: "time", Verdict: "only in " + strings.Join(t.Columns[c].Values, " "), Mood: "unknown"})
			}
		}
	}
	text := t.Unit.Name + "\n" + benchTable(rows, styles)
	for c, g := range judged.Tables[index].Geomeans {
		if g.Rows > 1 && !math.IsNaN(g.LogRatio) {
			text += fmt.Sprintf("\ngeomean of %d rows, %s: %s [%s %s]", g.Rows, strings.Join(t.Columns[c].Values, " "),
				view.SignedPercent(math.Expm1(g.LogRatio)), view.SignedPercent(math.Expm1(g.Low)), view.SignedPercent(math.Expm1(g.High)))
		}
	}
	return text
}

func statRow(label string, unit table.Unit, c *table.Comparison, f *statFlags) view.BenchRow {
	row := view.BenchRow{Name: label, Unit: "time", Base: statNumber(c.Base, unit), New: statNumber(c.New, unit)}
	switch {
	case c.FromZero():
		row.Change = "+" + statNumber(c.New-c.Base, unit)
	case c.Scale == table.Ratios && math.IsInf(c.Low, 0):
		row.Change = fmt.Sprintf("%s [needs %d runs]", view.SignedPercent(c.Change()), c.NeededRuns)
	case c.Scale == table.Ratios && !c.Exact:
		row.Change = fmt.Sprintf("%s [%s %s]", view.SignedPercent(c.Change()), view.SignedPercent(math.Expm1(c.Low)), view.SignedPercent(math.Expm1(c.High)))
	case c.Scale == table.Ratios:
		row.Change = view.SignedPercent(c.Change()) + " exact"
	default:
		row.Change = fmt.Sprintf("%+g", c.Estimate)
	}
	row.Verdict, row.Mood = "undecided", "unknown"
	switch {
	case c.Differs && c.Better < 0:
		row.Verdict, row.Mood = "WORSE", "worse"
	case c.Differs && c.Better > 0:
		row.Verdict, row.Mood = "better", "better"
	case c.Differs:
		row.Verdict, row.Mood = "changed", ""
	case c.Equivalent:
		row.Verdict, row.Mood = "equal within "+view.Percent(f.margin), ""
	}
	return row
}

// statNumber renders a value of a unit.
func statNumber(v float64, unit table.Unit) string {
	switch {
	case strings.HasPrefix(unit.Name, "sec"):
		return view.Nanoseconds(1e9 * v)
	case strings.HasPrefix(unit.Name, "B"):
		return view.Bytes(v)
	}
	return view.Count(v)
}
