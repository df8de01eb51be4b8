package parameters

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSubstitute(t *testing.T) {
	values := []Value{{"a", "1"}, {"b", "{a}"}, {"long name", "x y"}}
	tests := []struct{ text, want string }{
		{"", ""},
		{"plain", "plain"},
		{"{a}", "1"},
		{"x{a}y{a}", "x1y1"},
		{"{b}{a}", "{a}1"}, // one pass: what was put in stays
		{"{{a}}", "{1}"},
		{"{c} {a", "{c} {a"},
		{"{long name}", "x y"},
		{"${a} {} }{", "$1 {} }{"},
		{"{x{a}", "{x1"},
	}
	for _, test := range tests {
		if got := Substitute(test.text, values); got != test.want {
			t.Errorf("%q becomes %q, want %q", test.text, got, test.want)
		}
	}
}

// FuzzSubstitute compares with the standard library's single-pass replacer, and
// checks that a text without places stays.
func FuzzSubstitute(f *testing.F) {
	f.Add("run {a} {b}", "1", "{a}")
	f.Add("{{a}}", "", "}")
	f.Fuzz(func(t *testing.T, text, a, b string) {
		got := Substitute(text, []Value{{"a", a}, {"b", b}})
		if want := strings.NewReplacer("{a}", a, "{b}", b).Replace(text); got != want {
			t.Fatalf("%q becomes %q, want %q", text, got, want)
		}
	})
}

func TestCombinations(t *testing.T) {
	got, err := Combinations([]Axis{{"x", []string{"1", "2"}}, {"y", []string{"a", "b", "c"}}})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, values := range got {
		texts = append(texts, Describe(values))
	}
	want := []string{"x = 1, y = a", "x = 2, y = a", "x = 1, y = b", "x = 2, y = b", "x = 1, y = c", "x = 2, y = c"}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Error(diff)
	}
	if got, err := Combinations(nil); err != nil || len(got) != 1 || len(got[0]) != 0 {
		t.Errorf("no axes: %v, %v", got, err)
	}
	many := Axis{"m", make([]string, 400)}
	for _, test := range []struct {
		axes    []Axis
		problem string
	}{
		{[]Axis{{"x", []string{"1"}}, {"x", []string{"2"}}}, `"x" is given twice`},
		{[]Axis{{"x", nil}}, "no values"},
		{[]Axis{{"", []string{"1"}}}, "needs a name"},
		{[]Axis{many, {"n", many.Values}}, "more than 100000 combinations"},
	} {
		if _, err := Combinations(test.axes); !complains(err, test.problem) {
			t.Errorf("%v: error %v, want %q", len(test.axes), err, test.problem)
		}
	}
}

