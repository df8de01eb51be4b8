package multiproc_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/multiproc"
)

// again runs the calling test once more in a process of its own, with other
// flags, and returns what it prints. In that process it returns false.
func again(t *testing.T, flags ...string) (output string, outer bool) {
	t.Helper()
	const variable = "MULTIPROC_TEST_AGAIN"
	if os.Getenv(variable) != "" {
		return "", false
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(own, append([]string{"-test.run=" + pattern(t)}, flags...)...)
	cmd.Env = append(os.Environ(), variable+"=1")
	text, err := cmd.CombinedOutput()
	if err == nil {
		t.Errorf("it passed:\n%s", text)
	}
	return string(text), true
}

func TestTheFlagsThatMatterAreHandedOn(t *testing.T) {
	dir := t.TempDir()
	text, outer := again(t, "-test.v", "-test.short", "-test.cpu=2,3", "-test.count=2", "-test.timeout=50s",
		"-test.cpuprofile="+filepath.Join(dir, "cpu"), "-test.outputdir="+dir)
	if !outer {
		multiproc.RunTestSuite(t, multiproc.Options{}, func(*multiproc.Process) error {
			return errors.New("called with " + strings.Join(os.Args[1:], " ") + ".")
		})
	}
	for _, phrase := range []string{
		"called with -test.run=^TestTheFlagsThatMatterAreHandedOn$ -test.short=true -test.cpu=2 -test.v=true -test.timeout=4", "-test.cpu=3 ",
	} {
		if !strings.Contains(text, phrase) {
			t.Errorf("%q is missing:\n%s", phrase, text)
		}
	}
	if called, _, _ := strings.Cut(text[strings.Index(text, "called with"):], "."); strings.Contains(called, "count") || strings.Contains(called, "profile") {
		t.Errorf("too much was handed on:\n%s", text)
	}
}

func TestARunEndsBeforeItsTestsTimeIsUp(t *testing.T) {
	dir := shared(t)
	begun := time.Now()
	text, outer := again(t, "-test.timeout=3s")
	if !outer {
		multiproc.RunTestSuite(t, multiproc.Options{}, func(p *multiproc.Process) error {
			leavePID(dir, p.Index)
			time.Sleep(time.Minute)
			return nil
		})
	}
	if !strings.Contains(text, "the test's time is nearly up (-test.timeout)") || strings.Contains(text, "panic: test timed out") {
		t.Error(text)
	}
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	expectGone(t, pids(t, dir))
}
