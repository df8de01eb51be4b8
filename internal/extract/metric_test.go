package extract

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	const wrk = "Running 10s test\n  Latency   1.20ms  340us\nRequests/sec:  74886.80\nTransfer/sec:      9.12MB\n"
	const lines = `{"step":1,"loss":9,"time":"980µs"}` + "\n" + `{"step":2,"loss":2.5,"time":"1.02ms"}` + "\n" + `{"done":true}` + "\n"
	const logged = "starting [1/2]\n[not json\n{\n  \"runs\": [\n {\"mean\": 0.5}, {\"mean\": 0.25}\n ]\n}\nbye {x}\n"
	tests := []struct {
		metric, output string
		want           float64
		problem        string
	}{
		{`rps=regexp:Requests/sec:\s+(\S+)`, wrk, 74886.80, ""},
		{`l=regexp:Latency\s+(\S+),unit=ns`, wrk, 1.2e6, ""},
		{`l=regexp:Latency\s+(\S+),unit=s`, wrk, 0.0012, ""},
		{`l=regexp:Latency\s+(?P<value>[0-9.]+)(?P<unit>\w+),unit=us`, wrk, 1200, ""},
		{`l=regexp:Latency\s+(?P<unit>[0-9.]+)?([0-9]+)us$,unit=us`, "Latency 7us\n", 7, ""},
		{`t=regexp:^Transfer/sec:\s+(\S+)$,unit=kB`, wrk, 9120, ""},
		{`n=regexp:[0-9]+`, "a 1 b 22 c 333", 333, ""},
		{`n=regexp:n=([0-9]+),better=higher`, "n=1\nn=2\n", 2, ""},
		{`n=regexp:(?i)N=([0-9]+)[,]unit=x`, "n=1,unit=x", 1, ""},
		{`t=regexp:took (\S+),unit=s`, "took 1m2.5s", 62.5, ""},
		{`t=regexp:took (\S+),unit=min`, "took 5m", 5, ""},
		{`x=regexp:x=(\w+)`, "y=1", 0, `metric "x" (regexp:x=(\w+)): nothing in the output matches; it begins with "y=1"`},
		{`x=regexp:x=(\w+)`, "", 0, "printed nothing"},
		{`x=regexp:x=(\w+)`, "x=abc", 0, `"abc" is not a number`},
		{`x=regexp:x=(\w+)`, "x=nan", 0, "not a number to compare"},
		{`x=regexp:x=(\w+)`, "x=3ms", 0, "unit=ms"},
		{`x=regexp:x=(\w+),unit=ns`, "x=3KB", 0, "1000 or 1024"},
		{`x=regexp:x=(?P<value>\w+) (?P<unit>\w+),unit=ns`, "x=3ms ms", 0, "unit of its own"},
		{`x=regexp:a(1)?|b`, "b", 0, "does not include the group"},
		{`x=regexp:x=(\S+),unit=ns`, "x=1e308s", 0, "too large"},
		{`m=json:$.a.b`, `{"a":{"b":12.5}}`, 12.5, ""},
		{`m=json:$.a[-1]`, `{"a":[1,2,3]}`, 3, ""},
		{`m=json:$`, "42\n", 42, ""},
		{`m=json:$.loss`, lines, 2.5, ""},
		{`m=json:$.time,unit=us`, lines, 1020, ""},
		{`m=json:$.runs[?@.mean < 0.3].mean`, logged, 0.25, ""},
		{`m=json:$.big`, `{"big":9007199254740993}`, 9007199254740992, ""},
		{`m=json:$.runs[*].mean`, logged, 0, "selects 2 values"},
		{`m=json:$.runs`, logged, 0, "an array of 2"},
		{`m=json:$.none`, logged, 0, "selects nothing"},
		{`m=json:$.a`, `{"a":null}`, 0, "selects null"},
		{`m=json:$.a`, `{"a":true}`, 0, "selects true"},
		{`m=json:$.a`, `{"a":{}}`, 0, "an object"},
		{`m=json:$.a`, `{"a":"x"}`, 0, `"x" is not a number`},
		{`m=json:$.a`, `{"a":1e999}`, 0, "too large"},
		{`m=json:$.a`, `{"a": NaN}`, 0, "NaN and Infinity"},
		{`m=json:$.a`, "hello", 0, `no JSON in the output; it begins with "hello"`},
		{`m=json:$.a`, " \n", 0, "printed nothing"},
	}
	for _, test := range tests {
		m, err := Parse(test.metric)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		got, err := m.Find([]byte(test.output))
		if !complains(err, test.problem) || math.Abs(got-test.want) > 1e-12*math.Abs(test.want) {
			t.Errorf("%s in %q: %v with error %v, want %v and %q", test.metric, test.output, got, err, test.want, test.problem)
		}
	}
	if _, err := (Metric{Name: "zero"}).Find(nil); err == nil {
		t.Error("the zero metric finds something")
	}
}

