package multiproc

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/rtcompare/rtcompare/internal/host"
)

// parent is the state of one call in the process that starts the others.
type parent struct {
	opt  Options
	call callID
	// childCall is the call's identity in the children.
	childCall callID
	// Children may take another way to their call: in another program to the
	// first call there is, or with other arguments past fewer calls, among them
	// perhaps another first one.
	foreign, rerouted, wasFirst bool
	// dirOfCall is the directory of the source that made the call.
	dirOfCall string
	test      *testCall
	sizes
	seed uint64
	dir  string
	// programs are the binaries to start: one, or one for each layout.
	programs []string
	procs    int
	setProcs bool
	// machine and kind say where this runs; every report gets them.
	machine, kind string
	journal       *journal
	// slots are the processes of the run, by index.
	slots []slot
	// total is how many processes the run has been sized to so far, and staged
	// that the first stage is over.
	total  int
	staged bool
	// judged is how many processes the size of the run followed from, zero as
	// long as it is open; precise is set where that size was allowed.
	judged   int
	precise  bool
	resumed  int
	failures []failure
	warnings []string
}

// slot is the place of one process.
type slot struct {
	attempt int
	found   *outcome
	lost    bool
}

func newParent(opt Options, call callID, from place) (*parent, error) {
	test := from.test
	p := &parent{opt: opt, call: call, childCall: call, dirOfCall: from.dir, test: test, sizes: opt.sizes(), seed: opt.Seed}
	p.foreign = opt.Executable != "" && !isRunning(opt.Executable)
	p.rerouted = test == nil && !slices.Equal(opt.Args, os.Args[1:])
	p.wasFirst = from.first
	p.procs, p.setProcs = childProcs(opt.Parallel, os.Getenv)
	if test != nil && test.procs > 0 {
		p.procs, p.setProcs = test.procs, false
	}
	if opt.Parallel <= 1 {
		p.procs, p.setProcs = 0, false
	}
	if p.seed == 0 {
		var random [8]byte
		if _, err := rand.Read(random[:]); err != nil {
			return nil, fmt.Errorf("drawing a seed: %w", err)
		}
		p.seed = binary.LittleEndian.Uint64(random[:]) | 1
	}
	p.machine, _ = os.Hostname()
	p.kind = host.Open("/").Facts().CPUModel
	var err error
	p.dir, err = temporary()
	return p, err
}

// isRunning reports whether a file is the running program.
func isRunning(path string) bool {
	own, err := os.Executable()
	if err != nil {
		return false
	}
	a, errA := os.Stat(own)
	b, errB := os.Stat(path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// close removes what the run leaves behind. The journal stays.
func (p *parent) close() {
	if p.journal != nil {
		p.journal.close()
	}
	_ = os.RemoveAll(p.dir)
}

// prepare finds the programs, opens the journal, and writes down what earlier
// calls found, for the children.
func (p *parent) prepare(ctx context.Context) error {
	if err := p.findPrograms(ctx); err != nil {
		return err
	}
	if err := p.openJournal(); err != nil {
		return err
	}
	text, err := encodeEarlier(calls.earlier())
	if err != nil {
		return fmt.Errorf("writing down what earlier calls found: %w", err)
	}
	if err := os.WriteFile(p.earlierPath(), text, 0o600); err != nil {
		return fmt.Errorf("writing down what earlier calls found: %w", err)
	}
	return nil
}

func (p *parent) earlierPath() string { return filepath.Join(p.dir, "earlier.json") }

func (p *parent) findPrograms(ctx context.Context) error {
	if p.opt.Layouts > 0 {
		programs, err := relink(ctx, p.opt.Layouts, p.test != nil, p.dirOfCall)
		if err != nil {
			return fmt.Errorf("option Layouts: %w", err)
		}
		p.programs = programs.paths
		p.warnings = append(p.warnings, programs.warnings...)
		return nil
	}
	program := p.opt.Executable
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return fmt.Errorf("finding the running program: %w", err)
		}
	}
	p.programs = []string{program}
	return nil
}

// layout is that of a process, zero where the program runs as built. Processes
// of one rotation share it, so that every layout meets every order
// of building.
func (p *parent) layout(index int) int {
	if p.opt.Layouts == 0 {
		return 0
	}
	return 1 + index/p.opt.Rotation%p.opt.Layouts
}

func (p *parent) program(index int) string { return p.programs[max(0, p.layout(index)-1)] }
