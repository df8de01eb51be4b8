package comparison

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rtcompare/rtcompare/internal/record"
)

// Journal is a record on disk that grows with the run. Every line is on the
// disk before the run goes on, so that a run that is killed loses nothing.
type Journal struct {
	*record.Writer
	file *os.File
}

// CreateJournal begins a record in a new file. An existing one is not touched,
// nor one that was compressed.
func CreateJournal(path string, head record.Head) (*Journal, error) {
	if _, err := os.Stat(path + compressed); err == nil {
		return nil, fmt.Errorf("creating the record: %s: %w", path+compressed, os.ErrExist)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("creating the record: %w", err)
	}
	journal := &Journal{file: file}
	if journal.Writer, err = record.NewWriter(journal, head); err != nil {
		file.Close()
		return nil, err
	}
	return journal, nil
}

// ContinueJournal opens an unfinished record and goes on with it. A torn last
// line is cut off.
func ContinueJournal(path string) (*Journal, record.Record, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, record.Record{}, fmt.Errorf("opening the record: %w", err)
	}
	read, err := record.Read(file)
	if err != nil {
		file.Close()
		return nil, read, fmt.Errorf("%s: %w", path, err)
	}
	if read.Torn {
		err = cutTornLine(file)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekEnd)
	}
	if err != nil {
		file.Close()
		return nil, read, fmt.Errorf("continuing the record %s: %w", path, err)
	}
	journal := &Journal{file: file}
	journal.Writer = record.ContinueWriter(journal)
	return journal, read, nil
}

// cutTornLine removes what follows the last end of a line.
func cutTornLine(file *os.File) error {
	text, err := os.ReadFile(file.Name())
	if err != nil {
		return err
	}
	return file.Truncate(int64(strings.LastIndexByte(string(text), '\n') + 1))
}

// Write implements [io.Writer]: it writes and waits for the disk.
func (j *Journal) Write(line []byte) (int, error) {
	n, err := j.file.Write(line)
	if err != nil {
		return n, err
	}
	return n, j.file.Sync()
}

// Path is where the record lies.
func (j *Journal) Path() string { return j.file.Name() }

// Close closes the file. A name that ends in ".gz" is not asked for by callers:
// see [Compress].
func (j *Journal) Close() error { return j.file.Close() }

// compressed is the end of the name of a compressed record.
const compressed = ".gz"

// Compress replaces a finished record by its gzipped form and returns the new
// name. The old file goes only when the new one is complete.
func Compress(path string) (string, error) {
	in, err := os.Open(path)
	if err != nil {
		return path, fmt.Errorf("compressing the record: %w", err)
	}
	defer in.Close()
	target := path + compressed
	out, err := os.CreateTemp(filepath.Dir(path), filepath.Base(target)+".*")
	if err != nil {
		return path, fmt.Errorf("compressing the record: %w", err)
	}
	defer os.Remove(out.Name())
	zipped := gzip.NewWriter(out)
	_, err = io.Copy(zipped, in)
	err = errors.Join(err, zipped.Close(), out.Sync(), out.Close())
	if err == nil {
		err = os.Rename(out.Name(), target)
	}
	if err != nil {
		return path, fmt.Errorf("compressing the record: %w", err)
	}
	return target, os.Remove(path)
}

// Open reads a record, plain or gzipped.
func Open(path string) (record.Record, error) {
	file, err := os.Open(path)
	if err != nil {
		return record.Record{}, fmt.Errorf("opening the record: %w", err)
	}
	defer file.Close()
	read, err := record.Read(file)
	if err != nil {
		return read, fmt.Errorf("%s: %w", path, err)
	}
	return read, nil
}

// Store is a directory of records.
type Store struct{ Directory string }

// DefaultStore is the directory of records in the user's cache.
func DefaultStore() (Store, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return Store{}, fmt.Errorf("finding a place for records: %w", err)
	}
	return Store{filepath.Join(cache, "rtcompare", "records")}, nil
}

// NewPath returns a free name for the record of a run, and makes the directory.
func (s Store) NewPath(started time.Time, name string) (string, error) {
	if err := os.MkdirAll(s.Directory, 0o755); err != nil {
		return "", fmt.Errorf("making a place for records: %w", err)
	}
	stem := started.UTC().Format("20060102T150405.000Z")
	if name = plainName(name); name != "" {
		stem += "-" + name
	}
	for try := 0; ; try++ {
		path := filepath.Join(s.Directory, stem+".jsonl")
		if try > 0 {
			path = filepath.Join(s.Directory, fmt.Sprintf("%s-%d.jsonl", stem, try))
		}
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			return path, nil
		}
	}
}

// plainName keeps what is harmless in a file's name.
func plainName(name string) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, name)
	return plain[:min(len(plain), 60)]
}

// List returns the records of the store, the newest first.
func (s Store) List() ([]string, error) {
	entries, err := os.ReadDir(s.Directory)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for records: %w", err)
	}
	var paths []string
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".jsonl.gz") {
			paths = append(paths, filepath.Join(s.Directory, name))
		}
	}
	slices.Sort(paths)
	slices.Reverse(paths)
	return paths, nil
}

// Last is the newest record of the store.
func (s Store) Last() (string, error) {
	paths, err := s.List()
	if err != nil {
		return "", err
	}
	if len(paths) == 0 {
		return "", fmt.Errorf("there is no record in %s yet; run a comparison first", s.Directory)
	}
	return paths[0], nil
}
