package term

import (
	"strings"
	"testing"
)

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "abc": 3, "µs ± 1": 6, "東京": 4, "e\u0301": 1, "한글": 4, "\u1112\u1161": 2, "👍": 2, "🇩🇪": 2,
		"\x1b[31mred\x1b[0m": 3, "\x1b]0;title\x07x": 1, "\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\": 4, "a\x00b\rc": 3,
		"\u200bx\ufeff": 1, "█▏▁": 3, "½": 1, "カ": 2, "ｶ": 1, "─│": 2, "\x1b": 0, "\x1b[": 0, "\xff": 1, "a\u0300\u0301": 1,
	} {
		if got := Width(text); got != want {
			t.Errorf("%q takes %d cells, want %d", text, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	tests := []struct {
		text  string
		width int
		want  string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"abcd", 1, "…"},
		{"abcd", 0, ""},
		{"東京都", 6, "東京都"},
		{"東京都", 5, "東京…"},
		{"東京都", 4, "東…"},
		{"e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"},
		{"\x1b[31mred\x1b[0m", 3, "\x1b[31mred\x1b[0m"},
		{"\x1b[31mgreen", 3, "\x1b[31mgr…\x1b[0m"},
		{"\xc2\x0f\x9b2J", 9, "\ufffd\ufffd2J"},
		{"a\nb\rc\x1b[2Jd\x1b]0;t\x07e", 9, "abcde"},
	}
	for _, test := range tests {
		if got := Cut(test.text, test.width); got != test.want {
			t.Errorf("%q cut to %d is %q, want %q", test.text, test.width, got, test.want)
		}
	}
	if got := Pad("é", 3); got != "é  " {
		t.Errorf("padded to %q", got)
	}
	if got := Pad("abcd", 3); got != "ab…" {
		t.Errorf("padded to %q", got)
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain é 東\n\tx": "plain é 東\n\tx", "\x1b[31mred": "␛[31mred", "a\rb\x00\x7f": "a␍b␀␡", "\u202eabc": "\ufffdabc", "\u0085": "\ufffd", "\xff": "\ufffd",
	} {
		if got := Clean(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	if got := Plain("a\x1b[31mb\x1b[0m\nc\td\x1b[2J\re"); got != "ab c de" {
		t.Errorf("plain text is %q", got)
	}
}

// FuzzText holds the promises about width, and that nothing gets through that
// steers the terminal.
func FuzzText(f *testing.F) {
	f.Add("東\x1b[31mx\x1b]0;t\x07", 3)
	f.Add("e\u0301\x1b", 1)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = max(0, min(width, 1000))
		cut := Cut(text, width)
		if Width(cut) > width {
			t.Fatalf("%q cut to %d is %q, %d cells", text, width, cut, Width(cut))
		}
		if padded := Pad(text, width); Width(padded) != width {
			t.Fatalf("%q padded to %d is %q", text, width, padded)
		}
		if again := Cut(cut, width); again != cut {
			t.Fatalf("%q cut to %d is %q, cut again %q", text, width, cut, again)
		}
		if strings.ContainsAny(Clean(text), "\x1b\r\x07\u009b") || strings.ContainsAny(cut, "\r\n\x07\u009b") || strings.ContainsAny(Plain(text), "\x1b\r\n\u009b") {
			t.Fatalf("%q keeps control characters", text)
		}
	})
}
