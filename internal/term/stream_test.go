package term

import (
	"os"
	"path/filepath"
	"testing"
)

// environment answers like os.Getenv from pairs of name and value.
func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestColorChoice(t *testing.T) {
	terminal, pipe := Stream{Terminal: true, Escapes: true}, Stream{}
	dumb := Stream{Terminal: true}
	tests := []struct {
		choice string
		stream Stream
		env    func(string) string
		want   bool
	}{
		{"", terminal, environment(), true},
		{"auto", terminal, environment(), true},
		{"auto", pipe, environment(), false},
		{"auto", dumb, environment(), false},
		{"auto", terminal, environment("NO_COLOR", "1"), false},
		{"auto", terminal, environment("NO_COLOR", ""), true},
		{"auto", terminal, environment("NO_COLOR", "0"), false}, // any value counts
		{"auto", pipe, environment("CLICOLOR_FORCE", "1"), true},
		{"auto", dumb, environment("CLICOLOR_FORCE", "1"), true},
		{"auto", pipe, environment("CLICOLOR_FORCE", "0"), false},
		{"auto", pipe, environment("CLICOLOR_FORCE", "1", "NO_COLOR", "1"), false},
		{"auto", terminal, environment("CLICOLOR", "0"), false},
		{"auto", terminal, environment("CLICOLOR", "1"), true},
		{"always", pipe, environment("NO_COLOR", "1"), true},
		{"always", dumb, environment(), true},
		{"never", terminal, environment("CLICOLOR_FORCE", "1"), false},
	}
	for i, test := range tests {
		choice, err := ParseColorChoice(test.choice)
		if err != nil {
			t.Fatal(err)
		}
		if got := choice.Use(test.stream, test.env); got != test.want {
			t.Errorf("case %d, --color=%s on %+v: %v, want %v", i, test.choice, test.stream, got, test.want)
		}
	}
	if _, err := ParseColorChoice("yes"); err == nil {
		t.Error("--color=yes is accepted")
	}
}

func TestStyles(t *testing.T) {
	var none Styles
	color := Styles{Color: true}
	for _, style := range []struct{ without, with func(string) string }{
		{none.Bold, color.Bold}, {none.Dim, color.Dim}, {none.Red, color.Red}, {none.Green, color.Green}, {none.Yellow, color.Yellow},
	} {
		if got := style.without("x"); got != "x" {
			t.Errorf("without colour it is %q", got)
		}
		if got := style.with("x"); got == "x" || Plain(got) != "x" || Width(got) != 1 {
			t.Errorf("with colour it is %q", got)
		}
		if got := style.with(""); got != "" {
			t.Errorf("nothing becomes %q", got)
		}
	}
	if got, want := color.Bold("a"+color.Red("b")+"c"), "\x1b[1ma\x1b[31mb\x1b[39mc\x1b[22m"; got != want {
		t.Errorf("one style inside another is %q, want %q", got, want)
	}
}

func TestInspect(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got, want := Inspect(file, environment("TERM", "xterm")), (Stream{Width: 80, Height: 24}); got != want {
		t.Errorf("a file is %+v, want %+v", got, want)
	}
	if got := Inspect(file, environment("COLUMNS", "132", "LINES", "-1")); got.Width != 132 || got.Height != 24 {
		t.Errorf("with COLUMNS=132 and LINES=-1: %+v", got)
	}
	if w, h := Size(file); w != 80 || h != 24 {
		t.Errorf("the size of a file is %d × %d", w, h)
	}
	for _, test := range []struct {
		name, system string
		want         bool
	}{{"xterm", "linux", true}, {"dumb", "linux", false}, {"", "linux", false}, {"", "windows", true}, {"dumb", "windows", false}} {
		if got := knowsEscapes(test.name, test.system); got != test.want {
			t.Errorf("TERM=%s on %s: %v", test.name, test.system, got)
		}
	}
}
