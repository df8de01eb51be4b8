package gobuild

import (
	"bytes"
	"errors"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// benchmarkGo is the toolchain's own file.
func benchmarkGo(t *testing.T) []byte {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("this test needs the go command: %v", err)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "src", "testing", "benchmark.go"))
	if err != nil {
		t.Skipf("the toolchain's sources are not here: %v", err)
	}
	return source
}

func TestInsertionsKeepLinesAndAllElse(t *testing.T) {
	source := benchmarkGo(t)
	changed, err := pausable(source)
	if err != nil {
		t.Skipf("this toolchain's benchmarks are run process by process: %v", err)
	}
	if got, want := bytes.Count(changed, []byte("\n")), bytes.Count(source, []byte("\n")); got != want {
		t.Errorf("%d lines have become %d", want, got)
	}
	rest := string(changed)
	for _, insertion := range insertions {
		for _, text := range []string{insertion.begin, insertion.before} {
			if text != "" && !strings.Contains(rest, text) {
				t.Errorf("%q is not in it", text)
			}
		}
	}
	if _, err := format.Source(changed); err != nil {
		t.Error(err)
	}
	if again, err := pausable(source); err != nil || !bytes.Equal(again, changed) {
		t.Error("a second copy is another one")
	}
}

func TestEveryPlaceHasToBeFoundOnce(t *testing.T) {
	source := string(benchmarkGo(t))
	if _, err := pausable([]byte(source)); err != nil {
		t.Skip(err)
	}
	for name, change := range map[string][2]string{
		"no method":      {"func (b *B) loopSlowPath()", "func (b *B) loopSlow()"},
		"other receiver": {"func (b *B) launch()", "func (bench *B) launch()"},
		"no call":        {"\truntime.GC()\n", "\t\n"},
		"two calls":      {"\truntime.GC()\n", "\truntime.GC()\n\truntime.GC()\n"},
		"two statements": {"\t\tb.start = highPrecisionTimeNow()\n\t\tb.timerOn = true", "\t\tb.start = highPrecisionTimeNow()\n\t\tb.start = highPrecisionTimeNow()\n\t\tb.timerOn = true"},
		"no Go":          {"package testing", "package"},
	} {
		changed := strings.Replace(source, change[0], change[1], 1)
		if changed == source {
			t.Errorf("%s: %q is not in the file", name, change[0])
			continue
		}
		if _, err := pausable([]byte(changed)); !errors.Is(err, ErrNoAnchor) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
}

func TestTheDriverIsFormatted(t *testing.T) {
	formatted, err := format.Source(pausingSource)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(formatted, pausingSource) {
		t.Error("gofmt would change pausing/pausing.go.txt")
	}
	if !strings.Contains(string(pausingSource), `"`+PausingVariable+`"`) {
		t.Error("the driver listens to another variable")
	}
}

func FuzzPausable(f *testing.F) {
	f.Add([]byte("package testing\nfunc (b *B) launch() {}\n"))
	f.Add([]byte("package testing\nfunc (b *B) runN() { runtime.GC() }\n"))
	f.Fuzz(func(t *testing.T, source []byte) {
		if changed, err := pausable(source); err == nil && len(changed) <= len(source) {
			t.Error("nothing was inserted and nothing was wrong")
		}
	})
}
