package render

import (
	"strings"

	"github.com/rtcompare/rtcompare/internal/view"
)

// tableHead are the columns of hyperfine's tables and, after them, ours.
func tableHead(unit view.TimeUnit) []string {
	in := " [" + unit.Symbol() + "]"
	return []string{"Command", "Mean" + in, "Min" + in, "Max" + in, "Relative", "Ratio [interval]", "Verdict"}
}

func (r tableRow) cells(command string) []string {
	return []string{command, r.mean, r.low, r.top, r.relative, r.ratio, r.verdict}
}

// oneLine makes a command fit into a table's cell.
func oneLine(command string) string { return printable(command) }

// Markdown renders a comparison as a table of GitHub's Markdown, in hyperfine's
// layout with the judged ratio to the reference and the verdict as two further
// columns.
func Markdown(c view.Comparison, o Options) string {
	var out strings.Builder
	row := func(cells []string) { out.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	row(tableHead(tableUnit(&c, o)))
	out.WriteString("|:---|---:|---:|---:|---:|---:|:---|\n")
	for _, r := range tableRows(&c, o) {
		row(r.cells(markdownCode(strings.ReplaceAll(oneLine(r.side.Name), "|", `\|`))))
	}
	return out.String()
}

// markdownCode quotes a text as code, with more backticks around it than it
// holds in a row.
func markdownCode(text string) string {
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	if longest == 0 {
		return "`" + text + "`"
	}
	fence := strings.Repeat("`", longest+1)
	return fence + " " + text + " " + fence
}

// AsciiDoc renders the same table for AsciiDoc.
//
//lint:ignore ST1003 this is how the format spells its name
func AsciiDoc(c view.Comparison, o Options) string {
	var out strings.Builder
	row := func(cells []string) {
		out.WriteString("\n")
		for _, cell := range cells {
			out.WriteString("| " + cell + " \n")
		}
	}
	out.WriteString("[cols=\"<,>,>,>,>,>,<\"]\n|===")
	row(tableHead(tableUnit(&c, o)))
	for _, r := range tableRows(&c, o) {
		command := strings.ReplaceAll(oneLine(r.side.Name), "|", `\|`)
		row(r.cells("`" + command + "`"))
	}
	out.WriteString("|===\n")
	return out.String()
}

// Org renders the same table for Emacs org-mode.
func Org(c view.Comparison, o Options) string {
	var out strings.Builder
	row := func(cells []string) {
		out.WriteString("| " + cells[0] + "  |  " + strings.Join(cells[1:], " |  ") + " |\n")
	}
	row(tableHead(tableUnit(&c, o)))
	out.WriteString("|--+--+--+--+--+--+--|\n")
	for _, r := range tableRows(&c, o) {
		// Org-mode has no escape for a bar in a cell but an entity.
		command := strings.ReplaceAll(oneLine(r.side.Name), "|", `\vert{}`)
		row(r.cells("=" + command + "="))
	}
	return out.String()
}
