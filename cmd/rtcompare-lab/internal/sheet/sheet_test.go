package sheet

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

func TestBarAllowance(t *testing.T) {
	tests := []struct {
		bar       Bar
		met, fail bool
		status    string
	}{
		{Bar{Limit: 0.05, Measured: 0.05, Trials: 2000, Full: 2000, Binding: true}, true, false, "ok"},
		{Bar{Limit: 0.05, Measured: 0.051, Trials: 2000, Full: 2000, Binding: true}, false, true, "MISSED"},
		// Three standard errors at 100 trials are 6.5 points.
		{Bar{Limit: 0.05, Measured: 0.11, Trials: 100, Full: 2000, Binding: true}, true, false, "ok (within 11.54% for so few trials)"},
		{Bar{Limit: 0.05, Measured: 0.12, Trials: 100, Full: 2000, Binding: true}, false, true, "MISSED"},
		{Bar{Limit: 0.93, AtLeast: true, Measured: 0.90, Trials: 100, Full: 2000, Binding: true}, true, false, "ok (within 85.35% for so few trials)"},
		{Bar{Limit: 0.93, AtLeast: true, Measured: 0.80, Trials: 100, Full: 2000, Binding: true}, false, true, "MISSED"},
		{Bar{Limit: 0, Kind: Number, Measured: 1, Trials: 10, Full: 2000}, false, false, "MISSED (on this machine; does not count)"},
		{Bar{Limit: 0.05, Measured: math.NaN(), Trials: 2000, Full: 2000, Binding: true}, false, true, "MISSED"},
	}
	for _, test := range tests {
		if test.bar.Met() != test.met || test.bar.Failed() != test.fail || test.bar.Status() != test.status {
			t.Errorf("%+v: met %v, failed %v, %q", test.bar, test.bar.Met(), test.bar.Failed(), test.bar.Status())
		}
	}
}

func TestText(t *testing.T) {
	s := Sheet{
		Title: "what", Nominal: "nominal 5%", Trials: 100, ErrorAt: 0.05, Columns: []string{"noise", "rate"},
		Notes: []string{"a note"}, Bars: []Bar{{Name: "bar", Limit: 0.05, Measured: 0.04, Trials: 100, Full: 100}},
	}
	s.Add("iid", Percent(0.0425))
	s.Add("unknown", math.NaN())
	var out bytes.Buffer
	if err := s.Text(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"what\n", "100 trials per row; standard error 2.18 points at 5.00%", "iid      4.25%", "unknown  -", "a note", "at most 5.00%  4.00%     100     ok"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}

// TestJSONHoldsNoInfinity: what JSON cannot hold becomes null.
func TestJSONHoldsNoInfinity(t *testing.T) {
	s := Sheet{Columns: []string{"a", "b", "c"}}
	s.Add(math.Inf(1), Percent(math.NaN()), Percent(0.5))
	var out bytes.Buffer
	if err := JSON(&out, &s); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `{"a":null,"b":null,"c":0.5}`) {
		t.Error(out.String())
	}
}

func TestWorst(t *testing.T) {
	if v := Worst([]float64{0.1, 0.3, 0.2}, false); v != 0.3 {
		t.Errorf("largest %g", v)
	}
	if v := Worst([]float64{0.1, 0.3, 0.2}, true); v != 0.1 {
		t.Errorf("smallest %g", v)
	}
	if v := Worst([]float64{0.1, math.NaN()}, true); !math.IsNaN(v) {
		t.Errorf("unknown %g", v)
	}
}
