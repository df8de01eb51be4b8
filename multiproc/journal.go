package multiproc

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"
)

// journalSchema is the version of the journal's format.
const journalSchema = "rtcompare-journal/1"

// journal keeps what a run has found. It is a file of gzip streams, one after
// the other, each of them JSON lines: first the plan; then for each finished
// process a note of where it belongs, followed by the process's outcome as the
// process wrote it; and for each failed one a note. Any gzip tool reads it as
// one text. Entries are appended as a whole and synced; one that was torn by the
// end of the machine is cut off.
type journal struct{ file *os.File }

// note is the parent's line about a process.
type note struct {
	Plan     *plan     `json:"plan,omitempty"`
	Finished *entry    `json:"finished,omitempty"`
	Failed   *entry    `json:"failed,omitempty"`
	At       time.Time `json:"at"`
}

type entry struct {
	Index    int           `json:"index"`
	Attempt  int           `json:"attempt"`
	Seed     uint64        `json:"seed"`
	Layout   int           `json:"layout,omitempty"`
	Cause    string        `json:"cause,omitempty"`
	Replaced bool          `json:"replaced,omitempty"`
	Elapsed  time.Duration `json:"elapsed_ns,omitempty"`
}

// begin writes the plan into an empty file.
func (j *journal) begin(p plan) error {
	if err := j.cut(0); err != nil {
		return err
	}
	if err := j.append(note{Plan: &p}, nil); err != nil {
		return err
	}
	// The file's name has to survive as well.
	if dir, err := os.Open(filepath.Dir(j.file.Name())); err == nil {
		_ = dir.Sync()
		_ = dir.Close()
	}
	return nil
}

// finished keeps a finished process. A run without a journal keeps nothing.
func (j *journal) finished(a attempt, layout int) error {
	if j == nil {
		return nil
	}
	return j.append(note{Finished: &entry{Index: a.index, Attempt: a.number, Seed: a.seed, Layout: layout}}, a.raw)
}

// failed keeps a failed process, so that a resumed run replaces it by the same
// one.
func (j *journal) failed(f failure) error {
	if j == nil {
		return nil
	}
	return j.append(note{Failed: &entry{Index: f.index, Attempt: f.number, Seed: f.seed, Cause: f.cause, Replaced: f.replaced, Elapsed: f.elapsed}}, nil)
}

// append writes an entry at once and waits until it is on the disk.
func (j *journal) append(n note, raw []byte) error {
	n.At = time.Now().UTC()
	var entry bytes.Buffer
	zipped := gzip.NewWriter(&entry)
	if err := errors.Join(json.NewEncoder(zipped).Encode(n), zipped.Close()); err != nil {
		return err
	}
	entry.Write(raw)
	if _, err := j.file.Write(entry.Bytes()); err != nil {
		return err
	}
	return j.file.Sync()
}

// cut shortens the file to its whole entries and goes on from there.
func (j *journal) cut(whole int64) error {
	if err := j.file.Truncate(whole); err != nil {
		return err
	}
	_, err := j.file.Seek(whole, io.SeekStart)
	return err
}

func (j *journal) close() { _ = j.file.Close() }
