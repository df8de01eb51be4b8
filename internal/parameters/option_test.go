package parameters

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
	"time"
)

func TestFailureMode(t *testing.T) {
	tests := []struct {
		text             string
		accepted, failed []int
		problem          string
	}{
		{"", []int{0, 1, 255}, nil, ""},
		{"all-non-zero", []int{0, 1, -1}, nil, ""},
		{"1", []int{0, 1}, []int{2, 137}, ""},
		{"1, 137", []int{0, 1, 137}, []int{2}, ""},
		{"x", nil, nil, `"x" is no exit code`},
		{"1,", nil, nil, `"" is no exit code`},
		{"99999999999", nil, nil, "no exit code"},
	}
	for _, test := range tests {
		mode, err := ParseFailureMode(test.text)
		if !complains(err, test.problem) {
			t.Errorf("%q: error %v, want %q", test.text, err, test.problem)
		}
		if slices.ContainsFunc(test.failed, mode.Accepts) {
			t.Errorf("%q accepts one of %v", test.text, test.failed)
		}
		for _, code := range test.accepted {
			if !mode.Accepts(code) {
				t.Errorf("%q does not accept %d", test.text, code)
			}
		}
	}
	if zero := (FailureMode{}); !zero.Accepts(0) || zero.Accepts(1) {
		t.Error("without the option exactly 0 has to be a success")
	}
}

func TestOutput(t *testing.T) {
	tests := []struct {
		text    string
		want    Output
		problem string
	}{
		{"", Output{}, ""},
		{"null", Output{}, ""},
		{"pipe", Output{Kind: OutputPipe}, ""},
		{"inherit", Output{Kind: OutputInherit}, ""},
		{"./null", Output{Kind: OutputFile, File: "./null"}, ""},
		{"/tmp/x", Output{Kind: OutputFile, File: "/tmp/x"}, ""},
		{"nul", Output{}, "write ./nul"},
		{"out/", Output{}, "is a folder"},
	}
	for _, test := range tests {
		if got, err := ParseOutput(test.text); !complains(err, test.problem) || got != test.want {
			t.Errorf("%q is %v with error %v, want %v and %q", test.text, got, err, test.want, test.problem)
		}
	}
}

func TestInput(t *testing.T) {
	files := fstest.MapFS{"data.txt": {}, "folder/x": {}}
	closed := errors.New("no permission")
	stat := func(name string) (fs.FileInfo, error) {
		if name == "closed" {
			return nil, closed
		}
		return files.Stat(name)
	}
	for _, test := range []struct{ text, want, problem string }{
		{"", "", ""},
		{"null", "", ""},
		{"data.txt", "data.txt", ""},
		{"nothing", "", "no such file"},
		{"folder", "", "is a folder"},
		{"closed", "", "no permission"},
	} {
		if got, err := ParseInput(test.text, stat); !complains(err, test.problem) || got != test.want {
			t.Errorf("%q is %q with error %v, want %q and %q", test.text, got, err, test.want, test.problem)
		}
	}
}

func TestChoices(t *testing.T) {
	for text, want := range map[string]time.Duration{"": 0, "auto": 0, "nanosecond": 1, "microsecond": 1e3, "millisecond": 1e6, "second": 1e9} {
		if unit, err := ParseTimeUnit(text); err != nil || unit.Duration() != want {
			t.Errorf("unit %q is %d ns with error %v, want %d", text, unit.Duration(), err, want)
		}
	}
	if _, err := ParseTimeUnit("ms"); !complains(err, "microsecond, millisecond, second") {
		t.Errorf("unit ms: %v", err)
	}
	if order, err := ParseSort(""); err != nil || order != SortAuto {
		t.Errorf("no --sort: %q, %v", order, err)
	}
	if order, err := ParseSort("mean-time"); err != nil || order != SortMeanTime {
		t.Errorf("--sort mean-time: %q, %v", order, err)
	}
	if _, err := ParseSort("mean"); !complains(err, "auto, command, mean-time") {
		t.Errorf("--sort mean: %v", err)
	}
	if _, err := ParseStyle("loud"); !complains(err, "--style=loud") {
		t.Errorf("--style loud: %v", err)
	}
}

func TestStyle(t *testing.T) {
	tests := []struct {
		style                      Style
		terminal, inherited, color bool
		want                       Style
		colorWanted, live          bool
	}{
		{StyleAuto, true, false, true, StyleFull, true, true},
		{"", true, false, true, StyleFull, true, true},
		{StyleAuto, true, false, false, StyleNoColor, false, true},
		{StyleAuto, true, true, true, StyleBasic, false, false},
		{StyleAuto, false, false, true, StyleBasic, false, false},
		{StyleFull, false, true, false, StyleFull, true, true},
		{StyleColor, true, false, true, StyleColor, true, false},
		{StyleNone, true, false, true, StyleNone, false, false},
	}
	for _, test := range tests {
		style, err := ParseStyle(string(test.style))
		if err != nil {
			t.Fatal(err)
		}
		got := style.Resolve(test.terminal, test.inherited, test.color)
		if got != test.want || got.Color() != test.colorWanted || got.Live() != test.live {
			t.Errorf("%+v: got %s, color %v, live %v", test, got, got.Color(), got.Live())
		}
	}
}
