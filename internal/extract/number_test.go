package extract

import (
	"math"
	"strings"
	"testing"
)

// complains reports whether err says the problem, or is nil where there is none.
func complains(err error, problem string) bool {
	if problem == "" || err == nil {
		return problem == "" && err == nil
	}
	return strings.Contains(err.Error(), problem)
}

func TestParseNumber(t *testing.T) {
	tests := []struct {
		text    string
		value   float64
		unit    string
		problem string
	}{
		{"12", 12, "", ""},
		{" -1.5 ", -1.5, "", ""},
		{"+.5", 0.5, "", ""},
		{"1.", 1, "", ""},
		{"1e3", 1000, "", ""},
		{"2.5E-3", 0.0025, "", ""},
		{"1_000_000", 1e6, "", ""},
		{"1,234", 1234, "", ""},
		{"-1,234,567.25", -1234567.25, "", ""},
		{"12.3ms", 12.3, "ms", ""},
		{"12.3 MB/s", 12.3, "MB/s", ""},
		{"50%", 50, "%", ""},
		{"500/s", 500, "/s", ""},
		{"3e", 3, "e", ""},
		{"1e-400", 0, "", ""},
		{"1,5", 0, "", "groups of three"},
		{"1234,567", 0, "", "groups of three"},
		{"1,,234", 0, "", "groups of three"},
		{"1_", 0, "", "underscore"},
		{"1__0", 0, "", "underscore"},
		{"1.2.3", 0, "", "not a number"},
		{"1,234.5,6", 0, "", "not a number"},
		{"12:30", 0, "", "not a number"},
		{"", 0, "", "not a number"},
		{"abc", 0, "", "not a number"},
		{"--1", 0, "", "not a number"},
		{"NaN", 0, "", "NaN, which is not"},
		{"-Inf", 0, "", "-Inf, which is not"},
		{"∞", 0, "", "not a number to compare"},
		{"1e400", 0, "", "too large"},
		{strings.Repeat("1", 300), 0, "", "too long"},
	}
	for _, test := range tests {
		value, unit, err := ParseNumber(test.text)
		if !complains(err, test.problem) || value != test.value || unit != test.unit {
			t.Errorf("%q is %v %q with error %v, want %v %q and %q", test.text, value, unit, err, test.value, test.unit, test.problem)
		}
	}
}

func TestConvert(t *testing.T) {
	tests := []struct {
		value    float64
		from, to string
		want     float64
		problem  string
	}{
		{12.3, "ms", "ns", 12.3e6, ""},
		{12.3, "ms", "ms", 12.3, ""},
		{1, "h", "s", 3600, ""},
		{90, "seconds", "min", 1.5, ""},
		{5, "µs", "us", 5, ""},
		{5, "μs", "ns", 5000, ""},
		{3, "ns", "s", 3e-9, ""},
		{1.5, "MiB", "B", 1572864, ""},
		{1.5, "MB", "kB", 1500, ""},
		{1, "GiB", "MiB", 1024, ""},
		{2, "Mbit", "bit", 2e6, ""},
		{2, "GHz", "MHz", 2000, ""},
		{100, "MB/s", "B/s", 1e8, ""},
		{100, "ns/op", "µs/op", 0.1, ""},
		{60, "req/min", "req/s", 1, ""},
		{7, "widgets", "widgets", 7, ""},
		{7, "KB", "KB", 7, ""},
		{7, "KB", "B", 0, "1000 or 1024"},
		{7, "B", "KB", 0, "1000 or 1024"},
		{7, "widgets", "ms", 0, "cannot be turned"},
		{7, "ms", "B", 0, "cannot be turned"},
		{7, "B", "bit", 0, "cannot be turned"},
		{7, "ns/op", "ns", 0, "cannot be turned"},
		{7, "iB", "B", 0, "cannot be turned"},
		{7, "kiB", "B", 0, "cannot be turned"},
		{7, "m", "s", 0, "cannot be turned"},
	}
	for _, test := range tests {
		got, err := Convert(test.value, test.from, test.to)
		if !complains(err, test.problem) || math.Abs(got-test.want) > 1e-12*math.Abs(test.want) {
			t.Errorf("%v %s in %s: %v with error %v, want %v and %q", test.value, test.from, test.to, got, err, test.want, test.problem)
		}
	}
}

func TestUnitsComeBack(t *testing.T) {
	for _, group := range [][]string{
		{"ns", "us", "ms", "s", "min", "h"}, {"B", "kB", "KiB", "MB", "MiB", "GB", "GiB", "TB", "PiB", "EB"}, {"bit", "kbit", "Mibit"}, {"Hz", "kHz", "MHz", "GHz"},
	} {
		for _, from := range group {
			for _, to := range group {
				there, err := Convert(12.5, from, to)
				if err != nil {
					t.Fatal(err)
				}
				if back, err := Convert(there, to, from); err != nil || math.Abs(back-12.5) > 1e-11 {
					t.Errorf("12.5 %s in %s and back is %v, error %v", from, to, back, err)
				}
			}
		}
	}
}

// FuzzParseNumber checks that what is accepted is finite.
func FuzzParseNumber(f *testing.F) {
	f.Add("1,234.5ms")
	f.Add("-1_0e5 B/s")
	f.Fuzz(func(t *testing.T, text string) {
		value, unit, err := ParseNumber(text)
		if err != nil {
			return
		}
		if math.IsNaN(value) || math.IsInf(value, 0) {
			t.Fatalf("%q is %v", text, value)
		}
		if converted, err := in(text, "", "ns"); err == nil && (math.IsNaN(converted) || math.IsInf(converted, 0)) {
			t.Fatalf("%q in %s is %v ns", text, unit, converted)
		}
	})
}
