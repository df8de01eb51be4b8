package pooling

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/multiproc"
)

// IdenticalCommand is the hidden sub-command of one pooled comparison.
const IdenticalCommand = "pooled-identical-run"

// IdenticalSetup is what the pooled comparisons of identical structures are
// given.
type IdenticalSetup struct {
	Context     context.Context
	Seed        uint64
	Comparisons int
	Nodes       int
	// Most is the largest number of processes; zero is multiproc's default.
	Most int
	// Fixed is set where so many run in any case.
	Fixed bool
	// Progress, where set, is told how many comparisons are done.
	Progress func(name string, done, total int)
}

// finding is what one pooled comparison found.
type finding struct {
	Verdict                       string
	False                         bool
	Processes                     int
	Precise                       bool
	Delta, Low, High              float64
	SpreadBetween, SpreadWithin   float64
	AboveZero, BelowZero          int
	SingleA, SingleB, Equivalents int
	// LogRatios are those of the processes, in the order of starting.
	LogRatios []float64
	Minutes   float64
}

// Identical pools comparisons of two structures that differ in nothing but their
// place in memory. Each comparison is a run of its own, as a user would start
// it.
func Identical(s IdenticalSetup) (*sheet.Sheet, error) {
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("pooled-identical: two maps of %d nodes with the same content, built separately in every process, on this machine", s.Nodes),
		Nominal: fmt.Sprintf("%d comparisons; the truth is zero", s.Comparisons),
		Columns: []string{"comparison", "pooled verdict", "difference", "low", "high", "processes", "as many as asked for", "between", "own error",
			"single intervals above zero", "below zero", "single verdicts A", "B", "equivalent", "minutes"},
		Notes: []string{
			"single intervals are those of one process's samples alone, single verdicts count its runs of identical code in.",
			"where some of them lie above zero and others below, processes contradict each other; between is their spread, own error what one process says of itself.",
		},
	}
	wrong, contradicted := 0, 0
	for i := range s.Comparisons {
		f, err := s.compare(i)
		if err != nil {
			return nil, fmt.Errorf("comparison %d: %w", i+1, err)
		}
		if f.False {
			wrong++
		}
		if f.AboveZero > 0 && f.BelowZero > 0 {
			contradicted++
		}
		table.Add(i+1, f.Verdict, sheet.Percent(f.Delta), sheet.Percent(f.Low), sheet.Percent(f.High), f.Processes, f.Precise,
			sheet.Percent(f.SpreadBetween), sheet.Percent(f.SpreadWithin),
			f.AboveZero, f.BelowZero, f.SingleA, f.SingleB, f.Equivalents, f.Minutes)
		if s.Progress != nil {
			s.Progress("pooled-identical", i+1, s.Comparisons)
		}
	}
	table.Notes = append(table.Notes, fmt.Sprintf("in %d of %d comparisons single processes contradict each other.", contradicted, s.Comparisons))
	table.Bars = []sheet.Bar{{
		Name: "false pooled verdicts on identical structures, real runs", Limit: 0.1, Measured: float64(wrong) / float64(max(1, s.Comparisons)),
		Trials: s.Comparisons, Full: 10,
	}}
	return table, nil
}

// compare runs one comparison in a process that starts the others.
func (s IdenticalSetup) compare(number int) (f finding, err error) {
	program, err := os.Executable()
	if err != nil {
		return f, fmt.Errorf("finding this program: %w", err)
	}
	run := exec.CommandContext(s.Context, program, IdenticalCommand, "-nodes", strconv.Itoa(s.Nodes), "-most", strconv.Itoa(s.Most),
		"-fixed="+strconv.FormatBool(s.Fixed), "-seed", strconv.FormatUint(s.Seed+uint64(number), 10))
	var out bytes.Buffer
	run.Stdout, run.Stderr = &out, os.Stderr
	// It ends its own processes when it is asked to end.
	run.Cancel = func() error { return run.Process.Signal(syscall.SIGTERM) }
	run.WaitDelay = 5 * time.Second
	begun := time.Now()
	if err := run.Run(); err != nil {
		return f, fmt.Errorf("running processes: %w", err)
	}
	defer func() { f.Minutes = time.Since(begun).Minutes() }()
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		return f, fmt.Errorf("reading what was found: %w", err)
	}
	return f, nil
}

// IdenticalRun is one pooled comparison. Its largest number of processes is the
// only one where fixed is set.
func IdenticalRun(ctx context.Context, out io.Writer, nodes, most int, fixed bool, seed uint64) error {
	opt := multiproc.Options{Seed: seed, MaxProcesses: most}
	if fixed {
		opt.MinProcesses = most
	}
	r, err := multiproc.RunContext(ctx, opt, func(p *multiproc.Process) error {
		return multiproc.Pairs(multiproc.Pair{
			Name: "identical",
			A:    func() rtcompare.Candidate { return build(nodes, p.Seed).candidate("A") },
			B:    func() rtcompare.Candidate { return build(nodes, p.Seed).candidate("B") },
		})(p)
	})
	if err != nil || r.Child {
		return err
	}
	if len(r.Comparisons) != 1 || r.Comparisons[0].Pooled.Processes == 0 {
		return fmt.Errorf("nothing was pooled: %v", r.Warnings)
	}
	return json.NewEncoder(out).Encode(findingOf(r))
}

func findingOf(r multiproc.Results) finding {
	p := r.Comparisons[0].Pooled
	verdict := p.Decision.Verdict
	f := finding{
		Verdict: verdict.String(), False: verdict == rtcompare.AFaster || verdict == rtcompare.BFaster,
		Processes: p.Processes, Precise: r.Precise, Delta: p.Delta, Low: p.Low, High: p.High,
		SpreadBetween: p.SpreadBetween, SpreadWithin: p.SpreadWithin,
	}
	for _, report := range r.Comparisons[0].Reports {
		f.LogRatios = append(f.LogRatios, report.Decision.LogRatio)
		switch {
		case report.Estimate.Low > 0:
			f.AboveZero++
		case report.Estimate.High < 0:
			f.BelowZero++
		}
		switch report.Decision.Verdict {
		case rtcompare.AFaster:
			f.SingleA++
		case rtcompare.BFaster:
			f.SingleB++
		case rtcompare.Equivalent:
			f.Equivalents++
		}
	}
	return f
}
