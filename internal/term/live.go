package term

import (
	"bytes"
	"context"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// redrawGap is the least time between two drawings of the live lines.
	redrawGap = 100 * time.Millisecond
	// plainGap is the least time between two plain lines, unless said otherwise.
	plainGap = 5 * time.Second
)

// oneLine keeps words apart where a text has several lines.
var oneLine = strings.NewReplacer("\n", " ", "\t", " ")

// LiveOptions say how live lines are shown. The zero value is right for a pipe.
type LiveOptions struct {
	// Escapes is set where the output is a terminal that obeys escape sequences:
	// lines are redrawn there. Elsewhere the first line is printed now and then.
	Escapes bool
	// Quiet shows nothing at all.
	Quiet bool
	// Size returns the terminal's present size in cells; nil means the defaults.
	Size func() (width, height int)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// PlainGap is the least time between two plain lines; 0 means five seconds.
	PlainGap time.Duration
}

// Live is one or several lines at the bottom of a terminal that change while
// work goes on, and disappear when it ends. It is safe for concurrent use. It has
// no goroutine and no ticker: it draws when it is told something new, at most
// ten times a second. All methods of a nil Live do nothing.
type Live struct {
	out     io.Writer
	options LiveOptions
	unwatch func() bool

	mu      sync.Mutex
	lines   []string
	drawn   []int // the widths of the lines on the screen, none when erased
	last    time.Time
	printed string // the plain line that was printed last
	hidden  bool   // the cursor
	closed  bool
	err     error // of the first write that failed; nothing is drawn after it
	above   []*aboveWriter
}

// NewLive returns live lines on a stream, which should be standard error. When
// ctx ends they are erased as by Close, so that an interrupted run leaves the
// terminal as it was.
func NewLive(ctx context.Context, out io.Writer, options LiveOptions) *Live {
	if options.Size == nil {
		options.Size = func() (int, int) { return DefaultWidth, DefaultHeight }
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.PlainGap <= 0 {
		options.PlainGap = plainGap
	}
	l := &Live{out: out, options: options}
	if !options.Escapes {
		l.last = options.Now() // what is over within seconds needs no progress
	}
	l.mu.Lock() // ctx may have ended already, and Close reads what is set here
	defer l.mu.Unlock()
	l.unwatch = context.AfterFunc(ctx, func() { _ = l.Close() })
	return l
}

// Update replaces the lines. It draws them if the last drawing is long enough
// ago; otherwise they wait for the next Update. The first line should say most:
// it is the only one that a pipe gets to see.
func (l *Live) Update(lines ...string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.options.Quiet || l.err != nil {
		return
	}
	l.lines = append(l.lines[:0], lines...)
	now := l.options.Now()
	if !l.options.Escapes {
		l.printPlain(now)
		return
	}
	if l.due(now) {
		var b bytes.Buffer
		l.draw(&b)
		l.last = now
		l.write(b.Bytes())
	}
}

// due reports whether the lines may be drawn again. A clock that was set back
// does not stop them.
func (l *Live) due(now time.Time) bool {
	passed := now.Sub(l.last)
	return l.last.IsZero() || passed >= redrawGap || passed < 0
}

// printPlain prints the first line, if it is new and the last one is long ago.
func (l *Live) printPlain(now time.Time) {
	if len(l.lines) == 0 || now.Sub(l.last) < l.options.PlainGap {
		return
	}
	text := strings.TrimSpace(Plain(l.lines[0]))
	if text == "" || text == l.printed {
		return
	}
	l.printed, l.last = text, now
	l.write([]byte(text + "\n"))
}

// draw writes the lines over those on the screen. The cursor is left behind the
// last one, so that nothing scrolls.
func (l *Live) draw(b *bytes.Buffer) {
	width, height := l.options.Size()
	lines := l.lines[:min(len(l.lines), max(1, height-1))]
	if len(lines) == 0 {
		l.erase(b)
		return
	}
	if !l.hidden {
		b.WriteString("\x1b[?25l")
		l.hidden = true
	}
	l.home(b, width)
	l.drawn = l.drawn[:0]
	for i, line := range lines {
		if i > 0 {
			b.WriteString("\r\n")
		}
		// A full line would leave the cursor in the next one on some terminals.
		line = Cut(oneLine.Replace(line), max(1, width-1))
		b.WriteString(line)
		b.WriteString("\x1b[K")
		l.drawn = append(l.drawn, Width(line))
	}
	b.WriteString("\x1b[J")
}

// home moves the cursor to the beginning of the first line on the screen. In a
// terminal that was made narrower since, a line takes several rows.
func (l *Live) home(b *bytes.Buffer, width int) {
	width = max(1, width)
	rows := 0
	for _, cells := range l.drawn {
		rows += max(1, (cells+width-1)/width)
	}
	if rows > 1 {
		b.WriteString("\x1b[" + strconv.Itoa(rows-1) + "A")
	}
	b.WriteString("\r")
}

// erase removes the lines from the screen.
func (l *Live) erase(b *bytes.Buffer) {
	if len(l.drawn) == 0 {
		return
	}
	width, _ := l.options.Size()
	l.home(b, width)
	b.WriteString("\x1b[J")
	l.drawn = l.drawn[:0]
}

// write sends everything at once, so that nobody sees half a drawing.
func (l *Live) write(text []byte) {
	if len(text) == 0 || l.err != nil {
		return
	}
	_, l.err = l.out.Write(text)
}

// Close erases the lines, gives the cursor back and passes on what other writers
// have not ended with a line end. What is written above afterwards goes straight
// through. It returns the first error of writing. It may be called again.
func (l *Live) Close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unwatch()
	if l.closed {
		return l.err
	}
	l.closed = true
	var b bytes.Buffer
	l.erase(&b)
	if l.hidden {
		b.WriteString("\x1b[?25h")
	}
	l.write(b.Bytes())
	for _, w := range l.above {
		if err := w.flush(); err != nil && l.err == nil {
			l.err = err
		}
	}
	return l.err
}
