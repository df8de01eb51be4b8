package render

import (
	"fmt"
	"strings"

	"github.com/rtcompare/rtcompare/internal/record"
	"github.com/rtcompare/rtcompare/internal/view"
)

// manySides is the number of sides from which a table is easier to read than
// sentences.
const manySides = 3

// Text renders a comparison for a terminal: the sides, what is known about each
// pair, how the run went, and what weakens the answer.
func Text(c view.Comparison, o Options) string {
	t := &text{c: &c, o: o}
	if len(c.Sides) == 0 {
		return "Nothing was measured: this record is empty.\n"
	}
	t.sides()
	if len(c.Sides) == 1 {
		t.alone(&c.Sides[0])
	}
	t.latencies()
	t.totals()
	t.verdicts()
	t.small(c.How())
	t.small(c.NoiseFloor())
	t.warnings()
	return t.out.String()
}

// Verdicts renders only what is known about each pair, one line each.
func Verdicts(c view.Comparison, o Options) string {
	t := &text{c: &c, o: o}
	t.verdicts()
	return t.out.String()
}

// text is a text that is being written.
type text struct {
	c   *view.Comparison
	o   Options
	out strings.Builder
}

func (t *text) line(s string) { t.out.WriteString(strings.TrimRight(s, " ") + "\n") }

func (t *text) heading(s string) {
	t.line("")
	t.line(t.paint(bold, s))
}

// shade is how a piece of text stands out: the number of a terminal's SGR
// sequence (ECMA-48).
type shade string

const (
	bold   shade = "1"
	faint  shade = "2"
	red    shade = "31"
	green  shade = "32"
	yellow shade = "33"
)

func (t *text) paint(s shade, what string) string {
	if !t.o.Colour || what == "" {
		return what
	}
	return "\x1b[" + string(s) + "m" + what + "\x1b[0m"
}

// shadeOf colours a verdict as seen from the reference: green where the other
// side is better, red where it is worse.
func shadeOf(c *view.Comparison, p view.Pair) shade {
	switch {
	case p.Verdict == record.Unmeasurable:
		return red
	case !p.Decided() && p.Verdict != record.Equivalent:
		return yellow
	case !p.Decided() || p.Base != c.Reference || p.Describes.Better == "":
		return bold
	case (p.Verdict == record.Faster) == (p.Describes.Better == "lower"):
		return green
	}
	return red
}

// verdicts writes a line for every judged pair, the metric that carries the
// verdict first. With many
// sides the table has said it, and only their order is left to say.
func (t *text) verdicts() {
	many := len(t.c.Sides) >= manySides
	if many {
		t.order()
	}
	for _, main := range []bool{true, false} {
		for _, p := range t.c.Pairs {
			if t.c.IsMain(p) != main || many && (main || !p.Decided() || p.Base != t.c.Reference) || isShownWithLatencies(t.c, p) || !main && !t.c.Comparable(p) {
				continue
			}
			t.verdict(p)
		}
	}
}

func (t *text) verdict(p view.Pair) {
	t.conclusion(shadeOf(t.c, p), t.c.Sentence(p), t.c.Numbers(p))
	if needed := t.c.Needed(p); needed != "" {
		t.line("  " + needed)
	}
}

// conclusion writes a sentence and its numbers, on one line where they fit.
func (t *text) conclusion(s shade, sentence, numbers string) {
	if columnsOf(sentence)+len(gap)+columnsOf(numbers) <= t.o.width() {
		t.line(t.paint(s, sentence) + gap + numbers)
		return
	}
	t.line(t.paint(s, sentence))
	t.line("  " + numbers)
}

// order says in which order many sides come, as far as that is known.
func (t *text) order() {
	if len(t.c.Groups) > 0 {
		for _, line := range wrap(t.c.GroupMeaning()+t.c.GroupText(), t.o.width()) {
			t.line(t.paint(bold, line))
		}
	} else if len(t.c.Pairs) > 0 {
		t.line(fmt.Sprintf("Each was judged against %s, and not against the others.", t.c.Sides[t.c.Reference].Letter))
	}
	if p, ok := t.c.Main(t.c.Reference, firstOther(t.c)); ok {
		t.line("Ratios with intervals: " + t.c.Certainty(p))
	}
}

func firstOther(c *view.Comparison) int {
	if c.Reference == 0 {
		return 1
	}
	return 0
}

func (t *text) warnings() {
	findings := t.c.Ending.Machine
	if len(t.c.Warnings)+len(findings) == 0 {
		return
	}
	t.heading("Warnings")
	for _, w := range t.c.Warnings {
		t.item(t.c.WarningText(w))
	}
	for _, f := range findings {
		t.item(printable(f.Text))
	}
}

// item writes a point of a list.
func (t *text) item(sentence string) {
	for i, line := range wrap(sentence, t.o.width()-2) {
		lead := "  "
		if i == 0 {
			lead = "- "
		}
		t.line(lead + line)
	}
}

// small writes a sentence that is there for those who look for it.
func (t *text) small(sentence string) {
	for _, line := range wrap(sentence, t.o.width()) {
		t.line(t.paint(faint, line))
	}
}
