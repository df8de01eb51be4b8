package cli

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"time"

	httparm "github.com/rtcompare/rtcompare/internal/arm/http"
	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/config"
	"github.com/rtcompare/rtcompare/internal/load"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

// addServer adds an HTTP server.
func (r *fileRun) addServer(ctx context.Context, s *fileSides, name string, c config.Command, whole bool, seed uint64) error {
	spec, err := r.serverSpec(ctx, name, c)
	if err != nil {
		return err
	}
	spec.Options.Whole, spec.Options.Seed = whole, seed
	made, err := httparm.New(ctx, spec)
	if err != nil {
		return usage("%w", r.config.Problem(err.Error(), "", "commands", name, "http"))
	}
	s.http = append(s.http, *c.HTTP)
	if whole {
		made = wholeRuns{made, int64(c.HTTP.Requests)}
	}
	s.arms = append(s.arms, comparison.Arm{Arm: record.Arm{Name: name, Command: spec.Target.URLs[0]}, Engine: made})
	s.metrics = mergeMetrics(s.metrics, httparm.Metrics(spec))
	return nil
}

func (r *fileRun) serverSpec(ctx context.Context, name string, c config.Command) (httparm.Spec, error) {
	h := c.HTTP
	spec := httparm.Spec{
		Name: name, IgnoreFailure: h.IgnoreFailure,
		Target: load.Target{Method: h.Method, Body: []byte(h.Body), Expect: h.ExpectedStatus},
		Options: load.Options{
			Concurrency: h.Concurrency, Loops: h.Loops, Rate: h.Rate, Poisson: h.RateDistribution == "poisson", CloseEach: !h.KeepAlive,
			ConnectTimeout: seconds(h.ConnectTimeoutSeconds), ReadTimeout: seconds(h.TimeoutSeconds), HTTP2: h.HTTP2, Proxy: h.Proxy,
		},
	}
	if h.TLS != nil {
		spec.CAFile, spec.CertificateFile, spec.KeyFile = h.TLS.CAFile, h.TLS.CertFile, h.TLS.KeyFile
		spec.Options.TLS.InsecureSkipVerify = h.TLS.InsecureSkipVerify
	}
	r.headers(&spec, h)
	if err := r.bodies(&spec, name, h); err != nil {
		return spec, err
	}
	urls := h.URLs
	if len(urls) == 0 {
		var err error
		if urls, err = r.printedURLs(ctx, name, c); err != nil {
			return spec, err
		}
	}
	for _, url := range urls {
		spec.Target.URLs = append(spec.Target.URLs, h.URLPrefix+url)
	}
	return spec, nil
}

func (r *fileRun) headers(spec *httparm.Spec, h *config.HTTP) {
	for _, name := range sortedKeys(h.Headers) {
		for _, value := range h.Headers[name] {
			spec.Target.Headers = append(spec.Target.Headers, load.Header{Name: name, Value: value})
		}
	}
	if h.BasicAuth != "" {
		user, password, _ := cutColon(h.BasicAuth)
		spec.Target.Headers = append(spec.Target.Headers, load.BasicAuth(user, password))
	}
	if h.Bearer != "" {
		spec.Target.Headers = append(spec.Target.Headers, load.Bearer(h.Bearer))
	}
}

func (r *fileRun) bodies(spec *httparm.Spec, name string, h *config.HTTP) error {
	if h.BodyFile != "" {
		text, err := os.ReadFile(h.BodyFile)
		if err != nil {
			return usage("%w", r.config.Problem(err.Error(), "", "commands", name, "http", "body-file"))
		}
		spec.Target.Body = text
	}
	body := h.ExpectedBody
	switch {
	case body == nil:
	case body.Equals != nil:
		spec.Target.Check.Exact = []byte(*body.Equals)
	case body.Contains != nil:
		spec.Target.Check.Contains = []byte(*body.Contains)
	case body.Regexp != nil:
		pattern, err := regexp.Compile(*body.Regexp)
		if err != nil {
			return usage("%w", r.config.Problem(err.Error(), "", "commands", name, "http", "expected-body", "regexp"))
		}
		spec.Target.Check.Pattern = pattern
	}
	return nil
}

// printedURLs runs the command that prints the URLs.
func (r *fileRun) printedURLs(ctx context.Context, name string, c config.Command) ([]string, error) {
	shell, err := r.shellOf(name, c)
	if err != nil {
		return nil, err
	}
	if len(shell) == 0 {
		shell = defaultShell()
	}
	exit, err := r.spawner.Run(ctx, spawn.Command{
		Argv: append(slices.Clone(shell), c.HTTP.URLsCommand), Env: r.environment(c), Dir: r.dir(c),
		Stdout: spawn.Output{Kind: spawn.Head, Limit: mostURLBytes}, Stderr: spawn.Output{Kind: spawn.Tail, Limit: 4096},
	})
	switch {
	case err != nil:
		return nil, err
	case !exit.Success():
		return nil, candidate(fmt.Errorf("urls-command of %s: %s\n%s", name, exit, exit.Stderr), "")
	case exit.StdoutCut:
		return nil, candidate(fmt.Errorf("urls-command of %s prints more than %d MiB", name, mostURLBytes>>20), "")
	}
	urls := nonBlankLines(string(exit.Stdout))
	if len(urls) == 0 {
		return nil, candidate(fmt.Errorf("urls-command of %s prints no URL", name), "")
	}
	return urls, nil
}

const mostURLBytes = 64 << 20

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
