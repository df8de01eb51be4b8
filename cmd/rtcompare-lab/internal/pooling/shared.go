package pooling

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
	"github.com/rtcompare/rtcompare/internal/judge"
	"github.com/rtcompare/rtcompare/internal/stat"
	"github.com/rtcompare/rtcompare/multiproc"
)

// SharedCommand is the hidden sub-command of one timed run.
const SharedCommand = "shared-validation-run"

const (
	// sharedProcesses is the first stage of a run, and sharedRuns its share of
	// the runs of identical code.
	sharedProcesses = 6
	sharedRuns      = (rtcompare.DefaultValidationRuns + sharedProcesses - 1) / sharedProcesses
	// sharedNodes is small, so that building it takes no time.
	sharedNodes = 1 << 10
	// sharedSpread is the scatter from process to process in the simulation.
	sharedSpread = 0.01
	mostShared   = 0.5
)

// SharedSetup is what the comparison of both ways to validate is given.
type SharedSetup struct {
	Context context.Context
	// Simulation is for the coverage.
	Simulation simulation.Setup
	// Rounds is how often each way is timed.
	Rounds   int
	Progress func(name string, done, total int)
}

// Shared compares runs whose processes share out the runs of identical code with
// those in which each makes all of them: what they take on this machine, and what
// their intervals cover in simulations.
func Shared(s SharedSetup) ([]*sheet.Sheet, error) {
	costs, err := s.costs()
	if err != nil {
		return nil, err
	}
	coverage, err := sharedCoverage(s.Simulation)
	if err != nil {
		return nil, err
	}
	return []*sheet.Sheet{costs, coverage}, nil
}

func (s SharedSetup) costs() (*sheet.Sheet, error) {
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("shared-validation: wall time of a pooled run with %d processes, everything else by default, on this machine", sharedProcesses),
		Nominal: fmt.Sprintf("%d runs of each, in turns", s.Rounds),
		Columns: []string{"runs of identical code", "in each process", "seconds, median", "shortest", "longest"},
	}
	var seconds [2][]float64
	for round := range s.Rounds {
		for turn := range 2 {
			full := (round+turn)%2 == 0
			took, err := s.time(full, round)
			if err != nil {
				return nil, err
			}
			way := 0
			if full {
				way = 1
			}
			seconds[way] = append(seconds[way], took.Seconds())
			if s.Progress != nil {
				s.Progress("shared-validation", 2*round+turn+1, 2*s.Rounds)
			}
		}
	}
	names := [2]string{"shared out", "all in each process"}
	for way, runs := range [2]int{sharedRuns, rtcompare.DefaultValidationRuns} {
		low, high := math.Inf(1), 0.0
		for _, v := range seconds[way] {
			low, high = min(low, v), max(high, v)
		}
		table.Add(names[way], runs, stat.Median(seconds[way]), low, high)
	}
	table.Bars = []sheet.Bar{{
		Name: "wall time with shared validation, as a share of that with all of it everywhere", Limit: mostShared,
		Measured: stat.Median(seconds[0]) / stat.Median(seconds[1]),
	}}
	return table, nil
}

// time takes the time of one run, in a process that starts the others.
func (s SharedSetup) time(full bool, round int) (time.Duration, error) {
	program, err := os.Executable()
	if err != nil {
		return 0, fmt.Errorf("finding this program: %w", err)
	}
	run := exec.CommandContext(s.Context, program, SharedCommand, "-full="+strconv.FormatBool(full), "-seed", strconv.Itoa(round+1))
	var out bytes.Buffer
	run.Stdout, run.Stderr = &out, os.Stderr
	run.Cancel = func() error { return run.Process.Signal(syscall.SIGTERM) }
	run.WaitDelay = 5 * time.Second
	begun := time.Now()
	if err := run.Run(); err != nil {
		return 0, fmt.Errorf("running processes: %w", err)
	}
	took := time.Since(begun)
	want := sharedRuns
	if full {
		want = rtcompare.DefaultValidationRuns
	}
	if made := string(bytes.TrimSpace(out.Bytes())); made != strconv.Itoa(2*want*sharedProcesses) {
		return 0, fmt.Errorf("a run made %s runs of identical code in all, and %d were expected", made, 2*want*sharedProcesses)
	}
	return took, nil
}

