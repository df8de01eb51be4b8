package term

import (
	"bytes"
	"io"
)

// Above returns a writer whose lines appear above the live ones, for everything
// else that reaches the same terminal: results, messages, the output of
// commands. It passes whole lines on to w and keeps the beginning of a line until
// its end or Close. Writing fails only where w does. Of a nil Live it is w.
func (l *Live) Above(w io.Writer) io.Writer {
	if l == nil {
		return w
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	above := &aboveWriter{live: l, out: w}
	l.above = append(l.above, above)
	return above
}

// aboveWriter is what Above returns.
type aboveWriter struct {
	live  *Live
	out   io.Writer
	begun []byte // the beginning of a line
}

// longestBegun is how much of a line is kept back at most.
const longestBegun = 64 << 10

// Write passes text on in whole lines.
func (a *aboveWriter) Write(text []byte) (int, error) {
	l := a.live
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return a.out.Write(text)
	}
	end := bytes.LastIndexByte(text, '\n') + 1
	if end == 0 && len(a.begun)+len(text) <= longestBegun {
		a.begun = append(a.begun, text...)
		return len(text), nil
	}
	if end == 0 {
		end = len(text)
	}
	var b bytes.Buffer
	l.erase(&b)
	l.write(b.Bytes())
	whole := append(a.begun, text[:end]...)
	if whole[len(whole)-1] != '\n' {
		whole = append(whole, '\n') // a live line must not be drawn into it
	}
	a.begun = append([]byte(nil), text[end:]...)
	if _, err := a.out.Write(whole); err != nil {
		return 0, err
	}
	// The limit on drawings holds here too: many lines would make them flicker.
	if now := l.options.Now(); l.options.Escapes && l.err == nil && len(l.lines) > 0 && l.due(now) {
		b.Reset()
		l.draw(&b)
		l.last = now
		l.write(b.Bytes())
	}
	return len(text), nil
}

// flush passes on the beginning of a line.
func (a *aboveWriter) flush() error {
	if len(a.begun) == 0 {
		return nil
	}
	_, err := a.out.Write(a.begun)
	a.begun = nil
	return err
}
