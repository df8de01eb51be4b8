package term

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Width returns how many character cells a text takes on a terminal. Combining
// marks, control characters and escape sequences take none; East Asian wide
// characters and emoji take two.
func Width(text string) int {
	width := 0
	for text != "" {
		length, cells, _ := piece(text)
		width += cells
		text = text[length:]
	}
	return width
}

// Cut returns the beginning of a text that fits into a width, with an ellipsis
// in its last cell where something is missing. Colours stay and are switched off
// at the cut; control characters and all other escape sequences are left out, so
// that the result is one line.
func Cut(text string, width int) string {
	if width <= 0 {
		return ""
	}
	var out strings.Builder
	room := width
	if Width(text) > width {
		room-- // for the ellipsis
	}
	styled := false
	for text != "" {
		length, cells, kind := piece(text)
		switch {
		case kind == styling:
			styled = true
			out.WriteString(text[:length])
		case kind == control:
		case cells > room:
			out.WriteString("…")
			if styled {
				out.WriteString("\x1b[0m")
			}
			return out.String()
		default:
			room -= cells
			out.WriteString(valid(text[:length]))
		}
		text = text[length:]
	}
	return out.String()
}

// Pad returns a text as one line of exactly width cells: blanks are added behind
// it, or it is cut as by [Cut].
func Pad(text string, width int) string {
	text = Cut(text, width)
	return text + strings.Repeat(" ", max(0, width-Width(text)))
}

// Clean returns text from elsewhere in a form that cannot steer the terminal:
// control characters become visible symbols, except line ends and tabs. Escape
// sequences are shown, not obeyed.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ':
			return '␀' + r // the block of control pictures has their order
		case r == 0x7f:
			return '␡'
		case unicode.IsControl(r) || isDirection(r):
			return utf8.RuneError
		}
		return r
	}, text)
}

// isDirection knows the characters that turn the direction of writing around,
// with which a text can look like another one.
func isDirection(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// Plain returns a text without colours, other escape sequences and control
// characters; line ends and tabs become blanks.
func Plain(text string) string {
	var out strings.Builder
	for text != "" {
		length, _, kind := piece(text)
		switch {
		case kind == visible:
			out.WriteString(valid(text[:length]))
		case text[0] == '\n' || text[0] == '\t':
			out.WriteByte(' ')
		}
		text = text[length:]
	}
	return out.String()
}

// valid replaces a byte that is no character. Two of them may be the halves of a
// control character that come together where something between them is left out.
func valid(character string) string { return strings.ToValidUTF8(character, "\ufffd") }

// The kinds of pieces that a text consists of.
type pieceKind int

const (
	visible pieceKind = iota // a character, or a mark on the one before
	styling                  // a sequence that changes the style
	control                  // anything else that is obeyed, not shown
)

// piece returns the length in bytes of the first character or escape sequence of
// a text that is not empty, the cells that it takes, and what it is.
func piece(text string) (length, cells int, kind pieceKind) {
	if text[0] == 0x1b {
		length, kind = sequence(text)
		return length, 0, kind
	}
	r, length := utf8.DecodeRuneInString(text)
	if unicode.IsControl(r) {
		return length, 0, control
	}
	return length, cellsOf(r), visible
}

// sequence returns the length of the escape sequence that begins a text (ECMA-48
// 5.3 to 5.6), and whether it changes the style.
func sequence(text string) (length int, kind pieceKind) {
	if len(text) < 2 {
		return len(text), control
	}
	switch text[1] {
	case '[': // parameters, then one final character
		for i := 2; i < len(text); i++ {
			if c := text[i]; c >= 0x40 && c <= 0x7e {
				if c == 'm' {
					return i + 1, styling
				}
				return i + 1, control
			} else if c < 0x20 || c > 0x7e {
				return i, control
			}
		}
		return len(text), control
	case ']', 'P', 'X', '^', '_': // a string up to BEL or ESC \
		for i := 2; i < len(text); i++ {
			if text[i] == 0x07 {
				return i + 1, control
			}
			if text[i] == 0x1b {
				return min(i+2, len(text)), control
			}
		}
		return len(text), control
	}
	_, n := utf8.DecodeRuneInString(text[1:])
	return 1 + n, control
}

// cellsOf returns the cells that a character takes.
func cellsOf(r rune) int {
	switch {
	case r < 0x300: // the usual case; a soft hyphen is shown
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), r >= 0x1160 && r <= 0x11ff:
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}
