package cli

import (
	"context"
	"math"
	"time"

	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/config"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
)

// question is a comparison of the file in the form that both kinds share.
type question struct {
	name     string
	arms     []string
	settings comparison.Settings
	export   string
	pin      bool
	// finefile is set for those below [alpha.compare].
	finefile bool
	timeout  time.Duration
}

// comparison carries out one comparison of the file.
func (r *fileRun) comparison(ctx context.Context, name string) error {
	q, err := r.question(name)
	if err != nil {
		return err
	}
	sides, err := r.sides(ctx, q)
	if err != nil {
		return err
	}
	plan := comparison.Plan{Kind: sides.kind(), Settings: q.settings, Arms: sides.arms, Metrics: sides.metrics, Settled: settled}
	if err := r.size(&plan, q, sides); err != nil {
		return err
	}
	ctx, cancel := withTimeout(ctx, q.timeout)
	defer cancel()
	measured, runErr := r.around(ctx, sides, func(ctx context.Context) (record.Record, error) {
		if plan.Settings.Method == comparison.JZS {
			return r.measureBayes(ctx, plan, q, sides)
		}
		return r.app.measure(ctx, plan, &r.flags.common)
	})
	return r.finish(measured, plan, q, sides, runErr)
}

// withTimeout is context.WithTimeout where there is a timeout.
func withTimeout(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, timeout)
}

func (r *fileRun) question(name string) (question, error) {
	seed, err := seedOrRandom(r.flags.seed)
	if err != nil {
		return question{}, err
	}
	if alpha, ok := r.config.AlphaComparisons[name]; ok {
		return r.alphaQuestion(name, alpha, seed), nil
	}
	c := r.config.Comparisons[name]
	q := question{name: name, arms: c.Arms, export: c.ExportJSON, pin: c.Pin, settings: r.flags.settings(len(c.Arms), seed)}
	s := &q.settings
	s.Name, s.Method = name, comparison.Method(c.Method)
	if !r.given("error-rate") && c.ErrorRate > 0 {
		s.ErrorRate = c.ErrorRate
	}
	if !r.given("margin") {
		s.Margin = c.Margin
	}
	if !r.given("time") && c.TimeSeconds > 0 {
		s.Budget, s.Patient = time.Duration(c.TimeSeconds*float64(time.Second)), false
	}
	s.Warmup, s.Runs, s.Metric = c.WarmupRuns, c.Runs, c.Metric
	if s.Metric == "time" {
		s.Metric = string(judge.Wall)
	}
	if s.Method == comparison.JZS {
		s.Bayes, s.Budget = bayesSettings(*s), math.MaxInt64
		if c.MaxRounds > 0 {
			s.Bayes.MaxRounds = c.MaxRounds
		}
	} else if c.MaxRounds > 0 {
		s.Most = 2 * c.MaxRounds
	}
	return q, nil
}

// alphaQuestion is a comparison as finefile has it.
func (r *fileRun) alphaQuestion(name string, c config.AlphaComparison, seed uint64) question {
	q := question{name: name, arms: []string{c.A, c.B}, export: c.ExportJSON, finefile: true}
	if c.TimeoutSeconds != nil {
		q.timeout = max(time.Nanosecond, time.Duration(*c.TimeoutSeconds)*time.Second)
	}
	q.settings = comparison.Settings{
		Name: name, Method: comparison.JZS, Metric: string(judge.Wall), ErrorRate: 1 - c.Certainty, Margin: c.MinEffect,
		Budget: time.Duration(math.MaxInt64), Warmup: c.WarmupRuns, Seed: seed,
		Bayes: &comparison.BayesSettings{
			Certainty: c.Certainty, CredibleMass: c.CredibleMass, MinEffect: c.MinEffect, PriorScale: c.PriorScale,
			Alternate: c.Interleave == "alternate", BatchRounds: c.BatchRounds, MinRounds: c.MinRounds, MaxRounds: c.MaxRounds,
		},
	}
	return q
}

// size fixes what a visit is: a slice of requests where all sides are servers
// and the run may stop at any unit, else a whole run.
func (r *fileRun) size(plan *comparison.Plan, q question, s *fileSides) error {
	settings := &plan.Settings
	settings.Operations, settings.Shared = 1, len(s.http) > 0
	if settings.Method != comparison.JZS {
		settings.Others = otherMetrics(s, settings.Metric)
	}
	if !s.sliced(settings.Method) {
		return nil
	}
	settings.Operations = 0
	settings.Slice, settings.Lead = 20*time.Millisecond, s.mostConcurrency()
	settings.MostOperations = s.fewestRequests()
	settings.FewestOperations = min(fewestPerSlice, settings.MostOperations)
	if rate := s.rate(); rate > 0 {
		settings.Operations = min(settings.MostOperations, max(1, int64(rate*shortestPaced.Seconds())))
		settings.Lead = int64(float64(settings.Operations) * pacedLead)
	}
	if settings.Method == comparison.Fixed {
		settings.Operations, settings.Lead = 1, 0
	}
	return nil
}
