package render

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

// hyperfineRun is a run that hyperfine 1.15.0 measured, as a record: its JSON
// export holds the times, and its other exports stand beside it.
func hyperfineRun(t *testing.T) view.Comparison {
	t.Helper()
	var read struct {
		Results []struct {
			Command      string
			User, System float64
			Times        []float64
		}
	}
	if err := json.Unmarshal([]byte(hyperfineFile(t, "json")), &read); err != nil {
		t.Fatal(err)
	}
	r := record.Record{Head: record.Head{Kind: "commands", Metrics: []record.Metric{{Name: "user", Unit: "ns"}, {Name: "system", Unit: "ns"}}}}
	unit := record.Unit{Purpose: record.Main}
	for i, result := range read.Results {
		r.Head.Arms = append(r.Head.Arms, record.Arm{Name: result.Command})
		cell := record.Cell{Arm: i, N: 1, Extra: map[string]record.Values{}}
		for _, v := range result.Times {
			cell.Wall = append(cell.Wall, int64(math.Round(v*1e9)))
			cell.Extra["user"] = append(cell.Extra["user"], result.User*1e9)
			cell.Extra["system"] = append(cell.Extra["system"], result.System*1e9)
		}
		unit.Cells = append(unit.Cells, cell)
	}
	r.Units = []record.Unit{unit}
	c, err := Summarise(r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func hyperfineFile(t *testing.T, ending string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "hyperfine."+ending))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Without our own columns the tables are hyperfine's, to the letter.
func TestTablesAreThoseOfHyperfine(t *testing.T) {
	c := hyperfineRun(t)
	tests := []struct {
		ending, got string
		ours        *regexp.Regexp
	}{
		{"md", Markdown(c, Options{}), regexp.MustCompile(`(?m)(( [^|\n]*\|){2}|---:\|:---\|)$`)},
		{"org", Org(c, Options{}), regexp.MustCompile(`(?m)(( [^|\n]*\|){2}|\+--\+--\|)$`)},
		{"adoc", AsciiDoc(c, Options{}), regexp.MustCompile(`(?m)^\| (Ratio \[interval\]|Verdict|1|reference|not judged|) \n|,>,<"`)},
	}
	for _, tt := range tests {
		got := tt.ours.ReplaceAllStringFunc(tt.got, func(s string) string {
			switch {
			case strings.HasPrefix(s, ","):
				return `"`
			case strings.HasPrefix(s, "+"):
				return "|"
			}
			return ""
		})
		if want := hyperfineFile(t, tt.ending); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.ending, got, want)
		}
	}
}

// The columns of the CSV export hold hyperfine's numbers; the last digit may
// differ, because it adds up seconds.
func TestCSVIsThatOfHyperfine(t *testing.T) {
	text, err := CSV(hyperfineRun(t))
	if err != nil {
		t.Fatal(err)
	}
	got, want := strings.Split(string(text), "\n"), strings.Split(hyperfineFile(t, "csv"), "\n")
	if len(got) != len(want) || !strings.HasPrefix(got[0], want[0]+",") {
		t.Fatalf("%q, want %q", got, want)
	}
	for i := 1; i < len(want)-1; i++ {
		ours, theirs := strings.Split(got[i], ","), strings.Split(want[i], ",")
		if ours[0] != theirs[0] {
			t.Errorf("%q, want %q", ours[0], theirs[0])
		}
		for k := 1; k < len(theirs); k++ {
			var a, b float64
			if json.Unmarshal([]byte(ours[k]), &a) != nil || json.Unmarshal([]byte(theirs[k]), &b) != nil || math.Abs(a-b) > 1e-9*math.Abs(b) {
				t.Errorf("row %d, column %d: %s, want %s", i, k, ours[k], theirs[k])
			}
		}
	}
}
