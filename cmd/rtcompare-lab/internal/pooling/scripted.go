package pooling

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
)

// The hidden sub-commands of the kill test.
const (
	// ScriptedCommand is a run whose processes report what their seeds say.
	ScriptedCommand = "scripted-run"
	// IdleCommand is what such a process starts and leaves behind.
	IdleCommand = "idle"
)

const (
	scriptedSpread = 0.03
	scriptedName   = "scripted"
	// mostScripted keeps runs short and still leaves two stages.
	mostScripted = 12
	// idleFor is longer than anybody waits for the end of what is left behind.
	idleFor = time.Minute
)

// Idle does nothing for a while.
func Idle() { time.Sleep(idleFor) }

// account is what a scripted run says about itself after every process that it
// has kept, and at its end.
type account struct {
	Done      bool      `json:"done"`
	Seeds     []uint64  `json:"seeds"`
	LogRatios []float64 `json:"log_ratios"`
	// The pooled answer.
	Mean, Low, High float64
	FirstStage      int
	Precise         bool
	// What is not the same in a run that was interrupted.
	Resumed, Replaced, Lost int
}

// ScriptedRun runs small processes and prints an account after each of them.
func ScriptedRun(ctx context.Context, out io.Writer, journal string, seed uint64) error {
	encoder := json.NewEncoder(out)
	var problem error
	say := func(r multiproc.Results, done bool) {
		if err := encoder.Encode(accountOf(r, done)); err != nil && problem == nil {
			problem = fmt.Errorf("giving account of a run: %w", err)
		}
	}
	r, err := multiproc.RunContext(ctx, multiproc.Options{
		Seed: seed, Journal: journal, MaxProcesses: mostScripted, Stderr: os.Stderr,
		Progress: func(r multiproc.Results) { say(r, false) },
	}, scriptedSuite)
	if err != nil || r.Child {
		return err
	}
	say(r, true)
	return problem
}

// scriptedSuite takes a few milliseconds. Some processes start another one that
// outlives them, which the run has to end.
func scriptedSuite(p *multiproc.Process) error {
	if p.Seed%3 == 0 {
		program, err := os.Executable()
		if err != nil {
			return fmt.Errorf("finding this program: %w", err)
		}
		if err := exec.Command(program, IdleCommand).Start(); err != nil {
			return fmt.Errorf("starting what is left behind: %w", err)
		}
	}
	// Real candidates, so that a process is killed in the middle of measuring.
	candidate := rtcompare.Candidate{Name: "tiny", Batch: func(n uint64) { spin(n) }}
	opt := rtcompare.CollectOptions{InnerLoops: 200, Repeats: 101 + int(p.Seed%200), WarmupDuration: time.Millisecond}
	if _, _, err := rtcompare.Collect(candidate, candidate, opt); err != nil {
		return fmt.Errorf("measuring tiny candidates: %w", err)
	}
	p.Record(scriptedName, scripted(p.Seed, scriptedSpread))
	return nil
}

var spun uint64

func spin(n uint64) {
	x := spun | 1
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	spun = x
}

// scripted is the report of a process with this seed, always the same one.
func scripted(seed uint64, spread float64) rtcompare.Report {
	r := rand.New(rand.NewPCG(seed, 0x736372697074))
	return reported(truth+spread*r.NormFloat64(), smallestError)
}

func accountOf(r multiproc.Results, done bool) account {
	a := account{Done: done, Seeds: r.Seeds, Precise: r.Precise, Resumed: r.Resumed, Replaced: r.Replaced, Lost: r.Lost}
	for _, c := range r.Comparisons {
		for _, report := range c.Reports {
			a.LogRatios = append(a.LogRatios, report.Decision.LogRatio)
		}
		a.Mean, a.Low, a.High, a.FirstStage = c.Pooled.Decision.LogRatio, c.Pooled.Decision.Low, c.Pooled.Decision.High, c.Pooled.FirstStage
	}
	return a
}
