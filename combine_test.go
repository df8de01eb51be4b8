package rtcompare

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// process is a report of one process by hand: a difference and half the width
// of its interval.
func process(delta, half float64) Report {
	return Report{Estimate: Estimate{Delta: delta, Low: delta - half, High: delta + half, Level: 0.95}, Validated: true, NoiseFloor: 0.005}
}

func processes(half float64, deltas ...float64) []Report {
	reports := make([]Report, len(deltas))
	for i, d := range deltas {
		reports[i] = process(d, half)
	}
	return reports
}

func combined(t *testing.T, reports []Report) Pooled {
	t.Helper()
	p, err := Combine(reports, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCombineByHand(t *testing.T) {
	deltas := []float64{0.10, 0.11, 0.12, 0.13, 0.14}
	p := combined(t, processes(0.002, deltas...))
	logs := make([]float64, len(deltas))
	for i, d := range deltas {
		logs[i] = -math.Log(1 - d)
	}
	mean, low, high := stat.MeanInterval(logs, 0.95)
	if !near(p.Delta, 1-math.Exp(-mean), 1e-12) || !near(p.Low, 1-math.Exp(-low), 1e-12) || !near(p.High, 1-math.Exp(-high), 1e-12) {
		t.Errorf("%v [%v, %v]", p.Delta, p.Low, p.High)
	}
	// On the scale of shares it is close to the plain mean and its t interval.
	if !near(p.Delta, 0.12, 0.001) || !near(p.Low, 0.10, 0.001) || !near(p.High, 0.14, 0.001) {
		t.Errorf("%v [%v, %v]", p.Delta, p.Low, p.High)
	}
	if !near(p.SpreadBetween, 0.0158114, 1e-6) || !near(p.SpreadWithin, 0.002/1.959964, 1e-6) || !near(p.Inflation, 15.495, 0.01) {
		t.Errorf("between %v, within %v, inflation %v", p.SpreadBetween, p.SpreadWithin, p.Inflation)
	}
	if p.Processes != 5 || p.FirstStage != 0 || p.Level != 0.95 || !p.Validated || !p.Resolved || p.Decision.Verdict != AFaster {
		t.Errorf("%+v", p)
	}
	// Q is the sum of squared distances over the squared error, I² what of it is
	// more than the four degrees of freedom.
	if q := 4 * 15.495 * 15.495; !near(p.Q, q, q*0.01) || !near(p.I2, (p.Q-4)/p.Q, 1e-12) {
		t.Errorf("Q %v, I² %v", p.Q, p.I2)
	}
	if !warned(p.Warnings, "processes scatter 15.5 times as widely as one process's interval says") || len(p.Warnings) != 1 {
		t.Errorf("warnings %q", p.Warnings)
	}
}

// With A and B swapped every number is mirrored on the scale of ratios.
func TestCombineMirrors(t *testing.T) {
	deltas := []float64{0.1, 0.25, 0.18, 0.3, 0.22, 0.15}
	mirrored := make([]float64, len(deltas))
	for i, d := range deltas {
		mirrored[i] = 1 - 1/(1-d)
	}
	there, back := combined(t, processes(0.01, deltas...)), combined(t, processes(0.01, mirrored...))
	if !near((1-there.Delta)*(1-back.Delta), 1, 1e-12) || !near((1-there.Low)*(1-back.High), 1, 1e-12) || !near((1-there.High)*(1-back.Low), 1, 1e-12) {
		t.Errorf("%v [%v, %v] became %v [%v, %v]", there.Delta, there.Low, there.High, back.Delta, back.Low, back.High)
	}
	if there.Decision.Verdict != AFaster || back.Decision.Verdict != BFaster || !near(there.Decision.PValue, back.Decision.PValue, 1e-12) || !near(there.Decision.LogRatio, -back.Decision.LogRatio, 1e-12) {
		t.Errorf("%+v became %+v", there.Decision, back.Decision)
	}
}

func TestCombineOfAgreeingProcesses(t *testing.T) {
	p := combined(t, processes(0.02, 0.2, 0.201, 0.199, 0.2, 0.2))
	if p.I2 != 0 || p.Inflation > 1 || p.Q > 1 || len(p.Warnings) != 0 || !p.Resolved {
		t.Errorf("%+v", p)
	}
	equal := combined(t, processes(0.02, 0.2, 0.2, 0.2))
	if equal.SpreadBetween > 1e-15 || !near(equal.Low, 0.2, 1e-12) || !near(equal.High, 0.2, 1e-12) || equal.Inflation > 1e-12 {
		t.Errorf("%+v", equal)
	}
	// Processes that agree closely, without a decision of their own, are
	// equivalent by the default margin, and then no warning says otherwise.
	same := processes(0.002, 0.0001, -0.0001, 0.0002, -0.0002, 0)
	for i := range same {
		same[i].NoiseFloor = 0.02
	}
	if p := combined(t, same); p.Decision.Verdict != Equivalent || len(p.Warnings) != 0 || p.Resolved {
		t.Errorf("%v, warnings %q", p.Decision.Verdict, p.Warnings)
	}
	// Intervals without a width say nothing about heterogeneity.
	thin := combined(t, processes(0, 0.2, 0.21, 0.19))
	if !math.IsNaN(thin.Q) || !math.IsNaN(thin.I2) || thin.Inflation != 0 || thin.SpreadWithin != 0 {
		t.Errorf("%+v", thin)
	}
}

func TestCombineErrors(t *testing.T) {
	good := processes(0.01, 0.1, 0.2, 0.3, 0.15)
	with := func(change func(r *Report)) []Report {
		reports := slices.Clone(good)
		change(&reports[2])
		return reports
	}
	tests := []struct {
		name    string
		reports []Report
		level   float64
		want    string
	}{
		{"none", nil, 0, "0 reports"},
		{"two", good[:2], 0, "2 reports are too few to pool, at least 3"},
		{"negative level", good, -0.5, "level is -0.5"},
		{"level of one", good, 1, "level is 1"},
		{"level NaN", good, math.NaN(), "level is NaN"},
		{"difference NaN", with(func(r *Report) { r.Estimate.Delta = math.NaN() }), 0, "report 2"},
		{"infinite bound", with(func(r *Report) { r.Estimate.Low = math.Inf(-1) }), 0, "report 2"},
		{"all of B's time", with(func(r *Report) { r.Estimate.Delta = 1 }), 0, "report 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Combine(tt.reports, tt.level); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v does not say %q", err, tt.want)
			}
		})
	}
	for _, first := range []int{-1, 0, 2, 5} {
		if _, err := CombineStaged(good, first, 0); err == nil || !strings.Contains(err.Error(), "between 3 and the 4 reports") {
			t.Errorf("first stage of %d: error %v", first, err)
		}
	}
}

