package multiproc

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
)

func TestLinesStayWhole(t *testing.T) {
	var out bytes.Buffer
	p := &parent{opt: Options{Parallel: 2, Stdout: &out, Stderr: &out}, sizes: sizes{most: 12}}
	var lock sync.Mutex
	var writing sync.WaitGroup
	for index := range 2 {
		o := p.output(index, &lock, never)
		writing.Add(1)
		go func() {
			defer writing.Done()
			for i := range 100 {
				for _, to := range []io.Writer{o.stdout, o.stderr} {
					text := fmt.Sprintf("line %d of %d\n", i, index)
					for len(text) > 0 { // in small pieces
						n := min(3, len(text))
						_, _ = io.WriteString(to, text[:n])
						text = text[n:]
					}
				}
			}
			_, _ = io.WriteString(o.stdout, "no end")
			o.close("")
		}()
	}
	writing.Wait()
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 402 {
		t.Errorf("%d lines, want 402", len(lines))
	}
	for _, line := range lines {
		var index, number, of int
		if _, err := fmt.Sscanf(line, "[p%02d] line %d of %d", &index, &number, &of); err != nil || index != of {
			if line != "[p00] no end" && line != "[p01] no end" {
				t.Errorf("%q", line)
			}
		}
	}
}

func TestOutputAlonePassesThrough(t *testing.T) {
	var out, problems bytes.Buffer
	p := &parent{opt: Options{Parallel: 1, Stdout: &out, Stderr: &problems}}
	o := p.output(3, new(sync.Mutex), never)
	_, _ = io.WriteString(o.stdout, "one\ntwo")
	_, _ = io.WriteString(o.stderr, "three")
	o.close("")
	if out.String() != "one\ntwo" || problems.String() != "three" || o.tail() != "one\ntwothree" {
		t.Errorf("%q %q %q", out.String(), problems.String(), o.tail())
	}
	// Output that nobody wants is kept for errors all the same.
	p.opt.Stdout = nil
	o = p.output(3, new(sync.Mutex), never)
	_, _ = io.WriteString(o.stdout, "secret")
	if o.tail() != "secret" {
		t.Errorf("%q", o.tail())
	}
}

func never() bool { return false }

// What a process prints after its suite waits for its end, and the error of the
// suite, which the run returns, is left out of it.
func TestTheSuitesErrorIsLeftOut(t *testing.T) {
	for _, tt := range []struct {
		name, saying, out, want string
	}{
		{"alone", "no fixture", "no fixture\n", ""},
		{"with a prefix", "no fixture", "one\nmultiproc: no fixture\ntwo", "one\ntwo"},
		{"of two lines", "no\nfixture", "12:00 no\nfixture.\ntwo\n", "two\n"},
		{"something else", "no fixture", "good bye\n", "good bye\n"},
		{"no error", "", "good bye\n", "good bye\n"},
		{"without an end", "no fixture", "no fixture", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			p := &parent{opt: Options{Parallel: 1, Stderr: &out}}
			over := false
			o := p.output(0, new(sync.Mutex), func() bool { return over })
			_, _ = io.WriteString(o.stderr, "no fixture yet\n")
			over = true
			_, _ = io.WriteString(o.stderr, tt.out[:1])
			_, _ = io.WriteString(o.stderr, tt.out[1:])
			if out.String() != "no fixture yet\n" {
				t.Errorf("before the end: %q", out.String())
			}
			o.close(tt.saying)
			if out.String() != "no fixture yet\n"+tt.want {
				t.Errorf("%q, want %q", out.String(), tt.want)
			}
		})
	}
	// Not without limit.
	var out bytes.Buffer
	p := &parent{opt: Options{Parallel: 1, Stderr: &out}}
	o := p.output(0, new(sync.Mutex), func() bool { return true })
	for range heldBytes/10 + 1 {
		_, _ = io.WriteString(o.stderr, "ten bytes\n")
	}
	_, _ = io.WriteString(o.stderr, "the end")
	o.close("ten bytes")
	if !strings.HasSuffix(out.String(), "ten bytes\nthe end") || out.Len() != (heldBytes/10+1)*10+7 {
		t.Errorf("%d bytes", out.Len())
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	w := new(tailWriter)
	for i := range 5000 {
		fmt.Fprintf(w, "line %d\n", i)
	}
	text := w.String()
	if len(text) > tailBytes || !strings.HasPrefix(text, "line ") || !strings.HasSuffix(text, "line 4999\n") {
		t.Errorf("%d bytes: %q … %q", len(text), text[:20], text[len(text)-20:])
	}
}

func TestLastWords(t *testing.T) {
	for text, want := range map[string]string{
		"working\npanic: no\n\ngoroutine 1\n":       "panic: no",
		"fatal error: all goroutines are asleep\n":  "fatal error: all goroutines are asleep",
		"--- FAIL: TestX\npanic: no [recovered]\n":  "panic: no [recovered]",
		"    --- FAIL: TestX (0.00s)\n":             "--- FAIL: TestX (0.00s)",
		"don't panic: it is only a test\nthe end\n": "",
		"": "",
	} {
		if got := lastWords(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
