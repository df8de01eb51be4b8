package multiproc

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// childOutput is where a process prints.
type childOutput struct {
	stdout, stderr io.Writer
	lines          []*lineWriter
	ends           []*tailWriter
	// hidden are those of the ends that nobody has seen.
	hidden []*tailWriter
	// held are what the process prints when its suite is over.
	held []*afterSuite
}

// output is where a process prints: the caller's writers, in parallel line by
// line with the process's number; and beside them what is kept for errors. over
// reports whether the suite has ended.
func (p *parent) output(index int, lock *sync.Mutex, over func() bool) childOutput {
	prefix := ""
	if p.opt.Parallel > 1 {
		prefix = fmt.Sprintf("[p%0*d] ", max(2, len(strconv.Itoa(p.most-1))), index)
	}
	var o childOutput
	connect := func(to io.Writer) io.Writer {
		end := new(tailWriter)
		o.ends = append(o.ends, end)
		switch {
		case to == nil || to == io.Discard:
			o.hidden = append(o.hidden, end)
			return end
		case prefix != "":
			lines := &lineWriter{out: to, prefix: prefix, lock: lock}
			o.lines = append(o.lines, lines)
			return io.MultiWriter(lines, end)
		}
		return io.MultiWriter(passing{to, lock}, end)
	}
	hold := func(to io.Writer) io.Writer {
		w := &afterSuite{out: to, over: over}
		o.held = append(o.held, w)
		return w
	}
	o.stdout, o.stderr = hold(connect(p.opt.Stdout)), hold(connect(p.opt.Stderr))
	return o
}

// close passes on what was held back, without the error of the suite, which the
// run returns, and completes last lines that had no end.
func (o childOutput) close(suiteError string) {
	for _, w := range o.held {
		w.release(suiteError)
	}
	for _, l := range o.lines {
		l.finish()
	}
}

// tail is the end of what the process printed, standard error last.
func (o childOutput) tail() string { return joined(o.ends) }

// unseen is the part of tail that went nowhere else.
func (o childOutput) unseen() string {
	text := joined(o.hidden)
	if strings.TrimSpace(text) == "PASS" {
		return "" // every test that ends well says so
	}
	return text
}

func joined(ends []*tailWriter) string {
	var text strings.Builder
	for _, end := range ends {
		text.WriteString(end.String())
	}
	return text.String()
}

// passing hands everything on as it comes. The lock is for a writer that is
// given as standard output and as standard error. A writer that fails, such as a
// broken terminal, is no reason to end a measurement.
type passing struct {
	out  io.Writer
	lock *sync.Mutex
}

func (w passing) Write(data []byte) (int, error) {
	w.lock.Lock()
	defer w.lock.Unlock()
	_, _ = w.out.Write(data)
	return len(data), nil
}

// afterSuite holds back what a process prints after its suite has ended. A
// program prints the error that a call returns, and a child is the same program
// as its parent: what is wrong with a suite would be printed by both.
type afterSuite struct {
	out  io.Writer
	over func() bool
	held []byte
	// full is set when there was too much to be held.
	full bool
}

// heldBytes is how much is held back. Who prints more has more to say than an
// error.
const heldBytes = 64 << 10

func (w *afterSuite) Write(data []byte) (int, error) {
	if w.full || (len(w.held) == 0 && !w.over()) {
		return w.out.Write(data)
	}
	w.held = append(w.held, data...)
	if len(w.held) > heldBytes {
		w.full = true
		w.release("")
	}
	return len(data), nil
}

// release passes on what was held back, without the lines of an error.
func (w *afterSuite) release(suiteError string) {
	if text := withoutLines(string(w.held), suiteError); text != "" {
		_, _ = io.WriteString(w.out, text)
	}
	w.held = nil
}

// withoutLines is the text without the whole lines that say something. The first
// of them may begin with more: the name of a program, or the time.
func withoutLines(text, saying string) string {
	at := strings.Index(text, saying)
	if saying == "" || at < 0 {
		return text
	}
	from := strings.LastIndex(text[:at], "\n") + 1
	_, rest, _ := strings.Cut(text[at+len(saying):], "\n")
	return text[:from] + rest
}

// lineWriter passes on whole lines only, each with a prefix, so that the lines
// of processes that print at the same time stay apart. The lock is shared.
type lineWriter struct {
	out    io.Writer
	prefix string
	lock   *sync.Mutex
	part   []byte
}

func (w *lineWriter) Write(data []byte) (int, error) {
	w.part = append(w.part, data...)
	for {
		line, rest, whole := bytes.Cut(w.part, []byte("\n"))
		if !whole {
			return len(data), nil
		}
		w.pass(line)
		w.part = append(w.part[:0], rest...)
	}
}

func (w *lineWriter) pass(line []byte) {
	w.lock.Lock()
	defer w.lock.Unlock()
	_, _ = w.out.Write(append(append([]byte(w.prefix), line...), '\n'))
}

func (w *lineWriter) finish() {
	if len(w.part) > 0 {
		w.pass(w.part)
		w.part = nil
	}
}

// tailBytes is how much of what a process printed is kept for its error.
const tailBytes = 8 << 10

// tailWriter keeps the end of what was written.
type tailWriter struct {
	kept []byte
	cut  bool
}

func (w *tailWriter) Write(data []byte) (int, error) {
	w.kept = append(w.kept, data...)
	if extra := len(w.kept) - tailBytes; extra > 0 {
		w.kept = append(w.kept[:0], w.kept[extra:]...)
		w.cut = true
	}
	return len(data), nil
}

// String is what was kept, from the beginning of a line.
func (w *tailWriter) String() string {
	text := w.kept
	if w.cut {
		if _, rest, ok := bytes.Cut(text, []byte("\n")); ok {
			text = rest
		}
	}
	return string(text)
}

// lastWords is the line of a process's output that says why it died: that of a
// panic or a fatal error of the runtime, or else of a failed test.
func lastWords(output string) string {
	failed := ""
	for line := range strings.Lines(output) {
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(text, "panic: "), strings.HasPrefix(text, "fatal error: "):
			return text
		case failed == "" && strings.HasPrefix(text, "--- FAIL"):
			failed = text
		}
	}
	return failed
}
