package cli

import (
	"context"
	"math"
	"os"

	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/term"
	"github.com/rtcompare/rtcompare/internal/view"
)

// watcher shows how a run goes.
type watcher struct {
	live *term.Live
	plan comparison.Plan
}

// watch begins to show a run: lines that move on a terminal, a line now and then
// elsewhere, nothing if quiet.
func (a *App) watch(plan comparison.Plan, f *common) *watcher {
	stream, size := a.stderrStream()
	return &watcher{plan: plan, live: term.NewLive(context.Background(), a.Stderr, term.LiveOptions{
		Escapes: stream.Escapes && !f.still, Quiet: f.quiet || f.silent, Size: size,
	})}
}

// stderrStream says what standard error can do, and how large it is.
func (a *App) stderrStream() (stream term.Stream, size func() (int, int)) {
	if file, ok := a.Stderr.(*os.File); ok {
		return term.Inspect(file, a.getenv), func() (int, int) { return term.Size(file) }
	}
	return term.Stream{}, nil
}

// stdoutStream says what standard output can do.
func (a *App) stdoutStream() term.Stream {
	if file, ok := a.Stdout.(*os.File); ok {
		return term.Inspect(file, a.getenv)
	}
	return term.Stream{}
}

func (w *watcher) progress(p comparison.Progress) {
	s := w.plan.Settings
	live := view.Live{
		Name: s.Name, Stage: string(p.Stage), Unit: p.Units, Units: p.Planned, Runs: p.Runs,
		Elapsed: p.Elapsed, Patient: s.Patient, Margin: math.Log1p(w.margin()),
	}
	if s.Runs == 0 {
		live.Left = p.Left
	}
	for _, j := range p.Judgements {
		live.Pairs = append(live.Pairs, view.Difference{A: view.Letter(j.Base), B: view.Letter(j.Arm), LogRatio: j.LogRatio, Low: j.Low, High: j.High})
	}
	w.live.Update(live.Line())
}

func (w *watcher) margin() float64 {
	if len(w.plan.Arms) != 2 {
		return 0
	}
	return w.plan.Settings.Margin
}

func (w *watcher) close() { _ = w.live.Close() }
