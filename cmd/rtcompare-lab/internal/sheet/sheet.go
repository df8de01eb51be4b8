// Package sheet holds what the lab prints: tables of measured numbers, and the
// bars that these are held against.
package sheet

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
)

// Sheet is a table.
type Sheet struct {
	// Title says what is tested.
	Title string
	// Nominal is the rate or level that is promised, in words; empty where
	// nothing is.
	Nominal string
	// Trials is how often each row was repeated.
	Trials int
	// ErrorAt is the share whose standard error the header shows; zero leaves
	// it out.
	ErrorAt float64
	Columns []string
	// Rows hold strings, integers, numbers and [Percent]s.
	Rows [][]any
	// Notes follow the table.
	Notes []string
	Bars  []Bar
}

// Percent is a share that is printed in percent.
type Percent float64

// Add appends a row.
func (s *Sheet) Add(cells ...any) { s.Rows = append(s.Rows, cells) }

// StandardError is that of a share measured in a number of trials.
func StandardError(share float64, trials int) float64 {
	return math.Sqrt(share * (1 - share) / float64(max(1, trials)))
}

// Text writes the sheet for people.
func (s *Sheet) Text(out io.Writer) error {
	fmt.Fprintln(out, s.Title)
	if header := s.header(); header != "" {
		fmt.Fprintln(out, header)
	}
	if len(s.Columns) > 0 {
		fmt.Fprintln(out)
		if err := s.table(out); err != nil {
			return err
		}
	}
	for _, note := range s.Notes {
		fmt.Fprintln(out, note)
	}
	if len(s.Bars) > 0 {
		fmt.Fprintln(out)
	}
	return Bars(out, s.Bars)
}

func (s *Sheet) table(out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, strings.Join(s.Columns, "\t"))
	for _, row := range s.Rows {
		texts := make([]string, len(row))
		for i, v := range row {
			texts[i] = Format(v)
		}
		fmt.Fprintln(table, strings.Join(texts, "\t"))
	}
	return table.Flush()
}

func (s *Sheet) header() string {
	var parts []string
	if s.Nominal != "" {
		parts = append(parts, s.Nominal)
	}
	if s.Trials > 0 {
		parts = append(parts, fmt.Sprintf("%d trials per row", s.Trials))
	}
	if s.ErrorAt > 0 {
		parts = append(parts, fmt.Sprintf("standard error %.2f points at %s", 100*StandardError(s.ErrorAt, s.Trials), Format(Percent(s.ErrorAt))))
	}
	return strings.Join(parts, "; ")
}

// Format renders one cell.
func Format(v any) string {
	switch v := v.(type) {
	case Percent:
		if math.IsNaN(float64(v)) {
			return "-"
		}
		return fmt.Sprintf("%.2f%%", 100*float64(v))
	case float64:
		if math.IsNaN(v) {
			return "-"
		}
		return fmt.Sprintf("%.4g", v)
	}
	return fmt.Sprint(v)
}

// JSON writes sheets for programs: one object per sheet, one per line.
func JSON(out io.Writer, sheets ...*Sheet) error {
	encoder := json.NewEncoder(out)
	for _, s := range sheets {
		if err := encoder.Encode(s.object()); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sheet) object() map[string]any {
	rows := make([]map[string]any, len(s.Rows))
	for i, row := range s.Rows {
		rows[i] = make(map[string]any, len(row))
		for k, v := range row {
			rows[i][s.Columns[k]] = plain(v)
		}
	}
	return map[string]any{
		"title": s.Title, "nominal": s.Nominal, "trials": s.Trials,
		"standard_error": StandardError(s.ErrorAt, s.Trials), "rows": rows, "notes": s.Notes, "bars": barObjects(s.Bars),
	}
}

// plain is a value that JSON can hold. A share stays a share, not percent.
func plain(v any) any {
	number := 0.0
	switch v := v.(type) {
	case Percent:
		number = float64(v)
	case float64:
		number = v
	default:
		return v
	}
	if math.IsNaN(number) || math.IsInf(number, 0) {
		return nil
	}
	return number
}