func TestPlan(t *testing.T) {
	reference := "true r{x}"
	x := []Axis{{"x", []string{"1", "2"}}}
	tests := []struct {
		name    string
		request Request
		want    []Benchmark
	}{
		{"plain", Request{Commands: []string{"a", "b"}, Names: []string{"first"}, Prepare: []string{"p"}, Setup: "s"}, []Benchmark{
			{Name: "first", Command: "a", Setup: "s", Prepare: "p"},
			{Name: "b", Command: "b", Setup: "s", Prepare: "p"},
		}},
		{"parameters", Request{
			Commands: []string{"a {x}", "b"}, Axes: x, Setup: "s {x}", Cleanup: "c {x}",
			Prepare: []string{"p1", "p2", "p3 {x}", "p4"}, Conclude: []string{"d{x}"}, Outputs: []string{"./{x}.txt"},
		}, []Benchmark{
			{Name: "a 1", Command: "a 1", Setup: "s 1", Prepare: "p1", Conclude: "d1", Cleanup: "c 1", Output: "./1.txt", Values: []Value{{"x", "1"}}},
			{Name: "b", Command: "b", Setup: "s 1", Prepare: "p2", Conclude: "d1", Cleanup: "c 1", Output: "./1.txt", Values: []Value{{"x", "1"}}, Hidden: []Value{{"x", "1"}}},
			{Name: "a 2", Command: "a 2", Setup: "s 2", Prepare: "p3 2", Conclude: "d2", Cleanup: "c 2", Output: "./2.txt", Values: []Value{{"x", "2"}}},
			{Name: "b", Command: "b", Setup: "s 2", Prepare: "p4", Conclude: "d2", Cleanup: "c 2", Output: "./2.txt", Values: []Value{{"x", "2"}}, Hidden: []Value{{"x", "2"}}},
		}},
		{"one name", Request{Commands: []string{"a {x}"}, Axes: x, Names: []string{"N"}}, []Benchmark{
			{Name: "N", Command: "a 1", Values: []Value{{"x", "1"}}, Hidden: []Value{{"x", "1"}}},
			{Name: "N", Command: "a 2", Values: []Value{{"x", "2"}}, Hidden: []Value{{"x", "2"}}},
		}},
		{"all names", Request{Commands: []string{"a {x}"}, Axes: x, Names: []string{"N{x}", "M"}}, []Benchmark{
			{Name: "N1", Command: "a 1", Values: []Value{{"x", "1"}}},
			{Name: "M", Command: "a 2", Values: []Value{{"x", "2"}}, Hidden: []Value{{"x", "2"}}},
		}},
		{"unused", Request{Commands: []string{"a"}, Axes: []Axis{{"x", []string{"1"}}}, Names: []string{"N{x}"}}, []Benchmark{
			{Name: "N1", Command: "a", Values: []Value{{"x", "1"}}, Unused: []Value{{"x", "1"}}},
		}},
		{"reference", Request{
			Commands: []string{"a {x}"}, Axes: x, Reference: &reference, ReferenceName: "ref {x}",
			Prepare: []string{"p {x}"}, Outputs: []string{"null", "./1", "./2"},
		}, []Benchmark{
			{Name: "ref {x}", Command: "true r{x}", Prepare: "p {x}", Output: "null", Reference: true},
			{Name: "a 1", Command: "a 1", Prepare: "p 1", Output: "./1", Values: []Value{{"x", "1"}}},
			{Name: "a 2", Command: "a 2", Prepare: "p 2", Output: "./2", Values: []Value{{"x", "2"}}},
		}},
	}
	for _, test := range tests {
		got, err := Plan(test.request)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if diff := cmp.Diff(test.want, got, cmp.Transformer("empty", nilWhenEmpty)); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
	if b := (Benchmark{Name: "b", Hidden: []Value{{"x", "1"}, {"y", "2"}}}); b.Label() != "b (x = 1, y = 2)" {
		t.Errorf("label %q", b.Label())
	}
}

// nilWhenEmpty makes an empty list of values and none the same.
func nilWhenEmpty(values []Value) []string {
	var texts []string
	for _, v := range values {
		texts = append(texts, v.Name+"="+v.Value)
	}
	return texts
}

func TestPlanRefuses(t *testing.T) {
	reference := "r"
	x := []Axis{{"x", []string{"1", "2"}}}
	ab := []string{"a", "b"}
	three := []string{"1", "2", "3"}
	tests := []struct {
		request Request
		problem string
	}{
		{Request{}, "no command"},
		{Request{Commands: ab, ReferenceName: "r"}, "--reference"},
		{Request{Commands: ab, Names: three}, "3 times for 2 commands"},
		{Request{Commands: ab, Axes: x, Names: ab}, "2 times for 4 benchmarks"},
		{Request{Commands: ab, Axes: x, Names: make([]string, 5)}, "5 times for 4 benchmarks"},
		{Request{Commands: ab, Prepare: three}, "--prepare is given 3 times for 2"},
		{Request{Commands: ab, Reference: &reference, Prepare: ab}, "--prepare is given 2 times for 3"},
		{Request{Commands: ab, Reference: &reference, Prepare: three}, ""},
		{Request{Commands: ab, Conclude: three}, "--conclude"},
		{Request{Commands: ab, Outputs: three}, "--output"},
		{Request{Commands: ab, Axes: append(x, x...)}, "given twice"},
		{Request{Commands: ab, Axes: []Axis{{"x", make([]string, 60_000)}}}, "more than 100000 benchmarks"},
	}
	for _, test := range tests {
		if _, err := Plan(test.request); !complains(err, test.problem) {
			t.Errorf("%v: error %v, want %q", test.request, err, test.problem)
		}
	}
}
