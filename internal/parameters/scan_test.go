package parameters

import (
	"slices"
	"strings"
	"testing"
)

func TestScan(t *testing.T) {
	tests := []struct {
		minimum, maximum, step string
		want                   string
		problem                string
	}{
		{"1", "4", "", "1 2 3 4", ""},
		{"1", "6", "2", "1 3 5", ""},
		{"3", "3", "", "3", ""},
		{"-2", "1", "", "-2 -1 0 1", ""},
		{"+1", "007", "3", "1 4 7", ""},
		{"1", "2", "0.25", "1 1.25 1.50 1.75 2.00", ""},
		{"-1", "0.50", "0.5", "-1 -0.5 0.0 0.5", ""},
		{"0.1", "0.5", "0.1", "0.1 0.2 0.3 0.4 0.5", ""},
		{"1.00", "2", "0.5", "1.00 1.50 2.00", ""},
		{".5", "1.", ".5", "0.5 1.0", ""},
		{"99999999999999999998", "99999999999999999999", "", "99999999999999999998 99999999999999999999", ""},
		{"1.0", "3", "", "", "needs a step"},
		{"1", "3", "0", "", "never arrives"},
		{"1", "3", "0.00", "", "never arrives"},
		{"1", "3", "-1", "", "negative"},
		{"3", "1", "", "", "range is empty"},
		{"1", "1e2", "", "", `maximum "1e2" is not a number`},
		{"", "3", "", "", `minimum "" is not a number`},
		{".", "3", "", "", "not a number"},
		{"--1", "3", "", "", "not a number"},
		{"1", "3", "x", "", `step "x"`},
		{"0", "100000", "", "", "more than 100000 values"},
		{"0", "1", "0.00001", "", "more than 100000 values"},
		{"0", "1" + strings.Repeat("0", 60), "", "", "digits"},
	}
	for _, test := range tests {
		axis, err := Scan("n", test.minimum, test.maximum, test.step)
		if !complains(err, test.problem) {
			t.Errorf("%s to %s by %q: error %v, want %q", test.minimum, test.maximum, test.step, err, test.problem)
		} else if got := strings.Join(axis.Values, " "); got != test.want {
			t.Errorf("%s to %s by %q: %s, want %s", test.minimum, test.maximum, test.step, got, test.want)
		}
	}
	if axis, err := Scan("n", "1", "100000", ""); err != nil || len(axis.Values) != MaxValues {
		t.Errorf("the largest scan allowed has %d values and error %v", len(axis.Values), err)
	}
	for _, name := range []string{"", "{n}"} {
		if _, err := Scan(name, "1", "2", ""); err == nil {
			t.Errorf("the name %q is accepted", name)
		}
	}
}

// complains reports whether err says the problem, or is nil where there is none.
func complains(err error, problem string) bool {
	if problem == "" || err == nil {
		return problem == "" && err == nil
	}
	return strings.Contains(err.Error(), problem)
}

func TestList(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"a", []string{"a"}},
		{"a,b,c", []string{"a", "b", "c"}},
		{"a,,c,", []string{"a", "", "c", ""}},
		{`a\,b,c`, []string{"a,b", "c"}},
		{`a\\,b`, []string{`a\`, "b"}},
		{`a\\\,b`, []string{`a\,b`}},
		{`\d\,\n`, []string{`\d,\n`}},
		{`a\`, []string{`a\`}},
		{"é, ü", []string{"é", " ü"}},
	}
	for _, test := range tests {
		if axis, err := List("x", test.text); err != nil || !slices.Equal(axis.Values, test.want) {
			t.Errorf("%q is %q with error %v, want %q", test.text, axis.Values, err, test.want)
		}
	}
	if _, err := List("x", strings.Repeat(",", MaxValues)); err == nil {
		t.Error("a list of more values than allowed is accepted")
	}
	if _, err := List("", "a"); err == nil {
		t.Error("a list without a name is accepted")
	}
}

// FuzzScan holds scans against their definition.
func FuzzScan(f *testing.F) {
	f.Add("1", "5", "2")
	f.Add("-0.5", "1", "0.125")
	f.Add("0", "99999999999999999999999999", "1")
	f.Fuzz(func(t *testing.T, minimum, maximum, step string) {
		axis, err := Scan("n", minimum, maximum, step)
		if err != nil {
			return
		}
		if len(axis.Values) == 0 || len(axis.Values) > MaxValues {
			t.Fatalf("%d values", len(axis.Values))
		}
		high, err := parseDecimal("", maximum)
		if err != nil {
			t.Fatal(err)
		}
		last, err := parseDecimal("", axis.Values[len(axis.Values)-1])
		if err != nil {
			t.Fatal(err)
		}
		digits := max(high.digits, last.digits)
		if last.at(digits).Cmp(high.at(digits)) > 0 {
			t.Fatalf("%s is above %s", axis.Values[len(axis.Values)-1], maximum)
		}
	})
}

// FuzzList checks that every list can be written down and read back.
func FuzzList(f *testing.F) {
	f.Add("a,b,c")
	f.Add(`\,\\,x\y\`)
	f.Fuzz(func(t *testing.T, text string) {
		values := splitList(text)
		if again := splitList(JoinList(values)); !slices.Equal(values, again) {
			t.Fatalf("%q is read as %q, written and read again %q", text, values, again)
		}
	})
}
