package simulation

import (
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/record"
)

func delayRow(name string, truth float64, seen []path) []any {
	first := func(v record.Verdict) float64 {
		return trial.Share(seen, func(p path) bool { return p.first == v })
	}
	right := first(record.Slower)
	units := trial.Mean(seen, func(p path) float64 {
		if p.first == record.Slower {
			return float64(p.firstAt)
		}
		return 0
	}) / right
	return []any{
		name, sheet.Percent(truth), sheet.Percent(right), sheet.Percent(first(record.Faster)), sheet.Percent(first(record.Equivalent)),
		sheet.Percent(trial.Share(seen, func(p path) bool { return p.firstAt == 0 })), units,
	}
}
