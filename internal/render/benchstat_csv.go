package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"

	"github.com/rtcompare/rtcompare/internal/table"
)

// BenchstatCSV writes tables as benchstat does in the form `-format csv`, byte
// for byte. Notes go to warnings, each with the name of the cell it is about;
// unlike there, names of cells are right beyond column Z.
func BenchstatCSV(out, warnings io.Writer, tables []table.BenchstatTable, fields []string) error {
	w := &benchstatCSV{out: csv.NewWriter(out), warnings: warnings}
	for i := range tables {
		for _, line := range benchstatHeading(tables, i) {
			w.record = append(w.record, line)
			w.end()
		}
		w.header(&tables[i], len(fields))
		for k, row := range tables[i].Rows {
			w.record = append(w.record, row.Label)
			w.row(tables[i].Cells[k])
		}
		w.summary(&tables[i])
	}
	w.out.Flush()
	if err := w.out.Error(); err != nil {
		return err
	}
	return w.err
}

// benchstatCSV builds one record after the other.
type benchstatCSV struct {
	out      *csv.Writer
	warnings io.Writer
	record   []string
	lines    int   // records written so far
	err      error // of writing warnings
}

// csvColumn is the first column of a column of the table: a median and its
// range, and from the second on a change and its p-value.
func csvColumn(i int) int {
	if i == 0 {
		return 1
	}
	return 3 + (i-1)*4
}

// fill adds empty fields up to a column.
func (w *benchstatCSV) fill(column int) {
	for len(w.record) < column {
		w.record = append(w.record, "")
	}
}

// end writes the record. What is wrong with the output is found at the end.
func (w *benchstatCSV) end() {
	_ = w.out.Write(w.record)
	w.record = w.record[:0]
	w.lines++
}

func (w *benchstatCSV) note(texts []string) {
	for _, text := range texts {
		if _, err := fmt.Fprintf(w.warnings, "%s%d: %s\n", spreadsheetColumn(len(w.record)), w.lines+1, text); err != nil && w.err == nil {
			w.err = fmt.Errorf("writing a warning: %w", err)
		}
	}
}

// spreadsheetColumn is the name of a column: A to Z, AA, AB and so on.
func spreadsheetColumn(i int) string {
	name := ""
	for i++; i > 0; i = (i - 1) / 26 {
		name = string(rune('A'+(i-1)%26)) + name
	}
	return name
}

func (w *benchstatCSV) header(t *table.BenchstatTable, levels int) {
	for level := range levels {
		for i, c := range t.Columns {
			w.fill(csvColumn(i))
			w.record = append(w.record, c.Values[level])
		}
		w.fill(csvColumn(len(t.Columns)))
		w.end()
	}
	for i := range t.Columns {
		w.fill(csvColumn(i))
		w.record = append(w.record, t.Unit.Name, "CI")
		if i > 0 {
			w.record = append(w.record, "vs base", "P")
		}
	}
	w.end()
}

func (w *benchstatCSV) row(cells []*table.BenchstatCell) {
	for i, c := range cells {
		if c == nil {
			continue
		}
		w.fill(csvColumn(i))
		w.note(c.Notes)
		w.record = append(w.record, fmt.Sprint(c.Center), c.Range)
		if c.Compared {
			w.note(c.CompareNotes)
			w.record = append(w.record, c.Delta, c.P)
		}
	}
	w.end()
}

func (w *benchstatCSV) summary(t *table.BenchstatTable) {
	w.record = append(w.record, "geomean")
	for i, s := range t.Summaries {
		w.fill(csvColumn(i))
		w.note(s.Notes)
		if !math.IsNaN(s.Center) {
			w.record = append(w.record, fmt.Sprint(s.Center))
		}
		if i > 0 {
			w.fill(csvColumn(i) + 2)
			w.record = append(w.record, benchstatRatio(s))
		}
	}
	w.fill(csvColumn(len(t.Columns)))
	w.end()
}
