package render

import (
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/rtcompare/rtcompare/internal/table"
)

// BenchstatOld writes tables as the benchstat of before 2023 did, byte for byte.
func BenchstatOld(out io.Writer, tables []table.OldTable) error {
	texts := make([][][]string, len(tables))
	var widths []int
	for i := range tables {
		texts[i] = oldText(&tables[i])
		for _, row := range texts[i] {
			for k, field := range row {
				if len(row) == 1 {
					break // the name of a group may be longer than any column
				}
				if k == len(widths) {
					widths = append(widths, 0)
				}
				widths[k] = max(widths[k], utf8.RuneCountInString(field))
			}
		}
	}
	var text strings.Builder
	for i, rows := range texts {
		if i > 0 {
			text.WriteByte('\n')
		}
		oldHeader(&text, rows[0], widths)
		for _, row := range rows[1:] {
			oldLine(&text, row, widths)
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func oldHeader(text *strings.Builder, row []string, widths []int) {
	for i, field := range row {
		switch {
		case i == 0:
			fmt.Fprintf(text, "%-*s", widths[i], field)
		case i < len(row)-1:
			fmt.Fprintf(text, "  %-*s", widths[i], field)
		default:
			text.WriteString("  " + field + "\n")
		}
	}
}

func oldLine(text *strings.Builder, row []string, widths []int) {
	for i, field := range row {
		switch {
		case len(row) == 1:
			text.WriteString(field)
		case i == 0:
			fmt.Fprintf(text, "%-*s", widths[i], field)
		case i == len(row)-1 && strings.HasPrefix(field, "("):
			text.WriteString("  " + field)
		default:
			fmt.Fprintf(text, "  %*s", widths[i], field)
		}
	}
	text.WriteByte('\n')
}

// oldText makes the fields of a table, the header first. Empty fields at the end
// of a row are cut off.
func oldText(t *table.OldTable) [][]string {
	var rows [][]string
	switch len(t.Inputs) {
	case 1:
		rows = append(rows, []string{"name", t.Metric})
	case 2:
		rows = append(rows, []string{"name", "old " + t.Metric, "new " + t.Metric, "delta"})
	default:
		rows = append(rows, append([]string{`name \ ` + t.Metric}, t.Inputs...))
	}
	group := ""
	for _, r := range t.Rows {
		if r.Group != group {
			group = r.Group
			rows = append(rows, []string{group})
		}
		row := []string{r.Benchmark}
		for _, m := range r.Metrics {
			row = append(row, oldCell(m, r.Scale))
		}
		if len(t.Inputs) == 2 {
			delta := r.Delta
			if delta == "~" {
				delta = "~   "
			}
			row = append(row, delta, r.Note)
		}
		rows = append(rows, row)
	}
	for i := range rows {
		rows[i] = withoutEmptyEnd(rows[i])
	}
	return rows
}

func withoutEmptyEnd(row []string) []string {
	for len(row) > 0 && row[len(row)-1] == "" {
		row = row[:len(row)-1]
	}
	return row
}

// oldCell is a mean and its largest deviation.
func oldCell(m *table.OldMetrics, scale float64) string {
	if m.Unit == "" {
		return ""
	}
	mean, deviation := oldNumber(m.Mean, scale, m.Unit), oldDeviation(m)
	if deviation == "" {
		return mean + "     "
	}
	return fmt.Sprintf("%s ±%3s", mean, deviation)
}

func oldDeviation(m *table.OldMetrics) string {
	if m.Mean == 0 || m.Max == 0 {
		return ""
	}
	deviation := 1 - m.Min/m.Mean
	if above := m.Max/m.Mean - 1; above > deviation {
		deviation = above
	}
	return fmt.Sprintf("%.0f%%", deviation*100.0)
}

// BenchstatOldCSV writes tables as the benchstat of before 2023 did with -csv,
// byte for byte. withoutRange leaves out the columns of deviations (-norange).
func BenchstatOldCSV(out io.Writer, tables []table.OldTable, withoutRange bool) error {
	for i := range tables {
		if i > 0 {
			if _, err := io.WriteString(out, "\n"); err != nil {
				return err
			}
		}
		w := csv.NewWriter(out)
		if err := w.WriteAll(oldCSV(&tables[i], withoutRange)); err != nil {
			return err
		}
	}
	return nil
}

func oldCSV(t *table.OldTable, withoutRange bool) [][]string {
	unit := ""
	if len(t.Rows) > 0 && len(t.Rows[0].Metrics) > 0 {
		unit = " (" + t.Rows[0].Metrics[0].Unit + ")"
	}
	header := func(first string, fields ...string) []string {
		row := []string{first}
		for _, f := range fields {
			if row = append(row, f); !withoutRange {
				row = append(row, "±")
			}
		}
		return row
	}
	var rows [][]string
	switch len(t.Inputs) {
	case 1:
		rows = append(rows, header("name", t.Metric+unit))
	case 2:
		rows = append(rows, header("name", "old "+t.Metric+unit, "new "+t.Metric+unit, "delta"))
	default:
		rows = append(rows, header(`name \ `+t.Metric+unit, withoutCommonFolder(t.Inputs)...))
	}
	group := ""
	for _, r := range t.Rows {
		if r.Group != group {
			group = r.Group
			rows = append(rows, []string{group})
		}
		row := []string{r.Benchmark}
		for _, m := range r.Metrics {
			mean, deviation := "", ""
			if m.Unit != "" {
				mean, deviation = fmt.Sprintf("%.5E", m.Mean), oldDeviation(m)
			}
			if row = append(row, mean); !withoutRange {
				row = append(row, deviation)
			}
		}
		if len(t.Inputs) == 2 {
			row = append(row, r.Delta, r.Note)
		}
		rows = append(rows, row)
	}
	for i := range rows {
		rows[i] = withoutEmptyEnd(rows[i])
	}
	return rows
}

// withoutCommonFolder cuts off the folders that all paths have in common. Empty
// paths do not count, and a single path keeps all of its own.
func withoutCommonFolder(paths []string) []string {
	common, count := "", 0
	for _, p := range paths {
		if p == "" {
			continue
		}
		if count++; count == 1 {
			common = p
			continue
		}
		n := 0
		for n < min(len(common), len(p)) && common[n] == p[n] {
			n++
		}
		common = common[:n]
	}
	folder := strings.LastIndexByte(common, filepath.Separator) + 1
	if count < 2 || folder == 0 {
		return paths
	}
	list := make([]string, len(paths))
	for i, p := range paths {
		if p != "" {
			list[i] = p[folder:]
		}
	}
	return list
}
