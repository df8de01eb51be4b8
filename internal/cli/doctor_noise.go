package cli

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
	"github.com/rtcompare/rtcompare/internal/view"
)

// noise is what identical code of one kind showed.
type noise struct {
	Kind string `json:"kind"`
	// Typical and Largest are the median and the largest relative difference
	// that a stretch of identical code showed, Runs how many stretches there
	// were.
	Typical float64 `json:"typical"`
	Largest float64 `json:"largest"`
	Runs    int     `json:"runs"`
	Seconds float64 `json:"seconds"`
	Needs   []need  `json:"needs"`
	Problem string  `json:"problem,omitempty"`
}

// need is the time after which a difference is found nine times in ten; nil
// where it is unknown.
type need struct {
	Difference float64  `json:"difference"`
	Seconds    *float64 `json:"seconds"`
}

// kind is a kind of code, with a fresh instance for every stretch.
type kind struct {
	name string
	new  func() rtcompare.Batch
}

// kinds differ in what disturbs them: other programs' use of the core, of the
// caches and of memory, and the collector.
func kinds() []kind {
	return []kind{{"arithmetic", arithmetic}, {"memory access", memoryAccess}, {"allocation", allocation}}
}

// measureNoise compares identical code of each kind. It shares out the time and
// stops early only where ctx ends.
func measureNoise(ctx context.Context, total time.Duration) []noise {
	all := kinds()
	var found []noise
	for _, k := range all {
		if ctx.Err() != nil {
			break
		}
		found = append(found, k.measure(ctx, total/time.Duration(len(all))))
	}
	return found
}

// spendAll is a precision that no machine reaches, so that a comparison goes on
// for as long as it may.
const spendAll = 1e-9

func (k kind) measure(ctx context.Context, budget time.Duration) noise {
	side := func(name string) rtcompare.Candidate {
		return rtcompare.Candidate{Name: name, New: func() (rtcompare.Batch, func()) { return k.new(), nil }}
	}
	report, err := rtcompare.CompareContext(ctx, side("one"), side("other"), rtcompare.CompareOptions{Budget: budget, Precision: spendAll})
	switch {
	case errors.Is(err, context.Canceled):
		return noise{Kind: k.name, Problem: "interrupted"}
	case err != nil:
		return noise{Kind: k.name, Problem: err.Error()}
	}
	sizes, err := identicalSizes(report)
	if err != nil {
		return noise{Kind: k.name, Problem: err.Error()}
	}
	n := noise{Kind: k.name, Runs: len(sizes), Seconds: report.Protocol.Duration.Seconds()}
	if n.Runs == 0 {
		return noise{Kind: k.name, Problem: "the time was too short; give it more with --time"}
	}
	n.Typical, n.Largest = stat.Median(sizes), slices.Max(sizes)
	for _, size := range view.DoctorSizes() {
		n.Needs = append(n.Needs, need{size, timeNeeded(report, size)})
	}
	return n
}

// identicalSizes returns what each stretch of identical code showed as a relative
// difference, without its sign. The stretches are those that the verdict rests
// on: with their garbage collections where there are any.
func identicalSizes(report rtcompare.Report) ([]float64, error) {
	var file bytes.Buffer
	if err := report.WriteRecord(&file); err != nil {
		return nil, err
	}
	measured, err := record.Read(&file)
	if err != nil {
		return nil, err
	}
	purpose := record.Main
	if report.Decision.Collections {
		purpose = record.Cost
	}
	var sizes []float64
	for _, u := range record.Select(measured.Units, purpose) {
		for arm := range 2 {
			first, second := u.Find(arm, 0), u.Find(arm, 1)
			if first == nil || second == nil {
				continue
			}
			if size := math.Abs(math.Expm1(medianLogRatio(first, second))); !math.IsNaN(size) && !math.IsInf(size, 0) {
				sizes = append(sizes, size)
			}
		}
	}
	return sizes, nil
}

// medianLogRatio is the median over the pairs of two cells of ln(second/first)
// per operation; NaN where there are none.
func medianLogRatio(first, second *record.Cell) float64 {
	var ratios []float64
	for i := range min(len(first.Wall), len(second.Wall)) {
		ratios = append(ratios, math.Log(float64(second.Wall[i])*float64(first.N)/(float64(first.Wall[i])*float64(second.N))))
	}
	if len(ratios) == 0 {
		return math.NaN()
	}
	return stat.Median(ratios)
}

// fewestUnits is after how many units the library looks for the first time.
const fewestUnits = 5

// timeNeeded extrapolates: the difference that a run can find shrinks with the
// root of its time, since units are independent of each other. It is never less
// than the time of the first look. nil is unknown.
func timeNeeded(report rtcompare.Report, difference float64) *float64 {
	smallest, units := report.Decision.SmallestDifference, report.Decision.Units
	seconds := report.Protocol.Duration.Seconds()
	if !(smallest >= 0) || math.IsInf(smallest, 0) || units == 0 {
		return nil
	}
	ratio := smallest / math.Log1p(difference)
	needed := max(seconds*ratio*ratio, fewestUnits*seconds/float64(units))
	return &needed
}

// view hands the figures over to those who have words for them.
func (n noise) view() view.DoctorNoise {
	v := view.DoctorNoise{Kind: n.Kind, Typical: n.Typical, Largest: n.Largest, Problem: n.Problem}
	for _, need := range n.Needs {
		seconds := math.NaN()
		if need.Seconds != nil {
			seconds = *need.Seconds
		}
		v.Needs = append(v.Needs, seconds)
	}
	return v
}

// arithmetic needs a core and nothing else.
func arithmetic() rtcompare.Batch {
	state := uint64(88172645463325252)
	return func(n uint64) {
		for range n {
			state ^= state << 13
			state ^= state >> 7
			state ^= state << 17
		}
	}
}

// memoryAccess follows a chain through four megabytes, more than the caches of
// a core and less than those of a processor hold.
func memoryAccess() rtcompare.Batch {
	const length = 1 << 16
	type line struct {
		next int32
		_    [60]byte // a line of a usual cache
	}
	lines := make([]line, length)
	// Steps of a generator with full period visit every line once (Hull and
	// Dobell 1962).
	at := int32(0)
	for range length {
		next := (at*1664525 + 1013904223) & (length - 1)
		lines[at].next = next
		at = next
	}
	return func(n uint64) {
		for range n {
			at = lines[at].next
		}
	}
}

// allocation makes small objects of 17 sizes, of which 1024 live at a time.
func allocation() rtcompare.Batch {
	var kept [1024][]byte
	i := 0
	return func(n uint64) {
		for range n {
			kept[i%len(kept)] = make([]byte, 16+48*(i%17))
			i++
		}
	}
}
