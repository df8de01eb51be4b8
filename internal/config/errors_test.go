package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestErrors holds all problems of a file, in order, against a golden file.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			base := filepath.Base(name)
			_, err = Load([]string{base}, sourceOf(map[string]string{base: string(text)}))
			var problems Problems
			if !errors.As(err, &problems) {
				t.Fatalf("no problems: %v", err)
			}
			golden(t, strings.TrimSuffix(name, ".toml")+".golden", []byte(err.Error()+"\n"))
		})
	}
}

// golden compares a result with a file, or writes it with -update.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s (-want +got):\n%s", name, cmp.Diff(string(want), string(got)))
	}
}

// TestSeveralFiles: problems name the file that they are in, in the order of the files.
func TestSeveralFiles(t *testing.T) {
	files := map[string]string{
		"one.toml": "commands.a.command = 'x'\ncompare.c = { a = 'a', b = 'bb' }\n",
		"two.toml": "[commands.b]\ncommand = 'x'\n\n[commands.a]\nalpha.http = { requests = 0, urls = ['http://h'] }\n",
	}
	_, err := Load([]string{"two.toml", "one.toml"}, sourceOf(files))
	want := `two.toml:5:7: commands.a has both command and http (the other is at one.toml:1:12); keep one of them
two.toml:5:27: commands.a.alpha.http.requests is 0; it has to be at least 1
one.toml:2:28: compare.c.b names the command "bb", which does not exist; did you mean "b"?`
	if err == nil || err.Error() != want {
		t.Errorf("got:\n%v\nwant:\n%s", err, want)
	}
	files["two.toml"] = "[commands\n"
	files["one.toml"] = "x = \n"
	_, err = Load([]string{"one.toml", "two.toml"}, sourceOf(files))
	if err == nil || strings.Count(err.Error(), "not valid TOML") != 2 || strings.Contains(err.Error(), "does not exist") {
		t.Errorf("broken files are all told, and nothing that follows from them: %v", err)
	}
}

