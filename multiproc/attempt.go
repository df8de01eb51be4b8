package multiproc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/internal/proc"
)

// attempt is one process that was started, and how it ended.
type attempt struct {
	index, number int
	seed          uint64
	call          callID
	// memory is how many bytes the processes before it held at most.
	memory int64
	found  *outcome
	// raw is the outcome as the process wrote it, for the journal.
	raw     []byte
	failure *failure
}

// failureKind says what to make of a failed process.
type failureKind string

const (
	suiteFailed failureKind = "suite" // the suite returned an error
	neverBegan  failureKind = "idle"  // the process could not be started or did not come by its call
	crashed     failureKind = "crash" // it died
	hung        failureKind = "hang"  // it took too long
	killedByUs  failureKind = "killed"
	astray      failureKind = "astray" // it passed calls at the place of its own, and never the right one
)

// failure is why an attempt has no outcome.
type failure struct {
	kind          failureKind
	index, number int
	seed          uint64
	cause         string
	elapsed       time.Duration
	// output is the end of what the process printed and nobody has seen.
	output string
	// passed is how many calls at the place of its own a process that went
	// astray came by.
	passed int
	// replaced is set when another process takes its place.
	replaced bool
}

func (f failure) err() error {
	text := fmt.Sprintf("process %d (seed %d) failed after %v: %s", f.index, f.seed, f.elapsed.Round(time.Millisecond), f.cause)
	if f.output != "" {
		text += "\nit printed last:\n" + indent(f.output)
	}
	return errors.New(text)
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ")
}

// next is the attempt that is due for an index.
func (p *parent) next(index int) attempt {
	number := p.slots[index].attempt
	a := attempt{index: index, number: number, seed: processSeed(p.seed, index, number), call: p.childCall}
	for _, s := range p.slots {
		if s.found != nil {
			a.memory = max(a.memory, s.found.memory)
		}
	}
	return a
}

// try starts a process and waits for it. Processes of a wave do so at the same
// time; what they share is only read here.
func (p *parent) try(ctx context.Context, a *attempt, lock *sync.Mutex) {
	path := filepath.Join(p.dir, fmt.Sprintf("%d-%d.gz", a.index, a.number))
	defer func() { _, _ = os.Remove(path), os.Remove(path+passedSuffix) }()
	limited := ctx
	if p.opt.ChildTimeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, p.opt.ChildTimeout)
		defer cancel()
	}
	output := p.output(a.index, lock, func() bool { _, err := os.Stat(path); return err == nil })
	exit, err := proc.Run(limited, proc.Command{
		Path: p.program(a.index), Args: p.arguments(), Env: p.environment(*a, path), Lifeline: lifelineVariable,
		Stdout: output.stdout, Stderr: output.stderr,
	})
	f := &failure{index: a.index, number: a.number, seed: a.seed, elapsed: exit.Elapsed}
	switch {
	case err != nil:
		f.kind, f.cause = neverBegan, err.Error()
	case exit.Cancelled && ctx.Err() != nil:
		f.kind, f.cause = killedByUs, "it was killed because the run ended"
	default:
		a.found, a.raw, f = p.judge(*a, path, exit, f)
	}
	said := ""
	if f != nil && f.kind == suiteFailed {
		said = f.cause
	}
	output.close(said)
	if f != nil {
		f.output = output.unseen()
		if words := lastWords(output.tail()); f.kind == crashed && words != "" {
			f.cause += ": " + words
		}
		a.failure = f
	}
}

// judge reads what a process left behind. It returns no failure where that is
// whole.
func (p *parent) judge(a attempt, path string, exit proc.Exit, f *failure) (*outcome, []byte, *failure) {
	raw, readErr := os.ReadFile(path)
	if readErr != nil {
		f.without(exit, p)
		if p.rerouted && a.call == p.call && f.kind != hung {
			f.passed, _ = strconv.Atoi(string(readAll(path + passedSuffix)))
			if f.passed > 0 {
				f.kind = astray
			}
		}
		return nil, nil, f
	}
	found, err := readOutcome(raw)
	// A test fails for its own reasons, too; its process has then still left
	// what it found.
	failed := exit.Cancelled || exit.Signal != "" || (exit.Code != 0 && p.test == nil)
	switch {
	case err != nil:
		f.kind, f.cause = crashed, fmt.Sprintf("its results cannot be read: %v", err)
	case found.problem != "":
		f.kind, f.cause = suiteFailed, found.problem
	case failed:
		f.without(exit, p)
	case len(found.records) == 0:
		f.kind, f.cause = suiteFailed, "the suite recorded no comparisons"
	default:
		p.stamp(found, a.index)
		return found, raw, nil
	}
	return nil, nil, f
}

func readAll(path string) []byte {
	text, _ := os.ReadFile(path)
	return text
}

// without explains a process that left no results, or none to be used.
func (f *failure) without(exit proc.Exit, p *parent) {
	switch {
	case exit.Cancelled:
		f.kind, f.cause = hung, fmt.Sprintf("it took longer than %v (ChildTimeout) and was killed", p.opt.ChildTimeout)
	case exit.Code == 0 && exit.Signal == "":
		f.kind = neverBegan
		f.cause = fmt.Sprintf("it ended without running its suite: did the program come by the call of multiproc.Run at %s? In a child, earlier calls return with Skipped set: go on then", p.call)
	default:
		f.kind, f.cause = crashed, exit.String()
	}
}

// stamp says in every report where it comes from.
func (p *parent) stamp(found *outcome, index int) {
	for i := range found.records {
		found.records[i].report.Origin = rtcompare.Origin{
			Process: index, Layout: p.layout(index), Parallel: p.opt.Parallel, Machine: p.machine, Kind: p.kind,
		}
	}
}

// environment is the parent's, with what the child has to know.
func (p *parent) environment(a attempt, out string) []string {
	var all []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, variablePrefix) && !(p.setProcs && strings.HasPrefix(entry, "GOMAXPROCS=")) {
			all = append(all, entry)
		}
	}
	set := func(name, value string) { all = append(all, name+"="+value) }
	set(outVariable, out)
	set(seedVariable, strconv.FormatUint(a.seed, 10))
	set(indexVariable, strconv.Itoa(a.index))
	if !p.foreign {
		set(callVariable, a.call.String())
	}
	if p.rerouted && p.wasFirst {
		set(firstVariable, "1")
	}
	set(shareVariable, strconv.Itoa(validationShare(p.first)))
	set(memoryVariable, strconv.FormatInt(a.memory, 10))
	set(earlierVariable, p.earlierPath())
	set(paddingVariable, strings.Repeat("x", paddingLength(a.seed)))
	if p.setProcs {
		set("GOMAXPROCS", strconv.Itoa(p.procs))
	}
	return all
}

// arguments are those of the run, or of a test's children.
func (p *parent) arguments() []string {
	if p.test != nil && p.test.own {
		return p.test.arguments()
	}
	return p.opt.Args
}