// SharedRun is one such run. It prints how many runs of identical code it made.
func SharedRun(ctx context.Context, out io.Writer, full bool, seed uint64) error {
	opt := rtcompare.CompareOptions{}
	if full {
		opt.ValidationRuns = rtcompare.DefaultValidationRuns
	}
	r, err := multiproc.RunContext(ctx, multiproc.Options{Seed: seed, MaxProcesses: sharedProcesses}, func(p *multiproc.Process) error {
		return multiproc.Pairs(multiproc.Pair{
			Name:    "identical",
			A:       func() rtcompare.Candidate { return build(sharedNodes, p.Seed).candidate("A") },
			B:       func() rtcompare.Candidate { return build(sharedNodes, p.Seed).candidate("B") },
			Options: opt,
		})(p)
	})
	if err != nil || r.Child {
		return err
	}
	_, err = fmt.Fprintln(out, r.Comparisons[0].Pooled.Decision.IdenticalRuns)
	return err
}

func sharedCoverage(s simulation.Setup) (*sheet.Sheet, error) {
	table := &sheet.Sheet{
		Title:   fmt.Sprintf("shared-validation: what the pooled interval of %d processes covers, simulated, %g%% from process to process", sharedProcesses, 100*sharedSpread),
		Nominal: "nominal 95%", Trials: s.Trials, ErrorAt: 1 - level,
		Columns: []string{"noise", "runs of identical code", "coverage", "half-width", "noise floor", "excludes zero", "resolved"},
		Notes:   []string{"half-widths and floors are medians, in points; the truth is zero, so excludes zero and resolved are false."},
	}
	var rates []float64
	for _, m := range []noise.Model{noise.White(), noise.AR(0.4)} {
		for _, runs := range []int{sharedRuns, rtcompare.DefaultValidationRuns} {
			seen := trial.Run(s.Plan, "shared, "+m.Name, s.Trials, func(r *rand.Rand) sharedTrial { return simulateShared(r, m, runs) })
			for _, t := range seen {
				if t.err != nil {
					return nil, fmt.Errorf("pooling simulated processes: %w", t.err)
				}
			}
			rate := 1 - trial.Share(seen, func(t sharedTrial) bool { return t.missed })
			rates = append(rates, rate)
			table.Add(m.Name, runs, sheet.Percent(rate),
				sheet.Percent(median(seen, func(t sharedTrial) float64 { return t.half })), sheet.Percent(median(seen, func(t sharedTrial) float64 { return t.floor })),
				sheet.Percent(1-rate), sheet.Percent(trial.Share(seen, func(t sharedTrial) bool { return t.resolved })))
		}
	}
	table.Bars = coverageBars("coverage with shared validation or all of it", rates, highestCoverage, s.Trials)
	return table, nil
}

// sharedTrial is one simulated run.
type sharedTrial struct {
	missed, resolved bool
	half, floor      float64
	err              error
}

// simulateShared makes the processes of a run by the default protocol. The truth
// is zero on average over the processes.
func simulateShared(r *rand.Rand, m noise.Model, runs int) sharedTrial {
	reports := make([]rtcompare.Report, sharedProcesses)
	for i := range reports {
		c := trial.Fixed{Noise: m, Truth: sharedSpread * r.NormFloat64(), Runs: runs}.Simulate(r)
		j := judge.Judge(c.Units, c.Policy)
		reports[i] = rtcompare.Report{Validated: true, Decision: rtcompare.Decision{
			Verdict: rtcompare.Inconclusive, LogRatio: j.LogRatio, Low: j.Low, High: j.High, Level: level,
		}}
		reports[i].ValidationA.Deltas, reports[i].ValidationB.Deltas = sharesOf(c.Identical[0]), sharesOf(c.Identical[1])
	}
	p, err := rtcompare.Combine(reports, level)
	d := p.Decision
	return sharedTrial{!holds(d.Low, d.High, 0), p.Resolved, (d.High - d.Low) / 2, p.NoiseFloor, err}
}

func sharesOf(logs []float64) []float64 {
	shares := make([]float64, len(logs))
	for i, x := range logs {
		shares[i] = -math.Expm1(-x)
	}
	return shares
}
