package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSelection(t *testing.T) {
	c := Config{
		Commands: map[string]Command{
			"c": {Tags: []string{"slow", "go"}}, "a": {Tags: []string{"fast"}}, "b": {Tags: []string{"slow"}}, "d": {}},
		Comparisons:      map[string]Comparison{"z": {Tags: []string{"slow"}}, "x": {}},
		AlphaComparisons: map[string]AlphaComparison{"y": {}},
	}
	for _, test := range []struct {
		name      string
		selection Selection
		want      string
	}{
		{"all, by name", Selection{}, "a b c d"},
		{"by name or tag", Selection{IncludeNames: []string{"d"}, IncludeTags: []string{"slow"}}, "b c d"},
		{"by either tag", Selection{IncludeTags: []string{"fast", "go"}}, "a c"},
		{"exclusion wins over a name", Selection{IncludeNames: []string{"b", "c"}, ExcludeNames: []string{"c"}}, "b"},
		{"exclusion by tag wins", Selection{IncludeNames: []string{"b", "c"}, ExcludeTags: []string{"go"}}, "b"},
		{"exclusion alone", Selection{ExcludeTags: []string{"slow"}}, "a d"},
		{"nothing left", Selection{IncludeNames: []string{"a"}, ExcludeNames: []string{"a"}}, ""},
	} {
		got, err := test.selection.Commands(c)
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("%s: got %v, %v; want %s", test.name, got, err, test.want)
		}
	}
	for _, test := range []struct {
		selection Selection
		want      string
	}{
		{Selection{}, "x y z"},
		{Selection{IncludeTags: []string{"slow"}}, "z"},
		{Selection{ExcludeNames: []string{"y"}}, "x z"},
	} {
		got, err := test.selection.Comparisons(c)
		if err != nil || strings.Join(got, " ") != test.want {
			t.Errorf("%+v: got %v, %v; want %s", test.selection, got, err, test.want)
		}
	}
	_, err := Selection{IncludeNames: []string{"aa"}, ExcludeTags: []string{"slwo", "slow"}}.Commands(c)
	want := "there is no command \"aa\"; did you mean \"a\"?\nthere is no command with the tag \"slwo\"; did you mean \"slow\"?"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSteps(t *testing.T) {
	for _, test := range []struct {
		names []string
		want  string
	}{
		{nil, "setup, prepare, command, conclude, cleanup"},
		{[]string{"cleanup", "setup"}, "setup, cleanup"},
		{[]string{"command"}, "command"},
	} {
		got, err := ParseSteps(test.names)
		if err != nil || got.String() != test.want {
			t.Errorf("%v: got %s, %v; want %s", test.names, got, err, test.want)
		}
	}
	some, err := ParseSteps([]string{"setup"})
	if err != nil || some.Has(StepCommand) || !some.Has(StepSetup) || !Steps(0).Has(StepCommand) {
		t.Errorf("setup alone: %s, %v", some, err)
	}
	_, err = ParseSteps([]string{"comand"})
	if want := `there is no step comand; did you mean "command"?`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"runs", "min-runs", "max-runs", "warmup-runs", "timeout-seconds", "urls", "url-prefix", "a", "b"}
	for word, want := range map[string]string{
		"rusn": "runs", "min_runs": "min-runs", "MAX-RUNS": "max-runs", "warm-up-runs": "warmup-runs", "url": "urls",
		"timeout": "timeout-seconds", "timeoutseconds": "timeout-seconds", "zebra": "", "": "", "c": "", "wormap-rons": "warmup-runs",
		strings.Repeat("x", 1000): "",
	} {
		got, ok := nearest(word, known)
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "axc", 1}, {"ca", "abc", 3}, {"kitten", "sitting", 3}} {
		if got := mistakes([]rune(test.a), []rune(test.b)); got != test.want {
			t.Errorf("%q, %q: got %d, want %d", test.a, test.b, got, test.want)
		}
		if got := mistakes([]rune(test.b), []rune(test.a)); got != test.want {
			t.Errorf("%q, %q is not symmetric: got %d, want %d", test.b, test.a, got, test.want)
		}
	}
	if got := DidYouMean("x", nil); got != "" {
		t.Errorf("nothing known: %q", got)
	}
}

func TestParseCPUs(t *testing.T) {
	for text, want := range map[string]CPUs{
		"0": {0}, "0-3,8": {0, 1, 2, 3, 8}, "3,1,1-2": {1, 2, 3}, "65535": {65535},
		"": nil, "a": nil, "1-": nil, "-1": nil, "2-1": nil, "0-65536": nil, "1,,2": nil, " 1": nil, "+1": nil,
		strings.Repeat("0-65535,", 1000) + "1": nil,
	} {
		got, ok := ParseCPUs(text)
		if !cmp.Equal(got, want) || ok != (want != nil) {
			t.Errorf("%q: got %v, %v; want %v", text[:min(len(text), 20)], got, ok, want)
		}
	}
}
