package cli

import (
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/stat/bayes"
)

// common holds the flags that mean the same in every sub-command.
type common struct {
	errorRate, margin, precision float64
	time                         time.Duration
	method                       string
	seed                         uint64
	record, format, color        string
	json, quiet, noRecord        bool
	// still keeps lines from moving, silent shows none.
	still, silent  bool
	failOn, resume string
	plots          []string
	// onProgress, where not nil, is told how a run goes.
	onProgress func(comparison.Progress)
}

// The words of --fail-on.
const (
	failOnSlower        = "slower"
	failOnDifferent     = "different"
	failOnNotEquivalent = "not-equivalent"
)

// add defines the flags on a command.
func (f *common) add(c *cobra.Command) {
	f.addOutput(c)
	flags := c.Flags()
	flags.Var(share{&f.errorRate}, "error-rate", "share of runs on identical candidates that may end in a wrong verdict")
	flags.Var(share{&f.margin}, "margin", "largest difference that does not matter")
	f.method = string(comparison.Anytime)
	flags.Var(choice{&f.method, []string{string(comparison.Anytime), string(comparison.JZS)}}, "method", "when to stop: anytime, as soon as the answer is clear; or jzs, finefile's rule for two candidates")
	flags.Var(positive{span{&f.time}}, "time", "time for measuring, such as 30s (default 10s for each candidate beyond the first)")
	flags.Var(share{&f.precision}, "precision", "measure until the difference is known this closely")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of everything that is drawn by chance (default: a new one each time)")
	flags.StringVar(&f.resume, "resume", "", "go on with the unfinished record in `FILE`")
	flags.StringVar(&f.failOn, "fail-on", "", "exit with 1 if a candidate, compared with the first, is `WORD`: slower, different or not-equivalent")
}

// addOutput defines the flags that only change what is shown and kept.
func (f *common) addOutput(c *cobra.Command) {
	flags := c.Flags()
	f.format, f.color = "text", "auto"
	f.errorRate, f.margin = comparison.DefaultErrorRate, comparison.DefaultMargin
	flags.StringVar(&f.record, "record", "", "keep the record in `FILE` (default: in the user's cache)")
	flags.BoolVar(&f.noRecord, "no-record", false, "keep no record")
	flags.Var(choice{&f.format, []string{"text", "json", "csv", "markdown", "asciidoc", "org", "html"}}, "format", "what is printed: text, json, csv, markdown, asciidoc, org or html")
	flags.BoolVar(&f.json, "json", false, "the same as --format json")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print the result only")
	flags.Var(choice{&f.color, []string{"auto", "always", "never"}}, "color", "colour: auto, always or never")
	flags.StringSliceVar(&f.plots, "plot", nil, "write a figure to `KIND=FILE`: histogram, whisker or progression, as .svg or .html; may be repeated")
}

// check refuses values that cannot be meant.
func (f *common) check() error {
	if f.json {
		f.format = "json"
	}
	switch f.failOn {
	case "", failOnSlower, failOnDifferent, failOnNotEquivalent:
	default:
		return usage("--fail-on %s: it takes slower, different or not-equivalent", f.failOn)
	}
	if !(f.errorRate > 0 && f.errorRate < 0.5) {
		return usage("--error-rate %v%%: it has to lie between 0%% and 50%%", 100*f.errorRate)
	}
	if f.record != "" && f.noRecord {
		return usage("--record and --no-record exclude each other")
	}
	for _, text := range f.plots {
		_, file, err := plotOf(text)
		if err == nil {
			err = checkPlace("--plot", file)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// budget is the measuring time for a number of candidates.
func (f *common) budget(candidates int) (budget time.Duration, patient bool) {
	if f.time > 0 {
		return f.time, false
	}
	return comparison.DefaultBudget * time.Duration(max(1, candidates-1)), true
}

// settings are those of the flags.
func (f *common) settings(candidates int, seed uint64) comparison.Settings {
	budget, patient := f.budget(candidates)
	s := comparison.Settings{
		Method: comparison.Method(f.method), Metric: "wall", ErrorRate: f.errorRate, Margin: f.margin,
		Precision: f.precision, Budget: budget, Patient: patient, Seed: seed,
	}
	if s.Method == comparison.JZS {
		s.Bayes = bayesSettings(s)
		if f.time == 0 {
			s.Budget = math.MaxInt64 // its rounds end it
		}
	}
	return s
}

// bayesSettings are finefile's defaults, with the asked error rate and margin.
func bayesSettings(s comparison.Settings) *comparison.BayesSettings {
	rule := bayes.DefaultRule()
	return &comparison.BayesSettings{
		Certainty: 1 - s.ErrorRate, CredibleMass: rule.CredibleMass, MinEffect: s.Margin, PriorScale: rule.PriorScale,
		BatchRounds: rule.BatchRounds, MinRounds: rule.MinRounds, MaxRounds: rule.MaxRounds,
	}
}

// checkMethod refuses candidates that a method cannot judge.
func (f *common) checkMethod(candidates int) error {
	if f.method == string(comparison.JZS) && candidates != 2 {
		return usage("--method jzs compares two candidates, not %d", candidates)
	}
	return nil
}
