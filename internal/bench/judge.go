package bench

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/stat"
)

// The stages in the record.
const (
	screenStage = iota
	judgeStage
)

// screen measures all rows briefly. It only chooses which are judged.
func (r *run) screen(ctx context.Context) error {
	start := r.env.Now()
	plan := r.result.Plan
	rows := r.live()
	if plan.Rows < len(rows) {
		for _, row := range rows[plan.Rows:] {
			row.LeftOut = true
		}
		rows = rows[:plan.Rows]
	}
	for index := range r.layoutsOf(plan.ScreenLayouts) {
		for i, row := range rows {
			if row.Failed != nil {
				continue
			}
			r.watch(StageScreen, row.Name, index*len(rows)+i, plan.ScreenLayouts*len(rows))
			limit := r.share(start, plan.ScreenTime, index*len(rows)+i, plan.ScreenLayouts*len(rows))
			if err := r.failed(ctx, row, r.visit(ctx, row, screenStage, index, limit)); err != nil {
				return err
			}
		}
	}
	for _, row := range rows {
		if ratios := r.ratios(row, screenStage); len(ratios) > 0 {
			row.Screened, _ = stat.MeanAndSD(ratios)
		}
		r.fill(row)
	}
	r.result.Screened = r.env.Now() - start
	return nil
}

// share is the time for the next visit, so that all of them together keep to the
// plan although some take longer: as much as the rest allows.
func (r *run) share(start, planned time.Duration, done, total int) time.Duration {
	left := time.Duration(total)*planned - (r.env.Now() - start)
	return min(planned, max(shortestScreen, left/time.Duration(max(1, total-done))))
}

// policy is how a row is judged at an error rate.
func (r *run) policy(row *rowRun, errorRate float64) judge.Policy {
	p := judge.Policy{Row: row.Key(), Arm: changed, Metric: judge.Wall, ErrorRate: errorRate, Margin: math.Log1p(r.options.Margin)}
	if row.Collections {
		p.Purpose = record.Cost
	}
	return p
}

func (r *run) ratios(row *rowRun, stage int) []float64 {
	return judge.LayoutRatios(r.stageUnits(row, stage), r.policy(row, r.options.ErrorRate))
}

// chosen are the rows that are judged: those farthest from zero.
func (r *run) chosen() []*rowRun {
	rows := slices.DeleteFunc(r.live(), func(row *rowRun) bool { return row.LeftOut })
	if len(rows) <= r.result.Plan.Judged || r.result.Plan.ScreenLayouts == 0 {
		return rows[:min(len(rows), r.result.Plan.Judged)]
	}
	slices.SortStableFunc(rows, func(a, b *rowRun) int { return cmp.Compare(r.standsOut(b), r.standsOut(a)) })
	return rows[:r.result.Plan.Judged]
}

func (r *run) standsOut(row *rowRun) float64 {
	switch {
	case math.IsNaN(row.Screened):
		return math.Inf(-1)
	case r.options.Slowest:
		return row.Screened
	}
	return math.Abs(row.Screened)
}

// judge measures the chosen rows on fresh layouts and judges these alone. All
// rows take turns on a layout, so that none has the machine at one time only.
func (r *run) judge(ctx context.Context) error {
	start := r.env.Now()
	plan := r.result.Plan
	rows := r.chosen()
	layouts := r.layoutsOf(plan.Layouts)
	for index := range layouts {
		for i, row := range rows {
			if row.Failed != nil {
				continue
			}
			r.watch(StageJudging, row.Name, index*len(rows)+i, layouts*len(rows))
			limit := r.share(start, plan.JudgeTime, index*len(rows)+i, layouts*len(rows))
			if err := r.failed(ctx, row, r.visit(ctx, row, judgeStage, index, limit)); err != nil {
				r.conclude(rows)
				return err
			}
		}
	}
	r.result.Judged = r.env.Now() - start
	r.conclude(rows)
	return nil
}

// conclude judges what was measured, with one error rate over all rows (Holm).
func (r *run) conclude(rows []*rowRun) {
	var judged []*rowRun
	var ratios [][]float64
	var pValues []float64
	for _, row := range rows {
		found := r.ratios(row, judgeStage)
		if row.Failed != nil || len(found) == 0 {
			continue
		}
		judged, ratios = append(judged, row), append(ratios, found)
		pValues = append(pValues, judge.JudgeLayouts(found, r.policy(row, r.options.ErrorRate)).PValue)
	}
	for i, rate := range judge.Holm(pValues, r.options.ErrorRate) {
		j := judge.JudgeLayouts(ratios[i], r.policy(judged[i], rate))
		judged[i].Judgement, judged[i].Layouts = &j, len(ratios[i])
	}
	for _, row := range r.rows {
		r.fill(row)
	}
	r.suite()
}

// suite is the mean over rows: the judged ratio where there is one, else that of
// the screening.
func (r *run) suite() {
	var ratios []float64
	for _, row := range r.rows {
		switch {
		case row.Failed != nil:
		case row.Judgement != nil:
			ratios = append(ratios, row.Judgement.LogRatio)
		case !math.IsNaN(row.Screened):
			ratios = append(ratios, row.Screened)
		}
	}
	if len(ratios) > 1 {
		r.result.SuiteRatio, r.result.SuiteLow, r.result.SuiteHigh = stat.MeanInterval(ratios, 1-r.options.ErrorRate)
	}
}
