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
		o := p.output(index, &lock)
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
			o.close()
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
	o := p.output(3, new(sync.Mutex))
	_, _ = io.WriteString(o.stdout, "one\ntwo")
	_, _ = io.WriteString(o.stderr, "three")
	o.close()
	if out.String() != "one\ntwo" || problems.String() != "three" || o.tail() != "one\ntwothree" {
		t.Errorf("%q %q %q", out.String(), problems.String(), o.tail())
	}
	// Output that nobody wants is kept for errors all the same.
	p.opt.Stdout = nil
	o = p.output(3, new(sync.Mutex))
	_, _ = io.WriteString(o.stdout, "secret")
	if o.tail() != "secret" {
		t.Errorf("%q", o.tail())
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
