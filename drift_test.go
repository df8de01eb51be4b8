package rtcompare

import (
	"math"
	"strings"
	"testing"
)

func TestDetectDriftErrors(t *testing.T) {
	for name, series := range map[string][]float64{
		"measurements are too few": {1, 2, 3}, "0 measurements": nil,
		"measurement 2 is NaN": {1, 2, math.NaN(), 4}, "measurement 3 is +Inf": {1, 2, 3, math.Inf(1)},
	} {
		if _, err := DetectDrift(series); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v does not say %q", err, name)
		}
	}
}

func TestDetectDriftDirections(t *testing.T) {
	falling := ascending(51, -1)
	for i := range falling {
		falling[i] += 200
	}
	tests := []struct {
		name    string
		series  []float64
		rho     float64
		drifted bool
	}{
		{"rising", ascending(51, 1), 1, true},
		{"falling", falling, -1, true},
		{"constant", constant(51, 7), 0, false},
		{"two levels in turn", []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, 0.14, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := DetectDrift(tt.series)
			if err != nil || d.N != len(tt.series) || !near(d.Spearman, tt.rho, 0.01) || d.Drifted(DriftLevel) != tt.drifted {
				t.Errorf("%+v, error %v", d, err)
			}
			if !near(d.Z, d.Spearman*math.Sqrt(float64(d.N-1)), 1e-12) || !near(d.PValue, math.Erfc(math.Abs(d.Z)/math.Sqrt2), 1e-12) {
				t.Errorf("z %v, p %v", d.Z, d.PValue)
			}
		})
	}
}

func TestDriftShiftIsHalfALinearTrend(t *testing.T) {
	for _, trend := range []float64{0.02, 0.05, 0.10, -0.1} {
		series := make([]float64, 101)
		for i := range series {
			series[i] = 100 * (1 + trend*(float64(i)/100-0.5))
		}
		d, err := DetectDrift(series)
		if err != nil || !near(d.RelativeShift, trend/2, math.Abs(trend)*0.06) || !near(d.FirstHalf*(1+d.RelativeShift), d.SecondHalf, 1e-9) {
			t.Errorf("trend %v: %+v, error %v", trend, d, err)
		}
	}
	// A first half without time has nothing to be compared with.
	if d, err := DetectDrift([]float64{0, 0, 0, 1, 1, 1}); err != nil || d.RelativeShift != 0 || d.SecondHalf != 1 {
		t.Errorf("%+v, error %v", d, err)
	}
}

func TestDriftErrorRateAndPower(t *testing.T) {
	const trials, n = 1000, 101
	r := NewDPRNG(1)
	for _, levels := range []float64{3, 8, 35} {
		found := 0
		for range trials {
			series := make([]float64, n)
			for i := range series {
				series[i] = 100 + math.Floor(levels*r.Float64())
			}
			if d, err := DetectDrift(series); err == nil && d.Drifted(DriftLevel) {
				found++
			}
		}
		if rate := float64(found) / trials; rate < 0.025 || rate > 0.08 {
			t.Errorf("%v levels: %.1f %% of series without a trend drifted", levels, 100*rate)
		}
	}
	found := 0
	for range trials {
		series := make([]float64, n)
		for i := range series {
			series[i] = 100 * (1 + 0.02*float64(i)/n + 0.04*(r.Float64()-0.5))
		}
		if d, err := DetectDrift(series); err == nil && d.Drifted(DriftLevel) {
			found++
		}
	}
	if found < trials*9/10 {
		t.Errorf("a trend of 2 %% in noise of 4 %% was found in %d of %d series", found, trials)
	}
}

func TestAReportOfNoTestNeverDrifted(t *testing.T) {
	for _, level := range []float64{0.05, 1} {
		if (DriftReport{}).Drifted(level) {
			t.Errorf("the zero report drifted at %v", level)
		}
	}
	if got := (DriftReport{}).String(); got != "drift: not tested" {
		t.Error(got)
	}
}

func TestDriftedLevel(t *testing.T) {
	d := DriftReport{N: 11, PValue: 0.05}
	if d.Drifted(0.05) || !d.Drifted(0.051) {
		t.Error("the level has to be undercut")
	}
	got := DriftReport{N: 101, Spearman: 0.5, Z: 5, PValue: 5.7e-7, RelativeShift: -0.013}.String()
	if want := "drift over 101 measurements: rank correlation +0.500 (z +5.00, p 0.0000), second half -1.30%"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
