package view

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

func TestPercent(t *testing.T) {
	tests := map[float64]string{
		0: "0%", 0.1278: "12.8%", -0.1278: "-12.8%", 0.0042: "0.420%", 0.5: "50.0%", 1: "100%", 9.994: "999%",
		12.346: "1235%", 0.09996: "10.0%", 0.9999: "100%", 0.00099999: "0.100%", 1234.5: "123450%", 0.0000042: "0.00042%", 0.00001: "0.00100%",
		math.NaN(): "unknown", math.Inf(1): "unbounded", math.Inf(-1): "unbounded",
	}
	for share, want := range tests {
		if got := Percent(share); got != want {
			t.Errorf("Percent(%v) = %q, want %q", share, got, want)
		}
	}
	for share, want := range map[float64]string{0.1: "+10.0%", -0.1: "-10.0%", 0: "0%"} {
		if got := SignedPercent(share); got != want {
			t.Errorf("SignedPercent(%v) = %q, want %q", share, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"below a nanosecond", Nanoseconds(0.12345), "0.1235 ns"},
		{"nanoseconds", Nanoseconds(881.53), "881.5 ns"},
		{"thousands", Nanoseconds(9999.4), "9999 ns"},
		{"microseconds", Nanoseconds(12345.6), "12.35 µs"},
		{"milliseconds", Nanoseconds(1234567), "1.235 ms"},
		{"seconds", Nanoseconds(1.5e9), "1.500 s"},
		{"no time", Nanoseconds(0), "0 ns"},
		{"unknown", Nanoseconds(math.NaN()), "unknown"},
		{"bytes", Bytes(64), "64.0 B"},
		{"kibibytes", Bytes(20 << 10), "20.0 KiB"},
		{"mebibytes", Bytes(20 << 20), "20.0 MiB"},
		{"a count", Count(2), "2.00"},
		{"a small ratio", finer(1.0347), "1.035"},
		{"a ratio", finer(1.25), "1.25"},
		{"a large ratio", times(123.4), "123"},
		{"a huge ratio", times(1e7), "very many"},
		{"an infinite ratio", finer(math.Inf(1)), "very many"},
		{"a second", Seconds(1.26), "1.3 s"},
		{"a minute", Seconds(75), "75 s"},
		{"minutes", Seconds(600), "10 min"},
		{"hours", Seconds(36000), "10 h"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, tt.got, tt.want)
		}
	}
}

func TestDifferenceSentences(t *testing.T) {
	inf := math.Inf(1)
	tests := []struct {
		name               string
		logRatio, low, hgh float64
		sentence, interval string
	}{
		{"less", math.Log(1.25), math.Log(1.2), math.Log(1.3),
			"A needs 20.0% less time than B: B takes 1.25 times as long.",
			"With 95% confidence A needs between 16.7% and 23.1% less time (B takes between 1.20 and 1.30 times as long as A)."},
		{"more", -math.Log(1.25), -math.Log(1.3), -math.Log(1.2),
			"A needs 25.0% more time than B: it takes 1.25 times as long.",
			"With 95% confidence A needs between 20.0% and 30.0% more time (B takes between 0.77 and 0.83 times as long as A)."},
		{"both ways", 0.001, -math.Log(1.1), math.Log(1.25),
			"A needs 0.100% less time than B: B takes 1.001 times as long.",
			"With 95% confidence A needs between 20.0% less and 10.0% more time (B takes between 0.909 and 1.25 times as long as A)."},
		{"the same", 0, 0, 0,
			"A and B need the same time.",
			"With 95% confidence A needs between 0% less and 0% more time (B takes between 1.000 and 1.000 times as long as A)."},
		{"no bounds", 0.1, -inf, inf,
			"A needs 9.52% less time than B: B takes 1.11 times as long.",
			"At 95% confidence this run sets no bounds to the difference."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Difference{A: "A", B: "B", LogRatio: tt.logRatio, Low: tt.low, High: tt.hgh, Level: 0.95}
			if got := d.Sentence(); got != tt.sentence {
				t.Errorf("got  %s\nwant %s", got, tt.sentence)
			}
			if got := d.IntervalSentence(); got != tt.interval {
				t.Errorf("got  %s\nwant %s", got, tt.interval)
			}
		})
	}
}

// The words name the same factor from both sides.
func TestSwappedNamesTellTheSameStory(t *testing.T) {
	d := Difference{A: "map", B: "slice", LogRatio: 0.3, Low: 0.2, High: 0.4, Level: 0.99}
	back := Difference{A: "slice", B: "map", LogRatio: -0.3, Low: -0.4, High: -0.2, Level: 0.99}
	for _, s := range []string{d.Sentence(), back.Sentence()} {
		if !strings.Contains(s, "1.35 times as long") {
			t.Error(s)
		}
	}
}

// allCodes reads the codes of warnings out of the source, so that none that is
// added later goes without a sentence.
func allCodes(t *testing.T) []string {
	t.Helper()
	var codes []string
	for _, name := range []string{"warnings.go", "comparison_warnings.go", filepath.Join("..", "judge", "policy.go")} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			constant, ok := n.(*ast.ValueSpec)
			if !ok || !strings.HasPrefix(constant.Names[0].Name, "Code") {
				return true
			}
			code, err := strconv.Unquote(constant.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, code)
			return false
		})
	}
	if len(codes) < 30 {
		t.Fatalf("only %d codes were found", len(codes))
	}
	return codes
}

// values are numbers for every warning.
var values = map[string]float64{
	"delta": 0.002, "floor": 0.004, "step": 0.001, "bytes": 64 << 20, "seconds": 42, "shift": -0.03, "planned": 40, "done": 10,
	"share": 0.31, "expected": 0.1, "lead_ms": 2, "warm": 2.03, "cold": 1.42, "with": 1.13, "without": 0.98, "wall": 0.9, "cpu": 1.4,
	"ratio": 2.5, "pairs": 20, "factor": 3.1, "bias": 0.0123, "effect": 0.02, "batch_ns": 300, "read_ns": 40, "lag1": 0.55, "half_width": 0.2,
	"first_ns": 4e7, "median_ns": 1e7, "count": 3, "shell_ns": 6e5, "failed": 12, "requests": 4000,
}

func TestEveryWarningIsASentence(t *testing.T) {
	var text strings.Builder
	unfilled := regexp.MustCompile(`%!|NaN|Inf`)
	for _, code := range allCodes(t) {
		sentence := Warning(record.Warning{Code: code, Arm: 1, Values: values}, []string{"map", "slice"})
		if sentence == code || len(sentence) < 30 || unfilled.MatchString(sentence) || strings.HasSuffix(sentence, ".") {
			t.Errorf("%s: %q", code, sentence)
		}
		text.WriteString(code + ": " + sentence + "\n")
	}
	golden(t, "warnings", strings.TrimSuffix(text.String(), "\n"))
}

func TestWarningNamesTheArm(t *testing.T) {
	names := []string{"map", "slice"}
	for _, tt := range []struct {
		arm  int
		want string
	}{{0, "map drifted"}, {1, "slice drifted"}, {2, "a candidate drifted"}, {-1, "a candidate drifted"}} {
		w := record.Warning{Code: CodeDrift, Arm: tt.arm, Values: map[string]float64{"shift": 0.03}}
		if got := Warning(w, names); !strings.HasPrefix(got, tt.want) || !strings.Contains(got, "3.00% higher") {
			t.Errorf("arm %d: %s", tt.arm, got)
		}
	}
	if got := Warning(record.Warning{Code: "from the future"}, nil); got != "from the future" {
		t.Errorf("an unknown code reads %q", got)
	}
}
