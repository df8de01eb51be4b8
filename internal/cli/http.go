package cli

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	httparm "github.com/rtcompare/rtcompare/internal/arm/http"
	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/render"
	"github.com/rtcompare/rtcompare/internal/view"
)

func (a *App) httpCommand() *cobra.Command {
	f := &httpFlags{}
	c := &cobra.Command{
		Use:   "http URL_A URL_B [URL_C...]",
		Short: "Compare HTTP servers under load",
		Long: `http loads servers in turn, a few hundredths of a second each, and says whether one
is really faster. Both stay connected. Each argument is a URL, or @FILE with a list
of them that is gone through in turn; unix:/path/to/socket:http://host/path goes
through a Unix socket.

Without --rate every connection sends its next request as soon as it has an answer,
and requests per second decide. With --rate requests are sent at planned times and
latency decides, counted from the planned time, so that a server that stalls is
charged for every request it kept waiting.`,
		Example: `  rtcompare http http://127.0.0.1:8080/ http://127.0.0.1:8081/
  rtcompare http -c 16 -H 'Accept: application/json' URL_A URL_B
  rtcompare http --rate 500 --by p99 URL_A URL_B
  rtcompare http -X POST -d @body.json --expect-body contains:ok URL_A URL_B`,
		RunE: func(c *cobra.Command, arguments []string) error { return a.http(c.Context(), c, arguments, f) },
	}
	f.define(c)
	return c
}

func (a *App) http(ctx context.Context, c *cobra.Command, arguments []string, f *httpFlags) error {
	if f.resume != "" && len(arguments) == 0 {
		return a.resumeFrom(ctx, c, f.resume)
	}
	if err := f.checkHTTP(); err != nil {
		return err
	}
	if len(arguments) == 0 {
		return usageHint("rtcompare http http://127.0.0.1:8080/ http://127.0.0.1:8081/", "http needs the URLs of the servers to compare")
	}
	plan, err := a.httpPlan(ctx, arguments, f)
	if err != nil {
		return err
	}
	options, err := a.renderOptions(&f.common, f.unit, f.sort)
	if err != nil {
		return err
	}
	r, runErr := a.measure(ctx, plan, &f.common)
	return a.finishRun(r, plan, &f.common, options, nil, runErr)
}

func (a *App) httpPlan(ctx context.Context, arguments []string, f *httpFlags) (comparison.Plan, error) {
	seed, err := seedOrRandom(f.seed)
	if err != nil {
		return comparison.Plan{}, err
	}
	plan := comparison.Plan{Kind: "servers", Settings: f.settings(len(arguments), seed)}
	if len(f.names) > len(arguments) {
		return plan, usage("--name was given %d times for %d servers", len(f.names), len(arguments))
	}
	if err := f.checkMethod(len(arguments)); err != nil {
		return plan, err
	}
	whole := f.method == string(comparison.JZS)
	if whole && f.requests == 0 {
		return plan, usageHint("add --requests, such as 10000", "--method jzs compares whole runs of requests and needs their size")
	}
	for i, argument := range arguments {
		spec, err := f.spec(argument, seed)
		if err != nil {
			return plan, err
		}
		spec.Name = argument
		if i < len(f.names) {
			spec.Name = f.names[i]
		}
		spec.Options.Whole = whole
		arm, err := httparm.New(ctx, spec)
		if err != nil {
			return plan, usage("server %s: %w", view.Letter(i), err)
		}
		if whole {
			arm = wholeRuns{arm, f.requests}
		}
		plan.Arms = append(plan.Arms, comparison.Arm{Arm: record.Arm{Name: spec.Name, Command: argument}, Engine: arm})
		plan.Metrics = httparm.Metrics(spec)
	}
	return plan, f.size(&plan)
}

func (f *httpFlags) spec(argument string, seed uint64) (httparm.Spec, error) {
	target, err := f.target()
	if err != nil {
		return httparm.Spec{}, err
	}
	if target.URLs, err = listOfURLs(argument); err != nil {
		return httparm.Spec{}, err
	}
	options := f.options()
	options.Seed = seed
	return httparm.Spec{
		Target: target, Options: options, IgnoreFailure: f.ignoreFailure,
		CAFile: f.caFile, CertificateFile: f.certFile, KeyFile: f.keyFile,
	}, nil
}

// latencies are the metrics of latency, which are judged beside the rest.
var latencies = []string{"p50", "p90", "p95", "p99", "p99.9"}

const (
	// fewestPerSlice requests tell something about a server.
	fewestPerSlice = 200
	mostPerSlice   = 1 << 40
	// shortestPaced is the shortest slice at a fixed rate: tails need many
	// requests.
	shortestPaced = time.Second
	// pacedLead is the part of such a slice that is left out at its start.
	pacedLead = 0.1
)

// size fixes how long a slice is and which metric decides.
func (f *httpFlags) size(plan *comparison.Plan) error {
	s := &plan.Settings
	s.Slice, s.FewestOperations, s.MostOperations, s.Operations = f.slice, fewestPerSlice, mostPerSlice, f.requests
	s.Lead, s.Shared = int64(f.concurrency), true
	if s.Loops = f.loops; s.Loops == 0 {
		s.Loops = max(1, runtime.NumCPU()/2)
	}
	if s.Method == comparison.JZS {
		s.Operations, s.Lead = 1, 0
		return nil
	}
	s.Metric, s.Others = "wall", append([]string{"cpu"}, latencies...)
	if f.rate > 0 {
		slice := max(f.slice, shortestPaced)
		if s.Operations == 0 {
			s.Operations = max(1, int64(f.rate*slice.Seconds()))
		}
		s.Lead = int64(float64(s.Operations) * pacedLead)
		s.Metric, s.Others = "p99", []string{"p50", "p90", "p95", "p99.9", "cpu"}
	}
	if f.by != "" {
		if f.by != "wall" && f.by != "cpu" && !slices.Contains(latencies, f.by) {
			return usage("--by %s: servers are compared by wall, cpu, p50, p90, p95, p99 or p99.9", f.by)
		}
		s.Others = append(s.Others, s.Metric)
		s.Metric = f.by
		s.Others = slices.DeleteFunc(s.Others, func(m string) bool { return m == f.by })
	}
	if f.runs > 0 {
		s.Method, s.Runs = comparison.Fixed, f.runs
		if s.Operations == 0 {
			return usageHint("add --requests", "--runs fixes the number of slices and needs their size")
		}
	}
	return nil
}

// finishRun shows what was measured, also after a failure, and says how it ends.
func (a *App) finishRun(r record.Record, plan comparison.Plan, f *common, options render.Options, exports []export, runErr error) error {
	if runErr != nil && len(record.Select(r.Units, record.Main)) == 0 {
		return a.explain(runErr)
	}
	if err := a.show(r, f, options, exports); err != nil {
		return errors.Join(a.explain(runErr), err)
	}
	if runErr != nil {
		return a.explain(runErr)
	}
	if !a.interrupted() {
		a.code = worst(a.code, answerCode(r, plan.Settings, better(r.Head, plan.Settings.Metric), f.failOn))
	}
	return nil
}