func TestFindAll(t *testing.T) {
	metrics, err := ParseAll([]string{"a=regexp:a=(.*)", "b=regexp:b=(.*)"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Find(metrics, []byte("b=2\na=1\n"))
	if diff := cmp.Diff([]Value{{"a", 1}, {"b", 2}}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	_, err = Find(metrics, []byte("nothing"))
	if !complains(err, `"a"`) || !complains(err, `"b"`) {
		t.Errorf("not both problems are said: %v", err)
	}
}

func TestParse(t *testing.T) {
	for _, text := range []string{
		"a=regexp:x=(.*)", "a=regexp:x{1,2}", "a=json:$.a[0,1]", "a-b.c/d=json:$.x,unit=B/s,better=higher", "a=regexp:,unit,unit=ms",
	} {
		m, err := Parse(text)
		if err != nil {
			t.Errorf("%v", err)
		} else if m.String() != text {
			t.Errorf("%q is written %q", text, m)
		}
	}
	m, err := Parse("rate=json:$.r[0],better=higher,unit=MB/s")
	want := Metric{Name: "rate", Unit: "MB/s", Better: "higher", From: "json:$.r[0]", path: m.path}
	if m != want || err != nil {
		t.Errorf("%+v with error %v, want %+v", m, err, want)
	}
	for text, problem := range map[string]string{
		"x":                                 "write NAME=regexp",
		"=regexp:x":                         "needs a name",
		"a b=regexp:x":                      "no blanks",
		"a=x":                               "write regexp:PATTERN or",
		"a=regexp:":                         "is empty",
		"a=regexp:(":                        `regular expression "(": missing closing`,
		"a=json:a":                          "a path looks like",
		"a=json:":                           "a path looks like",
		"a=regexp:x,better=more":            "lower or higher",
		"a=regexp:x,unit=":                  "unit= is empty",
		"a=regexp:x,unit=s,unit=ms":         "given twice",
		"a=regexp:x,better=lower,better=up": "given twice",
	} {
		if _, err := Parse(text); !complains(err, problem) {
			t.Errorf("%q: error %v, want %q", text, err, problem)
		}
	}
	if _, err := ParseAll([]string{"a=json:$", "a=json:$.a"}); !complains(err, "given twice") {
		t.Errorf("two metrics of one name: %v", err)
	}
	if _, err := ParseAll([]string{"a"}); err == nil {
		t.Error("a bad metric is accepted")
	}
}

// TestManyBrackets makes sure that the cost stays in proportion to the output.
func TestManyBrackets(t *testing.T) {
	output := []byte(strings.Repeat("[\n", 200_000) + `{"a":1}` + "\n")
	m, err := Parse("a=json:$.a")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Find(output); got != 1 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// FuzzParse checks that what is accepted can be written and read again.
func FuzzParse(f *testing.F) {
	f.Add("a=regexp:x=(.*),unit=ms,better=lower")
	f.Add("a=json:$.a[?@.b==1],unit=B")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(m.String())
		if err != nil || again.String() != m.String() {
			t.Fatalf("%q is written %q, read again %q with error %v", text, m, again, err)
		}
	})
}

// FuzzFind checks that any output gives an error or a finite number.
func FuzzFind(f *testing.F) {
	metrics, err := ParseAll([]string{`r=regexp:(\S+),unit=ns`, `u=regexp:(?P<value>\S+) (?P<unit>\S+),unit=B`, "j=json:$.a", "d=json:$..a"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("12ms\n{\"a\":1}\n{\n\"a\": [1]}"))
	f.Fuzz(func(t *testing.T, output []byte) {
		for _, m := range metrics {
			if value, err := m.Find(output); err == nil && (math.IsNaN(value) || math.IsInf(value, 0)) {
				t.Fatalf("%s in %q is %v", m, output, value)
			}
		}
	})
}
