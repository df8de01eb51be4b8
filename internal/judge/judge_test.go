package judge

import (
	"math"
	"slices"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// repeat is a series of n equal batches.
func repeat(n int, ns int64) []int64 { return slices.Repeat([]int64{ns}, n) }

// ramp is a series of n batches around a value, step apart.
func ramp(n int, around, step int64) []int64 {
	x := make([]int64, n)
	for i := range x {
		x[i] = around + step*int64((i*7)%n-n/2)
	}
	return x
}

// spreadUnits are runs of identical code whose log ratios are ± size.
func spreadUnits(runs int, size float64) []record.Unit {
	units := make([]record.Unit, runs)
	for i := range units {
		second := 1e6 * math.Exp(size)
		if i%2 == 1 {
			second = 1e6 * math.Exp(-size)
		}
		units[i] = unit(record.AA, cell(0, 0, repeat(11, 1e6)...), cell(0, 1, repeat(11, int64(second))...),
			cell(1, 0, repeat(11, 1e6)...), cell(1, 1, repeat(11, int64(second))...))
	}
	return units
}

func TestVerdicts(t *testing.T) {
	base := cell(0, 0, repeat(101, 1_000_000)...)
	arm := func(around, step int64) record.Unit {
		return unit(record.Main, base, cell(1, 0, ramp(101, around, step)...))
	}
	tests := []struct {
		name   string
		units  []record.Unit
		change func(*Policy)
		want   record.Verdict
		within bool
	}{
		{"faster", append(spreadUnits(10, 0.001), arm(900_000, 100)), nil, record.Faster, false},
		{"slower", append(spreadUnits(10, 0.001), arm(1_100_000, 100)), nil, record.Slower, false},
		{"faster by less than the margin", append(spreadUnits(10, 0.0005), arm(996_000, 10)), nil, record.Faster, true},
		{"slower by less than the margin", append(spreadUnits(10, 0.0005), arm(1_004_000, 10)), nil, record.Slower, true},
		{"equivalent", append(spreadUnits(10, 0.001), arm(1_000_000, 10)), nil, record.Equivalent, false},
		{"wide, so inconclusive", append(spreadUnits(10, 0.03), arm(1_010_000, 100)), nil, record.Inconclusive, false},
		{"identical code says no", append(spreadUnits(10, 0.04), arm(1_050_000, 10)), nil, record.Inconclusive, false},
		{"wildly noisy", append(spreadUnits(10, 0.2), arm(1_050_000, 10)), nil, record.Unmeasurable, false},
		{"noisy, but the difference is larger", append(spreadUnits(10, 0.2), arm(3_000_000, 10)), nil, record.Slower, false},
		{"noise within ten margins", append(spreadUnits(10, 0.2), arm(1_050_000, 10)), func(p *Policy) { p.Margin = 0.1 }, record.Inconclusive, false},
		{"unfit wins over everything", append(spreadUnits(10, 0.001), arm(900_000, 100)), func(p *Policy) { p.Unfit = "asleep" }, record.Unmeasurable, false},
		{"mostly ties", append(spreadUnits(10, 0.05), arm(1_000_000, 0)), nil, record.Unmeasurable, false},
		{"mostly ties, but certainly equal", append(spreadUnits(10, 0.001), arm(1_000_000, 0)), nil, record.Equivalent, false},
		{"a coarse clock proves nothing", append(spreadUnits(10, 0.001), arm(1_020_000, 10)), func(p *Policy) { p.Tick = 20_000 }, record.Inconclusive, false},
		{"a step beyond the clock's proves something", append(spreadUnits(10, 0.001), arm(1_040_000, 10)), func(p *Policy) { p.Tick = 20_000 }, record.Slower, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := policy()
			if tt.change != nil {
				tt.change(&p)
			}
			j := Judge(tt.units, p)
			if j.Verdict != tt.want || j.WithinMargin != tt.within {
				t.Errorf("%s, within %v; %+v", j.Verdict, j.WithinMargin, j)
			}
			consistent(t, tt.units, p, j)
			if p.Unfit != "" {
				if _, said := codes(j)[p.Unfit]; !said {
					t.Error("no warning says why")
				}
			}
		})
	}
}

func TestNoEvidence(t *testing.T) {
	tests := []struct {
		name  string
		units []record.Unit
		code  string
	}{
		{"no units", nil, CodeFewUnits},
		{"only identical code", spreadUnits(5, 0.01), CodeFewUnits},
		{"an empty unit", []record.Unit{unit(record.Main)}, CodeFewUnits},
		{"empty series", []record.Unit{unit(record.Main, cell(0, 0), cell(1, 0))}, CodeFewUnits},
		{"the arm is missing", []record.Unit{unit(record.Main, cell(0, 0, 1, 2, 3))}, CodeFewUnits},
		{"a base without time", []record.Unit{unit(record.Main, cell(0, 0, 0, 0, 0), cell(1, 0, 5, 5, 5))}, CodeNotFinite},
		{"an arm without time", []record.Unit{unit(record.Main, cell(0, 0, 5, 5, 5), cell(1, 0, 0, 0, 0))}, CodeNotFinite},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := Judge(tt.units, policy())
			if _, said := codes(j)[tt.code]; !said || j.Verdict != record.Unmeasurable {
				t.Errorf("%s, %v", j.Verdict, j.Warnings)
			}
			if !math.IsInf(j.Low, -1) || !math.IsInf(j.High, 1) || j.PValue != 1 || !math.IsInf(j.SmallestVisible, 1) {
				t.Errorf("bounds [%v, %v], p %v, visible %v", j.Low, j.High, j.PValue, j.SmallestVisible)
			}
		})
	}
}

