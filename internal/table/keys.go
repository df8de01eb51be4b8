package table

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// UnknownKey is a key of a query that no result has.
type UnknownKey struct {
	// Where is the part of the query: "table", "row", "col", "ignore" or "filter".
	Where, Key string
	// Known lists the keys that results have, the most similar one first. It has
	// at most ten entries.
	Known []string
}

// String says what is wrong, and the key that was probably meant.
func (u UnknownKey) String() string {
	text := fmt.Sprintf("no result has the key %q of %s", u.Key, u.Where)
	if len(u.Known) > 0 {
		text += fmt.Sprintf("; did you mean %q?", u.Known[0])
	}
	return text
}

// keyUse compares the keys of a query with those of the results.
type keyUse struct {
	wanted []UnknownKey
	seen   map[string]bool
}

// maxSeenKeys bounds the keys that are remembered for suggestions.
const maxSeenKeys = 4096

func newKeyUse(q Query) *keyUse {
	u := &keyUse{seen: map[string]bool{}}
	for _, part := range []struct{ where, text string }{
		{"table", q.Table}, {"row", q.Row}, {"col", q.Column}, {"ignore", q.Ignore}} {
		for _, key := range projectionKeys(part.text) {
			u.wanted = append(u.wanted, UnknownKey{Where: part.where, Key: key})
		}
	}
	for _, key := range filterKeys(q.Filter) {
		u.wanted = append(u.wanted, UnknownKey{Where: "filter", Key: key})
	}
	return u
}

// see remembers the keys of a result.
func (u *keyUse) see(r *benchfmt.Result) {
	if len(u.wanted) == 0 || len(u.seen) > maxSeenKeys {
		return
	}
	for _, c := range r.Config {
		u.seen[c.Key] = true
	}
	_, parts := r.Name.Parts()
	for _, part := range parts {
		if key, _, ok := bytes.Cut(part, []byte("=")); ok && part[0] == '/' {
			u.seen[string(key)] = true
		}
		if part[0] == '-' {
			u.seen["/gomaxprocs"] = true
		}
	}
}

// unknown returns the keys of the query that no result has.
func (u *keyUse) unknown() []UnknownKey {
	if len(u.seen) > maxSeenKeys {
		return nil
	}
	var list []UnknownKey
	for _, w := range u.wanted {
		if strings.HasPrefix(w.Key, ".") || u.seen[w.Key] {
			continue
		}
		w.Known = slices.Sorted(maps.Keys(u.seen))
		slices.SortStableFunc(w.Known, func(a, b string) int { return edits(a, w.Key) - edits(b, w.Key) })
		w.Known = w.Known[:min(10, len(w.Known))]
		list = append(list, w)
	}
	return list
}

// token is a word of the query language, or one of its signs.
type token struct {
	text string
	word bool
}

// tokens cuts a query into words and signs. What is not correct has been refused
// before.
func tokens(text string) (list []token) {
	for text != "" {
		c := text[0]
		switch {
		case c == '"':
			if quoted, err := strconv.QuotedPrefix(text); err == nil {
				word, _ := strconv.Unquote(quoted)
				list, text = append(list, token{word, true}), text[len(quoted):]
				continue
			}
			return list
		case c == '/' && len(list) > 0 && list[len(list)-1].text == ":" && !list[len(list)-1].word:
			if end := strings.IndexByte(text[1:], '/'); end >= 0 {
				list, text = append(list, token{text[:end+2], true}), text[end+2:]
				continue
			}
			return list
		case strings.IndexByte(" \t():@,*-", c) >= 0:
			if c != ' ' && c != '\t' {
				list = append(list, token{text[:1], false})
			}
			text = text[1:]
			continue
		}
		end := strings.IndexAny(text, " \t():@,")
		if end < 0 {
			end = len(text)
		}
		list, text = append(list, token{text[:end], true}), text[end:]
	}
	return list
}

// projectionKeys lists the keys of a projection: all words but orders.
func projectionKeys(text string) (keys []string) {
	depth, order := 0, false
	for _, t := range tokens(text) {
		switch {
		case !t.word && t.text == "(":
			depth++
		case !t.word && t.text == ")":
			depth--
		case t.word && depth == 0 && !order:
			keys = append(keys, t.text)
		}
		order = !t.word && t.text == "@"
	}
	return keys
}

// filterKeys lists the keys of a filter: all words before a colon.
func filterKeys(text string) (keys []string) {
	list := tokens(text)
	for i := 0; i+1 < len(list); i++ {
		if list[i].word && !list[i+1].word && list[i+1].text == ":" {
			keys = append(keys, list[i].text)
		}
	}
	return keys
}

// edits is the number of letters to change, add or drop (Levenshtein 1966).
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
