package simulation

import (
	"math/rand/v2"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// typicalRuns is how many runs the smallest visible difference of a typical one
// is the median of.
const typicalRuns = 201

// Power measures how often a difference as large as the one that a report calls
// the smallest visible is found.
func Power(s Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "power: a true difference as large as a typical run's smallest visible one is called slower, default protocol",
		Nominal: "promised 90%", Trials: s.Trials, ErrorAt: 0.10,
		Columns: []string{"noise", "smallest visible", "found", "wrong direction"},
	}
	for _, m := range s.models(noise.All()...) {
		visible := trial.Run(s.Plan, "smallest visible, "+m.Name, typicalRuns, func(r *rand.Rand) float64 {
			c := trial.Fixed{Noise: m}.Simulate(r)
			return judge.Judge(c.Units, c.Policy).SmallestVisible
		})
		truth := stat.Median(visible)
		seen := trial.Run(s.Plan, "power, "+m.Name, s.Trials, func(r *rand.Rand) record.Verdict {
			c := trial.Fixed{Noise: m, Truth: truth}.Simulate(r)
			return judge.Judge(c.Units, c.Policy).Verdict
		})
		table.Add(m.Name, sheet.Percent(truth),
			sheet.Percent(trial.Share(seen, func(v record.Verdict) bool { return v == record.Slower })),
			sheet.Percent(trial.Share(seen, func(v record.Verdict) bool { return v == record.Faster })))
	}
	return table
}

// Spread counts how often the interval of the ratio of two spreads holds one,
// for two series that scatter alike.
func Spread(s Setup) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "spread: the 95% interval of the ratio of two candidates' spreads (90th percentile minus median) holds 1, identical series",
		Nominal: "nominal 95%", Trials: s.Trials, ErrorAt: 0.05,
		Columns: []string{"times", "length", "covered", "no interval", "median of upper/ratio"},
	}
	for _, kind := range []struct {
		name string
		next func(r *rand.Rand) func() float64
	}{
		{"normal", func(r *rand.Rand) func() float64 { return func() float64 { return 1 + noise.SD*r.NormFloat64() } }},
		{"lognormal", lognormalTimes},
		{"ar0.4", func(r *rand.Rand) func() float64 { return oneSided(noise.AR(0.4).New(r)) }},
	} {
		for _, length := range []int{101, 2000} {
			table.Rows = append(table.Rows, spreadRow(s, kind.name, length, kind.next))
		}
	}
	return table
}
