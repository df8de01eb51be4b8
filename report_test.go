package rtcompare

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// go test . -update writes the golden files anew. Read what changed before
// committing it.
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

// byHand is the report of an ordinary comparison in which A is faster.
func byHand() Report {
	return Report{
		NsPerOpA: 881.5, NsPerOpB: 1001.7, SamplesA: constant(101, 881.5), SamplesB: constant(101, 1001.7),
		Estimate:  Estimate{Delta: 0.12, Low: 0.101, High: 0.139, Level: 0.95, Resamples: 5000, BootstrapMedian: 0.12},
		Validated: true, NoiseFloor: 0.0042, Autocorrelation: 0.04, BlockLength: 1, Seed: 7, Resolved: true,
		ValidationA: HarnessValidation{Deltas: constant(40, 0.001)}, ValidationB: HarnessValidation{Deltas: constant(40, 0.001)},
		Decision: Decision{
			Verdict: AFaster, LogRatio: 0.1278, Low: 0.1054, High: 0.1508, Level: 0.95, PValue: 1e-9, Margin: 0.01,
			SmallestDifference: 0.0153, Units: 1, Pairs: 101, IdenticalRuns: 80, IdenticalSpread: 0.002,
		},
		CostA: Cost{-1, -1, -1, -1, -1}, CostB: Cost{-1, -1, -1, -1, -1},
		Spread:   Spread{1.05, 0.8, 1.4},
		Protocol: Protocol{InnerLoops: 25, PairsPerUnit: 101, Duration: 3 * time.Second, Batches: 202, Tick: 1, ReadCost: 40},
		NameA:    "map", NameB: "slice",
	}
}

func TestReportString(t *testing.T) {
	tests := []struct {
		name   string
		change func(r *Report)
	}{
		{"faster", func(*Report) {}},
		{"slower", func(r *Report) {
			r.Decision.Verdict, r.Decision.LogRatio, r.Decision.Low, r.Decision.High = BFaster, -0.1278, -0.1508, -0.1054
		}},
		{"zero", func(r *Report) {
			r.Decision.Verdict, r.Resolved = Equivalent, false
			r.Decision.LogRatio, r.Decision.Low, r.Decision.High = 0, -0.002, 0.002
		}},
		{"across-zero", func(r *Report) {
			r.Decision.Verdict, r.Resolved = Inconclusive, false
			r.Decision.LogRatio, r.Decision.Low, r.Decision.High = 0.002, -0.015, 0.019
			r.Warnings = []string{"both directions remain possible (the interval includes zero)"}
		}},
		{"within-margin", func(r *Report) {
			r.Decision.WithinMargin = true
			r.Decision.LogRatio, r.Decision.Low, r.Decision.High = 0.005, 0.003, 0.007
		}},
		{"below-floor", func(r *Report) { r.Resolved, r.NoiseFloor = false, 0.3 }},
		{"not-validated", func(r *Report) {
			r.Validated, r.NoiseFloor, r.Decision.IdenticalRuns = false, 0, 0
			r.ValidationA, r.ValidationB = HarnessValidation{}, HarnessValidation{}
		}},
		{"unmeasurable", func(r *Report) {
			r.Decision.Verdict, r.Resolved = Unmeasurable, false
			r.Decision.Low, r.Decision.High, r.Decision.SmallestDifference = math.Inf(-1), math.Inf(1), math.Inf(1)
			r.Warnings = []string{"the machine slept for about 40 s in the middle of the measurement; measure again"}
		}},
		{"mixed", func(r *Report) {
			r.Decision.Verdict, r.Decision.Mixed, r.Decision.Collections, r.Resolved = Inconclusive, true, true, false
			r.Processor = &Decision{Verdict: BFaster, LogRatio: -0.4}
			r.Typical = &Decision{Verdict: AFaster, LogRatio: 0.2}
			r.CostA, r.CostB = Cost{0, 0, 1450, 884.3, 0}, Cost{96, 3, 990, 1005, 11.2}
			sequentially(r)
		}},
		{"collections", func(r *Report) {
			r.Decision.Collections = true
			r.Processor, r.Typical = &Decision{Verdict: AFaster, LogRatio: 0.3}, &Decision{Verdict: BFaster, LogRatio: -0.02}
			r.CostA, r.CostB = Cost{64, 2, 1500, 905.2, 10.5}, Cost{0, 0, 1010, 1003.4, 0}
			sequentially(r)
		}},
		{"thresholds", func(r *Report) {
			r.Confidence = Confidences{{-0.05, 1}, {0, 0.9998}, {0.1, 0.871}, {0.5, 0}}
		}},
		{"blocks", func(r *Report) { r.BlockLength, r.Autocorrelation = 5, 0.31 }},
		{"machine", func(r *Report) {
			r.Machine = []string{"load 2.1 on 2 processors"}
			r.Protocol.Preempted = 50
		}},
		{"no-names", func(r *Report) { r.NameA, r.NameB = "", "" }},
		{"by-estimate", func(r *Report) { *r = process(0.2, 0.02); r.NsPerOpA, r.NsPerOpB, r.Resolved = 80, 100, true }},
		{"empty", func(r *Report) { *r = Report{} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := byHand()
			tt.change(&r)
			golden(t, "report-"+tt.name, r.String())
		})
	}
}

