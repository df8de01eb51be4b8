package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/multiproc"
)

// commandVariable makes the test binary the command: several processes start
// the running program anew.
const commandVariable = "RTCOMPARE_AA_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(commandVariable) != "" {
		main()
	}
	os.Exit(m.Run())
}

// start runs the command as a program of its own.
func start(t *testing.T, line string) (status int, stdout, stderr string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, strings.Fields(line)...)
	cmd.Env = append(os.Environ(), commandVariable+"=1")
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), problems.String()
}

func TestMultiPoolsProcesses(t *testing.T) {
	status, out, problems := start(t, quick+"-multi -minprocs 4 -maxprocs 4")
	if status != 0 {
		t.Fatalf("status %d, stderr %q", status, problems)
	}
	if !strings.Contains(problems, "rtcompare-aa: processes done: 4\n") {
		t.Errorf("stderr %q", problems)
	}
	for _, form := range []string{
		`(?m)^process 0, seed \d+:\nn=200 chase build=ab first=A second=B: `,
		`(?m)^process 1, seed \d+:\nn=200 chase build=ba first=A second=B: `,
		`(?m)^process 2, seed \d+:\nn=200 chase build=ab first=A second=B: `,
		`(?m)^process 3, seed \d+:\nn=200 chase build=ba first=A second=B: `,
		`(?m)^4 processes`,
		`(?m)^first A, second B:\n  4 processes$`,
		`(?m)^first B, second A:\n  4 processes$`,
	} {
		if !regexp.MustCompile(form).MatchString(out) {
			t.Errorf("no text like %s in\n%s", form, out)
		}
	}
	if got := len(regexp.MustCompile(`(?m)^n=200 `).FindAllString(out, -1)); got != 8 {
		t.Errorf("%d reports in\n%s", got, out)
	}
}

func TestMultiInParallel(t *testing.T) {
	status, out, problems := start(t, quick+"-multi -minprocs 4 -maxprocs 4 -parallel 2 -build mixed -skipvalidation")
	if status != 0 {
		t.Fatalf("status %d, stderr %q", status, problems)
	}
	if got := strings.Count(out, " build=mixed "); got != 8 {
		t.Errorf("%d reports in\n%s", got, out)
	}
	for _, form := range []string{`(?m)^\[p03\] process 3, seed `, `(?m)^4 processes, 2 at a time with GOMAXPROCS `} {
		if !regexp.MustCompile(form).MatchString(out) {
			t.Errorf("no line like %s in\n%s", form, out)
		}
	}
}

// TestMultiSaysWhatFailed checks that an error of the library, which only the
// processes meet, ends the command and names the process.
func TestMultiSaysWhatFailed(t *testing.T) {
	status, out, problems := start(t, "-multi -n 200 -repeats 3")
	if status != 1 || !strings.Contains(problems, "process 0") || !strings.Contains(problems, "option Repeats is 3") || strings.Contains(out, "processes") {
		t.Errorf("status %d, stdout %q, stderr %q", status, out, problems)
	}
}

func TestSettingsOfAProcess(t *testing.T) {
	for _, test := range []struct {
		order string
		index int
		want  string
	}{
		{buildAB, 0, buildAB}, {buildAB, 1, buildBA}, {buildBA, 2, buildBA}, {buildBA, 3, buildAB},
		{buildMixed, 1, buildMixed}, {buildRandom, 5, buildRandom},
	} {
		got := settings{order: test.order, seed: 1}.of(&multiproc.Process{Index: test.index, Seed: 77})
		if got.order != test.want || got.seed != 77 {
			t.Errorf("%s in process %d: %s, seed %d", test.order, test.index, got.order, got.seed)
		}
	}
}
