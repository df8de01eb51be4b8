package term

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

func TestElapsed(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "less than a second", 0: "less than a second", 999 * time.Millisecond: "less than a second",
		time.Second: "1 second", 1499 * time.Millisecond: "1 second", 59*time.Second + 600*time.Millisecond: "1 minute",
		65 * time.Second: "1 minute 5 seconds", 2 * time.Minute: "2 minutes", time.Hour: "1 hour", 3599 * time.Second: "59 minutes 59 seconds",
		2*time.Hour + 10*time.Minute + 29*time.Second: "2 hours 10 minutes", 2*time.Hour - time.Second: "2 hours",
	} {
		if got := Elapsed(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestLeft(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "a few seconds left", 0: "a few seconds left", 5 * time.Second: "a few seconds left",
		5100 * time.Millisecond: "about 10 seconds left", 18 * time.Second: "about 20 seconds left", 55 * time.Second: "about 55 seconds left",
		56 * time.Second: "about 1 minute left", 61 * time.Second: "about 2 minutes left", 10 * time.Minute: "about 10 minutes left",
		11 * time.Minute: "about 15 minutes left", 55 * time.Minute: "about 55 minutes left", 56 * time.Minute: "about 1 hour left",
		61 * time.Minute: "about 1 hour 15 minutes left", 100 * time.Hour: "about 100 hours left",
	} {
		if got := Left(d); got != want {
			t.Errorf("%v left is %q, want %q", d, got, want)
		}
	}
}

func TestRemaining(t *testing.T) {
	tests := []struct {
		elapsed time.Duration
		done    float64
		left    time.Duration
		ok      bool
	}{
		{10 * time.Second, 0.25, 30 * time.Second, true},
		{10 * time.Second, 1, 0, true},
		{10 * time.Second, 1.5, 0, true},
		{10 * time.Second, 0.001, 0, false},
		{10 * time.Second, math.NaN(), 0, false},
		{500 * time.Millisecond, 0.5, 0, false},
		{math.MaxInt64, 0.01, math.MaxInt64, true},
	}
	for _, test := range tests {
		if left, ok := Remaining(test.elapsed, test.done); left != test.left || ok != test.ok {
			t.Errorf("%v for %v: %v %v, want %v %v", test.elapsed, test.done, left, ok, test.left, test.ok)
		}
	}
}

func TestBar(t *testing.T) {
	tests := []struct {
		share float64
		want  string
	}{
		{0, "    "}, {-1, "    "}, {math.NaN(), "    "}, {1, "████"}, {2, "████"}, {math.Inf(1), "████"},
		{0.5, "██  "}, {0.25 + 1./32, "█▏  "}, {0.75 - 1./32, "██▉ "},
	}
	for _, test := range tests {
		if got := Bar(test.share, 4); got != test.want {
			t.Errorf("a bar of %v is %q, want %q", test.share, got, test.want)
		}
	}
	if got := Bar(1, 0); got != "" {
		t.Errorf("a bar without width is %q", got)
	}
}

func TestSparkline(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		values []float64
		width  int
		want   string
	}{
		{nil, 5, ""},
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8}, 8, "▁▂▃▄▅▆▇█"},
		{[]float64{8, 1}, 8, "█▁"},
		{[]float64{2, 2}, 8, "▄▄"},
		{[]float64{1, nan, 2, math.Inf(1)}, 8, "▁ █ "},
		{[]float64{1, 1, 99, 8, 8, 8}, 2, "▁█"}, // medians: an outlier in a column is not seen
		{[]float64{nan, nan, 1, 2}, 2, " ▄"},
		{[]float64{-math.MaxFloat64, math.MaxFloat64}, 2, "▁█"},
		{[]float64{1, 2}, 0, ""},
	}
	for _, test := range tests {
		if got := Sparkline(test.values, test.width); got != test.want {
			t.Errorf("%v in %d columns is %q, want %q", test.values, test.width, got, test.want)
		}
	}
}

func TestMessages(t *testing.T) {
	var out strings.Builder
	m := NewMessages(&out, "rtcompare", Styles{}, false)
	inner := WithHint(errors.New("no such command"), "is it on the PATH?")
	m.Error(fmt.Errorf("a: %w", WithHint(errors.Join(inner, WithHint(errors.New("b\x1b[2J"), "is it on the PATH?")), "see --help")))
	m.Error(nil)
	m.Warningf("load %d\n%s", 7, "on 2 CPUs\n")
	m.Notef("kept in %s", "x")
	want := "rtcompare: error: a: no such command\n  b␛[2J\nhint: see --help\nhint: is it on the PATH?\n" +
		"rtcompare: warning: load 7\n  on 2 CPUs\nrtcompare: note: kept in x\n"
	if out.String() != want {
		t.Errorf("it says\n%s\nwant\n%s", out.String(), want)
	}
	out.Reset()
	m = NewMessages(&out, "rtcompare", Styles{Color: true}, true)
	m.Notef("nobody wants to know")
	m.Error(errors.New("x"))
	m.Hintf("y")
	if got, want := out.String(), "rtcompare: \x1b[1m\x1b[31merror:\x1b[39m\x1b[22m x\n\x1b[1mhint:\x1b[22m y\n"; got != want {
		t.Errorf("quiet and in colour it says %q, want %q", got, want)
	}
}

func TestHints(t *testing.T) {
	base := errors.New("base")
	err := WithHint(base, "do it")
	if err.Error() != "base" || !errors.Is(err, base) {
		t.Errorf("the hint changes the error to %v", err)
	}
	if WithHint(nil, "x") != nil || Hints(nil) != nil || Hints(base) != nil {
		t.Error("a hint comes from nothing")
	}
	if got := Hints(err); len(got) != 1 || got[0] != "do it" {
		t.Errorf("hints %q", got)
	}
}
