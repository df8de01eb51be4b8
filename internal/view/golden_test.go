package view

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// go test ./internal/view -update writes the golden files anew. Read what
// changed before committing it.
var update = flag.Bool("update", false, "write the golden files instead of comparing with them")

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	got += "\n"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs.\ngot:\n%s\nwant:\n%s", file, got, want)
	}
}

// plain is the summary of an ordinary comparison by the fixed protocol in which
// A is faster.
func plain() Summary {
	return Summary{
		Difference: Difference{A: "map", B: "slice", LogRatio: 0.1278, Low: 0.1054, High: 0.1508, Level: 0.95},
		NsA:        881.5, NsB: 1001.7, Verdict: "slower", Resolved: true, Margin: 0.01, Validated: true,
		NoiseFloor: 0.0042, Identical: 80, Smallest: 0.0153, PValue: 1e-9, Autocorrelation: 0.04, BlockLength: 1,
		Pairs: 101, Units: 1, CostA: unread(), CostB: unread(), Typical: math.NaN(), Processor: math.NaN(),
		Preempted: 0, SpreadRatio: 1.05, SpreadLow: 0.8, SpreadHigh: 1.4,
	}
}

func unread() Cost { return Cost{-1, -1, -1, -1} }

func TestReport(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Summary)
	}{
		{"faster", func(*Summary) {}},
		{"slower", func(s *Summary) {
			s.LogRatio, s.Low, s.High, s.Verdict = -0.1278, -0.1508, -0.1054, "faster"
		}},
		{"equal", func(s *Summary) {
			s.LogRatio, s.Low, s.High, s.Verdict, s.Resolved = 0, 0, 0, "equivalent", false
		}},
		{"across-zero", func(s *Summary) {
			s.LogRatio, s.Low, s.High, s.Verdict, s.Resolved = 0.002, -0.011, 0.015, "inconclusive", false
			s.Warnings = []string{"both directions remain possible (the interval includes zero)"}
		}},
		{"within-margin", func(s *Summary) {
			s.LogRatio, s.Low, s.High, s.WithinMargin = 0.005, 0.003, 0.007, true
		}},
		{"below-floor", func(s *Summary) { s.Resolved, s.NoiseFloor = false, 0.2 }},
		{"not-validated", func(s *Summary) { s.Validated, s.NoiseFloor, s.Identical = false, 0, 0 }},
		{"unmeasurable", func(s *Summary) {
			s.Verdict, s.Resolved, s.Low, s.High = "unmeasurable", false, math.Inf(-1), math.Inf(1)
			s.Smallest = math.Inf(1)
			s.Warnings = []string{"the machine slept for about 40 s in the middle of the measurement; measure again"}
		}},
		{"blocks", func(s *Summary) { s.BlockLength, s.Autocorrelation = 5, 0.31 }},
		{"sequential", func(s *Summary) {
			s.Sequential, s.Units, s.Pairs, s.LeadIn, s.Duration = true, 12, 2400, 500*time.Microsecond, 2940*time.Millisecond
			s.Level = 0.99
		}},
		{"sequential-without-lead-in", func(s *Summary) {
			s.Sequential, s.Units, s.Pairs, s.Duration = true, 5, 1000, 90*time.Second
		}},
		{"collections", func(s *Summary) {
			s.Sequential, s.Units, s.Pairs, s.Duration, s.Collections = true, 9, 1000, 3*time.Second, true
			s.CostA, s.CostB = Cost{64, 2, 1500, 905.2}, Cost{0, 0, 1010, 1003.4}
			s.Typical, s.Processor = 0.13, -0.4
			s.Verdict, s.Resolved, s.Mixed = "inconclusive", false, true
		}},
		{"spread", func(s *Summary) { s.SpreadRatio, s.SpreadLow, s.SpreadHigh = 3.2, 2.1, 4.9 }},
		{"spread-other-way", func(s *Summary) { s.SpreadRatio, s.SpreadLow, s.SpreadHigh = 0.25, 0.2, 0.5 }},
		{"preempted", func(s *Summary) { s.Preempted = 0.25 }},
		{"processor-time", func(s *Summary) { s.CostA.CPU, s.CostB.CPU = 900, 1100 }},
		{"same-names", func(s *Summary) { s.A, s.B = "sort", "sort" }},
		{"one-unit", func(s *Summary) { s.Sequential, s.Units, s.Pairs, s.Duration = true, 1, 1, time.Second }},
		{"empty", func(s *Summary) { *s = Summary{} }},
		{"thresholds", func(s *Summary) {
			s.Thresholds = []Threshold{{-0.05, 1}, {0, 0.99984}, {0.1, 0.8713}, {0.5, 0}}
			s.Machine = []string{"load 2.1 on 2 processors"}
			s.Warnings = []string{"first", "second"}
		}},
		{"not-judged", func(s *Summary) { s.Verdict = ""; s.Smallest = 0 }},
		{"not-judged-not-resolved", func(s *Summary) { s.Verdict, s.Resolved, s.Smallest = "", false, 0 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := plain()
			tt.change(&s)
			golden(t, "report-"+tt.name, Report(s))
		})
	}
}

func TestPooledReport(t *testing.T) {
	pooled := Pooled{
		Difference: Difference{A: "A", B: "B", LogRatio: 0.1278, Low: 0.1054, High: 0.1508, Level: 0.95}, Processes: 6,
		SpreadBetween: 0.021, SpreadWithin: 0.004, Inflation: 5.25, Unexplained: 0.96,
		Validated: true, Resolved: true, MayReadInflation: true, NoiseFloor: 0.0031,
	}
	tests := []struct {
		name   string
		change func(*Pooled)
	}{
		{"resolved", func(*Pooled) {}},
		{"not-validated", func(p *Pooled) { p.Validated, p.NoiseFloor = false, 0 }},
		{"not-resolved", func(p *Pooled) {
			p.LogRatio, p.Low, p.High, p.Resolved = 0, -0.01, 0.01, false
			p.Warnings = []string{"the interval includes zero, so either candidate may be the faster one"}
		}},
		{"other-way", func(p *Pooled) { p.LogRatio, p.Low, p.High = -0.1278, -0.1508, -0.1054 }},
		{"no-width", func(p *Pooled) {
			p.SpreadWithin, p.Inflation, p.Unexplained, p.MayReadInflation = 0, 0, math.NaN(), false
		}},
		{"no-bounds", func(p *Pooled) {
			p.SpreadWithin, p.Inflation, p.Unexplained, p.MayReadInflation = math.NaN(), 0, math.NaN(), false
		}},
		{"equivalent", func(p *Pooled) {
			p.LogRatio, p.Low, p.High, p.Resolved, p.Equivalent, p.Margin = 0.001, -0.002, 0.004, false, true, 0.01
		}},
		{"within-margin", func(p *Pooled) {
			p.LogRatio, p.Low, p.High, p.WithinMargin, p.Margin = 0.005, 0.004, 0.006, true, 0.01
		}},
		{"mixed", func(p *Pooled) { p.Resolved, p.Mixed = false, true }},
		{"layouts", func(p *Pooled) {
			p.Unit, p.Units, p.Processes = "layout", 8, 24
			p.Sources = []Source{{"within a process", 0.003}, {"between processes", 0.008}, {"between layouts", 0.021}, {"between machines", math.NaN()}}
		}},
		{"agreeing", func(p *Pooled) { p.SpreadBetween, p.Inflation, p.Unexplained = 0.002, 0.5, 0 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := pooled
			tt.change(&p)
			golden(t, "pooled-"+tt.name, PooledReport(p))
		})
	}
}
