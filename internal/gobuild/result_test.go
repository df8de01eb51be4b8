package gobuild

import (
	"math"
	"strings"
	"testing"
)

func TestResultsAreFoundAmongOutput(t *testing.T) {
	for name, test := range map[string]struct {
		output string
		want   string
		n      int64
		ns     float64
	}{
		"plain":           {"BenchmarkX-8   \t     100\t      12.5 ns/op\n", "BenchmarkX", 100, 12.5},
		"all":             {"BenchmarkX/a-8-8 \t 7\t 1e+03 ns/op\t 2.00 MB/s\t 3 things/op\t 8 B/op\t 1 allocs/op\n", "BenchmarkX/a-8", 7, 1000},
		"printed between": {"BenchmarkX-8   \thello 12 there\n     100\t      12.5 ns/op\n", "BenchmarkX", 100, 12.5},
		"printed before":  {"BenchmarkX-8   \tand no end     100\t      12.5 ns/op\n", "BenchmarkX", 100, 12.5},
		"printed number":  {"BenchmarkX-8   \t5     100\t      12.5 ns/op\n", "BenchmarkX", 100, 12.5},
		"name on its own": {"BenchmarkX\nBenchmarkX-8   \t     100\t      12.5 ns/op\n", "BenchmarkX", 100, 12.5},
	} {
		t.Run(name, func(t *testing.T) {
			got := ParseResults("goos: linux\ncpu: AMD 12 3 x/y z\n"+test.output+"PASS\n", 8)
			if len(got) == 0 {
				t.Fatal("no result")
			}
			last := got[len(got)-1]
			if ns, ok := last.Find("ns/op"); !ok || ns != test.ns || last.N != test.n || last.Name != test.want {
				t.Errorf("got %+v", last)
			}
		})
	}
	for _, none := range []string{"", "PASS\n", "BenchmarkX-8\n", "BenchmarkX-8 0 1 ns/op", "BenchmarkX-8 1 x ns/op", "1 2", "BenchmarkX-8 1 2 3"} {
		if got := ParseResults(none, 8); len(got) > 0 {
			t.Errorf("%q gives %+v", none, got)
		}
	}
	if got := ParseResults("BenchmarkX-8 1 2 ns/op\n", 1); got[0].Name != "BenchmarkX-8" {
		t.Errorf("on one processor the name is %q", got[0].Name)
	}
	if value, ok := (Result{}).Find("ns/op"); ok || !math.IsNaN(value) {
		t.Errorf("what is not there is %v", value)
	}
}

func TestReasons(t *testing.T) {
	for want, test := range map[string]struct {
		output string
		code   int
		early  bool
	}{
		"failed":      {"--- FAIL: BenchmarkX\n", 1, false},
		"panicked":    {"panic: oh\n", 2, false},
		"was skipped": {"--- SKIP: BenchmarkX\n", 0, true},
		"gave no result: it was skipped, or there is no such benchmark": {"PASS", 0, true},
		"ended its process in the middle of a batch":                    {"", 0, false},
		"ended its process with signal: killed":                         {"", -1, false},
	} {
		if got := Reason(test.output, test.code, "signal: killed", test.early); got != want {
			t.Errorf("Reason(%q) = %q, want %q", test.output, got, want)
		}
	}
}

func FuzzParseResults(f *testing.F) {
	f.Add("BenchmarkX-8   \t     100\t      12.5 ns/op\n", 8)
	f.Add("BenchmarkX \thello\n 1 2 B/op 3 x", 1)
	f.Fuzz(func(t *testing.T, output string, processors int) {
		for _, result := range ParseResults(output, processors) {
			if result.N <= 0 || len(result.Values) == 0 {
				t.Errorf("%q gives %+v", output, result)
			}
			if !strings.Contains(output, result.Values[0].Unit) {
				t.Errorf("%q gives a unit %q", output, result.Values[0].Unit)
			}
		}
	})
}
