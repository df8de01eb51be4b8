package render

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/rtcompare/rtcompare/internal/table"
)

// BenchstatOldHTML writes a table element as the benchstat of before 2023 did,
// byte for byte; the page around it is not part of it.
func BenchstatOldHTML(out io.Writer, tables []table.OldTable) error {
	if len(tables) == 0 {
		return nil
	}
	var text strings.Builder
	first := &tables[0]
	class := ""
	if first.Compared {
		class = "oldnew"
	}
	fmt.Fprintf(&text, "\n<table class='benchstat %s'>\n", class)
	if len(first.Inputs) != 1 {
		text.WriteString("<tr class='configs'><th>")
		for _, input := range first.Inputs {
			text.WriteString("<th>" + html.EscapeString(input))
		}
		text.WriteString("\n")
	}
	text.WriteString("\n")
	for i := range tables {
		oldBody(&text, &tables[i])
	}
	text.WriteString("\n</table>\n")
	_, err := io.WriteString(out, text.String())
	return err
}

func oldBody(text *strings.Builder, t *table.OldTable) {
	text.WriteString("\n<tbody>\n")
	metric := html.EscapeString(t.Metric)
	if len(t.Inputs) == 1 {
		fmt.Fprintf(text, "\n<tr><th><th>%s\n", metric)
	} else {
		fmt.Fprintf(text, "<tr><th><th colspan='%d' class='metric'>%s", len(t.Inputs), metric)
		if t.Compared {
			text.WriteString("<th>delta")
		}
		text.WriteString("\n")
	}
	columns := len(t.Inputs) + 1
	if t.Compared {
		columns++
	}
	group := ""
	for i, r := range t.Rows {
		if (i == 0 || r.Group != group) && len(t.Groups) > 1 && r.Group != "" {
			fmt.Fprintf(text, "<tr class='group'><th colspan='%d'>%s", columns, html.EscapeString(r.Group))
		}
		group = r.Group
		oldHTMLRow(text, &r, t.Compared)
	}
	text.WriteString("<tr><td>&nbsp;\n</tbody>\n")
}

func oldHTMLRow(text *strings.Builder, r *table.OldRow, compared bool) {
	switch {
	case !compared:
		text.WriteString("<tr>")
	case r.Change > 0:
		text.WriteString("<tr class='better'>")
	case r.Change < 0:
		text.WriteString("<tr class='worse'>")
	default:
		text.WriteString("<tr class='unchanged'>")
	}
	text.WriteString("<td>" + html.EscapeString(r.Benchmark))
	for _, m := range r.Metrics {
		text.WriteString("<td>" + html.EscapeString(oldCell(m, r.Scale)))
	}
	if compared {
		class := "delta"
		if r.Delta == "~" {
			class = "nodelta"
		}
		fmt.Fprintf(text, "<td class='%s'>%s<td class='note'>%s", class,
			html.EscapeString(strings.ReplaceAll(r.Delta, "-", "−")), html.EscapeString(r.Note))
	}
	text.WriteString("\n")
}
