package published_test

import (
	"time"

	"github.com/rtcompare/rtcompare"
)

// The second half of the program in program_test.go: what the results of
// a measurement let their reader see, and the random numbers.

func validations() {
	type (
		candidate  = rtcompare.Candidate
		options    = rtcompare.ValidationOptions
		validation = rtcompare.HarnessValidation
	)
	is[func(candidate, options) (validation, error)](rtcompare.ValidateHarness)
	is[func(a, b candidate, opt options) (validation, validation, error)](rtcompare.ValidatePair)

	v := validation{
		Runs: 40, InnerLoops: 1, NoiseFloor: 0.01, MaxObservedNoise: 0.02, TypicalNoise: 0.005,
		MeanConfidence: 0.5, MedianConfidence: 0.5, TieRate: 0, FalseSignalRate: 0, Level: 0.95,
		DriftRate: 0, MedianDriftShift: 0, Autocorrelation: 0,
		Deltas: []float64{0}, Confidences: []float64{0.5},
	}
	is[func(float64) bool](v.Resolves)
	is[func() string](v.String)
}

func drift() {
	is[func([]float64) (rtcompare.DriftReport, error)](rtcompare.DetectDrift)
	d := rtcompare.DriftReport{
		N: 11, Spearman: 0.1, Z: 0.3, PValue: 0.7, FirstHalf: 1, SecondHalf: 1, RelativeShift: 0,
	}
	is[func(float64) bool](d.Drifted)
	is[func() string](d.String)
}

func reports() {
	var r rtcompare.Report
	is[[]float64]([]float64{r.NsPerOpA, r.NsPerOpB, r.NoiseFloor, r.Autocorrelation, r.Quantization})
	is[[]float64](append(r.SamplesA, r.SamplesB...))
	is[rtcompare.Estimate](r.Estimate)
	is[rtcompare.Confidences](r.Confidence)
	is[[]bool]([]bool{r.Validated, r.Resolved})
	is[[]rtcompare.HarnessValidation]([]rtcompare.HarnessValidation{r.ValidationA, r.ValidationB})
	is[[]rtcompare.DriftReport]([]rtcompare.DriftReport{r.DriftA, r.DriftB, r.DriftRatio})
	is[[]uint64]([]uint64{r.Seed, r.LiveHeap})
	is[int](r.BlockLength)
	is[time.Duration](r.Suspended)
	is[[]string](r.Warnings)
	is[func() string](r.String)
}

func pooling() {
	type reports = []rtcompare.Report
	is[func(reports, float64) (rtcompare.Pooled, error)](rtcompare.Combine)
	is[func(reports, int, float64) (rtcompare.Pooled, error)](rtcompare.CombineStaged)

	p := rtcompare.Pooled{
		Processes: 6, Delta: 0.1, Low: 0.05, High: 0.15, FirstStage: 6, Level: 0.95,
		SpreadBetween: 0.01, SpreadWithin: 0.01, Inflation: 1, Q: 1, I2: 0,
		Validated: true, Bias: 0, NoiseFloor: 0.01, Resolved: true, Warnings: nil,
	}
	is[func(abs, rel float64) bool](p.Precise)
	is[func(abs, rel float64) int](p.ProcessesFor)
	is[func() string](p.String)
}

func spacers() {
	s := rtcompare.PerturbHeap(1)
	is[*rtcompare.Spacers](s)
	is[func() int](s.Bytes)
	defer s.KeepAlive()
}

// draws holds the two generators as a user keeps them: one by pointer, one by value.
type draws struct {
	c *rtcompare.CPRNG
	d rtcompare.DPRNG
}

func (g *draws) all() {
	g.c, g.d = rtcompare.NewCPRNG(8192), rtcompare.NewDPRNG(1)

	type swap = func(i, j int)
	is[[]func() float32]([]func() float32{g.c.Float32, g.d.Float32})
	is[[]func() float64]([]func() float64{g.c.Float64, g.d.Float64})
	is[[]func() int8]([]func() int8{g.c.Int8, g.d.Int8})
	is[[]func() int16]([]func() int16{g.c.Int16, g.d.Int16})
	is[[]func() int32]([]func() int32{g.c.Int32, g.d.Int32})
	is[[]func() int64]([]func() int64{g.c.Int64, g.d.Int64})
	is[[]func() uint8]([]func() uint8{g.c.Uint8, g.d.Uint8})
	is[[]func() uint16]([]func() uint16{g.c.Uint16, g.d.Uint16})
	is[[]func() uint32]([]func() uint32{g.c.Uint32, g.d.Uint32})
	is[[]func() uint64]([]func() uint64{g.c.Uint64, g.d.Uint64})
	is[[]func(uint32) uint32]([]func(uint32) uint32{g.c.Uint32N, g.d.Uint32N})
	is[[]func(int, swap)]([]func(int, swap){g.c.Shuffle, g.d.Shuffle})
}
