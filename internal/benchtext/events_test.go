package benchtext_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rtcompare/rtcompare/internal/benchtext"
)

// asEvents writes the output of packages as `go test -json` does: interleaved,
// in pieces that end where the program flushed.
func asEvents(outputs map[string][]string) string {
	var text strings.Builder
	for step := 0; ; step++ {
		some := false
		for _, pkg := range []string{"p", "q"} {
			if step < len(outputs[pkg]) {
				some = true
				output, _ := json.Marshal(outputs[pkg][step])
				fmt.Fprintf(&text, `{"Time":"2026-01-02T03:04:05Z","Action":"output","Package":%q,"Test":"BenchmarkX","Output":%s}`+"\n", pkg, output)
			}
		}
		if !some {
			return text.String()
		}
	}
}

func TestEventsOfSeveralPackages(t *testing.T) {
	text := `{"Time":"2026-01-02T03:04:05Z","Action":"start","Package":"p"}` + "\n" + asEvents(map[string][]string{
		"p": {"goos: linux\n", "pkg: p\n", "BenchmarkX\n", "BenchmarkX-8 \t", "     100\t 5 ns/op\n", "BenchmarkLog-8 \t", "a \"quoted\" <log>\u00e4\n", "     200\t 6 ns/op\n", "PASS\n"},
		"q": {"pkg: q\n", "BenchmarkY-8 \t", "     300\t 7 ns/op\n", "BenchmarkZ-8   \t"},
	}) + "# some/package\nbuild output stands between events\n" +
		`{"Action":"fail","Package":"q","Elapsed":1.5}` + "\n" + `{"Action":"output","Package":"p","Output":"BenchmarkM 1 1 x\nBenchmarkN 1 2 x\n"}` + "\n"
	want := strings.Join([]string{
		"7 Y-8 300 7 ns/op",
		"10 X-8 100 5 ns/op",
		"13 Log-8 200 6 ns/op",
		"18 M 1 1 x", "18 N 1 2 x",
		"repaired f:12: BenchmarkLog-8: other output stood between the name and the numbers in line 13",
		"lost f:18: BenchmarkZ-8: its numbers are missing",
		"failure  q skipped=false line 17", ""}, "\n")
	got := summary(text, benchtext.Options{})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	r := benchtext.NewReader(strings.NewReader(text), "f", "label", benchtext.Options{})
	packages := map[string]string{}
	for r.Scan() {
		packages[r.Result().Name] = r.Result().Config.Get("pkg") + " " + r.Result().Config.Get(benchtext.FileKey)
	}
	if packages["X-8"] != "p label" || packages["Y-8"] != "q label" {
		t.Errorf("packages got mixed: %v", packages)
	}
}

func TestJSONInTextIsNotAnEvent(t *testing.T) {
	got := summary("goos: linux\n{\"Action\":\"output\",\"Output\":\"BenchmarkX 1 1 ns/op\\n\"}\nBenchmarkY 1 1 ns/op\n", benchtext.Options{})
	if got != "3 Y 1 1 ns/op\nsuspect f:2: BenchmarkX: a result stands behind other text and was not used\n" {
		t.Errorf("got %q", got)
	}
}

func TestFiles(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	fmt.Fprint(z, "goos: linux\nBenchmarkZ 1 3 ns/op\n")
	z.Close()
	contents := map[string]string{
		"a": "goos: linux\nBenchmarkX 1 1 ns/op\n", "b": "BenchmarkX 1 2 ns/op\nBenchmarkX 1 2 ns/op\n", "c.gz": zipped.String(),
		"record": `{"head":{"schema":"rtcompare/1"}}`, "torn.gz": zipped.String()[:20],
	}
	files := func(arguments ...string) *benchtext.Files {
		return &benchtext.Files{Inputs: benchtext.ParseInputs(arguments), Stdin: strings.NewReader("BenchmarkS 1 4 ns/op\n"),
			Open: func(path string) (io.ReadCloser, error) {
				text, ok := contents[path]
				if !ok {
					return nil, &os.PathError{Op: "open", Path: path, Err: os.ErrNotExist}
				}
				return io.NopCloser(strings.NewReader(text)), nil
			}}
	}
	read := func(f *benchtext.Files) (got []string) {
		for f.Scan() {
			r := f.Result()
			got = append(got, fmt.Sprint(r.Config.Get(benchtext.FileKey), " ", r.Config.Get("goos"), " ", r.Name, " ", r.Numbers[0], " ", r.Position))
		}
		return got
	}
	f := files("a", "new=b", "a", "-", "x=c.gz")
	want := []string{"a#0 linux X 1 a:2", "new  X 2 b:1", "new  X 2 b:2", "a#1 linux X 1 a:2", "-  S 4 -:1", "x linux Z 3 c.gz:2"}
	if diff := cmp.Diff(want, read(f)); diff != "" || f.Err() != nil {
		t.Errorf("error %v, -want +got:\n%s", f.Err(), diff)
	}
	if diff := cmp.Diff([]int{1, 2, 1, 1, 1}, f.Results()); diff != "" {
		t.Errorf("results of each input: %s", diff)
	}
	f = files()
	if got := read(f); len(got) != 1 || f.Err() != nil {
		t.Errorf("standard input: %v, %v", got, f.Err())
	}
	for path, want := range map[string]error{"none": os.ErrNotExist, "record": benchtext.ErrRecord, "torn.gz": io.ErrUnexpectedEOF} {
		f := files("a", path)
		if read(f); !errors.Is(f.Err(), want) || !strings.Contains(f.Err().Error(), path) {
			t.Errorf("%s: error %v, want %v", path, f.Err(), want)
		}
	}
}

func BenchmarkReader(b *testing.B) {
	var text strings.Builder
	text.WriteString("goos: linux\ngoarch: amd64\npkg: p\ncpu: c\n")
	for i := range 100_000 {
		fmt.Fprintf(&text, "BenchmarkName%d/size=%d-8   \t%8d\t%10.1f ns/op\t%8.2f MB/s\t%8d B/op\t%8d allocs/op\n", i/200, i/200, 1000+i, 1000.5+float64(i), 80.0, 80, 1)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		r := benchtext.NewReader(strings.NewReader(text.String()), "f", "l", benchtext.Options{})
		n := 0
		for r.Scan() {
			n += len(r.Result().Numbers)
		}
		if n != 400_000 {
			b.Fatal(n)
		}
	}
	b.ReportMetric(100_000*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mlines/s")
}
