package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/render"
	"github.com/rtcompare/rtcompare/internal/stat/bayes"
	"github.com/rtcompare/rtcompare/internal/view"
)

// measureBayes carries out a comparison by finefile's rule, with its lines.
func (r *fileRun) measureBayes(ctx context.Context, plan comparison.Plan, q question, s *fileSides) (record.Record, error) {
	lines := r.flags.format == "text" && !r.flags.quiet && q.finefile
	if lines {
		fmt.Fprintln(r.app.Stdout, (&view.JZS{Name: q.name, A: view.Side{Name: q.arms[0]}, B: view.Side{Name: q.arms[1]}}).FinefileHeader())
	}
	flags := r.flags.common
	if lines {
		flags.silent = true
		flags.onProgress = func(p comparison.Progress) { r.bayesLine(p, q, *plan.Settings.Bayes) }
	}
	return r.app.measure(ctx, plan, &flags)
}

// bayesLine prints the line of a round: of each of the first, then every tenth.
func (r *fileRun) bayesLine(p comparison.Progress, q question, s comparison.BayesSettings) {
	rounds := len(p.Values)
	if rounds == 0 || rounds != p.Units || (rounds > 10 && rounds%10 != 0) || rounds == r.printed {
		return
	}
	r.printed = rounds
	if j, ok := bayesView(p.Values, s); ok {
		j.Name = q.name
		fmt.Fprintln(r.app.Stdout, j.FinefileProgress(runsOf(p.Values)))
	}
}

func runsOf(units []record.Unit) int {
	runs := 0
	for i := range units {
		for _, cell := range units[i].Cells {
			runs += len(cell.Wall)
		}
	}
	return runs
}

// bayesView is the analysis of rounds as the view has it.
func bayesView(units []record.Unit, s comparison.BayesSettings) (view.JZS, bool) {
	_, analysis, ok := comparison.JudgeBayes(units, s)
	differences := comparison.LogThroughputDifferences(units)
	j := view.JZS{
		Rounds: len(differences), Batches: analysis.Batches, BatchSize: analysis.BatchSize,
		Certainty: s.Certainty, CredibleMass: s.CredibleMass, PriorScale: s.PriorScale, Interleave: "abba",
		LogBF10: analysis.LogFactor, LogRatio: analysis.LogRatio, Low: analysis.Low, High: analysis.High, SD: analysis.Deviation,
		Differences: differences, Different: analysis.Different, MinEffect: s.MinEffect, Practical: analysis.Practical,
	}
	if s.Alternate {
		j.Interleave = "alternate"
	}
	for n := range differences {
		probability := 0.5
		if a, ok := bayes.Analyse(differences[:n+1], s.Rule()); ok {
			probability = a.Different
		}
		j.DifferentByRound = append(j.DifferentByRound, probability)
	}
	j.Verdict = string(bayes.OutOfRounds)
	if verdict := bayes.Decide(analysis, s.Rule()); ok && verdict != bayes.Undecided {
		j.Verdict = string(verdict)
	}
	return j, ok
}

func (r *fileRun) finishBayes(measured record.Record, plan comparison.Plan, q question, c view.Comparison, timedOut bool) error {
	j, ok := bayesView(record.Select(measured.Units, record.Main), *plan.Settings.Bayes)
	j.Name, j.A, j.B = q.name, c.Sides[0], c.Sides[1]
	if timedOut {
		j.Verdict = "timeout"
	}
	if q.export != "" {
		r.bayes[q.export] = append(r.bayes[q.export], j)
	}
	f := &r.flags.common
	switch {
	case f.format != "text":
		return r.app.print(c, f.format, f.quiet, r.options)
	case !ok:
		_, err := io.WriteString(r.app.Stdout, "  too few rounds for an answer\n")
		return err
	case q.finefile:
		_, err := io.WriteString(r.app.Stdout, j.FinefileResult())
		return err
	}
	_, err := io.WriteString(r.app.Stdout, render.JZSText(j, r.options))
	return err
}
