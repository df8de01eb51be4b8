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
	"path/filepath"
	"reflect"

	"github.com/rtcompare/rtcompare"
)

// outcomeSchema is the version of what a child hands to its parent.
const outcomeSchema = "rtcompare-process/1"

// outcome is what one process found. As a file it is gzipped JSON lines: a head,
// then for each comparison a report line, followed by the lines of its record
// with every batch, and an end line. A file without an end line is not whole.
type outcome struct {
	call  string
	index int
	seed  uint64
	// memory is how many bytes of physical memory the process held when its
	// suite had ended, zero where that is not known.
	memory  int64
	records []recorded
	// problem is the suite's error, empty if it had none.
	problem string
}

// outcomeLine is the envelope. The lines of a record have keys of their own.
type outcomeLine struct {
	Process *processLine `json:"process,omitempty"`
	Report  *reportLine  `json:"report,omitempty"`
	End     *endLine     `json:"end,omitempty"`
}

type processLine struct {
	Schema string `json:"schema"`
	Call   string `json:"call"`
	Index  int    `json:"index"`
	Seed   uint64 `json:"seed"`
	Memory int64  `json:"memory_bytes,omitempty"`
}

type reportLine struct {
	Name string `json:"name"`
	// Recorded says that the lines of a record follow. Samples are then not
	// repeated in Value.
	Recorded bool `json:"recorded,omitempty"`
	Value    any  `json:"value"`
}

type endLine struct {
	Error string `json:"error,omitempty"`
}

// write writes the outcome as one gzip stream.
func (o outcome) write(out io.Writer) error {
	zipped := gzip.NewWriter(out)
	text := json.NewEncoder(zipped)
	if err := text.Encode(outcomeLine{Process: &processLine{outcomeSchema, o.call, o.index, o.seed, o.memory}}); err != nil {
		return err
	}
	for _, r := range o.records {
		var record bytes.Buffer
		line := reportLine{Name: r.name, Recorded: r.report.WriteRecord(&record) == nil}
		if line.Recorded {
			r.report.SamplesA, r.report.SamplesB = nil, nil
		}
		line.Value = toWire(reflect.ValueOf(r.report))
		if err := text.Encode(outcomeLine{Report: &line}); err != nil {
			return fmt.Errorf("encoding the report of %q: %w", r.name, err)
		}
		if line.Recorded {
			if _, err := zipped.Write(record.Bytes()); err != nil {
				return err
			}
		}
	}
	if err := text.Encode(outcomeLine{End: &endLine{o.problem}}); err != nil {
		return err
	}
	return zipped.Close()
}

// writeFile writes the outcome under a temporary name and renames it, so that
// whoever reads the file reads all of it.
func (o outcome) writeFile(path string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".outcome-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	buffered := bufio.NewWriter(f)
	if err = errors.Join(o.write(buffered), buffered.Flush(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// readOutcome reads what write wrote.
func readOutcome(data []byte) (*outcome, error) {
	zipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(zipped)
	if err != nil {
		return nil, err
	}
	reader := outcomeReader{}
	for number := 1; len(text) > 0; number++ {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		if err := reader.line(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if reader.found == nil || !reader.ended {
		return nil, errors.New("it is not whole")
	}
	return reader.found, nil
}

// outcomeReader collects the lines of an outcome.
type outcomeReader struct {
	found *outcome
	ended bool
	// pending is the report whose record is being collected.
	pending *reportLine
	record  bytes.Buffer
}

func (r *outcomeReader) line(text []byte) error {
	var l outcomeLine
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&l); err != nil {
		return err
	}
	switch {
	case l.Process != nil:
		if l.Process.Schema != outcomeSchema {
			return fmt.Errorf("schema %q is not known, this program reads %q", l.Process.Schema, outcomeSchema)
		}
		r.found = &outcome{call: l.Process.Call, index: l.Process.Index, seed: l.Process.Seed, memory: l.Process.Memory}
		return nil
	case r.found == nil:
		return errors.New("it has no head")
	case l.Report != nil:
		if err := r.finish(); err != nil {
			return err
		}
		r.pending = l.Report
		return nil
	case l.End != nil:
		r.found.problem, r.ended = l.End.Error, true
		return r.finish()
	}
	// Anything else is a line of the pending report's record.
	r.record.Write(text)
	r.record.WriteByte('\n')
	return nil
}

// finish turns the pending report and its record into a report. The record
// holds the batches, the line what was concluded from them.
func (r *outcomeReader) finish() error {
	if r.pending == nil {
		return nil
	}
	pending := *r.pending
	r.pending = nil
	var report rtcompare.Report
	if pending.Recorded {
		found, err := rtcompare.ReadRecord(&r.record)
		if err != nil {
			return fmt.Errorf("the record of %q: %w", pending.Name, err)
		}
		report = keepMeasured(found)
	}
	r.record.Reset()
	if err := fromWire(pending.Value, reflect.ValueOf(&report).Elem()); err != nil {
		return fmt.Errorf("the report of %q: %w", pending.Name, err)
	}
	r.found.records = append(r.found.records, recorded{pending.Name, report})
	return nil
}

// keepMeasured drops what was computed again from a record, except for the
// samples: the report's line has it as the process itself saw it, and leaves
// zeros out.
func keepMeasured(found rtcompare.Report) rtcompare.Report {
	a, b := found.SamplesA, found.SamplesB
	v := reflect.ValueOf(&found).Elem()
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			v.Field(i).SetZero()
		}
	}
	found.SamplesA, found.SamplesB = a, b
	return found
}
