package benchtext_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/perf/benchfmt"

	"github.com/rtcompare/rtcompare/internal/benchtext"
)

// line is a result in a form that both readers can give.
type line struct {
	Name       string
	Iterations int
	Values     []string
	Config     string
	Line       int
}

// reference reads with the reader of golang.org/x/perf. clean is false where
// that reader complains, or takes a number that is none.
func reference(text []byte) (lines []line, clean bool) {
	r := benchfmt.NewReader(bytes.NewReader(text), "f")
	clean = true
	for r.Scan() {
		result, ok := r.Result().(*benchfmt.Result)
		if !ok {
			if _, isError := r.Result().(*benchfmt.SyntaxError); isError {
				clean = false
			}
			continue
		}
		_, number := result.Pos()
		l := line{Name: string(result.Name), Iterations: result.Iters, Line: number}
		for _, c := range result.Config {
			l.Config += c.Key + "=" + string(c.Value) + "\n"
		}
		for _, v := range result.Values {
			written, unit := v.OrigValue, v.OrigUnit
			if unit == "" {
				written, unit = v.Value, v.Unit
			}
			if written-written != 0 {
				clean = false
			}
			base := v.Unit
			if written == 0 {
				base = "" // the reference leaves the unit of a zero alone
			}
			l.Values = append(l.Values, fmt.Sprint(written, " ", unit, " = ", v.Value, " ", base))
		}
		lines = append(lines, l)
	}
	return lines, clean && r.Err() == nil
}

// ours reads with this package.
func ours(text []byte, o benchtext.Options) ([]line, *benchtext.Notes, error) {
	r := benchtext.NewReader(bytes.NewReader(text), "f", "", o)
	var lines []line
	for r.Scan() {
		result := r.Result()
		l := line{Name: result.Name, Iterations: result.Iterations, Line: result.Position.Line}
		for _, s := range result.Config.Settings {
			l.Config += s.Key + "=" + s.Value + "\n"
		}
		for i, u := range result.Shape.Units {
			base := u.Base
			if result.Numbers[i] == 0 {
				base = ""
			}
			l.Values = append(l.Values, fmt.Sprint(result.Numbers[i], " ", u.Written, " = ", result.Value(i), " ", base))
		}
		lines = append(lines, l)
	}
	return lines, r.Notes(), r.Err()
}

const clean = `goos: linux
goarch: amd64
pkg: example.com/sort
cpu: Some CPU @ 2.00GHz
BenchmarkSort/size=10-8   	 1000000	      1052 ns/op	      80 B/op	       1 allocs/op
BenchmarkSort/size=10-8   	 1000000	      1049.5 ns/op	      80 B/op	       1 allocs/op
BenchmarkCopy-8           	     100	  12000000 ns/op	  83.33 MB/s
PASS
ok  	example.com/sort	3.145s
pkg: example.com/other
note:
cpu:
Benchmark 	 5	 0 ns/op	 -1 x
BenchmarkÄ 	 5	 1e-3 ns/op	 0x1p-2 x
BenchmarkNameOnly
Unit x better=higher
PASS
`

func TestMatchesReferenceOnCleanInput(t *testing.T) {
	inputs := map[string]string{
		"clean":          clean,
		"no end of line": strings.TrimSuffix(clean, "\nPASS\n"),
		"carriage":       strings.ReplaceAll(clean, "\n", "\r\n"),
		"unicode space":  "BenchmarkX\u00a05\u20031\u2003ns/op\n",
		"keys": "a: 1\nb: 2\nc: 3\nBenchmarkX 1 1 s\na:\nBenchmarkX 1 1 s\nd: 4\nBenchmarkX 1 1 s\nA: no\n" +
			"a b: no\n:no\na:no\nä: 7\na:\t\t1 2\nBenchmarkX 1 1 s\n",
		"shapes": "BenchmarkX 1 1 a\nBenchmarkX 1 1 a 2 b\nBenchmarkX 1 1 a\nBenchmarkX 1 1 b 2 a\nBenchmarkX 1 1 a 2 b 3 c\nBenchmarkX 1 1 b\n",
		"numbers": "BenchmarkX 1 123456789012345678 a 0.1 b 12345678901234567890 c .5 d 5. e 9007199254740993 f " +
			"1234567890.12345678 g +3 h -0 i 1e308 j 4.9e-324 k 00012.500 l\nBenchmarkX +7 1 a\n",
	}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		inputs[file] = string(text)
	}
	for name, text := range inputs {
		t.Run(name, func(t *testing.T) {
			want, ok := reference([]byte(text))
			if !ok || len(want) == 0 {
				t.Fatalf("the reference finds the input damaged or empty: %v", want)
			}
			got, notes, err := ours([]byte(text), benchtext.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("differs from golang.org/x/perf (-reference +ours):\n%s", diff)
			}
			if len(notes.Problems) > 0 {
				t.Errorf("problems in clean input: %v", notes.Problems)
			}
		})
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(clean))
	f.Add([]byte("BenchmarkX \tlog\n     100\t 5 ns/op\n"))
	f.Add([]byte(`{"Action":"output","Package":"p","Output":"BenchmarkX \t 1\t 5 ns/op\n"}` + "\n"))
	f.Add([]byte("BenchmarkX 1 NaN ns/op\nUnit x a=b\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) || bytes.Contains(text, []byte("\n{")) {
			ours(text, benchtext.Options{LongestLine: 200}) // must end, and not panic
			return
		}
		want, isClean := reference(text)
		got, notes, err := ours(text, benchtext.Options{NoRepair: true})
		if err != nil {
			if isClean {
				t.Fatalf("error in clean input: %v", err)
			}
			return
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("differs from golang.org/x/perf (-reference +ours):\n%s", diff)
		}
		if n := notes.Count[benchtext.Lost]; isClean && n > 0 {
			t.Fatalf("%d results lost in clean input: %v", n, notes.Problems)
		}
		ours(text, benchtext.Options{LongestLine: 50})
	})
}
