package render_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kballard/go-shellquote"

	"github.com/rtcompare/rtcompare/internal/benchtext"
	"github.com/rtcompare/rtcompare/internal/render"
	"github.com/rtcompare/rtcompare/internal/table"
)

// benchstatRun runs benchstat's command line through this project's code.
func benchstatRun(t testing.TB, folder string, arguments []string) string {
	t.Helper()
	flags := flag.NewFlagSet("benchstat", flag.ContinueOnError)
	o := table.Options{ZeroKeepsUnit: true, TrustUnits: true}
	flags.StringVar(&o.Table, "table", "", "")
	flags.StringVar(&o.Row, "row", "", "")
	flags.StringVar(&o.Column, "col", "", "")
	flags.StringVar(&o.Ignore, "ignore", "", "")
	flags.StringVar(&o.Filter, "filter", "", "")
	levels := table.BenchstatOptions{}
	flags.Float64Var(&levels.Alpha, "alpha", 0.05, "")
	flags.Float64Var(&levels.Confidence, "confidence", 0.95, "")
	format := flags.String("format", "text", "")
	if err := flags.Parse(arguments); err != nil {
		t.Fatal(err)
	}
	files := benchtext.Files{Inputs: benchtext.ParseInputs(flags.Args()), Options: benchtext.Options{NoRepair: true},
		Open: func(path string) (io.ReadCloser, error) { return os.Open(filepath.Join(folder, path)) }}
	b, err := table.NewBuilder(o)
	if err != nil {
		t.Fatal(err)
	}
	for files.Scan() {
		if err := b.Add(files.Result()); err != nil {
			t.Fatal(err)
		}
	}
	if files.Err() != nil {
		t.Fatal(files.Err())
	}
	set, err := b.Set(files.Notes())
	if err != nil {
		t.Fatal(err)
	}
	tables, err := set.Benchstat(levels)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if *format == "csv" {
		err = render.BenchstatCSV(&out, io.Discard, tables, set.ColumnFields)
	} else {
		err = render.Benchstat(&out, tables, set.ColumnFields)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// commands reads the commands that made the golden files of a folder.
func commands(t *testing.T, folder string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "commands.txt"))
	if err != nil {
		t.Fatal(err)
	}
	list := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		name, command, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		words, err := shellquote.Split(command)
		if err != nil {
			t.Fatal(err)
		}
		list[name] = words[1:]
	}
	return list
}

// The golden files were written by benchstat itself, see commands.txt. They are
// not to be written anew with this project's code.
func TestBenchstatByteForByte(t *testing.T) {
	folder := filepath.Join("testdata", "benchstat")
	for name, arguments := range commands(t, folder) {
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join(folder, name+".stdout"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), benchstatRun(t, folder, arguments)); diff != "" {
				t.Errorf("-benchstat +ours:\n%s", diff)
			}
		})
	}
}

// benchstatOldRun runs the old command line through this project's code.
func benchstatOldRun(t testing.TB, folder string, arguments []string) string {
	t.Helper()
	flags := flag.NewFlagSet("benchstat", flag.ContinueOnError)
	var o table.OldOptions
	flags.Float64Var(&o.Alpha, "alpha", 0, "")
	flags.StringVar(&o.Test, "delta-test", "", "")
	flags.StringVar(&o.Sort, "sort", "", "")
	flags.BoolVar(&o.Geomean, "geomean", false, "")
	split := flags.String("split", "pkg,goos,goarch", "")
	asCSV, asHTML := flags.Bool("csv", false, ""), flags.Bool("html", false, "")
	withoutRange := flags.Bool("norange", false, "")
	if err := flags.Parse(arguments); err != nil {
		t.Fatal(err)
	}
	if *split != "" {
		o.SplitBy = strings.Split(*split, ",")
	}
	c, err := table.NewOldCollection(o)
	if err != nil {
		t.Fatal(err)
	}
	files := benchtext.Files{Inputs: benchtext.ParseInputs(flags.Args()), Options: benchtext.Options{NoRepair: true},
		Open: func(path string) (io.ReadCloser, error) { return os.Open(filepath.Join(folder, path)) }}
	for _, input := range files.Inputs {
		c.AddInput(input.Label)
	}
	for files.Scan() {
		c.Add(files.Result())
	}
	if files.Err() != nil {
		t.Fatal(files.Err())
	}
	var out bytes.Buffer
	switch tables := c.Tables(); {
	case *asCSV:
		err = render.BenchstatOldCSV(&out, tables, *withoutRange)
	case *asHTML:
		err = render.BenchstatOldHTML(&out, tables)
	default:
		err = render.BenchstatOld(&out, tables)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestBenchstatOldByteForByte(t *testing.T) {
	folder := filepath.Join("testdata", "benchstat-old")
	for name, arguments := range commands(t, folder) {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(folder, name+".stdout"))
			if err != nil {
				t.Fatal(err)
			}
			want := string(text)
			if _, body, ok := strings.Cut(want, "<body>\n"); ok {
				want, _, _ = strings.Cut(body, "</body>") // the page is not the library's
			}
			if diff := cmp.Diff(want, benchstatOldRun(t, folder, arguments)); diff != "" {
				t.Errorf("-benchstat +ours:\n%s", diff)
			}
		})
	}
}
