package render

import (
	"io"
	"sort"
	"strings"
	"unicode/utf8"
)

// alignment is where a text stands in its columns.
type alignment int

const (
	alignedLeft alignment = iota
	alignedCentre
	alignedRight
)

// spanGrid lays out text in columns as benchstat does. A text may span several
// columns. Where it needs more room than they have, the columns grow to equal
// widths as far as they can, but for those that are fixed.
type spanGrid struct {
	cells    []spanCell
	columns  int
	row, col int // where the next text goes
	fixed    map[int]bool
}

// spanCell is one text. Its margin stands left of it; the margins of a column
// are as wide as its widest.
type spanCell struct {
	row, col, span int
	text, margin   string
	align          alignment
}

func (g *spanGrid) nextRow() {
	if len(g.cells) > 0 {
		g.row++
	}
	g.col = 0
}

// put adds a text at the current place. An empty margin means one space, or
// none before an empty text and in the first column.
func (g *spanGrid) put(span int, text string, align alignment, margin string) {
	if margin == "" && g.col > 0 && text != "" {
		margin = " "
	}
	g.cells = append(g.cells, spanCell{g.row, g.col, span, text, margin, align})
	g.col += span
	g.columns = max(g.columns, g.col)
}

func (g *spanGrid) text(text string)  { g.put(1, text, alignedLeft, "") }
func (g *spanGrid) right(text string) { g.put(1, text, alignedRight, "") }

func (g *spanGrid) fix(col int) {
	if g.fixed == nil {
		g.fixed = map[int]bool{}
	}
	g.fixed[col] = true
}

// write writes the grid without spaces at the ends of lines.
func (g *spanGrid) write(out io.Writer) error {
	margins := make([]int, g.columns)
	for _, c := range g.cells {
		margins[c.col] = max(margins[c.col], utf8.RuneCountInString(c.margin))
	}
	starts := g.starts(margins)
	sort.Slice(g.cells, func(i, j int) bool {
		if g.cells[i].row != g.cells[j].row {
			return g.cells[i].row < g.cells[j].row
		}
		return g.cells[i].col < g.cells[j].col
	})
	var text strings.Builder
	row, at := 0, 0
	for _, c := range g.cells {
		if strings.TrimSpace(c.text) == "" && strings.TrimSpace(c.margin) == "" {
			continue
		}
		for ; row < c.row; row++ {
			text.WriteByte('\n')
			at = 0
		}
		// A text over fixed columns may reach beyond them. Benchstat then steps
		// as far to the right as it should have stepped back.
		spaces(&text, abs(starts[c.col]-at))
		spaces(&text, margins[c.col]-utf8.RuneCountInString(c.margin))
		text.WriteString(c.margin)
		at = starts[c.col] + margins[c.col]
		aligned := c.align.pad(c.text, starts[c.col+c.span]-at)
		text.WriteString(aligned)
		at += utf8.RuneCountInString(aligned)
	}
	if len(g.cells) > 0 {
		text.WriteByte('\n')
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// pad puts spaces beside a text so that it stands in a width as it should. A
// negative width is one that a margin has used up; its sign then only turns the
// sides around, as in a format of package fmt.
func (a alignment) pad(text string, width int) string {
	free := width - utf8.RuneCountInString(text)
	switch {
	case a == alignedCentre:
		return strings.Repeat(" ", abs(free/2)) + text
	case a == alignedRight && width >= 0:
		return strings.Repeat(" ", max(0, free)) + text
	case a == alignedRight:
		return text + strings.Repeat(" ", max(0, -width-utf8.RuneCountInString(text)))
	}
	return text
}

func abs(n int) int { return max(n, -n) }

func spaces(text *strings.Builder, n int) {
	for range n {
		text.WriteByte(' ')
	}
}

// starts returns where each column begins, and the width of the whole.
func (g *spanGrid) starts(margins []int) []int {
	widths := make([]int, g.columns)
	// Texts of one column first, then the wider ones.
	sort.Slice(g.cells, func(i, j int) bool { return g.cells[i].span < g.cells[j].span })
	for _, c := range g.cells {
		need := utf8.RuneCountInString(c.text) + margins[c.col]
		if c.span == 1 {
			widths[c.col] = max(widths[c.col], need)
			continue
		}
		g.widen(widths, c, need)
	}
	starts := make([]int, g.columns+1)
	for i, w := range widths {
		starts[i+1] = starts[i] + w
	}
	return starts
}

// widen makes room for a text over several columns. The widest column is looked
// at first: what it has beyond the mean the others need not give.
func (g *spanGrid) widen(widths []int, c spanCell, need int) {
	have := 0
	for col := c.col; col < c.col+c.span; col++ {
		have += widths[col]
	}
	if have >= need {
		return
	}
	var grow []int
	for col := c.col; col < c.col+c.span; col++ {
		if g.fixed[col] {
			need -= widths[col]
		} else {
			grow = append(grow, col)
		}
	}
	sort.Slice(grow, func(i, j int) bool { return widths[grow[i]] > widths[grow[j]] })
	for i, col := range grow {
		left := len(grow) - i
		widths[col] = max(widths[col], (need+left-1)/left)
		need -= widths[col]
	}
}
