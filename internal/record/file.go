package record

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
)

// line is the envelope of one line: exactly one field is set.
type line struct {
	Head      *Head      `json:"head,omitempty"`
	Unit      *Unit      `json:"unit,omitempty"`
	Judgement *Judgement `json:"judgement,omitempty"`
	End       *End       `json:"end,omitempty"`
}

// ContinueWriter appends to a record that has its head already.
func ContinueWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Writer appends a record line by line. Every line is complete when the call
// that wrote it returns.
type Writer struct{ out io.Writer }

// NewWriter writes the head and returns a writer for what follows.
func NewWriter(out io.Writer, head Head) (*Writer, error) {
	head.Schema = Schema
	w := &Writer{out: out}
	return w, w.write(line{Head: &head})
}

// Unit appends a unit.
func (w *Writer) Unit(u Unit) error { return w.write(line{Unit: &u}) }

// Judgement appends a judgement. Infinite bounds, which JSON cannot hold, are
// written as the largest finite number.
func (w *Writer) Judgement(j Judgement) error {
	for _, v := range []*float64{&j.LogRatio, &j.Low, &j.High, &j.EquivalenceLow, &j.EquivalenceHigh,
		&j.PValue, &j.SmallestVisible, &j.IdenticalSpread, &j.Resolution} {
		*v = finite(*v)
	}
	return w.write(line{Judgement: &j})
}

// End closes the record.
func (w *Writer) End(e End) error { return w.write(line{End: &e}) }

func (w *Writer) write(l line) error {
	text, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("encoding a line of the record: %w", err)
	}
	if _, err := w.out.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("writing the record: %w", err)
	}
	return nil
}

func finite(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return max(-math.MaxFloat64, min(math.MaxFloat64, v))
}

// Record is a whole run.
type Record struct {
	Head       Head
	Units      []Unit
	Judgements []Judgement
	// End is nil where the run was killed before it could close its record.
	End *End
	// Torn is set when the last line was incomplete and was dropped.
	Torn bool
}

// Read reads a record, plain or gzipped. A damaged last line is dropped and
// reported in Torn; damage anywhere else is an error that names the line.
func Read(in io.Reader) (Record, error) {
	buffered := bufio.NewReaderSize(in, 1<<16)
	if magic, err := buffered.Peek(2); err == nil && magic[0] == 0x1f && magic[1] == 0x8b {
		zipped, err := gzip.NewReader(buffered)
		if err != nil {
			return Record{}, fmt.Errorf("reading a gzipped record: %w", err)
		}
		buffered = bufio.NewReaderSize(zipped, 1<<16)
	}
	var r Record
	for number := 1; ; number++ {
		text, readErr := buffered.ReadBytes('\n')
		if readErr != nil && !errors.Is(readErr, io.EOF) && !errors.Is(readErr, io.ErrUnexpectedEOF) {
			return r, fmt.Errorf("reading the record at line %d: %w", number, readErr)
		}
		last := readErr != nil
		if len(bytes.TrimSpace(text)) > 0 {
			if err := r.add(text, number); err != nil {
				if last && r.Head.Schema != "" {
					r.Torn = true
					return r, nil
				}
				return r, err
			}
		}
		if last {
			if r.Head.Schema == "" {
				return r, errors.New("not a record: it has no head line")
			}
			return r, nil
		}
	}
}

func (r *Record) add(text []byte, number int) error {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return fmt.Errorf("record line %d: %w", number, err)
	}
	switch {
	case r.Head.Schema == "" && l.Head == nil:
		return errors.New("not a record: the first line is not a head")
	case r.Head.Schema != "" && l.Head != nil:
		return fmt.Errorf("record line %d: a second head", number)
	case l.Head != nil && l.Head.Schema != Schema:
		return fmt.Errorf("record line %d: schema %q is not known, this program reads %q", number, l.Head.Schema, Schema)
	case l.Head != nil:
		r.Head = *l.Head
	case l.Unit != nil:
		r.Units = append(r.Units, *l.Unit)
	case l.Judgement != nil:
		r.Judgements = append(r.Judgements, *l.Judgement)
	case l.End != nil:
		r.End = l.End
	}
	return nil
}
