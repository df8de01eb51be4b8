// Package peers holds the experiments about commands and servers: rtcompare as
// users start it, beside the tools that they have used so far and against servers
// and programs of which the truth is known.
package peers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/host"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

// Setup is what every experiment is given.
type Setup struct {
	Context context.Context
	Seed    uint64
	// Trials is how often each row is repeated.
	Trials int
	// Tool is the rtcompare program; empty builds it from this module.
	Tool string
	// Progress, where set, is told how many runs of a named row are done.
	Progress func(name string, done, total int)
}

func (s Setup) progress(name string, done int) {
	if s.Progress != nil {
		s.Progress(name, done, s.Trials)
	}
}

// place is where an experiment works: a directory that is removed at the end,
// and a process that starts programs.
type place struct {
	ctx     context.Context
	dir     string
	tool    string
	spawner *spawn.Spawner
	before  host.Load
	records int
}

// open makes a place. The caller closes it.
func (s Setup) open() (*place, error) {
	dir, err := os.MkdirTemp("", "rtcompare-lab-*")
	if err != nil {
		return nil, fmt.Errorf("making a directory for the experiment: %w", err)
	}
	p := &place{ctx: s.Context, dir: dir, tool: s.Tool, before: host.Open("/").Load()}
	if p.spawner, err = spawn.Start(s.Context, spawn.Options{Now: clock.Now}); err != nil {
		p.close()
		return nil, fmt.Errorf("starting the process that starts programs: %w", err)
	}
	return p, nil
}

func (p *place) close() {
	if p.spawner != nil {
		_ = p.spawner.Close()
	}
	_ = os.RemoveAll(p.dir)
}

// mostPrinted is how much of a program's output is kept.
const mostPrinted = 4 << 20

// run runs a program to its end. An exit code that is not among those accepted
// (0 always is) is an error with the last of what the program said.
func (p *place) run(argv []string, accepted ...int) (spawn.Exit, error) {
	exit, err := p.spawner.Run(p.ctx, spawn.Command{
		Argv: argv, Dir: p.dir,
		Stdout: spawn.Output{Kind: spawn.Head, Limit: mostPrinted}, Stderr: spawn.Output{Kind: spawn.Tail, Limit: 4096},
	})
	if err != nil {
		return exit, fmt.Errorf("running %s: %w", argv[0], err)
	}
	for _, code := range append(accepted, 0) {
		if exit.Code == code && !exit.TimedOut {
			return exit, nil
		}
	}
	return exit, fmt.Errorf("running %s: %v\n%s", strings.Join(argv, " "), exit, exit.Stderr)
}

// buildTool builds rtcompare unless one was given.
func (p *place) buildTool() error {
	if p.tool != "" {
		path, err := filepath.Abs(p.tool)
		if err != nil {
			return fmt.Errorf("finding the rtcompare program: %w", err)
		}
		p.tool = path
		return nil
	}
	p.tool = filepath.Join(p.dir, executable("rtcompare"))
	where, err := os.Getwd()
	if err != nil {
		return fmt.Errorf("finding the module to build rtcompare from: %w", err)
	}
	_, err = p.run([]string{"go", "build", "-C", where, "-o", p.tool, "github.com/rtcompare/rtcompare/cmd/rtcompare"})
	if err != nil {
		return fmt.Errorf("building rtcompare (run this inside its module, or give a built one with -rtcompare): %w", err)
	}
	return nil
}

// executable is a program's file name on this system.
func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// compared is one run of rtcompare.
type compared struct {
	record record.Record
	exit   spawn.Exit
}

// exitCannotJudge is rtcompare's exit code where an answer was asked for and
// there is none; its record is complete all the same.
const exitCannotJudge = 3

// compare runs rtcompare as a user would and reads its record. before stands in
// front of the flag for the record, after behind it.
func (p *place) compare(before []string, after ...string) (compared, error) {
	p.records++
	path := filepath.Join(p.dir, fmt.Sprintf("%d.record", p.records))
	argv := append(append([]string{p.tool}, before...), "--record", path)
	exit, err := p.run(append(argv, after...), exitCannotJudge)
	if err != nil {
		return compared{}, err
	}
	read, err := comparison.Open(path)
	if err != nil {
		return compared{}, fmt.Errorf("reading what rtcompare has measured: %w", err)
	}
	return compared{record: read, exit: exit}, os.Remove(path)
}

// judgement returns the one about the second arm by a metric.
func (c compared) judgement(metric string) (record.Judgement, error) {
	for _, j := range c.record.Judgements {
		if j.Metric == metric && j.Arm == 1 {
			return j, nil
		}
	}
	return record.Judgement{}, fmt.Errorf("rtcompare has not judged by %s", metric)
}

// need says what is missing where a program is not installed.
func (p *place) need(program, install string) error {
	for _, dir := range append(filepath.SplitList(os.Getenv("PATH")), "/usr/sbin") {
		if info, err := os.Stat(filepath.Join(dir, program)); err == nil && !info.IsDir() {
			return nil
		}
	}
	return &MissingError{Program: program, Install: install}
}

// MissingError says that a program that an experiment compares with is not here.
type MissingError struct{ Program, Install string }

// Error implements error.
func (e *MissingError) Error() string {
	return fmt.Sprintf("this needs %s, which is not installed: %s", e.Program, e.Install)
}

// conditions is the note about what else the machine did.
func (p *place) conditions() string {
	after := host.Open("/").Load()
	return fmt.Sprintf("Load average %.1f before and %.1f after, on %d processors; some program waited for a processor %s of the time.",
		p.before.LoadAverage, after.LoadAverage, runtime.NumCPU(), waited(p.before, after))
}

func waited(before, after host.Load) string {
	span := after.Taken - before.Taken
	if span <= 0 || after.Stalled < before.Stalled || after.PressureCPU < 0 {
		return "an unknown part"
	}
	return fmt.Sprintf("%.0f%%", 100*float64(after.Stalled-before.Stalled)/float64(span))
}

// share is a bar about how many of the trials went well.
func share(name string, good, trials int, limit float64) sheet.Bar {
	return sheet.Bar{Name: name, Kind: sheet.Rate, Limit: limit, AtLeast: true, Measured: float64(good) / float64(max(1, trials)), Trials: trials, Full: trials}
}

// microseconds is a time in a table.
func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
