package benchtext_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rtcompare/rtcompare/internal/benchtext"
)

// summary is what a reader made of an input, one line per finding.
func summary(text string, o benchtext.Options) string {
	r := benchtext.NewReader(strings.NewReader(text), "f", "", o)
	var out strings.Builder
	for r.Scan() {
		result := r.Result()
		fmt.Fprintf(&out, "%d %s %d", result.Position.Line, result.Name, result.Iterations)
		for i, u := range result.Shape.Units {
			fmt.Fprintf(&out, " %v %s", result.Numbers[i], u.Written)
		}
		out.WriteString("\n")
	}
	for _, p := range r.Notes().Problems {
		fmt.Fprintf(&out, "%s %v\n", p.Kind, p)
	}
	for _, f := range r.Notes().Failures {
		fmt.Fprintf(&out, "failure %s %s skipped=%v line %d\n", f.Benchmark, f.Package, f.Skipped, f.Position.Line)
	}
	if r.Err() != nil {
		fmt.Fprintf(&out, "error %v\n", r.Err())
	}
	return out.String()
}

func TestDamagedLines(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a line between name and numbers",
			"BenchmarkX-8   \thello\n     100\t     12.5 ns/op\t       8 B/op\nBenchmarkY-8 \t       1\t 2 ns/op\n",
			"2 X-8 100 12.5 ns/op 8 B/op\n3 Y-8 1 2 ns/op\nrepaired f:1: BenchmarkX-8: other output stood between the name and the numbers in line 2\n"},
		{"many lines, one of them like a setting and one like a declaration",
			"BenchmarkX-8   \tnote: 1\nnote: 2\nUnit ns/op assume=exact\n     100\t     12.5 ns/op\n",
			"4 X-8 100 12.5 ns/op\nrepaired f:1: BenchmarkX-8: other output stood between the name and the numbers in line 4\n"},
		{"glued to a log without an end of line",
			"BenchmarkX-8   \tdone 5      100\t     12.5 ns/op\n",
			"1 X-8 100 12.5 ns/op\nrepaired f:1: BenchmarkX-8: other output stood between the name and the numbers in line 1\n"},
		{"glued digits with full padding are certain",
			"BenchmarkX-8   \tx=12     100\t     12.5 ns/op\n",
			"1 X-8 100 12.5 ns/op\nrepaired f:1: BenchmarkX-8: other output stood between the name and the numbers in line 1\n"},
		{"eight digits behind a letter are certain",
			"BenchmarkX-8   \tx=12345678\t     12.5 ns/op\n",
			"1 X-8 12345678 12.5 ns/op\nrepaired f:1: BenchmarkX-8: other output stood between the name and the numbers in line 1\n"},
		{"nine digits may be part of the log",
			"BenchmarkX-8   \tx=123456789\t     12.5 ns/op\n",
			"lost f:1: BenchmarkX-8: other output tore the result apart; where its numbers begin in line 1 is not certain\n"},
		{"a log line that looks like a table",
			"BenchmarkX-8   \ta\t5\t3 foo\n     100\t     12.5 ns/op\n",
			"lost f:1: BenchmarkX-8: other output tore the result apart; where its numbers begin in line 1 is not certain\n"},
		{"numbers never come", "BenchmarkX-8   \thello\nPASS\n",
			"lost f:1: BenchmarkX-8: its numbers are missing\n"},
		{"numbers never come, the file ends", "BenchmarkX-8   \t",
			"lost f:1: BenchmarkX-8: its numbers are missing\n"},
		{"numbers never come, the next benchmark does", "BenchmarkX-8   \thello\nBenchmarkY 1 1 ns/op\n",
			"2 Y 1 1 ns/op\nlost f:1: BenchmarkX-8: its numbers are missing\n"},
		{"no unit", "BenchmarkX-8 100 5\n", "lost f:1: BenchmarkX-8: not a result: the measurement 5 has no unit\n"},
		{"a word for a number", "BenchmarkX-8 100 five ns/op\n", "lost f:1: BenchmarkX-8: not a result: \"five\" is not a measurement\n"},
		{"out of range", "BenchmarkX-8 100 1e999 ns/op\n", "lost f:1: BenchmarkX-8: not a result: \"1e999\" is not a measurement: it is out of range\n"},
		{"no measurements", "BenchmarkX-8 100\n", "lost f:1: BenchmarkX-8: not a result: the measurements are missing\n"},
		{"prose", "Benchmarking is slow\n", "suspect f:1: Benchmarking: not a result: \"is\" is not a count of iterations\n"},
		{"a result behind other text", "The BenchmarkX 100 5 ns/op\ninitBenchmarkX-8 \t     100\t 5 ns/op\n",
			"suspect f:1: BenchmarkX: a result stands behind other text and was not used\n" +
				"suspect f:2: BenchmarkX-8: a result stands behind other text and was not used\n"},
		{"failures", "pkg: p\nBenchmarkX-8 \t--- FAIL: BenchmarkX-8\n    x_test.go:3: no\n--- SKIP: BenchmarkY\nFAIL\nFAIL\tp\t0.1s\n",
			"failure X-8 p skipped=false line 2\nfailure Y p skipped=true line 4\nfailure  p skipped=false line 6\n"},
		{"NaN", "BenchmarkX-8 100 1 ns/op\nBenchmarkX-8 100 NaN ns/op\nBenchmarkX-8 100 1 ns/op\n",
			"1 X-8 100 1 ns/op\nerror f:2: BenchmarkX-8: the measurement NaN ns/op is not a finite number; remove the line or repair the benchmark\n"},
		{"infinite", "BenchmarkX-8 100 -Inf ns/op\n",
			"error f:1: BenchmarkX-8: the measurement -Inf ns/op is not a finite number; remove the line or repair the benchmark\n"},
		{"units", "Unit\nUnit ns/op better\nUnit ns/op better=lower better=higher\nUnit sec/op better=lower\n",
			"suspect f:1: a Unit line without a unit\nsuspect f:2: a Unit line needs key=value, not better\n" +
				"suspect f:3: the better of unit ns/op is lower already, set at f:3\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, summary(tt.text, benchtext.Options{})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestNoRepairReportsOnly(t *testing.T) {
	got := summary("BenchmarkX-8   \thello\n     100\t     12.5 ns/op\nnote: 1\nBenchmarkY 1 1 ns/op\n", benchtext.Options{NoRepair: true})
	want := "4 Y 1 1 ns/op\nlost f:1: BenchmarkX-8: not a result: \"hello\" is not a count of iterations\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// endless is a hostile stream: one line, or many, without end.
type endless struct {
	text string
	left int
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && e.left > 0 {
		c := copy(p[n:], e.text[e.at:])
		e.at, n, e.left = (e.at+c)%len(e.text), n+c, e.left-c
	}
	if n == 0 {
		return 0, fmt.Errorf("no more")
	}
	return n, nil
}

func TestLongLines(t *testing.T) {
	long := strings.Repeat(" 1 ns/op", 20000) // beyond the 64 KiB of bufio.Scanner
	text := "BenchmarkX 1" + long + "\nBenchmarkY 1 1 ns/op\n"
	r := benchtext.NewReader(strings.NewReader(text), "f", "", benchtext.Options{})
	if !r.Scan() || len(r.Result().Numbers) != 20000 || !r.Scan() || r.Result().Name != "Y" || r.Scan() || r.Err() != nil {
		t.Fatalf("a line of %d bytes was not read: %v", len(long), r.Err())
	}
	got := summary(text, benchtext.Options{LongestLine: 1000})
	want := "2 Y 1 1 ns/op\nlost f:1: the line is longer than 1000 bytes and was not read\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// heap returns the bytes in use after a collection.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestHostileStreamsNeedBoundedMemory(t *testing.T) {
	streams := map[string]string{
		"one line":         "BenchmarkX 1 1 ns/op ",
		"damaged lines":    "BenchmarkX 1 x ns/op\n",
		"same torn":        "BenchmarkX \tlog\n",
		"failures":         "--- FAIL: BenchmarkX\n",
		"partial events":   `{"Action":"output","Package":"p","Output":"BenchmarkX "}` + "\n",
		"declarations":     "Unit a b=c d=e\n",
		"repeated setting": "a: b\na: c\n",
	}
	for name, text := range streams {
		t.Run(name, func(t *testing.T) {
			before := heap()
			r := benchtext.NewReader(&endless{text: text, left: 16 << 20}, "f", "", benchtext.Options{LongestLine: 1 << 16})
			for r.Scan() {
			}
			if kept := heap() - before; kept > 4<<20 {
				t.Errorf("%d bytes are kept of 16 MiB", kept)
			}
			if r.Err() == nil || !strings.Contains(r.Err().Error(), "no more") {
				t.Errorf("the error of reading is lost: %v", r.Err())
			}
			runtime.KeepAlive(r)
			if n := len(r.Notes().Problems) + len(r.Notes().Failures); n > 2000 {
				t.Errorf("%d notes were kept", n)
			}
		})
	}
}

func TestConfigurationsAreBounded(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "k%d: %s\n", i, strings.Repeat("v", 200))
	}
	for i := range 1000 {
		fmt.Fprintf(&text, "k0: %d\nBenchmarkX 1 1 x\n", i)
	}
	r := benchtext.NewReader(strings.NewReader(text.String()), "f", "", benchtext.Options{})
	n := 0
	for r.Scan() {
		n++
	}
	if r.Err() == nil || !strings.Contains(r.Err().Error(), "changes too often") || n > 250 {
		t.Errorf("%d results, error %v", n, r.Err())
	}
	if r.Notes().Count[benchtext.Suspect] != 300-256 {
		t.Errorf("%d keys too many were reported", r.Notes().Count[benchtext.Suspect])
	}
}
