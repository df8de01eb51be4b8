package cli

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/comparison"
	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/steady"
)

// measure carries out a plan, keeps its record and shows how it goes. What was
// measured is in the record also when it fails.
func (a *App) measure(ctx context.Context, plan comparison.Plan, f *common) (record.Record, error) {
	plan.Tool = "rtcompare " + version()
	plan.Settings.Tick = float64(clock.Precision().Tick)
	plan.Settings.Arguments, plan.Settings.Directory = a.arguments, a.Directory
	journal, head, err := a.journal(&plan, f)
	if err != nil {
		return record.Record{}, err
	}
	watch := a.watch(plan, f)
	defer watch.close()
	env := comparison.Environment{Watch: watch.progress}
	if f.onProgress != nil {
		env.Watch = f.onProgress
	}
	if journal != nil {
		env.Keep = journal
	}
	r, err := comparison.Run(ctx, plan, head, env)
	watch.close()
	switch {
	case journal == nil:
	case err != nil && f.resume == "" && len(record.Select(r.Units, record.Main)) == 0:
		// It could not even begin: there is nothing to keep.
		err = errors.Join(err, journal.Close(), os.Remove(journal.Path()))
	default:
		err = errors.Join(err, a.closeJournal(journal, r, f))
	}
	return r, err
}

// journal begins the record on disk, or continues one. No place for it in the
// user's cache is a warning, no place where it was asked for an error.
func (a *App) journal(plan *comparison.Plan, f *common) (*comparison.Journal, record.Head, error) {
	if f.resume != "" {
		return a.continued(plan, f.resume)
	}
	head, err := plan.Head(comparison.Environment{})
	if err != nil {
		return nil, head, err
	}
	journal, err := a.newJournal(head, f, plan.Settings.Name)
	return journal, head, err
}

// newJournal begins a record. It is nil where none is kept.
func (a *App) newJournal(head record.Head, f *common, name string) (*comparison.Journal, error) {
	if f.noRecord {
		return nil, nil
	}
	path := strings.TrimSuffix(f.record, ".gz")
	if path == "" {
		store, err := comparison.DefaultStore()
		if err == nil {
			path, err = store.NewPath(head.Started, name)
		}
		if err != nil {
			a.messages.Warningf("no record is kept: %v", err)
			return nil, nil
		}
	}
	journal, err := comparison.CreateJournal(path, head)
	switch {
	case err == nil:
		return journal, nil
	case f.record != "":
		hint := "choose another file with --record"
		if errors.Is(err, os.ErrExist) {
			hint = "a record is never overwritten: choose another file, or go on with it by --resume"
		}
		return nil, &failure{code: ExitUsage, err: err, hint: hint}
	}
	a.messages.Warningf("no record is kept: %v", err)
	return nil, nil
}

// continued opens an unfinished record and checks that it is one of this plan.
func (a *App) continued(plan *comparison.Plan, path string) (*comparison.Journal, record.Head, error) {
	journal, earlier, err := comparison.ContinueJournal(path)
	if err != nil {
		return nil, record.Head{}, usageHint("--resume takes a record that was not finished; finished ones end in .gz", "%w", err)
	}
	problem := ""
	if earlier.End != nil && earlier.End.Stopped != comparison.StoppedInterrupted && earlier.End.Stopped != comparison.StoppedFailed {
		problem = "its run came to an end, there is nothing to go on with"
	}
	if len(earlier.Head.Arms) != len(plan.Arms) {
		problem = fmt.Sprintf("it compares %d candidates, this command line %d", len(earlier.Head.Arms), len(plan.Arms))
	} else {
		for i, arm := range earlier.Head.Arms {
			if arm.Command != plan.Arms[i].Command {
				problem = fmt.Sprintf("candidate %d of the record is %q, and not %q", i+1, arm.Command, plan.Arms[i].Command)
			}
		}
	}
	settings, err := comparison.SettingsOf(earlier.Head)
	if problem == "" && err != nil {
		problem = err.Error()
	}
	if problem != "" {
		journal.Close()
		return nil, record.Head{}, usage("cannot go on with %s: %s", path, problem)
	}
	settings.Budget = plan.Settings.Budget // the newest --time counts
	plan.Settings, plan.Earlier = settings, earlier.Units
	return journal, earlier.Head, nil
}

// closeJournal finishes the record. Those in the cache, and those whose name
// asks for it, are compressed, unless the run may still go on.
func (a *App) closeJournal(journal *comparison.Journal, r record.Record, f *common) error {
	if err := journal.Close(); err != nil {
		return fmt.Errorf("closing the record: %w", err)
	}
	finished := r.End != nil && r.End.Stopped != comparison.StoppedInterrupted && r.End.Stopped != comparison.StoppedFailed
	asked := strings.HasSuffix(f.record, ".gz") || f.record == ""
	path := journal.Path()
	a.kept = path
	if finished && asked {
		zipped, err := comparison.Compress(path)
		if err != nil {
			return err
		}
		path, a.kept = zipped, zipped
	}
	if !finished && !f.quiet {
		a.messages.Notef("the record is kept; go on with --resume %s", shortPath(path))
	}
	return nil
}

// shortPath writes a path below the home directory with a tilde.
func shortPath(path string) string {
	if home, err := os.UserHomeDir(); err == nil {
		if rest, err := filepath.Rel(home, path); err == nil && !strings.HasPrefix(rest, "..") {
			return filepath.Join("~", rest)
		}
	}
	return path
}

// settled reports whether the last half of the pilot's runs shows no trace of a
// warm-up, for every arm.
func settled(pilot record.Unit) bool {
	for _, cell := range pilot.Cells {
		if len(cell.Wall) < fewestSettled {
			return false
		}
		var values []float64
		for _, wall := range cell.Wall[len(cell.Wall)/2:] {
			values = append(values, float64(wall))
		}
		if count, _ := steady.Prefix(values); count > 0 {
			return false
		}
	}
	return true
}

// fewestSettled runs are needed to see a change in the last half of them. A
// pilot of slow commands ends before, when its share of the time is over.
const fewestSettled = 24

// seedOrRandom returns the seed, or a random one.
func seedOrRandom(seed uint64) (uint64, error) {
	if seed != 0 {
		return seed, nil
	}
	var random [8]byte
	if _, err := rand.Read(random[:]); err != nil {
		return 0, fmt.Errorf("drawing a random seed: %w", err)
	}
	// JSON readers hold whole numbers up to 2^53 exactly.
	return binary.LittleEndian.Uint64(random[:])>>11 | 1, nil
}