func TestCombineWarnings(t *testing.T) {
	far := []float64{0.2, 0.21, 0.19, 0.205, 0.195}
	change := func(reports []Report, changes func(i int, r *Report)) []Report {
		for i := range reports {
			changes(i, &reports[i])
		}
		return reports
	}
	tests := []struct {
		name    string
		reports []Report
		phrase  string
		want    bool
	}{
		{"few processes", processes(0.02, far[:4]...), "only 4 processes were pooled; 5 or more", true},
		{"five processes", processes(0.02, far...), "only", false},
		{"not validated", change(processes(0.02, far...), func(i int, r *Report) { r.Validated = i != 3 }), "not every process measured identical code", true},
		{"below the floor", change(processes(0.02, far...), func(_ int, r *Report) { r.NoiseFloor = 0.3 }), "does not exceed the noise floor of 30.0%", true},
		{"zero inside", processes(0.02, 0.1, -0.1, 0.05, -0.05, 0.01), "the interval includes zero", true},
		{"zero outside", processes(0.02, far...), "the interval includes zero", false},
		{"wide scatter", processes(0.001, far...), "times as widely as one process's interval says", true},
		{"narrow scatter", processes(0.02, far...), "times as widely", false},
		{"both directions resolved", change(processes(0.02, 0.2, 0.2, -0.2, 0.2, 0.2), func(_ int, r *Report) { r.Resolved = true }), "some processes resolved A as faster and others as slower", true},
		{"one direction resolved", change(processes(0.02, far...), func(_ int, r *Report) { r.Resolved = true }), "some processes resolved", false},
		{"a sleep", change(processes(0.02, far...), func(i int, r *Report) {
			if i == 1 {
				r.Suspended = time.Minute
			}
		}), "process 1 was suspended for about 1m0s", true},
		{"identical code leans to one side", change(processes(0.02, far...), func(i int, r *Report) {
			r.ValidationA.Deltas = []float64{0.004 + float64(i)*1e-5, 0.004}
		}), "identical code differed by +0.401% in the same direction", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if p := combined(t, tt.reports); warned(p.Warnings, tt.phrase) != tt.want {
				t.Errorf("warnings %q", p.Warnings)
			}
		})
	}
}

