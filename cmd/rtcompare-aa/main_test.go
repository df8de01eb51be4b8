package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare"
)

// try runs the command and returns what it printed.
func try(t *testing.T, line string) (status int, stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	status = run(strings.Fields(line), &out, &problems)
	return status, out.String(), problems.String()
}

// quick are flags that make a run as short as the library allows.
const quick = "-n 200 -repeats 11 -validation 2 -warmupdur 1ns "

func TestCompareModePrintsBothRoles(t *testing.T) {
	status, out, problems := try(t, quick+"-build mixed -perturb")
	if status != 0 || problems != "" {
		t.Fatalf("status %d, stderr %q", status, problems)
	}
	for _, form := range []string{
		`(?m)^n=200 chase build=mixed first=A second=B: .* ns, difference .*%\], noise floor .*%, resolved (true|false)$`,
		`(?m)^n=200 chase build=mixed first=B second=A: `,
		`(?m)^  drift A .* \(p .*\), B .* \(p .*\), ratio .* \(p .*\)$`,
		`(?m)^  drift B .*, A .*, ratio .*$`,
		`(?m)^  verdict .*\] at 95%, identical code counted in; the truth is 0$`,
	} {
		if !regexp.MustCompile(form).MatchString(out) {
			t.Errorf("no line like %s in\n%s", form, out)
		}
	}
}

func TestCompareModeWithBudget(t *testing.T) {
	status, out, problems := try(t, "-n 200 -workload scan -warmupdur 1ns -skipvalidation -budget 60ms")
	if status != 0 || problems != "" {
		t.Fatalf("status %d, stderr %q", status, problems)
	}
	if got := strings.Count(out, "at 99%, identical code not measured; the truth is 0"); got != 2 {
		t.Errorf("%d verdicts in\n%s", got, out)
	}
}

func TestPrefixMode(t *testing.T) {
	status, out, problems := try(t, quick+"-mode prefix -build random")
	if status != 0 || problems != "" {
		t.Fatalf("status %d, stderr %q", status, problems)
	}
	form := `^n=200 chase build=random, \d+ operations per batch; median B/A, the truth is 1
  after nobody ran alone:    \d\.\d{4}
  after A ran alone:         \d\.\d{4}
  after B ran alone:         \d\.\d{4}
  after A, then B ran alone: \d\.\d{4}
$`
	if !regexp.MustCompile(form).MatchString(out) {
		t.Errorf("printed\n%s", out)
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		line   string
		status int
		want   string
	}{
		{"-mode both", 1, `-mode "both" is unknown, it has to be one of compare, prefix`},
		{"-workload sort", 1, `-workload "sort" is unknown, it has to be one of chase, scan`},
		{"-build abba", 1, `-build "abba" is unknown, it has to be one of ab, ba, mixed, random`},
		{"-workload scan -n 100", 1, "-n is 100, and -workload scan needs more than 100 nodes"},
		{"-n 0", 1, "-n is 0 and has to be at least 1"},
		{"-multi -mode prefix", 1, "-multi belongs to -mode compare"},
		{"-minprocs 3", 1, "-minprocs, -maxprocs and -parallel belong to -multi"},
		{"-maxprocs 3", 1, "-minprocs, -maxprocs and -parallel belong to -multi"},
		{"-parallel 2", 1, "-minprocs, -maxprocs and -parallel belong to -multi"},
		{"-multi -minprocs 2", 1, "option MinProcesses is 2 and has to be at least 3"},
		{"-multi -parallel -1", 1, "option Parallel is -1 and must not be negative"},
		{"-mode prefix -budget 1s", 1, "-budget belongs to -mode compare"},
		{"-mode prefix -skipvalidation", 1, "-skipvalidation contradicts -mode prefix"},
		{"-n 8 -budget 1s -repeats 11", 1, "Collect.Repeats excludes Budget"},
		{"-n 8 -repeats 3", 1, "option Repeats is 3"},
		{"prefix", 1, `"prefix" is not a flag`},
		{"-nodes 3", 2, "flag provided but not defined: -nodes"},
		{"-n many", 2, "invalid value"},
		{"-h", 0, "Usage of rtcompare-aa"},
	}
	for _, test := range tests {
		status, out, problems := try(t, test.line)
		if status != test.status || !strings.Contains(problems, test.want) || out != "" {
			t.Errorf("%s: status %d, stdout %q, stderr %q", test.line, status, out, problems)
		}
	}
}

func TestDescribe(t *testing.T) {
	s := settings{nodes: 5, workload: workloadScan, order: buildBA}
	r := rtcompare.Report{
		NameA: "B", NameB: "A", NsPerOpA: 10, NsPerOpB: 20, Validated: true, NoiseFloor: 0.001, Resolved: true,
		Estimate:   rtcompare.Estimate{Delta: 0.5, Low: 0.4, High: 0.6},
		DriftRatio: rtcompare.DriftReport{N: 101, RelativeShift: -0.01, PValue: 0.25},
		Decision:   rtcompare.Decision{Verdict: rtcompare.AFaster, Level: 0.95},
		Warnings:   []string{"one", "two"},
	}
	const want = `n=5 scan build=ba first=B second=A: 10.00 and 20.00 ns, difference +50.000% [+40.000%, +60.000%], noise floor 0.100%, resolved true
  drift B not tested, A not tested, ratio -1.00% (p 0.250)
  verdict B faster, +0.000% [+0.000%, +0.000%] at 95%, identical code counted in; the truth is 0
  warning: one
  warning: two
`
	if got := describe(s, r); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestParseDefaults(t *testing.T) {
	s, err := parse(nil, nil)
	want := settings{nodes: 262144, mode: "compare", workload: "chase", order: "ab", seed: 1}
	if err != nil || s != want {
		t.Errorf("defaults %+v, error %v", s, err)
	}
	s, err = parse(strings.Fields("-warmup 7 -warmupdur 2s -repeats 51 -budget 3s"), nil)
	if c := s.collect(); err != nil || c.Warmup != 7 || c.WarmupDuration != 2*time.Second || c.Repeats != 51 || c.MaxQuantizationError != 1e-4 || s.budget != 3*time.Second {
		t.Errorf("options %+v of %+v, error %v", c, s, err)
	}
}
