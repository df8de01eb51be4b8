package machine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/stat"
)

const (
	costPairs     = rtcompare.DefaultRepeats
	costResamples = int(rtcompare.DefaultResamples)
	// costSpells is how often each function is timed; the shortest counts, in
	// which nothing came in between.
	costSpells = 15
)

// StatisticsCost times the statistics, one by one, and all those of a default
// comparison as a share of it.
func StatisticsCost(s Setup) (*sheet.Sheet, error) {
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("statistics-cost: time of statistics at n = %d, the shortest of %d interleaved spells", costPairs, costSpells),
		Columns: []string{"statistic", "time", "against the exact paired interval"},
	}
	r := s.random("cost", 0)
	samples := costSamples{a: lognormal(r, costPairs), b: lognormal(r, costPairs), r: r}
	statistics := samples.statistics()
	times := make([]time.Duration, len(statistics))
	for i := range times {
		times[i] = math.MaxInt64
	}
	for range costSpells {
		for i, f := range statistics {
			start := clock.Now()
			for range f.repeat {
				f.run()
			}
			times[i] = min(times[i], (clock.Now()-start)/time.Duration(f.repeat))
		}
	}
	for i, f := range statistics {
		table.Add(f.name, times[i].String(), fmt.Sprintf("%.1fx", float64(times[i])/float64(times[0])))
	}
	share, rows, err := s.shareOfComparison()
	if err != nil {
		return nil, err
	}
	published := 81 * times[quickselected]
	table.Notes = append(rows, fmt.Sprintf("the published protocol needs 80 + 1 bootstraps of 5,000 resamples: %v with quickselect", published.Round(time.Millisecond)))
	table.Bars = []sheet.Bar{
		{Name: "5,000 sorted resamples / exact paired interval, times as long", Kind: sheet.Number, Limit: 1000, AtLeast: true, Measured: float64(times[resorted]) / float64(times[0])},
		{Name: "all statistics of a default comparison, share of its time", Limit: 0.02, Measured: share},
	}
	return table, nil
}

// The places of two of the statistics.
const (
	resorted      = 1
	quickselected = 2
)

type statistic struct {
	name   string
	repeat int
	run    func()
}

type costSamples struct {
	a, b []float64
	r    *rand.Rand
}

func (c costSamples) statistics() []statistic {
	ratios := make([]float64, len(c.a))
	for i := range ratios {
		ratios[i] = c.a[i] / c.b[i]
	}
	return []statistic{
		{"exact paired interval", 300, func() { keep(stat.BootstrapMedian(ratios, 1).Interval(0.95)) }},
		{"5,000 resamples, sorted", 1, func() { keep(resample(c.r, ratios, sortedMedian)) }},
		{"5,000 resamples, quickselect", 1, func() { keep(resample(c.r, ratios, stat.MedianInPlace)) }},
		{"exact unpaired interval", 20, func() { keepEstimate(rtcompare.EstimateDifference(c.a, c.b, rtcompare.EstimateOptions{})) }},
		{"exact paired interval, blocks of 5", 5, func() { keep(stat.BootstrapMedian(ratios, 5).Interval(0.95)) }},
		{"cosine rank interval", 100, func() { keep(stat.CosineRankInterval(ratios, 0.95)) }},
		{"ratio of spreads", 20, func() { ratio, low, _ := stat.SpreadRatio(c.a, c.b, 0.95); keep(ratio, low) }},
	}
}

// kept makes results reachable.
var kept float64

func keep(low, high float64) { kept += low + high }

func keepEstimate(e rtcompare.Estimate, _ error) { kept += e.Low + e.High }

func lognormal(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Exp(0.03 * r.NormFloat64())
	}
	return x
}

func sortedMedian(x []float64) float64 {
	slices.Sort(x)
	return stat.MedianSorted(x)
}

// resample is the bootstrap by drawing: the interval of the medians of 5,000
// resamples.
func resample(r *rand.Rand, ratios []float64, median func([]float64) float64) (low, high float64) {
	medians := make([]float64, costResamples)
	drawn := make([]float64, len(ratios))
	for i := range medians {
		for k := range drawn {
			drawn[k] = ratios[r.IntN(len(ratios))]
		}
		medians[i] = median(drawn)
	}
	slices.Sort(medians)
	return stat.Quantile(medians, 0.025), stat.Quantile(medians, 0.975)
}

// shareOfComparison runs default comparisons and returns the share of their
// time that passes after the last batch: everything that is computed then,
// from the runs of identical code to the report. It is the median of a few.
func (s Setup) shareOfComparison() (float64, []string, error) {
	const runs = 5
	var shares []float64
	var spent []time.Duration
	for i := range runs {
		batches := arithmetic(nil)
		var measured time.Duration
		opt := rtcompare.CompareOptions{Progress: func(p rtcompare.Progress) {
			if p.Stage == rtcompare.StageResampling {
				measured = clock.Now()
			}
		}}
		start := clock.Now()
		a, b := rtcompare.Candidate{Batch: batches(normalSteps)}, rtcompare.Candidate{Batch: batches(normalSteps)}
		if _, err := s.compare("arithmetic", a, b, opt); err != nil {
			return 0, nil, err
		}
		end := clock.Now()
		shares = append(shares, float64(end-measured)/float64(end-start))
		spent = append(spent, end-measured)
		s.progress("statistics of a default comparison", i+1, runs)
	}
	slices.Sort(spent)
	return stat.Median(shares), []string{fmt.Sprintf("everything computed after the last batch of a default comparison: %v, %s of its time (median of %d)",
		spent[runs/2].Round(10*time.Microsecond), sheet.Format(sheet.Percent(stat.Median(shares))), runs)}, nil
}