// sequentially makes a report one of a budget.
func sequentially(r *Report) {
	r.Protocol = Protocol{Sequential: true, InnerLoops: 25, LeadIn: 500 * time.Microsecond, LeadInLoops: 500, PairsPerUnit: 400, Decided: true, Duration: 2940 * time.Millisecond, Batches: 9600}
	r.Decision.Units, r.Decision.Pairs, r.Decision.Level = 12, 4800, 0.99
}

func TestPooledString(t *testing.T) {
	tests := []struct {
		name    string
		reports []Report
	}{
		{"scattered", processes(0.002, 0.10, 0.11, 0.12, 0.13, 0.14)},
		{"agreeing", processes(0.02, -0.2, -0.201, -0.199, -0.2, -0.2)},
		{"across-zero", processes(0.02, 0.1, -0.1, 0.05)},
		{"no-width", processes(0, 0.2, 0.21, 0.19, 0.2, 0.2)},
		{"equal", processes(0.001, 0.0011, 0.0009, 0.0012, 0.001, 0.0008)},
		{"not-validated", []Report{{Estimate: Estimate{Delta: 0.2, Low: 0.19, High: 0.21, Level: 0.95}},
			{Estimate: Estimate{Delta: 0.2, Low: 0.19, High: 0.21, Level: 0.95}}, {Estimate: Estimate{Delta: 0.22, Low: 0.2, High: 0.24, Level: 0.95}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { golden(t, "pooled-"+tt.name, combined(t, tt.reports).String()) })
	}
}

func TestValidationString(t *testing.T) {
	golden(t, "validation", HarnessValidation{
		Runs: 40, InnerLoops: 2048, NoiseFloor: 0.0042, MaxObservedNoise: 0.0091, TypicalNoise: 0.0017, MeanConfidence: 0.487,
		MedianConfidence: 0.5, TieRate: 0.0006, FalseSignalRate: 0.075, Level: 0.95, DriftRate: 0.125, MedianDriftShift: 0.0031, Autocorrelation: 0.08,
	}.String())
	golden(t, "validation-empty", HarnessValidation{}.String())
}

// The key phrases that a reader looks for, whatever the layout.
func TestReportPhrases(t *testing.T) {
	r := byHand()
	for _, phrase := range []string{"map", "slice", "less time", "noise floor", "autocorrelation", "RESOLVED", "map is faster than slice", "95"} {
		if !strings.Contains(r.String(), phrase) {
			t.Errorf("no %q in\n%s", phrase, r)
		}
	}
	r.Resolved = false
	if !strings.Contains(r.String(), "NOT RESOLVED") {
		t.Errorf("resolved:\n%s", r)
	}
}
