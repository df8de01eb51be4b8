package table_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rtcompare/rtcompare/internal/benchtext"
	"github.com/rtcompare/rtcompare/internal/table"
)

// arrange reads texts that stand for files and arranges them. The files are
// called as in the map's keys, in the order of names.
func arrange(t testing.TB, o table.Options, files ...string) (*table.Set, error) {
	t.Helper()
	f := &benchtext.Files{Open: func(path string) (io.ReadCloser, error) {
		var i int
		fmt.Sscanf(path, "f%d", &i)
		return io.NopCloser(strings.NewReader(files[i])), nil
	}}
	for i := range files {
		f.Inputs = append(f.Inputs, benchtext.Input{Path: fmt.Sprintf("f%d", i), Label: fmt.Sprintf("f%d", i)})
	}
	b, err := table.NewBuilder(o)
	if err != nil {
		return nil, err
	}
	for f.Scan() {
		if err := b.Add(f.Result()); err != nil {
			return nil, err
		}
	}
	if f.Err() != nil {
		return nil, f.Err()
	}
	return b.Set(f.Notes())
}

// outline is a set in lines.
func outline(s *table.Set) string {
	var out strings.Builder
	for _, t := range s.Tables {
		fmt.Fprintf(&out, "%s", t.Unit.Name)
		for _, setting := range t.Settings {
			fmt.Fprintf(&out, " %s=%s", setting.Key, setting.Value)
		}
		for _, c := range t.Columns {
			fmt.Fprintf(&out, " | %s", strings.Join(c.Values, ","))
		}
		out.WriteString("\n")
		for _, r := range t.Rows {
			fmt.Fprintf(&out, "  %s", r.Label)
			for _, c := range r.Cells {
				if c == nil {
					out.WriteString(" | none")
					continue
				}
				fmt.Fprintf(&out, " | %v", c.Values)
				if c.Varying != nil {
					fmt.Fprintf(&out, " varying %v", c.Varying)
				}
			}
			out.WriteString("\n")
		}
	}
	return out.String()
}

