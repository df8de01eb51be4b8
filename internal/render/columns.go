package render

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable replaces what would move the cursor or end the line: a command line
// may hold anything.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case !unicode.IsPrint(r):
			return '\uFFFD'
		}
		return r
	}, text)
}

// columnsOf counts the columns of a text without wide characters.
func columnsOf(text string) int { return utf8.RuneCountInString(text) }

// wrap breaks a sentence into lines between its words.
func wrap(sentence string, columns int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(sentence) {
		switch {
		case line == "":
			line = word
		case columnsOf(line)+1+columnsOf(word) > columns:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// cut shortens a text in the middle, where command lines differ least.
func cut(text string, columns int) string {
	runes := []rune(text)
	if len(runes) <= columns {
		return text
	}
	if columns < 2 {
		return "…"
	}
	left := (columns - 1) / 2
	return string(runes[:left]) + "…" + string(runes[len(runes)-(columns-1-left):])
}

// grid lays out cells in columns. Cells of the columns named by right stand at
// the right end. Columns without any text take no room.
type grid struct {
	rows  [][]string
	right map[int]bool
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// widths returns the width of every column.
func (g *grid) widths() []int {
	var widths []int
	for _, row := range g.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columnsOf(cell))
		}
	}
	return widths
}

// fit shortens the cells of one column until all rows fit, down to least.
func (g *grid) fit(column, width, least int) {
	widths := g.widths()
	if column >= len(widths) {
		return
	}
	all := 0
	for _, w := range widths {
		if w > 0 {
			all += w + len(gap)
		}
	}
	room := max(least, widths[column]-max(0, all-len(gap)-width))
	for _, row := range g.rows {
		if column < len(row) {
			row[column] = cut(row[column], room)
		}
	}
}

const gap = "   "

// lines renders the rows.
func (g *grid) lines() []string {
	widths := g.widths()
	lines := make([]string, len(g.rows))
	for r, row := range g.rows {
		var line strings.Builder
		begun := false
		for i, cell := range row {
			if widths[i] == 0 {
				continue
			}
			if begun {
				line.WriteString(gap)
			}
			begun = true
			pad := strings.Repeat(" ", widths[i]-columnsOf(cell))
			if g.right[i] {
				line.WriteString(pad + cell)
			} else {
				line.WriteString(cell + pad)
			}
		}
		lines[r] = strings.TrimRight(line.String(), " ")
	}
	return lines
}
