package rtcompare

import (
	"math"
	"slices"
	"testing"

	"github.com/rtcompare/rtcompare/internal/stat"
)

// disturbed are reports of processes whose identical code differs by about so
// much, as a log ratio, and now and then by very much more.
func disturbed(r *DPRNG, logRatio, bias, share float64, processes, runs int) []Report {
	reports := make([]Report, processes)
	for i := range reports {
		x := logRatio + 0.005*normal(r)
		reports[i] = Report{Validated: true, Decision: Decision{Verdict: Inconclusive, LogRatio: x, Low: x - 0.005, High: x + 0.005, Level: 0.95}}
		for run := range 2 * runs {
			x := bias + 0.004*normal(r)
			if r.Float64() < share {
				x += (0.2 + 1.5*r.Float64()) * float64(1-2*int(r.Uint32N(2)))
			}
			to := &reports[i].ValidationA.Deltas
			if run >= runs {
				to = &reports[i].ValidationB.Deltas
			}
			*to = append(*to, -math.Expm1(-x))
		}
	}
	return reports
}

// swapped are the reports with A and B swapped. Where both instances change
// their places as well, so do the signs of what identical code showed.
func swappedSides(reports []Report, places bool) []Report {
	other := slices.Clone(reports)
	for i := range other {
		d := &other[i].Decision
		d.LogRatio, d.Low, d.High = -d.LogRatio, -d.High, -d.Low
		other[i].ValidationA.Deltas, other[i].ValidationB.Deltas = reports[i].ValidationB.Deltas, reports[i].ValidationA.Deltas
		if places {
			for _, deltas := range []*[]float64{&other[i].ValidationA.Deltas, &other[i].ValidationB.Deltas} {
				*deltas = slices.Clone(*deltas)
				for k, delta := range *deltas {
					(*deltas)[k] = -delta / (1 - delta)
				}
			}
		}
	}
	return other
}

// The floor of a difference is the mirror image of that of the opposite one,
// however identical code was disturbed, and so is what it vetoes.
func TestFloorMirrors(t *testing.T) {
	r := NewDPRNG(17)
	resolved := 0
	for turn := range 400 {
		reports := disturbed(&r, 0.02*normal(&r), 0.003*normal(&r), 0.2*r.Float64(), 3+turn%12, 2+turn%6)
		p := combined(t, reports)
		if p.Resolved {
			resolved++
		}
		for _, places := range []bool{false, true} {
			q := combined(t, swappedSides(reports, places))
			tolerance, sign := 0.0, 1.0
			if places {
				tolerance, sign = 1e-12, -1 // a share and its opposite are rounded
			}
			if !near(p.measured.bias, sign*q.measured.bias, tolerance) || !near(p.measured.bound, q.measured.bound, tolerance) || p.Resolved != q.Resolved {
				t.Fatalf("%+v, resolved %v, became %+v, %v", p.measured, p.Resolved, q.measured, q.Resolved)
			}
			one, other := math.Log1p(-math.Copysign(p.NoiseFloor, p.Delta)), math.Log1p(-math.Copysign(q.NoiseFloor, q.Delta))
			if !near(one, -other, 1e-12) {
				t.Fatalf("a floor of %v became %v", p.NoiseFloor, q.NoiseFloor)
			}
		}
		// The field says the same as the logarithms.
		if above := math.Abs(p.Delta) > p.NoiseFloor; above != p.exceeds {
			t.Fatalf("difference %v, floor %v, exceeds %v", p.Delta, p.NoiseFloor, p.exceeds)
		}
	}
	if resolved < 50 || resolved > 350 {
		t.Errorf("%d of 400 resolved", resolved)
	}
}

