package pooling

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
)

// KillSetup is what the kill test is given.
type KillSetup struct {
	Context context.Context
	Seed    uint64
	Rounds  int
	// Progress, where set, is told how many rounds are done.
	Progress func(name string, done, total int)
}

// errNoKill is what other systems get: what is left alive cannot be found there.
var errNoKill = errors.New("the kill test needs Linux, where /proc shows what is still alive")

// victim is who is killed.
type victim int

const (
	theParent victim = iota
	aChild
)

func (v victim) String() string { return [...]string{"the parent", "a random child"}[v] }

// damage is what a kill has done.
type damage struct {
	// killed is false where the run was over first.
	killed, replaced         bool
	orphans, lost, differing int
	resumed                  int
}

// Kill starts runs, kills the parent or a child at a random moment, and resumes
// from the journal.
func Kill(s KillSetup) (*sheet.Sheet, error) {
	if runtime.GOOS != "linux" {
		return nil, errNoKill
	}
	dir, err := os.MkdirTemp("", "rtcompare-lab-kill-*")
	if err != nil {
		return nil, fmt.Errorf("making a directory for journals: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	// The kernel ends a run with the thread that started it; that one has to
	// stay as long as this process does.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	seen := map[victim][]damage{}
	for i := range s.Rounds {
		r := rand.New(rand.NewPCG(s.Seed, uint64(i)))
		who := victim(i % 2)
		d, err := killOnce(s.Context, filepath.Join(dir, fmt.Sprint(i)), who, r)
		if err != nil {
			return nil, fmt.Errorf("round %d, killing %v: %w", i+1, who, err)
		}
		seen[who] = append(seen[who], d)
		if s.Progress != nil {
			s.Progress("kill", i+1, s.Rounds)
		}
	}
	return killTable(s, seen), nil
}

func killTable(s KillSetup, seen map[victim][]damage) *sheet.Sheet {
	table := &sheet.Sheet{
		Title:   "kill: runs of up to 12 processes with a journal, killed with SIGKILL at a random moment and resumed",
		Nominal: fmt.Sprintf("%d runs; nothing left alive, nothing lost, no other result", s.Rounds),
		Columns: []string{"killed", "runs", "over before", "processes replaced", "taken from the journal, mean", "orphans", "finished processes lost", "differing results"},
		Notes: []string{
			"orphans are processes with the run's mark in their environment that live 2 s later, those included that a process has started and left behind.",
			"a killed child is replaced by one with another seed; the result has to follow from the seeds, and be the same after resuming.",
		},
	}
	var all damage
	for _, who := range []victim{theParent, aChild} {
		var sum damage
		over, replaced := 0, 0
		for _, d := range seen[who] {
			if !d.killed {
				over++
			}
			if d.replaced {
				replaced++
			}
			sum.orphans, sum.lost, sum.differing, sum.resumed = sum.orphans+d.orphans, sum.lost+d.lost, sum.differing+d.differing, sum.resumed+d.resumed
		}
		runs := len(seen[who])
		table.Add(who.String(), runs, over, replaced, float64(sum.resumed)/float64(max(1, runs)), sum.orphans, sum.lost, sum.differing)
		all.orphans, all.lost, all.differing = all.orphans+sum.orphans, all.lost+sum.lost, all.differing+sum.differing
	}
	for _, b := range []struct {
		name  string
		count int
	}{{"orphans after a kill", all.orphans}, {"finished processes lost by a kill", all.lost}, {"results that differ after resuming", all.differing}} {
		table.Bars = append(table.Bars, sheet.Bar{Name: b.name, Kind: sheet.Number, Measured: float64(b.count), Trials: s.Rounds, Binding: true})
	}
	return table
}

// killOnce makes one round: a run that nobody touches, one that is hit, and the
// same one resumed.
func killOnce(ctx context.Context, dir string, who victim, r *rand.Rand) (d damage, err error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return d, fmt.Errorf("making a directory for a journal: %w", err)
	}
	seed := r.Uint64() | 1
	begun := time.Now()
	whole, err := newScriptedRun(dir, "whole", seed)
	if err != nil {
		return d, err
	}
	want, err := whole.finish(ctx)
	if err != nil {
		return d, err
	}
	length := time.Since(begun)
	hit, err := newScriptedRun(dir, "hit", seed)
	if err != nil {
		return d, err
	}
	before, killed, err := hit.strike(ctx, who, time.Duration(r.Float64()*float64(length)), r)
	if err != nil {
		return d, err
	}
	d.killed, d.orphans = killed, hit.orphans()
	again, err := newScriptedRun(dir, "hit", seed)
	if err != nil {
		return d, err
	}
	after, err := again.finish(ctx)
	if err != nil {
		return d, err
	}
	d.resumed, d.replaced = after.Resumed, after.Replaced > 0
	d.lost = lostBetween(before, after)
	if !sameResult(who, want, before, after) {
		d.differing = 1
	}
	return d, nil
}