// TestChecks holds every rule about values against what is just right and just wrong.
func TestChecks(t *testing.T) {
	const (
		command = "[commands.x]\ncommand = 'true'\n"
		http    = "[commands.w.http]\nrequests = 1\nurls = ['http://h']\n"
		alpha   = http + "[alpha.compare.c]\na = 'w'\nb = 'w'\n"
		compare = command + "[compare.c]\na = 'x'\nb = 'x'\n"
		web     = "[commands.w.http]\nrequests = 1\n"
	)
	for _, test := range []struct {
		name, text string
		want       string // part of the one problem; empty if there is none
	}{
		{"warm-up 0", command + "warmup-runs = 0", ""},
		{"warm-up below", command + "warmup-runs = -1", "warmup-runs is -1; it has to be at least 0"},
		{"runs 1", command + "runs = 1", ""},
		{"runs 0", command + "runs = 0", "runs is 0; it has to be at least 1"},
		{"min-runs 0", command + "min-runs = 0", "at least 1"},
		{"max-runs 0", command + "max-runs = 0", "at least 1"},
		{"max below min", command + "min-runs = 5\nmax-runs = 4", "max-runs is 4, less than min-runs, which is 5"},
		{"max below min, but runs", command + "min-runs = 5\nmax-runs = 4\nruns = 3", ""},
		{"max below the default min", command + "max-runs = 4", ""},
		{"timeout 0", command + "timeout-seconds = 0", "at least 1"},
		{"fraction", command + "runs = 1.5", "has to be a whole number, not a number with a fraction"},
		{"command and http", command + "http = { requests = 1, urls = ['http://h'] }", "has both command and http"},
		{"both spellings", web + "urls = ['http://h']\n[commands.w.alpha.http]\nrequests = 2", "has both http and alpha.http"},
		{"nothing to run", "[commands.x]\ntags = ['a']", `commands.x has nothing to run; add "command" or "http"`},
		{"only steps", "[commands.x]\nsetup = 'true'", ""},
		{"empty command", "[commands.x]\ncommand = ''", "commands.x.command is empty"},
		{"default command", "[defaults.commands]\ncommand = 'true'\n[commands.x]\nruns = 1", ""},
		{"default http", "[defaults.commands]\nalpha.http = { requests = 1, urls = ['http://h'] }\n[commands.x]", ""},
		{"default http replaced", "[defaults.commands]\nalpha.http = { requests = 1, bearer = 'b', urls = ['http://h'] }\n" +
			"[commands.x.http]\nrequests = 1\nurls = ['http://h']\nbasic-auth = 'u:p'", ""},
		{"default http beside a command", "[defaults.commands]\nhttp = { requests = 1, urls = ['http://h'] }\n" + command,
			"has both command and http (the other is at"},
		{"steps for http", web + "urls = ['http://h']\n[commands.w]\nprepare = 'p'\nmin-runs = 9\nmax-runs = 1", ""},
		{"env array", command + "env = { A = [1] }", "commands.x.env.A has to be a single value, not an array"},
		{"env name", command + "env = { 'A=' = 1 }", "cannot name a variable"},
		{"bare output", command + "output = 'inherti'", "write null, pipe or inherit, or ./inherti for a file"},
		{"output", command + "output = 'inherit'", ""},
		{"cpus", command + "cpus = 2", ""},
		{"cpus range", command + "cpus = '3-1'", "not a list of CPUs"},
		{"failure", command + "ignore-failure = true", ""},
		{"failure text", command + "ignore-failure = 'yes'", "has to be a whole number, not a string"},
		{"metric without", command + "metrics.m = {}", "does not say how to find the number"},
		{"metric both", command + "metrics.m = { regexp = '(a)', jsonpath = '$' }", "has both regexp and jsonpath"},
		{"metric regexp", command + "metrics.m.regexp = '('", "no regular expression: missing closing )"},
		{"metric group", command + "metrics.m.regexp = 'a'", "has no group; put the number in parentheses"},
		{"metric better", command + "metrics.m = { jsonpath = '$', better = 'hihger' }", `did you mean "higher"?`},

		{"requests missing", "[commands.w.alpha.http]\nurls = ['http://h']", `commands.w.alpha.http has no "requests"; add it`},
		{"requests 0", "[commands.w.http]\nrequests = 0\nurls = ['http://h']", "at least 1"},
		{"concurrency 0", web + "urls = ['http://h']\nconcurrency = 0", "at least 1"},
		{"no urls", web, `has neither "urls" nor "urls-command"`},
		{"empty urls", web + "urls = []", "urls is empty"},
		{"empty urls with command", web + "urls = []\nurls-command = 'cat u'", ""},
		{"url", web + "urls = ['localhost:80']", "begin it with http:// or https://"},
		{"url prefix", web + "urls = [':80']\nurl-prefix = 'http://h'", ""},
		{"url host", web + "urls = ['http:///x']", "is no address"},
		{"status", web + "urls = ['http://h']\nexpected-status = 99", "is 99, not between 100 and 999"},
		{"status list", web + "urls = ['http://h']\nexpected-status = [200, 'x']", "expected-status[1] has to be a whole number"},
		{"method", web + "urls = ['http://h']\nmethod = 'G T'", "cannot be"},
		{"bodies", web + "urls = ['http://h']\nbody = ''\nbody-file = 'f'", "has both body and body-file"},
		{"authorization", web + "urls = ['http://h']\nbearer = 't'\nbasic-auth = 'u:p'", "has both basic-auth and bearer"},
		{"no colon", web + "urls = ['http://h']\nbasic-auth = 'u'", `write "user:password"`},
		{"header too", web + "urls = ['http://h']\nbearer = 't'\nheaders = { authorization = 'x' }", "both bearer and a header"},
		{"header name", web + "urls = ['http://h']\nheaders = { 'a b' = 'x' }", "cannot name a header"},
		{"header value", web + "urls = ['http://h']\nheaders = { A = \"x\\ny\" }", "line break"},
		{"tls half", web + "urls = ['https://h']\ntls = { cert-file = 'c' }", "they come in pairs"},
		{"body check", web + "urls = ['https://h']\nexpected-body = {}", "expects nothing"},
		{"body checks", web + "urls = ['https://h']\nexpected-body = { equals = 'a', regexp = 'a' }", "both equals and regexp"},
		{"body regexp", web + "urls = ['https://h']\nexpected-body = { regexp = '[' }", "no regular expression"},
		{"rate", web + "urls = ['https://h']\nrate = 0", "above 0"},
		{"infinite rate", web + "urls = ['https://h']\nrate = inf", "rate is +Inf"},
		{"distribution", web + "urls = ['https://h']\nrate-distribution = 'poisson'", "no effect without a rate"},

		{"alpha", alpha, ""},
		{"alpha missing", http + "[alpha.compare.c]\na = 'w'", `has no "b"`},
		{"alpha absent command", http + "[alpha.compare.c]\na = 'w'\nb = 'v'", `names the command "v", which does not exist; known here: w`},
		{"alpha shell command", command + http + "[alpha.compare.c]\na = 'w'\nb = 'x'", "which has no http table; compare other commands in [compare]"},
		{"certainty .5", alpha + "certainty = 0.5", "it has to be above 0.5 and below 1"},
		{"certainty 1", alpha + "certainty = 1", "above 0.5 and below 1"},
		{"certainty .51", alpha + "certainty = 0.51", ""},
		{"mass .5", alpha + "credible-mass = 0.5", "above 0.5"},
		{"mass 1", alpha + "credible-mass = 1.0", "below 1"},
		{"effect 0", alpha + "min-effect = 0", ""},
		{"effect below", alpha + "min-effect = -0.01", "at least 0"},
		{"prior 0", alpha + "prior-scale = 0", "above 0"},
		{"prior nan", alpha + "prior-scale = nan", "prior-scale is NaN"},
		{"interleave", alpha + "interleave = 'abab'", `cannot be "abab"; did you mean "abba"?`},
		{"batch 0", alpha + "batch-rounds = 0", "at least 1"},
		{"min-rounds 8", alpha + "min-rounds = 8", ""},
		{"min-rounds 7", alpha + "min-rounds = 7", "is 7, less than 2 × batch-rounds, which is 8"},
		{"min-rounds 1", alpha + "batch-rounds = 1\nmin-rounds = 1", "at least 2"},
		{"max-rounds 7", alpha + "min-rounds = 8\nmax-rounds = 7", "is 7, less than 2 × batch-rounds, which is 8"},
		{"max-rounds below min", alpha + "min-rounds = 9\nmax-rounds = 8", "is 8, less than min-rounds, which is 9 (set)"},
		{"max-rounds below default", alpha + "max-rounds = 15", "is 15, less than min-rounds, which is 16 (by default)"},
		{"max-rounds default", alpha + "batch-rounds = 51", "is 200, less than min-rounds, which is 204 (by default)"},
		{"alpha warm-up", alpha + "warmup-runs = -1", "at least 0"},
		{"alpha timeout", alpha + "timeout-seconds = -1", "at least 0"},

		{"compare", compare, ""},
		{"compare mixed", command + http + "[compare.c]\na = 'x'\nb = 'w'", ""},
		{"compare half", command + "[compare.c]\na = 'x'", "does not say what to compare"},
		{"compare all", compare + "arms = ['x', 'x']", "has both arms and a"},
		{"one arm", command + "[compare.c]\narms = ['x']", "has 1 item, fewer than 2"},
		{"absent arm", command + "[compare.c]\narms = ['x', 'y']", `compare.c.arms[1] names the command "y"`},
		{"arm of steps", "[commands.s]\nsetup = 'x'\n" + command + "[compare.c]\na = 'x'\nb = 's'", "has nothing to measure"},
		{"fixed", compare + "method = 'fixed'", `add "runs"`},
		{"fixed rounds", compare + "method = 'fixed'\nruns = 2\nmax-rounds = 3", "no effect with the method fixed"},
		{"runs", compare + "runs = 10", "no effect with the method anytime"},
		{"jzs of three", command + "[compare.c]\narms = ['x', 'x', 'x']\nmethod = 'jzs'", "has 3 arms, and the method jzs compares two"},
		{"jzs rounds", compare + "method = 'jzs'\nmax-rounds = 15", "decides after 16"},
		{"method", compare + "method = 'anytimes'", `did you mean "anytime"?`},
		{"error rate", compare + "error-rate = 0", "above 0"},
		{"margin", compare + "margin = 1", "below 1"},
		{"same name", alpha + "[compare.c]\na = 'w'\nb = 'w'", "two comparisons are named"},

		{"plot png", "[plots.p]\nfile = 'p.png'\ntype = 'whisker'", "end it in .svg or .html"},
		{"plot type", "[plots.p]\nfile = 'p.svg'\ntype = 'whiskers'", `did you mean "whisker"?`},
		{"plot without", "[plots.p]\nfile = 'p.svg'", `has no "type"`},
		{"plot command", command + "[plots.p]\nfile = 'p.svg'\ntype = 'whisker'\ncommands = ['y']", "does not exist"},

		{"empty name", "[commands.'']\ncommand = 'x'", "has an empty name"},
		{"table", "commands = 1", "commands has to be a table, not a whole number"},
		{"inner table", "alpha = 1", "alpha has to be a table"},
		{"array of tables", "[[commands.x]]\ncommand = 'x'", "commands.x has to be a table, not an array"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := load(test.text)
			switch {
			case test.want == "" && err == nil:
			case test.want == "":
				t.Error(err)
			case err == nil || !strings.Contains(err.Error(), test.want):
				t.Errorf("got: %v\nwant: %s", err, test.want)
			case strings.Contains(err.Error(), "\n"):
				t.Errorf("more than one problem:\n%v", err)
			}
		})
	}
}
