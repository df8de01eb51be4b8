package cli

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rtcompare/rtcompare/internal/load"
)

// httpFlags are the flags of the sub-command http.
type httpFlags struct {
	common
	verb, body, user, bearer            string
	headers, names, expectBody          []string
	status                              []string
	concurrency, loops, runs            int
	rate                                float64
	poisson, closeEach, http2, insecure bool
	proxy, caFile, certFile, keyFile    string
	connectTimeout, timeout             time.Duration
	slice                               time.Duration
	requests                            int64
	ignoreFailure                       bool
	by                                  string
	unit, sort                          string
}

func (f *httpFlags) define(c *cobra.Command) {
	f.common.add(c)
	flags := c.Flags()
	flags.StringVarP(&f.verb, "request", "X", "", "the requests' `METHOD` (default GET, POST with a body)")
	flags.StringArrayVarP(&f.headers, "header", "H", nil, "a header, `Name: value`; may be repeated")
	flags.StringVarP(&f.body, "data", "d", "", "the requests' `BODY`; @FILE reads it from a file")
	flags.StringVar(&f.user, "user", "", "user and password, `USER:PASSWORD`")
	flags.StringVar(&f.bearer, "bearer", "", "access `TOKEN`")
	flags.IntVarP(&f.concurrency, "concurrency", "c", 64, "connections to each server, each with one request at a time")
	flags.IntVarP(&f.runs, "runs", "r", 0, "exactly so many slices of each server")
	flags.Int64VarP(&f.requests, "requests", "n", 0, "requests in a slice (default: as many as take --slice)")
	flags.Float64VarP(&f.rate, "rate", "R", 0, "requests per second, at planned times whatever the server does; latency decides then")
	flags.BoolVar(&f.poisson, "poisson", false, "draw the planned times by chance")
	flags.BoolVar(&f.closeEach, "no-keep-alive", false, "open a connection for every request")
	flags.StringArrayVar(&f.status, "expect-status", nil, "a `STATUS` that counts as success (default: every 2xx); may be repeated")
	flags.StringArrayVar(&f.expectBody, "expect-body", nil, "what every answer has to hold: `equals:TEXT`, contains:TEXT or regexp:PATTERN")
	flags.BoolVarP(&f.ignoreFailure, "ignore-failure", "i", false, "count failed requests instead of stopping")
	flags.Var(span{&f.connectTimeout}, "connect-timeout", "how long connecting may take (default 30s)")
	flags.Var(span{&f.timeout}, "timeout", "how long an answer may take (default 30s)")
	f.slice = 20 * time.Millisecond
	flags.Var(span{&f.slice}, "slice", "how long one server is loaded before it is the other's turn; at least 1s with --rate")
	flags.IntVar(&f.loops, "loops", 0, "threads that send (default: half the processors)")
	flags.BoolVar(&f.http2, "http2", false, "speak HTTP/2")
	flags.StringVar(&f.proxy, "proxy", "", "`URL` of a proxy")
	flags.BoolVarP(&f.insecure, "insecure", "k", false, "accept any certificate")
	flags.StringVar(&f.caFile, "cacert", "", "`FILE` of certificates to trust")
	flags.StringVar(&f.certFile, "cert", "", "`FILE` of the client's certificate")
	flags.StringVar(&f.keyFile, "key", "", "`FILE` of the client's key")
	flags.StringArrayVar(&f.names, "name", nil, "call a server `NAME`; may be repeated")
	flags.StringVar(&f.by, "by", "", "the `METRIC` that carries the verdict: wall, cpu, p50, p90, p95, p99 or p99.9 (default: wall, and p99 with --rate)")
	flags.StringVarP(&f.unit, "time-unit", "u", "", "unit of all times: `microsecond|millisecond|second`")
	flags.StringVar(&f.sort, "sort", "auto", "order of the results: `auto|command|mean-time`")
}

// target is what all requests have in common; the URLs are put in later.
func (f *httpFlags) target() (load.Target, error) {
	target := load.Target{Method: f.verb, Body: []byte(f.body)}
	if name, ok := strings.CutPrefix(f.body, "@"); ok {
		text, err := os.ReadFile(name)
		if err != nil {
			return target, usage("--data: %w", err)
		}
		target.Body = text
	}
	if target.Method == "" && len(target.Body) > 0 {
		target.Method = "POST"
	}
	for _, text := range f.headers {
		name, value, ok := strings.Cut(text, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return target, usage("--header %q: write Name: value", text)
		}
		target.Headers = append(target.Headers, load.Header{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	}
	if f.user != "" {
		name, password, _ := strings.Cut(f.user, ":")
		target.Headers = append(target.Headers, load.BasicAuth(name, password))
	}
	if f.bearer != "" {
		target.Headers = append(target.Headers, load.Bearer(f.bearer))
	}
	for _, text := range f.status {
		for _, word := range strings.Split(text, ",") {
			status, err := strconv.Atoi(strings.TrimSpace(word))
			if err != nil || status < 100 || status > 599 {
				return target, usage("--expect-status %q: a status is a number from 100 to 599", word)
			}
			target.Expect = append(target.Expect, status)
		}
	}
	for _, text := range f.expectBody {
		if err := addCheck(&target.Check, text); err != nil {
			return target, err
		}
	}
	return target, nil
}

func addCheck(check *load.Check, text string) error {
	kind, value, _ := strings.Cut(text, ":")
	switch kind {
	case "equals":
		check.Exact = []byte(value)
	case "contains":
		check.Contains = []byte(value)
	case "regexp":
		pattern, err := regexp.Compile(value)
		if err != nil {
			return usage("--expect-body: %w", err)
		}
		check.Pattern = pattern
	default:
		return usage("--expect-body %q: write equals:TEXT, contains:TEXT or regexp:PATTERN", text)
	}
	return nil
}

func (f *httpFlags) options() load.Options {
	return load.Options{
		Concurrency: f.concurrency, Loops: f.loops, Rate: f.rate, Poisson: f.poisson, CloseEach: f.closeEach,
		ConnectTimeout: f.connectTimeout, ReadTimeout: f.timeout, HTTP2: f.http2, Proxy: f.proxy,
		TLS: load.TLS{InsecureSkipVerify: f.insecure},
	}
}

// check refuses what does not go together.
func (f *httpFlags) checkHTTP() error {
	if err := f.common.check(); err != nil {
		return err
	}
	switch {
	case f.concurrency < 1:
		return usage("--concurrency %d: it has to be at least 1", f.concurrency)
	case f.rate < 0 || f.rate > 1e9:
		return usage("--rate %v: it has to lie between 0 and 1e9 requests per second", f.rate)
	case f.requests < 0 || f.runs < 0 || f.loops < 0:
		return usage("--requests, --runs and --loops cannot be negative")
	case f.poisson && f.rate == 0:
		return usage("--poisson needs a --rate")
	}
	return nil
}

// listOfURLs reads a candidate: a URL, or @FILE with one URL per line.
func listOfURLs(argument string) ([]string, error) {
	name, ok := strings.CutPrefix(argument, "@")
	if !ok {
		return []string{argument}, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, usage("reading the list of URLs: %w", err)
	}
	urls := nonBlankLines(string(text))
	if len(urls) == 0 {
		return nil, usage("%s holds no URL", name)
	}
	return urls, nil
}

func nonBlankLines(text string) []string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
