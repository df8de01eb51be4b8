package render

import (
	"fmt"
	"io"
	"math"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/rtcompare/rtcompare/internal/table"
)

// Benchstat writes tables as the benchstat of golang.org/x/perf does since 2023,
// byte for byte, in the form `-format text`. fields are the column fields of the
// set.
func Benchstat(out io.Writer, tables []table.BenchstatTable, fields []string) error {
	var text strings.Builder
	for i := range tables {
		for _, line := range benchstatHeading(tables, i) {
			text.WriteString(line + "\n")
		}
		if err := benchstatText(&text, &tables[i], len(fields)); err != nil {
			return err
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// benchstatHeading lists the lines above a table: an empty one, and the settings
// that differ from those of the table before.
func benchstatHeading(tables []table.BenchstatTable, i int) (lines []string) {
	if i > 0 {
		lines = append(lines, "")
	}
	for k, s := range tables[i].Settings {
		if i == 0 || s.Value != tables[i-1].Settings[k].Value {
			lines = append(lines, s.Key+": "+s.Value)
		}
	}
	return lines
}

// A column of benchstat's table takes three columns of the grid for the median,
// its range and notes, and three more for the change, its p-value and notes. The
// first column has no change.
const (
	medianColumns = 3
	changeColumns = 3
)

// benchstatColumn is the first column of the grid of a column of the table.
func benchstatColumn(i int) int {
	if i == 0 {
		return 1
	}
	return 1 + medianColumns + (i-1)*(medianColumns+changeColumns)
}

// footnotes numbers the notes of a table.
type footnotes struct {
	numbers map[string]int
	texts   []string
}

// signs returns the numbers of some notes as superscripts.
func (f *footnotes) signs(lists ...[]string) string {
	var signs []string
	for _, list := range lists {
		for _, text := range list {
			number, ok := f.numbers[text]
			if !ok {
				f.texts = append(f.texts, text)
				number = len(f.texts)
				f.numbers[text] = number
			}
			signs = append(signs, superscript(number))
		}
	}
	return strings.Join(signs, " ")
}

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
	"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

func superscript(n int) string { return superscripts.Replace(fmt.Sprint(n)) }

func benchstatText(out io.Writer, t *table.BenchstatTable, levels int) error {
	var grid spanGrid
	notes := footnotes{numbers: map[string]int{}}
	end := benchstatColumn(len(t.Columns) + 1)
	benchstatHeader(&grid, t, levels, end)
	class := benchunit.ClassOf(t.Unit.Name)
	for i, row := range t.Rows {
		grid.nextRow()
		grid.text(row.Label)
		benchstatRow(&grid, &notes, t.Cells[i], class)
	}
	if len(t.Rows) > 1 {
		benchstatSummary(&grid, &notes, t, class)
	}
	if err := grid.write(out); err != nil {
		return err
	}
	for i, text := range notes.texts {
		if _, err := fmt.Fprintf(out, "%s %s\n", superscript(i+1), text); err != nil {
			return err
		}
	}
	return nil
}

// benchstatHeader adds a row for each field of the columns, joined where
// neighbours agree in it and all fields above, and the row of units.
func benchstatHeader(grid *spanGrid, t *table.BenchstatTable, levels, end int) {
	for level := range levels {
		grid.nextRow()
		for from := 0; from < len(t.Columns); {
			to := from + 1
			for to < len(t.Columns) && agree(t.Columns[from].Values, t.Columns[to].Values, level) {
				to++
			}
			grid.col = benchstatColumn(from)
			grid.put(benchstatColumn(to)-grid.col, t.Columns[from].Values[level], alignedCentre, " │ ")
			from = to
		}
		grid.col = end
		grid.put(1, "", alignedLeft, " │")
	}
	grid.nextRow()
	for i := range t.Columns {
		grid.col = benchstatColumn(i)
		grid.put(medianColumns, t.Unit.Name, alignedCentre, " │ ")
		if i > 0 {
			grid.put(changeColumns, "vs base", alignedLeft, "  ")
		}
		for col := benchstatColumn(i) + 1; col < grid.col; col++ {
			grid.fix(col)
		}
	}
	grid.col = end
	grid.put(1, "", alignedLeft, " │")
}

// agree reports whether two columns have the same values up to a level.
func agree(a, b []string, level int) bool {
	for i := 0; i <= level; i++ {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func benchstatRow(grid *spanGrid, notes *footnotes, cells []*table.BenchstatCell, class benchunit.Class) {
	var centres []float64
	for _, c := range cells {
		if c != nil {
			centres = append(centres, c.Center)
		}
	}
	scale := benchunit.CommonScale(centres, class)
	for i, c := range cells {
		if c == nil {
			continue
		}
		grid.col = benchstatColumn(i)
		grid.right(scale.Format(c.Center))
		grid.put(1, c.Range, alignedRight, " ± ")
		grid.text(notes.signs(c.Notes))
		if c.Compared {
			grid.right(c.Delta)
			grid.text("(" + c.P + ")")
			grid.text(notes.signs(c.CompareNotes))
		}
	}
}

func benchstatSummary(grid *spanGrid, notes *footnotes, t *table.BenchstatTable, class benchunit.Class) {
	grid.nextRow()
	grid.text("geomean")
	for i, s := range t.Summaries {
		if !math.IsNaN(s.Center) {
			grid.col = benchstatColumn(i)
			grid.right(benchunit.Scale(s.Center, class))
		}
		if i > 0 {
			grid.col = benchstatColumn(i) + medianColumns
			if text := benchstatRatio(s); text == "?" {
				grid.text(text)
			} else {
				grid.right(text)
			}
		}
		grid.col = benchstatColumn(i+1) - 1
		grid.text(notes.signs(s.Notes))
	}
}

func benchstatRatio(s table.BenchstatSummary) string {
	if math.IsNaN(s.Ratio) {
		return "?"
	}
	return fmt.Sprintf("%+.2f%%", (s.Ratio-1)*100)
}
