package render

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
)

// drawing is an SVG image (W3C 2018) that is being put together. Coordinates
// are pixels from the upper left corner; what is not finite stays out.
type drawing struct {
	id             string
	width, height  float64
	title, details string
	body           strings.Builder
}

// ground colours follow the reader's light or dark surroundings.
const drawingStyle = `.ground{fill:#ffffff}.ink{fill:#1f2328}.soft{fill:#59636e}.rule{stroke:#d1d9e0;stroke-width:1}.axis{stroke:#59636e;stroke-width:1}` +
	`text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}text.big{font-size:16px;font-weight:600}text.small{font-size:11.5px}` +
	`.side0{color:#0072b2}.side1{color:#d55e00}.side2{color:#008f68}.side3{color:#b8578f}.side4{color:#8f7000}.side5{color:#3a8fc4}.side6{color:#6e6e6e}` +
	`@media(prefers-color-scheme:dark){.ground{fill:#0d1117}.ink{fill:#e6edf3}.soft{fill:#9198a1}.rule{stroke:#30363d}.axis{stroke:#9198a1}` +
	`.side0{color:#4ba3e0}.side1{color:#ff8a3d}.side2{color:#2fc79a}.side3{color:#e59cc6}.side4{color:#e0be4a}.side5{color:#9ad1f5}.side6{color:#b0b0b0}}`

// sideColours is the number of colours of the style. They are close to those of
// Okabe and Ito (2008), which can be told apart with any colour vision, darker
// on light ground and lighter on dark.
const sideColours = 7

// colourOf names the class of a side's colour.
func colourOf(side int) string { return "side" + strconv.Itoa(side%sideColours) }

func (d *drawing) add(format string, values ...any) { fmt.Fprintf(&d.body, format+"\n", values...) }

// coordinate rounds to a tenth of a pixel.
func coordinate(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = 0
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
}

// text writes a line of text. anchor is "start", "middle" or "end".
func (d *drawing) text(x, y float64, anchor, class, what string) {
	d.add(`<text x="%s" y="%s" text-anchor="%s" class="%s">%s</text>`, coordinate(x), coordinate(y), anchor, class, html.EscapeString(printable(what)))
}

func (d *drawing) line(x1, y1, x2, y2 float64, class string) {
	d.add(`<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s"/>`, coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2), class)
}

// stroke draws a line in a side's colour.
func (d *drawing) stroke(x1, y1, x2, y2, thick float64, colour string) {
	d.add(`<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s" stroke="currentColor" stroke-width="%s"/>`, coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2), colour, coordinate(thick))
}

func (d *drawing) rectangle(x, y, width, height float64, colour string, opacity float64) {
	d.add(`<rect x="%s" y="%s" width="%s" height="%s" class="%s" fill="currentColor" fill-opacity="%.2f"/>`, coordinate(x), coordinate(y), coordinate(max(0, width)), coordinate(max(0, height)), colour, opacity)
}

func (d *drawing) dot(x, y, radius float64, colour string, opacity float64) {
	d.add(`<circle cx="%s" cy="%s" r="%s" class="%s" fill="currentColor" fill-opacity="%.2f"/>`, coordinate(x), coordinate(y), coordinate(radius), colour, opacity)
}

// bytes returns the whole image. Its title and description are there for those
// who cannot see it.
func (d *drawing) bytes() []byte {
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" role="img" aria-labelledby="%s-title %s-details">`+"\n",
		coordinate(d.width), coordinate(d.height), coordinate(d.width), coordinate(d.height), d.id, d.id)
	fmt.Fprintf(&out, "<title id=\"%s-title\">%s</title>\n<desc id=\"%s-details\">%s</desc>\n", d.id, html.EscapeString(printable(d.title)), d.id, html.EscapeString(printable(d.details)))
	fmt.Fprintf(&out, "<style>%s</style>\n<rect class=\"ground\" width=\"100%%\" height=\"100%%\"/>\n", drawingStyle)
	out.WriteString(d.body.String())
	out.WriteString("</svg>\n")
	return []byte(out.String())
}