func TestCombineFloor(t *testing.T) {
	deltas := []float64{0.0030, 0.0031, 0.0029, 0.0030, 0.0032, 0.0028}
	around := func(mean float64) []Report {
		reports := processes(0.001, deltas...)
		for i := range reports {
			wobble := 1e-4 * float64(i%3-1)
			reports[i].ValidationA.Deltas = []float64{mean + wobble, mean - 0.002}
			reports[i].ValidationB.Deltas = []float64{mean + 0.002, mean + wobble}
		}
		return reports
	}
	tests := []struct {
		name     string
		reports  []Report
		resolved bool
		bias     float64
		floor    float64 // lower bound
	}{
		{"identical code centres on zero", around(0), true, 0, 0},
		{"identical code differs by 0.4 %", around(0.004), false, 0.004, 0.004},
		{"no differences are known", processes(0.001, deltas...), false, 0, 0.005},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := combined(t, tt.reports)
			if p.Resolved != tt.resolved || !near(p.Bias, tt.bias, 1e-4) || p.NoiseFloor < tt.floor || p.NoiseFloor > tt.floor+0.001 {
				t.Errorf("resolved %v, bias %v, floor %v", p.Resolved, p.Bias, p.NoiseFloor)
			}
		})
	}
	// Where one process has none, the median of the floors it is.
	mixed := around(0)
	mixed[0].ValidationA.Deltas, mixed[0].ValidationB.Deltas = nil, nil
	if p := combined(t, mixed); p.NoiseFloor != 0.005 || p.Bias != 0 {
		t.Errorf("floor %v", p.NoiseFloor)
	}
}

func TestPrecise(t *testing.T) {
	p := Pooled{Delta: 0.2, Low: 0.18, High: 0.22}
	for _, tt := range []struct {
		abs, rel float64
		want     bool
	}{{0.021, 0, true}, {0.019, 0, false}, {0, 0.11, true}, {0, 0.09, false}, {0, 0, false}} {
		if got := p.Precise(tt.abs, tt.rel); got != tt.want {
			t.Errorf("Precise(%v, %v) = %v", tt.abs, tt.rel, got)
		}
	}
}

// The decisions of real reports are what is pooled, where there are some.
func TestCombinePoolsDecisions(t *testing.T) {
	reports := processes(0.01, 0.5, 0.5, 0.5, 0.5, 0.5)
	for i := range reports {
		x := 0.1 + 0.001*float64(i)
		reports[i].Decision = Decision{Verdict: AFaster, LogRatio: x, Low: x - 0.01, High: x + 0.01, Level: 0.99, Margin: 0.02}
	}
	p := combined(t, reports)
	if !near(p.Decision.LogRatio, 0.102, 1e-12) || !near(p.Delta, 1-math.Exp(-0.102), 1e-12) || p.Decision.Margin != 0.02 {
		t.Errorf("%+v", p.Decision)
	}
	// The level of each report's own interval counts for its error.
	if want := 0.01 / stat.NormalQuantile(0.995); !near(p.SpreadWithin, want*math.Exp(-0.102), 1e-4) {
		t.Errorf("within %v, want about %v", p.SpreadWithin, want)
	}
	for i := range reports {
		reports[i].Decision.LogRatio, reports[i].Decision.Verdict = 1e-4*float64(i-2), Equivalent
	}
	if p = combined(t, reports); p.Decision.Verdict != Equivalent || p.Resolved || warned(p.Warnings, "includes zero") {
		t.Errorf("%+v, warnings %q", p.Decision, p.Warnings)
	}
}
