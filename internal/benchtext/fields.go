package benchtext

import (
	"unicode"
	"unicode/utf8"
)

// nextField returns the text up to the next white space, and what follows that
// white space.
func nextField(text []byte) (field, rest []byte) {
	i := 0
	for i < len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text[i:])
			if unicode.IsSpace(r) {
				break
			}
			i += size
			continue
		}
		if isASCIISpace(c) {
			break
		}
		i++
	}
	return text[:i], skipSpace(text[i:])
}

func skipSpace(text []byte) []byte {
	for len(text) > 0 {
		if c := text[0]; c < utf8.RuneSelf {
			if !isASCIISpace(c) {
				return text
			}
			text = text[1:]
			continue
		}
		r, size := utf8.DecodeRune(text)
		if !unicode.IsSpace(r) {
			return text
		}
		text = text[size:]
	}
	return text
}

func isASCIISpace(c byte) bool { return c == ' ' || c-'\t' <= '\r'-'\t' }
