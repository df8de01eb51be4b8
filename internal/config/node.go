package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// node is a value of the merged files with the place it came from.
type node struct {
	parent  *node
	name    string   // the key, or [i] for an item of an array
	keyAt   Position // of the key or the table's header
	valueAt Position // of the value; of the key where the value has no place of its own

	table map[string]*node // not nil: a table
	items []*node          // when array is true
	array bool
	value any // of anything else: string, int64, float64, bool or one of TOML's dates
}

// child returns the table's entry of that name, made if it is missing.
func (n *node) child(name string, at Position) *node {
	if n.table == nil {
		n.table = make(map[string]*node)
	}
	c, ok := n.table[name]
	if !ok {
		c = &node{parent: n, name: name, keyAt: at, valueAt: at}
		n.table[name] = c
	}
	return c
}

// item returns a new item at the end of the array.
func (n *node) item(at Position) *node {
	n.array = true
	c := &node{parent: n, name: fmt.Sprintf("[%d]", len(n.items)), keyAt: at, valueAt: at}
	n.items = append(n.items, c)
	return c
}

// find follows keys downwards; nil if one of them is missing. An item of an array is
// found by its name, [0] and so on.
func (n *node) find(path ...string) *node {
	for _, name := range path {
		if n == nil {
			return nil
		}
		n = n.entry(name)
	}
	return n
}

func (n *node) entry(name string) *node {
	if !n.array {
		return n.table[name]
	}
	if i := slices.IndexFunc(n.items, func(item *node) bool { return item.name == name }); i >= 0 {
		return n.items[i]
	}
	return nil
}

// keys returns the table's keys in order.
func (n *node) keys() []string { return slices.Sorted(maps.Keys(n.table)) }

// path returns the dotted key that leads to the node, quoted where TOML asks for it.
func (n *node) path() string {
	var text strings.Builder
	var names []string
	for ; n.parent != nil; n = n.parent {
		names = append(names, n.name)
	}
	for _, name := range slices.Backward(names) {
		if text.Len() > 0 && !strings.HasPrefix(name, "[") {
			text.WriteByte('.')
		}
		text.WriteString(quoteKey(name))
	}
	return text.String()
}

// quoteKey returns a key as it has to be written in a file.
func quoteKey(name string) string {
	bare := func(r rune) bool {
		return r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	if name != "" && strings.IndexFunc(name, func(r rune) bool { return !bare(r) }) < 0 || strings.HasPrefix(name, "[") {
		return name
	}
	return strconv.Quote(name)
}

// kind says in plain words what sort of value the node holds.
func (n *node) kind() string {
	switch {
	case n.table != nil:
		return "a table"
	case n.array:
		return "an array"
	}
	switch n.value.(type) {
	case string:
		return "a string"
	case int64:
		return "a whole number"
	case float64:
		return "a number with a fraction"
	case bool:
		return "true or false"
	}
	return "a date or time"
}

// text returns a value that is neither a table nor an array as a string: numbers
// in decimal, with a fraction if they were written as one, dates as TOML has them.
func (n *node) text() (string, bool) {
	if n.table != nil || n.array {
		return "", false
	}
	switch v := n.value.(type) {
	case string:
		return v, true
	case float64:
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if !strings.ContainsAny(text, ".eIN") {
			text += ".0"
		}
		return text, true
	case interface{ Format(string) string }: // time.Time, an instant with its offset
		return v.Format("2006-01-02T15:04:05.999999999Z07:00"), true
	case toml.LocalDate, toml.LocalTime, toml.LocalDateTime, int64, bool:
		return fmt.Sprint(v), true
	}
	return "", false
}

// plain returns the node as nested maps, slices and values.
func (n *node) plain() any {
	switch {
	case n.table != nil:
		m := make(map[string]any, len(n.table))
		for name, c := range n.table {
			m[name] = c.plain()
		}
		return m
	case n.array:
		list := make([]any, len(n.items))
		for i, c := range n.items {
			list[i] = c.plain()
		}
		return list
	}
	return n.value
}
