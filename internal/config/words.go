package config

import (
	"bytes"
	"strings"
)

// wordKind is what a piece of a TOML text is to its layout.
type wordKind int

const (
	otherWord   wordKind = iota // a key, a part of one, or a value that is not made of others
	markWord                    // one of [ ] { } = ,
	commentWord                 // from # to the end of the line
	newlineWord
)

// word is a piece of a TOML text. Spaces between words are none of them.
type word struct {
	kind wordKind
	text string
}

// is reports whether the word is a mark.
func (w word) is(mark byte) bool { return w.kind == markWord && w.text[0] == mark }

const marks = "[]{}=,"

// scan cuts a valid TOML text into words. Strings stay whole, line breaks inside of
// them included.
func scan(src []byte) []word {
	var words []word
	for len(src) > 0 {
		size := 1
		switch c := src[0]; {
		case c == ' ' || c == '\t' || c == '\r':
		case c == '\n':
			words = append(words, word{newlineWord, "\n"})
		case c == '#':
			size = endOfLine(src)
			words = append(words, word{commentWord, strings.TrimRight(string(src[:size]), " \t\r")})
		case strings.IndexByte(marks, c) >= 0:
			words = append(words, word{markWord, string(c)})
		case c == '"' || c == '\'':
			size = quoted(src)
			words = append(words, word{otherWord, string(src[:size])})
		default:
			if size = bytes.IndexAny(src, " \t\r\n#\"'"+marks); size < 0 {
				size = len(src)
			}
			words = append(words, word{otherWord, string(src[:size])})
		}
		src = src[size:]
	}
	return words
}

func endOfLine(src []byte) int {
	if end := bytes.IndexByte(src, '\n'); end >= 0 {
		return end
	}
	return len(src)
}

// quoted returns the length of the string that src begins with.
func quoted(src []byte) int {
	quote := src[0]
	triple := len(src) >= 3 && src[1] == quote && src[2] == quote
	if !triple {
		return closing(src, 1, quote)
	}
	for end := 3; end < len(src); {
		end = closing(src, end, quote)
		if run := runOf(src[end-1:], quote); run >= 3 {
			return end - 1 + min(run, 5) // up to two quotes belong to the text
		}
	}
	return len(src)
}

// closing returns the offset behind the next quote that is not escaped.
func closing(src []byte, from int, quote byte) int {
	for i := from; i < len(src); i++ {
		switch {
		case src[i] == '\\' && quote == '"':
			i++
		case src[i] == quote:
			return i + 1
		}
	}
	return len(src)
}

func runOf(src []byte, c byte) int {
	n := 0
	for n < len(src) && src[n] == c {
		n++
	}
	return n
}