func TestArrangement(t *testing.T) {
	const first = "goos: linux\nBenchmarkB/n=2-8 1 3 x 1 y\nBenchmarkA/n=1-8 1 1 x\nBenchmarkB/n=2-8 1 2 x 5 y\n"
	const second = "goos: linux\nBenchmarkB/n=2-8 1 9 x\nBenchmarkC-8 1 4 x\n"
	tests := []struct {
		name  string
		query table.Query
		files []string
		want  string
	}{
		{"values keep their order, missing cells and units", table.Query{}, []string{first, second},
			"x goos=linux | f0 | f1\n  B/n=2-8 | [3 2] | [9]\n  A/n=1-8 | [1] | none\n  C-8 | none | [4]\n" +
				"y goos=linux | f0\n  B/n=2-8 | [1 5]\n"},
		{"rows, columns and tables by keys", table.Query{Row: ".name@alpha", Column: "/n@(2 1)", Table: "goos"}, []string{first},
			"x goos=linux | 2 | 1\n  A | none | [1]\n  B | [3 2] | none\ny goos=linux | 2\n  B | [1 5]\n"},
		{"filters", table.Query{Filter: ".unit:x -.name:A"}, []string{first, second},
			"x goos=linux | f0 | f1\n  B/n=2-8 | [3 2] | [9]\n  C-8 | none | [4]\n"},
		{"results that differ in what nobody asked about", table.Query{Row: "goos", Filter: ".unit:x"}, []string{first},
			"x | f0\n  linux | [3 1 2] varying [.fullname]\n"},
		{"ignored keys", table.Query{Row: "goos", Ignore: ".fullname", Filter: ".unit:x"}, []string{first},
			"x | f0\n  linux | [3 1 2]\n"},
		{"units in base units", table.Query{}, []string{"BenchmarkX 1 0 ns/op 2 MB/s\nBenchmarkX 1 500 ns/op\n"},
			"sec/op | f0\n  X | [0 5.000000000000001e-07]\nB/s | f0\n  X | [2e+06]\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := arrange(t, table.Options{Query: tt.query}, tt.files...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, outline(s)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestFindings(t *testing.T) {
	repeat := func(text string, n int) string { return strings.Repeat(text, n) }
	tests := []struct {
		name  string
		query table.Query
		files []string
		want  func(f *table.Findings)
	}{
		{"another processor", table.Query{}, []string{"cpu: a\nBenchmarkX 1 1 x\n", "cpu: b\nBenchmarkX 1 1 x\n"},
			func(f *table.Findings) { f.Splits = []table.Split{{Key: "cpu", Values: []string{"a", "b"}}} }},
		{"packages do not split columns", table.Query{}, []string{"pkg: a\nBenchmarkX 1 1 x\npkg: b\nBenchmarkX 1 1 x\n", "pkg: a\nBenchmarkX 1 1 x\npkg: b\nBenchmarkX 1 1 x\n"},
			func(*table.Findings) {}},
		{"number of processors", table.Query{}, []string{"BenchmarkX-8 1 1 x\n", "BenchmarkX-16 1 1 x\n"},
			func(f *table.Findings) { f.OneSided, f.Processors = 2, 1 }},
		{"misspelt keys", table.Query{Row: "/sise,.name", Filter: "gos:linux OR *"}, []string{"goos: linux\nBenchmarkX/size=1 1 1 x\n"},
			func(f *table.Findings) {
				f.UnknownKeys = []table.UnknownKey{{Where: "row", Key: "/sise", Known: []string{"/size", ".file", "goos"}},
					{Where: "filter", Key: "gos", Known: []string{"goos", ".file", "/size"}}}
			}},
		{"one block after the other", table.Query{}, []string{repeat("BenchmarkX 1 1 x\n", 5) + repeat("BenchmarkY 1 1 x\n", 5), repeat("BenchmarkX 1 1 x\n", 5) + repeat("BenchmarkY 1 1 x\n", 5)},
			func(f *table.Findings) { f.Collection = table.Blocks }},
		{"rounds", table.Query{}, []string{repeat("BenchmarkX 1 1 x\nBenchmarkY 1 1 x\n", 5), repeat("BenchmarkX 1 1 x\nBenchmarkY 1 1 x\n", 5)},
			func(f *table.Findings) { f.Collection = table.Rounds }},
		{"in turns", table.Query{Column: "side"}, []string{repeat("side: a\nBenchmarkX 1 1 x\nside: b\nBenchmarkX 1 1 x\nBenchmarkX 1 1 x\nside: a\nBenchmarkX 1 1 x\n", 3)},
			func(f *table.Findings) { f.Collection = table.Alternating }},
		{"one input, in blocks", table.Query{Column: "side"}, []string{"side: a\n" + repeat("BenchmarkX 1 1 x\n", 4) + "side: b\n" + repeat("BenchmarkX 1 1 x\n", 4)},
			func(f *table.Findings) { f.Collection = table.Blocks }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := arrange(t, table.Options{Query: tt.query}, tt.files...)
			if err != nil {
				t.Fatal(err)
			}
			want := table.Findings{Collection: table.UnknownOrder}
			tt.want(&want)
			if diff := cmp.Diff(want, s.Findings); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestDeclarationsOfOneInput(t *testing.T) {
	exact, plain := "Unit ns/op assume=exact better=higher\nBenchmarkX 1 1 ns/op\n", "BenchmarkX 1 1 ns/op\n"
	usual, declared := table.Unit{Name: "sec/op", Better: -1}, table.Unit{Name: "sec/op", Better: 1, Exact: true}
	for _, tt := range []struct {
		name  string
		trust bool
		files []string
		want  table.Unit
		left  int
	}{
		{"one of two", false, []string{plain, exact}, usual, 2},
		{"one of two, trusted", true, []string{plain, exact}, declared, 0},
		{"both", false, []string{exact, exact}, declared, 0},
		{"the only one", false, []string{exact}, declared, 0},
	} {
		s, err := arrange(t, table.Options{TrustUnits: tt.trust}, tt.files...)
		if err != nil {
			t.Fatal(err)
		}
		if s.Tables[0].Unit != tt.want || len(s.Findings.UntrustedUnits) != tt.left {
			t.Errorf("%s: %+v with %d left aside, want %+v with %d", tt.name, s.Tables[0].Unit, len(s.Findings.UntrustedUnits), tt.want, tt.left)
		}
	}
}

func TestErrors(t *testing.T) {
	many := func(format string, n int) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, format, i)
		}
		return text.String()
	}
	for _, tt := range []struct {
		name, text, want string
		query            table.Query
	}{
		{"empty", "", "no benchmark results", table.Query{}},
		{"nothing left", "BenchmarkX 1 1 x\n", `no benchmark results: no result has the key "goos" of filter`, table.Query{Filter: "goos:linux"}},
		{"filter", "", "the filter \"a\": syntax error", table.Query{Filter: "a"}},
		{"rows", "", "the projection of rows \"a@b\"", table.Query{Row: "a@b"}},
		{"a million columns", many("k: %d\nBenchmarkX 1 1 x\n", 20000), "f0:2002: more than 1000 columns", table.Query{Column: "k"}},
		{"a million tables", many("k: %d\nBenchmarkX 1 1 x\n", 20000), "more than 10000 tables", table.Query{}},
		{"a million units", "BenchmarkX 1" + many(" 1 u%d", 100000) + "\n", "more than 10000 tables", table.Query{}},
		{"NaN", "BenchmarkX 1 NaN x\n", "not a finite number", table.Query{}},
	} {
		_, err := arrange(t, table.Options{Query: tt.query}, tt.text)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}
