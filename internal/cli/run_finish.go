package cli

import (
	"errors"
	"io"

	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/render"
	"github.com/rtcompare/rtcompare/internal/term"
)

// finish shows the result of a comparison and keeps it for the files that
// several share.
func (r *fileRun) finish(measured record.Record, plan comparison.Plan, q question, s *fileSides, runErr error) error {
	a, f := r.app, &r.flags.common
	timedOut := measured.End != nil && measured.End.Stopped == comparison.StoppedInterrupted && !a.interrupted()
	if runErr != nil && len(record.Select(measured.Units, record.Main)) == 0 {
		return a.explain(runErr)
	}
	c, err := render.Summarise(measured)
	if err != nil {
		return errors.Join(a.explain(runErr), err)
	}
	r.results = append(r.results, c)
	if plan.Settings.Method == comparison.JZS && plan.Settings.Bayes != nil {
		err = r.finishBayes(measured, plan, q, c, timedOut)
	} else {
		if q.export != "" {
			r.shared[q.export] = append(r.shared[q.export], c)
		}
		if f.format == "text" {
			_, _ = io.WriteString(a.Stdout, term.Clean(q.name)+"\n")
		}
		err = a.print(c, f.format, f.quiet, r.options)
	}
	if err == nil {
		err = a.plot(c, f.plots, r.options)
	}
	if runErr != nil || err != nil {
		return errors.Join(a.explain(runErr), err)
	}
	if !a.interrupted() {
		a.code = worst(a.code, answerCode(measured, plan.Settings, better(measured.Head, plan.Settings.Metric), f.failOn))
	}
	return nil
}
