package parameters

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// plain are lines that need no shell, with their words; a real shell is asked too.
var plain = []struct {
	line  string
	words []string
}{
	{"ls", []string{"ls"}},
	{"  ls\t-l  /tmp ", []string{"ls", "-l", "/tmp"}},
	{`grep 'a b' "c d"`, []string{"grep", "a b", "c d"}},
	{`grep '$x *' "a|b;c" \$HOME`, []string{"grep", "$x *", "a|b;c", "$HOME"}},
	{`awk '{print $1}' file`, []string{"awk", "{print $1}", "file"}},
	{`prog --x=1 a=b`, []string{"prog", "--x=1", "a=b"}},
	{`prog "a\"b" 'it'\''s' "" ''`, []string{"prog", `a"b`, "it's", "", ""}},
	{`prog "\x" \x a#b "#" \#`, []string{"prog", `\x`, "x", "a#b", "#", "#"}},
	{`./a,b 50% a@b:c+d-e_f ^x`, []string{"./a,b", "50%", "a@b:c+d-e_f", "^x"}},
	{"prog 'two\nlines' \"and\ttab\"", []string{"prog", "two\nlines", "and\ttab"}},
	{"sleep 0.1", []string{"sleep", "0.1"}},
	{"grün 東京", []string{"grün", "東京"}},
	{`prog "a\\b" ]`, []string{"prog", `a\b`, "]"}},
}

func TestPlainLines(t *testing.T) {
	sh, noShell := exec.LookPath("sh")
	for _, test := range plain {
		if reason := ShellReason(test.line, "linux"); reason != "" {
			t.Errorf("%q needs a shell for %s", test.line, reason)
		}
		words, err := Split(test.line)
		if err != nil || !slices.Equal(words, test.words) {
			t.Errorf("%q is %q with error %v, want %q", test.line, words, err, test.words)
		}
		if noShell != nil {
			continue
		}
		out, err := exec.Command(sh, "-c", "set -- "+test.line+"\nfor w; do printf '%s\\000' \"$w\"; done").Output()
		if err != nil {
			t.Errorf("%q: %v", test.line, err)
		} else if want := strings.Join(words, "\x00") + "\x00"; string(out) != want {
			t.Errorf("%q: the shell makes it %q, Split %q", test.line, out, want)
		}
	}
}

func TestLinesForAShell(t *testing.T) {
	for line, reason := range map[string]string{
		"a | b": "pipe", "a && b": "list", "a; b": "list", "a > x": "redirection", "a 2>&1": "redirection",
		"a <x": "redirection", "(a)": "subshell", "a $HOME": "variable", `a "$HOME"`: "variable",
		"a `b`": "substitution", "a \"`b`\"": "substitution", "a\nb": "more than one", "a \\\nb": "more than one",
		"ls *.go": "pattern", "ls ?": "pattern", "ls [ab]": "pattern", "a {b,c}": "braces", "ls ~": "home", "ls --x=~/y": "home",
		"a # b": "comment", "! a": "negation", "cd /tmp": "built into", "true": "built into", "echo x": "built into",
		`"cd" x`: "built into", "X=1 a": "assignment", "if a": "language", "time a": "language",
		"a 'b": "only a shell", `a "b`: "only a shell", `a \`: "only a shell", "": "only a shell", "  ": "only a shell", "'' a": "only a shell",
		"a\x00b": "not text", "a\xff": "not text", "a\rb": "carriage", "a\x01": "control", `"$"`: "variable", `"\\$x"`: "variable",
	} {
		if got := ShellReason(line, "linux"); !strings.Contains(got, reason) {
			t.Errorf("%q needs a shell for %q, want %q", line, got, reason)
		}
	}
}

func TestCommandPrompt(t *testing.T) {
	for _, line := range []string{"prog -x /tmp", "go.exe version"} {
		if reason := ShellReason(line, "windows"); reason != "" {
			t.Errorf("%q needs cmd.exe for %s", line, reason)
		}
	}
	for _, line := range []string{`C:\prog`, "a | b", `a "b"`, "a %PATH%", "DIR x", "", "a^b", "a=b", "a*", "a\x01"} {
		if ShellReason(line, "windows") == "" {
			t.Errorf("%q does not need cmd.exe", line)
		}
	}
}

func TestSplitErrors(t *testing.T) {
	for line, problem := range map[string]string{
		"a 'b": "never closed", `a "b`: "never closed", `a \`: "backslash", "": "is empty", " \t": "is empty", `"" a`: "program is empty",
	} {
		if _, err := Split(line); !complains(err, problem) {
			t.Errorf("%q: error %v, want %q", line, err, problem)
		}
	}
}

// FuzzShell checks that a line without need of a shell splits, that its words,
// quoted, need none either, and that they come back.
func FuzzShell(f *testing.F) {
	for _, test := range plain {
		f.Add(test.line)
	}
	f.Add("a $(b) 'c")
	f.Fuzz(func(t *testing.T, line string) {
		if ShellReason(line, "windows") == "" && ShellReason(line, "linux") == "" {
			if words, err := Split(line); err != nil || !slices.Equal(words, strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })) {
				t.Fatalf("%q needs no shell anywhere and is %q with error %v", line, words, err)
			}
		}
		if ShellReason(line, "linux") != "" {
			return
		}
		words, err := Split(line)
		if err != nil {
			t.Fatalf("%q needs no shell but: %v", line, err)
		}
		var quoted []string
		for _, word := range words {
			quoted = append(quoted, "'"+strings.ReplaceAll(word, "'", `'\''`)+"'")
		}
		again := strings.Join(quoted, " ")
		if reason := ShellReason(again, "linux"); reason != "" {
			t.Fatalf("%q needs no shell but %q does for %s", line, again, reason)
		}
		if got, err := Split(again); err != nil || !slices.Equal(got, words) {
			t.Fatalf("%q is %q, quoted %q with error %v", line, words, got, err)
		}
	})
}
