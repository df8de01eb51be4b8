package config

import (
	"slices"
	"strings"
)

// Environment is a table of variables; numbers, dates and truth values are turned
// into text.
type Environment map[string]string

func (e *Environment) read(n *node, problems *Problems) {
	if n.table == nil {
		wrongType(problems, n, "a table")
		return
	}
	*e = make(Environment, len(n.table))
	for _, name := range n.keys() {
		entry := n.table[name]
		text, ok := entry.text()
		switch {
		case name == "" || strings.ContainsAny(name, "=\x00"):
			problems.add(entry.keyAt, "leave out the = sign", "%q cannot name a variable of the environment", name)
		case !ok:
			wrongType(problems, entry, "a single value")
		case strings.Contains(text, "\x00"):
			problems.add(entry.valueAt, "", "%s contains a zero byte", entry.path())
		default:
			(*e)[name] = text
		}
	}
}

func (e *Environment) schema() map[string]any {
	return map[string]any{"type": "object", "additionalProperties": map[string]any{
		"type": []string{"string", "number", "boolean"}}}
}

// Headers are the values of each header, in the order in which they are sent.
type Headers map[string][]string

func (h *Headers) read(n *node, problems *Problems) {
	if n.table == nil {
		wrongType(problems, n, "a table")
		return
	}
	*h = make(Headers, len(n.table))
	for _, name := range n.keys() {
		entry := n.table[name]
		if !isToken(name) {
			problems.add(entry.keyAt, "use letters, digits and hyphens", "%q cannot name a header", name)
		}
		for _, item := range oneOrMore(entry) {
			value, ok := item.value.(string)
			switch {
			case !ok:
				wrongType(problems, item, "a string")
			case strings.ContainsAny(value, "\r\n\x00"):
				problems.add(item.valueAt, "write it on one line", "%s contains a line break or a zero byte", item.path())
			default:
				(*h)[name] = append((*h)[name], value)
			}
		}
	}
}

func (h *Headers) schema() map[string]any {
	one := map[string]any{"type": "string"}
	return map[string]any{"type": "object", "additionalProperties": map[string]any{"anyOf": []any{one,
		map[string]any{"type": "array", "items": one}}}}
}

// isToken reports whether the text is a token of HTTP (RFC 9110, 5.6.2): what names
// of headers and methods are made of.
func isToken(text string) bool {
	const marks = "!#$%&'*+-.^_`|~"
	notIn := func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune(marks, r))
	}
	return text != "" && strings.IndexFunc(text, notIn) < 0
}

// oneOrMore returns the items of an array, or the value itself.
func oneOrMore(n *node) []*node {
	if n.array {
		return n.items
	}
	return []*node{n}
}

// StatusCodes are the statuses that count as success. Empty means every 2xx.
type StatusCodes []int

func (s *StatusCodes) read(n *node, problems *Problems) {
	*s = wholeNumbers(n, problems, 100, 999)
}

func (s *StatusCodes) schema() map[string]any { return oneOrMoreSchema(100, 999) }

// Accepts reports whether the status counts as success.
func (s StatusCodes) Accepts(status int) bool {
	if len(s) == 0 {
		return status >= 200 && status < 300
	}
	return slices.Contains(s, status)
}

// ExitCodes are the failures that are accepted. The zero value accepts none.
type ExitCodes struct {
	All   bool  // every failure is accepted
	Codes []int // these exit codes are accepted as 0 is
}

const largestExitCode = 1<<31 - 1

func (e *ExitCodes) read(n *node, problems *Problems) {
	if all, ok := n.value.(bool); ok {
		e.All = all
		return
	}
	e.Codes = wholeNumbers(n, problems, 0, largestExitCode)
}

func (e *ExitCodes) schema() map[string]any {
	return map[string]any{"anyOf": []any{map[string]any{"type": "boolean"}, oneOrMoreSchema(0, largestExitCode)}}
}

// wholeNumbers reads a whole number or an array of them, each within limits.
func wholeNumbers(n *node, problems *Problems, least, most int64) []int {
	if n.array && len(n.items) == 0 {
		problems.add(n.valueAt, "", "%s is empty", n.path())
	}
	var list []int
	for _, item := range oneOrMore(n) {
		value, ok := item.value.(int64)
		switch {
		case !ok:
			wrongType(problems, item, "a whole number")
		case value < least || value > most:
			problems.add(item.valueAt, "", "%s is %d, not between %d and %d", item.path(), value, least, most)
		default:
			list = append(list, int(value))
		}
	}
	return list
}

func oneOrMoreSchema(least, most int) map[string]any {
	one := map[string]any{"type": "integer", "minimum": least, "maximum": most}
	return map[string]any{"anyOf": []any{one, map[string]any{"type": "array", "items": one, "minItems": 1}}}
}