// A few batches without time do no harm as long as the median has one.
func TestSomeTimesOfZero(t *testing.T) {
	s := newSource(4)
	units := s.fixed(10, 101, 0.05)
	main := units[len(units)-1]
	for i := range 5 {
		main.Cells[i%2].Wall[10*i] = 0
	}
	j := Judge(units, policy())
	if j.Verdict != record.Slower {
		t.Errorf("%+v", j)
	}
	consistent(t, units, policy(), j)
}

// Two batches of no time are equal, and such pairs are ties.
func TestBothTimesZero(t *testing.T) {
	units := []record.Unit{unit(record.Main, cell(0, 0, repeat(51, 0)...), cell(1, 0, repeat(51, 0)...))}
	j := Judge(units, policy())
	if j.LogRatio != 0 || j.Tied != 1 || j.Verdict == record.Faster || j.Verdict == record.Slower {
		t.Errorf("%+v", j)
	}
}

func TestTruncatedSeriesUseWholePairs(t *testing.T) {
	units := []record.Unit{unit(record.Main, cell(0, 0, 100, 100, 100, 1, 1), cell(1, 0, 110, 110, 110))}
	j := Judge(units, policy())
	if j.Pairs != 3 || !near(j.LogRatio, math.Log(1.1), 1e-12) {
		t.Errorf("%d pairs, log ratio %v", j.Pairs, j.LogRatio)
	}
}

// Cells with different numbers of operations are compared per operation.
func TestDifferentBatchSizes(t *testing.T) {
	double := cell(1, 0, ramp(101, 2_200_000, 100)...)
	double.N = 2000
	units := []record.Unit{unit(record.Main, cell(0, 0, repeat(101, 1_000_000)...), double)}
	if j := Judge(units, policy()); !near(j.LogRatio, math.Log(1.1), 1e-4) || j.Verdict != record.Slower {
		t.Errorf("%+v", j)
	}
	// Equal times of different sizes are no ties.
	double.Wall = repeat(101, 1_000_000)
	if j := Judge(units[:0:0], policy()); j.Tied != 0 {
		t.Errorf("tied %v", j.Tied)
	}
	units[0].Cells[1] = double
	if j := Judge(units, policy()); !near(j.LogRatio, -math.Log(2), 1e-12) || j.Tied != 0 {
		t.Errorf("log ratio %v, tied %v", j.LogRatio, j.Tied)
	}
}

func TestRowsAndPurposesAreSelected(t *testing.T) {
	s := newSource(5)
	fast, slow, cost := s.series(51, -0.1), s.series(51, 0.1), s.series(51, 0.7)
	fast.Row, slow.Row, cost.Row, cost.Purpose = "x", "y", "x", record.Cost
	units := []record.Unit{fast, slow, cost}
	for _, tt := range []struct {
		row     string
		purpose record.Purpose
		want    float64
	}{{"x", "", -0.1}, {"y", record.Main, 0.1}, {"x", record.Cost, 0.7}} {
		p := policy()
		p.Row, p.Purpose = tt.row, tt.purpose
		if j := Judge(units, p); !near(j.LogRatio, tt.want, 0.01) || j.Row != tt.row {
			t.Errorf("row %s, %s: %v", tt.row, tt.purpose, j.LogRatio)
		}
	}
}

// Processor time is judged from its own values.
func TestMetrics(t *testing.T) {
	a, b := cell(0, 0, repeat(51, 1_000_000)...), cell(1, 0, ramp(51, 900_000, 100)...)
	a.CPU, b.CPU = repeat(51, 1_000_000), ramp(51, 1_500_000, 100)
	units := []record.Unit{unit(record.Main, a, b)}
	p := policy()
	wall := Judge(units, p)
	p.Metric = CPU
	cpu := Judge(units, p)
	if wall.Verdict != record.Faster || cpu.Verdict != record.Slower || cpu.Metric != "cpu" {
		t.Errorf("wall %s, cpu %s", wall.Verdict, cpu.Verdict)
	}
	a.CPU, b.CPU = nil, nil
	if j := Judge([]record.Unit{unit(record.Main, a, b)}, p); j.Units != 0 || j.Verdict != record.Unmeasurable {
		t.Errorf("without processor time: %+v", j)
	}
}
