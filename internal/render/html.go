package render

import (
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/rtcompare/rtcompare/internal/view"
)

const pageStyle = `:root{color-scheme:light dark;--ink:#1f2328;--soft:#59636e;--ground:#ffffff;--rule:#d1d9e0;--good:#116329;--bad:#b3261e;--doubt:#7d5700}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9198a1;--ground:#0d1117;--rule:#30363d;--good:#57ab5a;--bad:#ff7b72;--doubt:#d4a72c}}
body{font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;color:var(--ink);background:var(--ground);max-width:900px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}p.verdict{font-size:1.15rem;margin:.4rem 0}p.soft,td.soft{color:var(--soft)}
.good{color:var(--good)}.bad{color:var(--bad)}.doubt{color:var(--doubt)}
.wide{overflow-x:auto}table{border-collapse:collapse}th,td{padding:.25rem .8rem .25rem 0;border-bottom:1px solid var(--rule);text-align:right;white-space:nowrap}
th:first-child,td:first-child,th.left,td.left{text-align:left}td.name{white-space:normal;overflow-wrap:anywhere}svg{max-width:100%;height:auto;margin:.5rem 0}
code{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.92em}`

// HTML renders a page that needs nothing beside itself: verdicts, a table,
// the figures of the given kinds (all where none is given), warnings, and facts
// about the machine.
func HTML(c view.Comparison, o Options, kinds ...PlotKind) ([]byte, error) {
	if len(kinds) == 0 {
		kinds = PlotKinds
	}
	p := &page{c: &c, o: o}
	title := c.Name
	if title == "" {
		title = "Comparison of " + kindOf(&c)
	}
	p.add(`<!DOCTYPE html>`)
	p.add(`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`)
	p.add(`<title>%s</title><style>%s</style></head><body>`, escape(title), pageStyle)
	p.add(`<h1>%s</h1>`, escape(title))
	p.verdicts()
	p.table()
	p.latencies()
	for _, kind := range kinds {
		figure, err := Plot(kind, c, o)
		if err != nil {
			return nil, err
		}
		p.add(`<figure class="wide" style="margin:1.5rem 0">%s</figure>`, figure)
	}
	p.warnings()
	p.host()
	p.add(`</body></html>`)
	return []byte(p.out.String()), nil
}

// page is a page that is being written.
type page struct {
	c   *view.Comparison
	o   Options
	out strings.Builder
}

func (p *page) add(format string, values ...any) { fmt.Fprintf(&p.out, format+"\n", values...) }

func escape(text string) string { return html.EscapeString(printable(text)) }

func kindOf(c *view.Comparison) string {
	switch quantity(c) {
	case "time of a run":
		return "commands"
	case "time of a run, or per request":
		return "commands and servers"
	}
	return "servers"
}

var shadeClasses = map[shade]string{green: "good", red: "bad", yellow: "doubt"}

func (p *page) verdicts() {
	many := len(p.c.Sides) >= manySides
	if groups := p.c.GroupText(); groups != "" {
		p.add(`<p class="verdict">%s<strong>%s</strong></p>`, escape(p.c.GroupMeaning()), escape(groups))
	}
	if many {
		p.add(`<details><summary>All pairs</summary>`)
	}
	for _, pair := range p.c.Pairs {
		if isShownWithLatencies(p.c, pair) || !p.c.IsMain(pair) && !p.c.Comparable(pair) {
			continue
		}
		class := "verdict"
		if many || !p.c.IsMain(pair) {
			class = "soft"
		}
		p.add(`<p class="%s"><span class="%s">%s</span> %s</p>`, class, shadeClasses[shadeOf(p.c, pair)], escape(p.c.Sentence(pair)), escape(p.c.Numbers(pair)))
		if needed := p.c.Needed(pair); needed != "" {
			p.add(`<p class="soft">%s</p>`, escape(needed))
		}
	}
	if many {
		p.add(`</details>`)
		if pair, ok := p.c.Main(p.c.Reference, firstOther(p.c)); ok {
			p.add(`<p class="soft">Ratios with intervals: %s.</p>`, escape(p.c.Certainty(pair)))
		}
	}
	p.add(`<p class="soft">%s. %s</p>`, escape(p.c.How()), escape(p.c.NoiseFloor()))
}

// table writes a row for each side; columns that say nothing are left out.
func (p *page) table() {
	unit := tableUnit(p.c, p.o)
	speed := "Median"
	if kindOf(p.c) == "servers" {
		speed = "Requests"
	}
	columns := [][]string{{speed}, {"Mean [" + unit.Symbol() + "]"}, {"Min"}, {"Max"}, {"CPU"}, {"Memory"}, {"Ratio [interval]"}}
	rows := tableRows(p.c, p.o)
	t := &text{c: p.c, o: p.o}
	for _, row := range rows {
		for i, cell := range []string{t.speed(row.side), row.mean, row.low, row.top, t.cpu(row.side, true), t.memory(row.side), row.ratio} {
			columns[i] = append(columns[i], cell)
		}
	}
	columns = slices.DeleteFunc(columns, func(column []string) bool { return strings.Join(column[1:], "") == "" })
	p.add(`<h2>Runs</h2><div class="wide"><table><thead><tr><th></th><th class="left">Command</th>`)
	for _, column := range columns {
		p.add(`<th>%s</th>`, escape(column[0]))
	}
	p.add(`<th class="left">Verdict</th></tr></thead><tbody>`)
	for i, row := range rows {
		p.add(`<tr><td>%s</td><td class="left name"><code>%s</code></td>`, escape(row.side.Letter), escape(row.side.Name))
		for _, column := range columns {
			p.add(`<td>%s</td>`, escape(column[i+1]))
		}
		p.add(`<td class="left">%s</td></tr>`, escape(row.verdict))
	}
	p.add(`</tbody></table></div>`)
}

// latencies writes what the text has as tables for servers.
func (p *page) latencies() {
	t := &text{c: p.c, o: Options{Width: 200}}
	t.latencies()
	t.totals()
	if t.out.Len() > 0 {
		p.add(`<h2>Latency and answers</h2><div class="wide"><pre>%s</pre></div>`, html.EscapeString(strings.TrimSpace(t.out.String())))
	}
}

func (p *page) warnings() {
	if len(p.c.Warnings)+len(p.c.Ending.Machine) == 0 {
		return
	}
	p.add(`<h2>Warnings</h2><ul>`)
	for _, w := range p.c.Warnings {
		p.add(`<li>%s</li>`, escape(p.c.WarningText(w)))
	}
	for _, f := range p.c.Ending.Machine {
		p.add(`<li>%s</li>`, escape(f.Text))
	}
	p.add(`</ul>`)
}

// host lists the facts about the machine, and what measured when.
func (p *page) host() {
	p.add(`<h2>Machine</h2><table><tbody>`)
	row := func(name, value string) {
		p.add(`<tr><td class="soft">%s</td><td class="left">%s</td></tr>`, escape(name), escape(value))
	}
	for _, key := range slices.Sorted(maps.Keys(p.c.Host)) {
		value := fmt.Sprint(p.c.Host[key])
		if number, ok := p.c.Host[key].(float64); ok {
			value = plainNumber(number)
		}
		row(strings.ReplaceAll(key, "_", " "), value)
	}
	if !p.c.Started.IsZero() {
		row("measured", p.c.Started.UTC().Format("2006-01-02 15:04:05 UTC"))
	}
	row("with", p.c.Tool)
	p.add(`</tbody></table>`)
}