// Disturbed runs of identical code veto nothing, whichever side is the faster
// one. 2000 sets of each; a mean over the runs vetoes more than half of these.
func TestDisturbedRunsDoNotVeto(t *testing.T) {
	r := NewDPRNG(3)
	const trials = 2000
	for _, share := range []float64{0, 0.05, 0.10} {
		for _, logRatio := range []float64{math.Log(1.1), -math.Log(1.1), math.Log(2), -math.Log(2)} {
			vetoes := 0
			for range trials {
				if p := combined(t, disturbed(&r, logRatio, 0, share, 6, 7)); !p.Resolved && p.Decision.names() {
					vetoes++
				}
			}
			if vetoes > trials/200 {
				t.Errorf("%.0f %% disturbed, ln(B/A) = %.3f: %d of %d vetoed", 100*share, logRatio, vetoes, trials)
			}
		}
	}
	// One run of one process, in which one half of the pair took five times as
	// long as the other, vetoes no direction.
	for _, delta := range []float64{-4, 0.8} {
		for _, logRatio := range []float64{0.1, -0.1} {
			reports := disturbed(&r, logRatio, 0, 0, 6, 7)
			reports[2].ValidationA.Deltas[4] = delta
			if p := combined(t, reports); !p.Resolved || p.NoiseFloor > 0.01 {
				t.Errorf("ln(B/A) = %v and one run at %v: floor %v", logRatio, delta, p.NoiseFloor)
			}
		}
	}
}

// What identical code shows everywhere is in the floor: it exceeds the bias in
// 97.5 % of runs by its t interval; 2000 sets of each, four standard errors are
// 1.4 points. With disturbed runs it may be larger.
func TestFloorHoldsWhatRepeats(t *testing.T) {
	r := NewDPRNG(29)
	const trials, bias = 2000, 0.004
	for _, processes := range []int{3, 6, 14, 40} {
		for _, share := range []float64{0, 0.1} {
			held := 0
			for range trials {
				if p := combined(t, disturbed(&r, 0, bias, share, processes, 5)); p.measured.log() >= bias {
					held++
				}
			}
			if held := float64(held) / trials; held < 0.955 {
				t.Errorf("%d processes, %.0f %% disturbed: the floor holds the bias in %.1f %%", processes, 100*share, 100*held)
			}
		}
	}
}

func TestTrimmedInterval(t *testing.T) {
	// Of three or four, none is left out: the plain t interval.
	for _, values := range [][]float64{{1, 2, 6}, {4, 1, 3, 2}} {
		mean, _, high := stat.MeanInterval(values, 0.95)
		if f := trimmedInterval(values, 0.95); !near(f.bias, mean, 1e-12) || !near(f.bound, high-mean, 1e-12) {
			t.Errorf("%v: %+v, want %v and %v", values, f, mean, high-mean)
		}
	}
	// Of five, the outer two are: (2 + 3 + 4) / 3. Winsorized they are 2, 2, 3,
	// 4, 4, whose squares about their mean sum up to 4, so the standard error is
	// sqrt(4 / (3 * 2)).
	want := stat.StudentQuantile(0.975, 2) * math.Sqrt(4.0/6)
	if f := trimmedInterval([]float64{3, 1000, 2, -7, 4}, 0.95); !near(f.bias, 3, 1e-12) || !near(f.bound, want, 1e-12) {
		t.Errorf("%+v, want 3 and %v", f, want)
	}
	if f := trimmedInterval([]float64{0.5, 0.5, 0.5, 0.5, 0.5, 9}, 0.95); !near(f.bias, 0.5, 1e-12) || f.bound > 1e-12 {
		t.Errorf("%+v", f)
	}
}

// Reports without the differences of identical code pool as published.
func TestFloorWithoutDifferences(t *testing.T) {
	reports := processes(0.0005, 0.0030, 0.0031, 0.0029, 0.0030, 0.0032)
	for i := range reports {
		reports[i].NoiseFloor = 0.001 * float64(i+1)
	}
	for _, tt := range []struct {
		change   func()
		floor    float64
		resolved bool
	}{
		{func() {}, 0.003, true},
		{func() { reports[0].Validated = false }, 0.0035, false},
		// Differences of which none is finite are none.
		{func() { reports[1].ValidationA.Deltas = []float64{1, math.NaN(), math.Inf(-1)} }, 0.0035, false},
	} {
		tt.change()
		if p := combined(t, reports); !near(p.NoiseFloor, tt.floor, 1e-15) || p.Bias != 0 || p.Resolved != tt.resolved {
			t.Errorf("floor %v, bias %v, resolved %v, want %+v", p.NoiseFloor, p.Bias, p.Resolved, tt)
		}
	}
}
