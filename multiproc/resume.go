package multiproc

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// openJournal opens the journal, if there is to be one, and takes over what an
// earlier run of the same plan has found.
func (p *parent) openJournal() error {
	if p.opt.Journal == "" {
		return nil
	}
	want, err := p.plan()
	if err != nil {
		return fmt.Errorf("journal %s: %w", p.opt.Journal, err)
	}
	f, err := os.OpenFile(p.opt.Journal, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("opening the journal: %w", err)
	}
	if err := lockFile(f); err != nil {
		_ = f.Close()
		return fmt.Errorf("journal %s is in use by another run: %w", p.opt.Journal, err)
	}
	p.journal = &journal{f}
	if err := p.resume(want); err != nil {
		return fmt.Errorf("journal %s: %w", p.opt.Journal, err)
	}
	return nil
}

// resume reads the journal, or begins it.
func (p *parent) resume(want plan) error {
	members, whole, err := readMembers(p.journal.file)
	if err != nil {
		return err
	}
	if len(members) == 0 {
		return p.journal.begin(want)
	}
	found, err := readNote(members[0])
	if err != nil || found.Plan == nil || found.Plan.Schema != journalSchema {
		return errors.New("the file is not a journal of this version; it is left as it is")
	}
	if p.opt.Seed == 0 {
		want.Seed, p.seed = found.Plan.Seed, found.Plan.Seed
	}
	if differences := want.differences(*found.Plan); differences != "" {
		return fmt.Errorf("it belongs to another plan: %s; use another file, or remove this one to measure anew", differences)
	}
	return p.takeOver(members[1:], whole)
}

// takeOver takes the processes over that the journal holds, and cuts off what
// comes after the last whole entry.
func (p *parent) takeOver(members []member, whole int64) error {
	for len(members) > 0 {
		n, err := readNote(members[0])
		if err != nil {
			return err
		}
		switch {
		case n.Failed != nil:
			e := n.Failed
			f := failure{kind: crashed, index: e.Index, number: e.Attempt, seed: e.Seed, cause: e.Cause, elapsed: e.Elapsed, replaced: e.Replaced}
			p.reach(e.Index)
			p.failures = append(p.failures, f)
			p.settle(f)
			members = members[1:]
		case n.Finished != nil && len(members) == 1:
			// Its outcome was torn off.
			whole = members[0].start
			members = nil
		case n.Finished != nil:
			found, err := readOutcome(members[1].raw)
			if err != nil {
				return fmt.Errorf("the results of process %d cannot be read: %w", n.Finished.Index, err)
			}
			p.reach(n.Finished.Index)
			p.stamp(found, n.Finished.Index)
			p.slots[n.Finished.Index].found = found
			p.resumed++
			members = members[2:]
		default:
			return errors.New("it holds an entry that is not known")
		}
	}
	return p.journal.cut(whole)
}

func (p *parent) reach(index int) {
	for len(p.slots) <= index {
		p.slots = append(p.slots, slot{})
	}
}

// member is one gzip stream of a journal.
type member struct {
	start int64
	raw   []byte
}

// readMembers splits a file into its gzip streams and returns where the last
// whole one ends. An end that is missing, or that a file system left as zeros,
// is what a dying machine leaves behind; any other damage is an error.
func readMembers(in io.Reader) (members []member, whole int64, err error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, 0, err
	}
	rest := bytes.NewReader(data)
	buffered := bufio.NewReader(rest)
	for {
		zipped, err := gzip.NewReader(buffered)
		if err == nil {
			zipped.Multistream(false)
			_, err = io.Copy(io.Discard, zipped)
		}
		if err != nil {
			if whole == 0 && !bytes.HasPrefix([]byte(gzipStart), data[:min(len(data), len(gzipStart))]) {
				return nil, 0, errors.New("the file is not a journal; it is left as it is")
			}
			if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || onlyZeros(data[whole:]) {
				return members, whole, nil
			}
			return nil, 0, fmt.Errorf("damaged at byte %d: %w", whole, err)
		}
		end := int64(len(data)-rest.Len()) - int64(buffered.Buffered())
		members = append(members, member{whole, data[whole:end]})
		whole = end
	}
}

// gzipStart is how every gzip stream begins.
const gzipStart = "\x1f\x8b\x08"

func onlyZeros(data []byte) bool {
	return len(bytes.Trim(data, "\x00")) == 0
}

func readNote(m member) (note, error) {
	var n note
	zipped, err := gzip.NewReader(bytes.NewReader(m.raw))
	if err != nil {
		return n, err
	}
	if err := json.NewDecoder(zipped).Decode(&n); err != nil {
		return n, fmt.Errorf("reading an entry: %w", err)
	}
	return n, nil
}
