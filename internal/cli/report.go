package cli

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/internal/bench"
	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/render"
	"github.com/rtcompare/rtcompare/internal/view"
)

// reportFlags are the flags of the sub-command report.
type reportFlags struct {
	common
	unit, sort string
	list       bool
	details    bool
}

func (a *App) reportCommand() *cobra.Command {
	f := &reportFlags{}
	c := &cobra.Command{
		Use:   "report FILE... | last",
		Short: "Show a record again",
		Long: `report judges a record again and shows it in any format. Every run keeps its record in
the user's cache; "last" is the newest of them. Where the present rules come to
another verdict than the run did, both are shown.`,
		Example: `  rtcompare report last
  rtcompare report last --format html > run.html
  rtcompare report run.jsonl.gz --format json
  rtcompare report --list`,
		RunE: func(_ *cobra.Command, names []string) error { return a.report(names, f) },
	}
	f.addOutput(c)
	c.Flags().StringVarP(&f.unit, "time-unit", "u", "", "unit of all times: `microsecond|millisecond|second`")
	c.Flags().StringVar(&f.sort, "sort", "auto", "order of the results: `auto|command|mean-time`")
	c.Flags().BoolVar(&f.list, "list", false, "list the records in the cache, the newest first")
	c.Flags().BoolVar(&f.details, "details", false, "show all numbers of every candidate")
	c.Flags().StringVar(&f.failOn, "fail-on", "", "exit with 1 if a candidate, compared with the first, is `WORD`: slower, different or not-equivalent")
	return c
}

func (a *App) report(names []string, f *reportFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	store, storeErr := comparison.DefaultStore()
	if f.list {
		return a.listRecords(store, storeErr)
	}
	if len(names) == 0 {
		return usageHint("rtcompare report last shows the newest record", "report needs a record")
	}
	options, err := a.renderOptions(&f.common, f.unit, f.sort)
	if err != nil {
		return err
	}
	options.Details = f.details
	for i, name := range names {
		if name == "last" {
			if storeErr != nil {
				return usage("%w", storeErr)
			}
			if name, err = store.Last(); err != nil {
				return usage("%w", err)
			}
		}
		if i > 0 && f.format == "text" {
			fmt.Fprintln(a.Stdout)
		}
		if err := a.reportOne(name, f, options); err != nil {
			return err
		}
	}
	return nil
}

func (a *App) listRecords(store comparison.Store, err error) error {
	if err != nil {
		return usage("%w", err)
	}
	paths, err := store.List()
	if err != nil {
		return usage("%w", err)
	}
	for _, path := range paths {
		if _, err := fmt.Fprintln(a.Stdout, path); err != nil {
			return err
		}
	}
	return nil
}

func (a *App) reportOne(name string, f *reportFlags, options render.Options) error {
	r, err := comparison.Open(name)
	if err != nil {
		return usageHint("rtcompare report --list lists the records that are kept", "%w", err)
	}
	if r.Head.Kind == "functions" {
		return a.reportFunctions(name)
	}
	if r.Head.Kind == bench.Kind {
		return a.reportBench(r, f, options)
	}
	settings, err := comparison.SettingsOf(r.Head)
	if err != nil {
		return usage("%s: %w", name, err)
	}
	if r.End == nil {
		a.messages.Warningf("%s: the run was killed; this is what it had measured", name)
	}
	before := r.Judgements
	r.Judgements = judgedAgain(r, settings)
	a.sayChanges(name, before, r.Judgements)
	if err := a.show(r, &f.common, options, nil); err != nil {
		return err
	}
	a.code = worst(a.code, answerCode(r, settings, better(r.Head, settings.Metric), f.failOn))
	return nil
}

// reportBench shows a run of benchmarks at two versions.
func (a *App) reportBench(r record.Record, f *reportFlags, options render.Options) error {
	result, err := bench.Read(r)
	if err != nil {
		return usage("%w", err)
	}
	text, err := benchForm(result, f.format, options)
	if err != nil {
		return err
	}
	a.code = worst(a.code, benchCode(result, f.failOn))
	return writeAll(a.Stdout, []byte(text))
}

// judgedAgain judges a record by the present rules.
func judgedAgain(r record.Record, settings comparison.Settings) []record.Judgement {
	main := record.Select(r.Units, record.Main)
	if settings.Method == comparison.JZS && settings.Bayes != nil {
		j, _, _ := comparison.JudgeBayes(main, *settings.Bayes)
		return []record.Judgement{j}
	}
	if len(main) == 0 {
		return nil
	}
	return comparison.Judge(main, settings, len(r.Head.Arms), unfitOf(r.Judgements))
}

// unfitOf finds in the judgements of the run whether the machine slept: the
// units do not tell.
func unfitOf(judged []record.Judgement) string {
	for _, j := range judged {
		if slices.ContainsFunc(j.Warnings, func(w record.Warning) bool { return w.Code == comparison.CodeSuspended }) {
			return comparison.CodeSuspended
		}
	}
	return ""
}

func (a *App) sayChanges(name string, before, after []record.Judgement) {
	for _, old := range before {
		for _, now := range after {
			if old.Base == now.Base && old.Arm == now.Arm && old.Metric == now.Metric && old.Verdict != now.Verdict {
				a.messages.Warningf("%s: the run said that %s is %s than %s (%s); by the present rules it is %s", name,
					view.Letter(old.Arm), old.Verdict, view.Letter(old.Base), old.Metric, now.Verdict)
			}
		}
	}
}

// better is the direction in which a metric improves.
func better(head record.Head, metric string) string {
	for _, m := range head.Metrics {
		if m.Name == metric {
			return m.Better
		}
	}
	return "lower"
}

// reportFunctions shows a record that a Go program wrote with the library.
func (a *App) reportFunctions(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return usage("%w", err)
	}
	defer file.Close()
	report, err := rtcompare.ReadRecord(file)
	if err != nil {
		return usage("%s: %w", name, err)
	}
	return writeAll(a.Stdout, []byte(report.String()))
}

// renderOptions are how results look here.
func (a *App) renderOptions(f *common, unit, sort string) (render.Options, error) {
	stream := a.stdoutStream()
	options := render.Options{Width: stream.Width, Colour: a.useColor(f.color, stream)}
	if !stream.Terminal {
		options.Width = max(options.Width, 100)
	}
	var err error
	if options.TimeUnit, err = timeUnit(unit); err != nil {
		return options, err
	}
	if options.Sort, err = sortOrder(sort); err != nil {
		return options, err
	}
	return options, nil
}
