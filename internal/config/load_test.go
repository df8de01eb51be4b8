package config

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// home is the working directory of the tests.
var home = func() string {
	if runtime.GOOS == "windows" {
		return `C:\home\user`
	}
	return "/home/user"
}()

// sourceOf returns a source of files that exist only here; names are relative to home.
func sourceOf(files map[string]string) Source {
	return Source{Directory: home, Stdin: strings.NewReader(files["-"]), ReadFile: func(name string) ([]byte, error) {
		for other, text := range files {
			if other != "-" && filepath.Join(home, filepath.FromSlash(other)) == name {
				return []byte(text), nil
			}
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}}
}

// load reads one file named rtcompare.toml.
func load(text string) (Config, error) {
	return Load(nil, sourceOf(map[string]string{"rtcompare.toml": text}))
}

func mustLoad(t *testing.T, text string) Config {
	t.Helper()
	c, err := load(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const finefileExample = `
[commands.baseline]
alpha.http = { concurrency = 64, requests = 10000, urls = ["http://127.0.0.1:8080"] }

[commands.candidate]
alpha.http = { concurrency = 64, requests = 10000, urls = ["http://127.0.0.1:8081"] }

[alpha.compare.rewrite]
a = "baseline"
b = "candidate"
export-json = "compare.json"
timeout-seconds = 300
`

func TestFinefileExample(t *testing.T) {
	c := mustLoad(t, finefileExample)
	seconds := 300
	want := map[string]AlphaComparison{"rewrite": {
		A: "baseline", B: "candidate", Certainty: 0.99, CredibleMass: 0.95, MinEffect: 0.01, PriorScale: 0.707,
		Interleave: "abba", BatchRounds: 4, MinRounds: 16, MaxRounds: 200, WarmupRuns: 3,
		TimeoutSeconds: &seconds, ExportJSON: filepath.Join(home, "compare.json"),
	}}
	if diff := cmp.Diff(want, c.AlphaComparisons); diff != "" {
		t.Error(diff)
	}
	wantHTTP := &HTTP{
		Requests: 10000, Concurrency: 64, URLs: []string{"http://127.0.0.1:8080"}, Method: "GET", KeepAlive: true,
		ConnectTimeoutSeconds: 30, TimeoutSeconds: 30, RateDistribution: "even",
	}
	want2 := Command{Shell: "bash", Dir: home, Runs: 10, Input: "null", Output: "null", HTTP: wantHTTP}
	if diff := cmp.Diff(want2, c.Commands["baseline"]); diff != "" {
		t.Error(diff)
	}
}

// everyFinefileKey has every key that finefile knows.
const everyFinefileKey = `
[defaults.commands]
shell = "sh"
env = { A = "default" }
tags = ["all"]

[commands.full]
command = "make"
shell = "none"
dir = "sub"
env = { N = 8, F = 1.0, B = true, S = "text", D = 1979-05-27, T = 1979-05-27T07:32:00Z, BIG = 1e300, HEX = 0x10 }
setup = "s"
prepare = "p"
conclude = "c"
cleanup = "x"
warmup-runs = 0
min-runs = 2
max-runs = 20
runs = 5
timeout-seconds = 60
export-json = "out/full.json"
tags = ["one", "two"]

[commands.short]
command = "true"

[commands.web]
[commands.web.alpha.http]
requests = 10
concurrency = 2
urls = [":80/a", ":80/b"]
urls-command = "cat urls"
url-prefix = "http://localhost"
expected-status = [200, 404]
ignore-failure = true

[alpha.compare.c]
a = "web"
b = "web"
certainty = 0.95
credible-mass = 0.9
min-effect = 0
prior-scale = 1
interleave = "alternate"
batch-rounds = 1
min-rounds = 2
max-rounds = 3
warmup-runs = 0
timeout-seconds = 0
export-json = "c.json"

[plots.p]
file = "p.svg"
type = "whisker"
`

func TestEveryFinefileKey(t *testing.T) {
	c := mustLoad(t, everyFinefileKey)
	want := Command{
		Command: "make", Shell: "none", Dir: filepath.Join(home, "sub"),
		Env: Environment{"N": "8", "F": "1.0", "B": "true", "S": "text", "D": "1979-05-27", "T": "1979-05-27T07:32:00Z",
			"BIG": "1e+300", "HEX": "16"},
		Setup: "s", Prepare: "p", Conclude: "c", Cleanup: "x", MinRuns: 2, MaxRuns: 20, Runs: 5, TimeoutSeconds: 60,
		ExportJSON: filepath.Join(home, "out", "full.json"), Tags: []string{"one", "two"}, Input: "null", Output: "null",
	}
	if diff := cmp.Diff(want, c.Commands["full"]); diff != "" {
		t.Error(diff)
	}
	want = Command{Command: "true", Shell: "sh", Dir: home, Env: Environment{"A": "default"}, MinRuns: 10,
		Tags: []string{"all"}, Input: "null", Output: "null"}
	if diff := cmp.Diff(want, c.Commands["short"]); diff != "" {
		t.Error(diff)
	}
	zero := 0
	wantComparison := AlphaComparison{A: "web", B: "web", Certainty: 0.95, CredibleMass: 0.9, PriorScale: 1,
		Interleave: "alternate", BatchRounds: 1, MinRounds: 2, MaxRounds: 3, TimeoutSeconds: &zero,
		ExportJSON: filepath.Join(home, "c.json")}
	if diff := cmp.Diff(wantComparison, c.AlphaComparisons["c"]); diff != "" {
		t.Error(diff)
	}
	if got := c.Commands["web"].HTTP.ExpectedStatus; !got.Accepts(404) || got.Accepts(201) {
		t.Errorf("expected-status is %v", got)
	}
	if want := (Plot{File: filepath.Join(home, "p.svg"), Type: "whisker"}); !cmp.Equal(want, c.Plots["p"]) {
		t.Errorf("plot is %+v", c.Plots["p"])
	}
}

const everyOwnKey = `
[commands.one]
command = "run"
cpus = "0-1,3"
input = "in.txt"
output = "./out.txt"
ignore-failure = [1, 2]

[commands.one.metrics.items]
regexp = "items: ([0-9]+)"
unit = "items"
better = "higher"
from = "stderr"

[commands.one.metrics.total]
jsonpath = "$.total"

[commands.two.http]
requests = 1
urls = ["unix:/run/server.sock"]
method = "POST"
headers = { Accept = "text/html", X-Many = ["1", "2"] }
body-file = "body.json"
basic-auth = "user:password"
keep-alive = false
connect-timeout-seconds = 0.5
timeout-seconds = 2
http2 = true
proxy = "http://proxy:3128"
tls = { ca-file = "ca.pem", insecure-skip-verify = true, cert-file = "c.pem", key-file = "k.pem" }
expected-body = { equals = "" }
rate = 1000
rate-distribution = "poisson"
loops = 2

[compare.three]
arms = ["one", "two", "one"]
error-rate = 0.02
margin = 0
time-seconds = 1.5
max-rounds = 7
warmup-runs = 1
metric = "items"
export-json = "r.json"
tags = ["slow"]
pin = true

[compare.fixed]
a = "one"
b = "two"
method = "fixed"
runs = 30

[compare.jzs]
a = "one"
b = "two"
method = "jzs"

[plots.p]
file = "p.html"
type = "histogram"
title = "Runs"
commands = ["one"]

[gate]
anything = { goes = [1, { here = true }] }
`

func TestEveryOwnKey(t *testing.T) {
	c := mustLoad(t, everyOwnKey)
	one := Command{
		Command: "run", Shell: "bash", Dir: home, MinRuns: 10, CPUs: CPUs{0, 1, 3}, Input: filepath.Join(home, "in.txt"),
		Output: filepath.Join(home, "out.txt"), IgnoreFailure: ExitCodes{Codes: []int{1, 2}},
		Metrics: map[string]Metric{
			"items": {Regexp: "items: ([0-9]+)", Unit: "items", Better: "higher", From: "stderr"},
			"total": {JSONPath: "$.total", Better: "lower", From: "stdout"},
		},
	}
	if diff := cmp.Diff(one, c.Commands["one"]); diff != "" {
		t.Error(diff)
	}
	empty := ""
	two := &HTTP{
		Requests: 1, Concurrency: 1, URLs: []string{"unix:/run/server.sock"}, Method: "POST",
		Headers:  Headers{"Accept": {"text/html"}, "X-Many": {"1", "2"}},
		BodyFile: filepath.Join(home, "body.json"), BasicAuth: "user:password", ConnectTimeoutSeconds: 0.5, TimeoutSeconds: 2,
		HTTP2: true, Proxy: "http://proxy:3128",
		TLS: &TLS{CAFile: filepath.Join(home, "ca.pem"), InsecureSkipVerify: true,
			CertFile: filepath.Join(home, "c.pem"), KeyFile: filepath.Join(home, "k.pem")},
		ExpectedBody: &ExpectedBody{Equals: &empty}, Rate: 1000, RateDistribution: "poisson", Loops: 2,
	}
	if diff := cmp.Diff(two, c.Commands["two"].HTTP); diff != "" {
		t.Error(diff)
	}
	comparisons := map[string]Comparison{
		"three": {Arms: []string{"one", "two", "one"}, Method: Anytime, ErrorRate: 0.02, TimeSeconds: 1.5, MaxRounds: 7,
			WarmupRuns: 1, Metric: "items", ExportJSON: filepath.Join(home, "r.json"), Tags: []string{"slow"}, Pin: true},
		"fixed": {A: "one", B: "two", Arms: []string{"one", "two"}, Method: Fixed, ErrorRate: 0.05, Margin: 0.01, Runs: 30,
			WarmupRuns: 3, Metric: "time"},
		"jzs": {A: "one", B: "two", Arms: []string{"one", "two"}, Method: JZS, ErrorRate: 0.01, Margin: 0.01, MaxRounds: 200,
			WarmupRuns: 3, Metric: "time"},
	}
	if diff := cmp.Diff(comparisons, c.Comparisons); diff != "" {
		t.Error(diff)
	}
	gate := map[string]any{"anything": map[string]any{"goes": []any{int64(1), map[string]any{"here": true}}}}
	if diff := cmp.Diff(gate, c.Gate); diff != "" {
		t.Error(diff)
	}
}

func TestMerge(t *testing.T) {
	files := map[string]string{
		"a/base.toml": `
[commands.x]
command = "first"
dir = "here"
env = { A = 1, B = 2 }
tags = ["base"]
[defaults.commands]
env = { DEFAULT = 1 }
cleanup = "tidy"
`,
		"b/more.toml": `
[commands.x]
command = "second"
env = { B = 3 }
tags = ["more"]
[commands.y]
command = "other"
`,
		"-": `commands.x.command = "third"`,
	}
	base := filepath.Join(home, "a")
	x := Command{Command: "second", Shell: "bash", Dir: filepath.Join(base, "here"), Env: Environment{"A": "1", "B": "3"},
		Cleanup: "tidy", Tags: []string{"more"}, MinRuns: 10, Input: "null", Output: "null"}
	for _, test := range []struct {
		name    string
		files   []string
		command string
		base    string
		order   []string
	}{
		{"later wins", []string{"a/base.toml", "b/more.toml"}, "second", base, []string{"a/base.toml", "b/more.toml"}},
		{"order matters", []string{"b/more.toml", "a/base.toml"}, "first", filepath.Join(home, "b"), nil},
		{"twice counts at its last place", []string{"a/base.toml", "b/more.toml", "./a/base.toml"}, "first", base,
			[]string{"b/more.toml", "./a/base.toml"}},
		{"standard input", []string{"-", "a/base.toml", "-"}, "third", home, []string{"a/base.toml", "-"}},
		{"absolute", []string{filepath.Join(home, "a/base.toml")}, "first", base, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := Load(test.files, sourceOf(files))
			if err != nil {
				t.Fatal(err)
			}
			if c.Commands["x"].Command != test.command || c.Base != test.base {
				t.Errorf("command %q, base %q; want %q, %q", c.Commands["x"].Command, c.Base, test.command, test.base)
			}
			if test.order != nil && !cmp.Equal(c.Files, test.order) {
				t.Errorf("read %v, want %v", c.Files, test.order)
			}
		})
	}
	c, err := Load([]string{"a/base.toml", "b/more.toml"}, sourceOf(files))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(x, c.Commands["x"], cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("tables merge, all else is replaced, defaults are not merged into a key:\n%s", diff)
	}
	if got := c.Commands["y"].Env; !cmp.Equal(got, Environment{"DEFAULT": "1"}) {
		t.Errorf("defaults of another file: env is %v", got)
	}
}

func TestPosition(t *testing.T) {
	text := "[defaults.commands]\nshell = \"sh\"\n\n[commands.x]\ncommand = \"true\"\nalpha.http.requests = 1\n"
	c, err := load(strings.Replace(text, "command = \"true\"\n", "", 1) + "alpha.http.urls = [ \"http://é\",   \"http://b\"]\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		path string
		want string
		has  bool
	}{
		{"commands x shell", "rtcompare.toml:2:9", true},
		{"commands x http requests", "rtcompare.toml:5:23", true},
		{"commands x http concurrency", "rtcompare.toml:5:7", false},
		{"commands x nothing at all", "rtcompare.toml:4:11", false},
		{"commands x http urls [1]", "rtcompare.toml:6:35", true},
		{"commands x http urls [2]", "rtcompare.toml:6:12", false},
		{"plots", "rtcompare.toml:1:1", false},
	} {
		path := strings.Fields(test.path)
		at, ok := c.Position(path...)
		if at.String() != test.want || ok != test.has || c.Has(path...) != test.has {
			t.Errorf("%s: at %s, %v; want %s, %v", test.path, at, ok, test.want, test.has)
		}
	}
	if got := c.root.find("commands", "x", "http", "urls").items[1].valueAt.Column; got != 35 {
		t.Errorf("columns count characters: got %d", got)
	}
	got := c.Problem("is too slow", "buy a new one", "commands", "x", "http").Error()
	if want := "rtcompare.toml:5:7: is too slow; buy a new one"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFind(t *testing.T) {
	for _, test := range []struct {
		files []string
		want  string
	}{
		{[]string{"finefile.toml", "rtcompare.toml"}, "rtcompare.toml"},
		{[]string{"finefile.toml"}, "finefile.toml"},
		{nil, ""},
	} {
		files := make(map[string]string)
		for _, name := range test.files {
			files[name] = ""
		}
		got, err := sourceOf(files).Find()
		if got != test.want || (err != nil) != (test.want == "") {
			t.Errorf("%v: got %q, %v", test.files, got, err)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v: %v does not say that there is none", test.files, err)
		}
	}
	if _, err := Load([]string{"none.toml"}, sourceOf(nil)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Load([]string{"-"}, Source{}); err == nil {
		t.Error("no standard input: no error")
	}
}

func TestSystem(t *testing.T) {
	source, err := System(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := source.Read(filepath.Join("testdata", "errors", "finefile.toml")); err != nil {
		t.Error(err)
	}
}
