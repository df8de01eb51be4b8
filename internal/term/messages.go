package term

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// Messages says to a user what is not a result. It is safe for concurrent use.
// Text from elsewhere may be part of a message: see [Clean].
type Messages struct {
	mu      sync.Mutex
	out     io.Writer
	program string
	styles  Styles
	quiet   bool
}

// NewMessages returns messages on a stream, which should be standard error.
// Program is the name in front of each. Quiet leaves out notes; errors, hints and
// warnings are always shown.
func NewMessages(out io.Writer, program string, styles Styles, quiet bool) *Messages {
	return &Messages{out: out, program: program, styles: styles, quiet: quiet}
}

// Error shows an error and the hints that it carries, see [WithHint]. It shows
// nothing for nil.
func (m *Messages) Error(err error) {
	if err == nil {
		return
	}
	m.show(m.program+": "+m.styles.Bold(m.styles.Red("error:")), err.Error())
	for _, hint := range hints(err, nil) {
		m.Hintf("%s", hint)
	}
}

// Hintf says what can be done about the message before it.
func (m *Messages) Hintf(format string, args ...any) {
	m.show(m.styles.Bold("hint:"), fmt.Sprintf(format, args...))
}

// Warningf says what makes a result doubtful without preventing it.
func (m *Messages) Warningf(format string, args ...any) {
	m.show(m.program+": "+m.styles.Bold(m.styles.Yellow("warning:")), fmt.Sprintf(format, args...))
}

// Notef says what is good to know, unless quiet was asked for.
func (m *Messages) Notef(format string, args ...any) {
	if !m.quiet {
		m.show(m.program+": note:", fmt.Sprintf(format, args...))
	}
}

// show writes one message. Further lines of its text are indented, so that it is
// seen where the next one begins. An error of writing has nowhere to be told.
func (m *Messages) show(head, text string) {
	text = strings.ReplaceAll(Clean(strings.TrimRight(text, "\n")), "\n", "\n  ")
	m.mu.Lock()
	defer m.mu.Unlock()
	_, _ = io.WriteString(m.out, head+" "+text+"\n")
}

// hinted is an error with something to do about it.
type hinted struct {
	error
	hint string
}

// WithHint adds to an error what can be done about it. The error's text does not
// change. It returns nil for nil.
func WithHint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return &hinted{error: err, hint: hint}
}

// Hint is what can be done about the error. Errors of other packages may have
// such a method too.
func (h *hinted) Hint() string { return h.hint }

// Unwrap returns the error without the hint.
func (h *hinted) Unwrap() error { return h.error }

// hints collects the hints of an error and of all errors in it, the outermost
// first, each once.
func hints(err error, found []string) []string {
	if h, ok := err.(interface{ Hint() string }); ok {
		found = addOnce(found, h.Hint())
	}
	switch wrapped := err.(type) {
	case interface{ Unwrap() error }:
		if inner := wrapped.Unwrap(); inner != nil {
			found = hints(inner, found)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range wrapped.Unwrap() {
			found = hints(inner, found)
		}
	}
	return found
}

// addOnce adds a text that is not empty and not there yet.
func addOnce(texts []string, text string) []string {
	if text == "" || slices.Contains(texts, text) {
		return texts
	}
	return append(texts, text)
}

// Hints returns what can be done about an error, in all errors that it wraps.
func Hints(err error) []string {
	if err == nil {
		return nil
	}
	return hints(err, nil)
}
