package config

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

const (
	largestFile = 1 << 20 // bytes; a configuration that is larger is some other file
	longestKey  = 64      // parts of a dotted key
)

// byteOrderMark is what some editors put in front of a text.
var byteOrderMark = []byte("\xef\xbb\xbf")

// parse reads one file into a tree. Problems are those of TOML itself.
func parse(file string, src []byte) (*node, Problems) {
	src = bytes.TrimPrefix(src, byteOrderMark)
	d := &document{file: file, src: src}
	if len(src) > largestFile {
		d.problems.add(Position{File: file}, "is this the right file?", "the file has more than %d bytes", largestFile)
		return nil, d.problems
	}
	if !utf8.Valid(src) {
		d.problems.add(d.invalidText(), "save the file as UTF-8", "the text is not valid UTF-8")
		return nil, d.problems
	}
	root := &node{keyAt: Position{File: file, Line: 1, Column: 1}, table: make(map[string]*node)}
	root.valueAt = root.keyAt
	err := d.places(root)
	if len(d.problems) > 0 {
		return nil, d.problems
	}
	values := make(map[string]any)
	// The decoder tells the place of a mistake in the syntax as well.
	if decoding := toml.Unmarshal(src, &values); decoding != nil {
		err = decoding
	}
	if err != nil {
		d.problems = append(d.problems, d.problem(err))
		return nil, d.problems
	}
	fill(root, values)
	return root, d.problems
}

// document is one file that is being read.
type document struct {
	file     string
	src      []byte
	problems Problems

	lines []int // offset of each line's start; made at the first use
	last  struct {
		offset int
		at     Position // where the place found last stands
	}
}

// places builds the tree of keys with their positions. It relies on the library's
// syntax tree, and leaves the values and TOML's rules about repeated keys to the
// library's decoder.
func (d *document) places(root *node) error {
	tree := unstable.Parser{}
	tree.Reset(d.src)
	table := root
	for tree.NextExpression() {
		e := tree.Expression()
		if parts := keyParts(e); parts > longestKey {
			first := e.Key()
			first.Next()
			d.problems.add(d.at(first.Node()), "use fewer dots", "a key of %d parts is nested too deeply", parts)
			return nil
		}
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = d.descend(root, e.Key())
			if e.Kind == unstable.ArrayTable {
				table = table.item(table.keyAt)
			}
		case unstable.KeyValue:
			d.keyValue(table, e)
		}
	}
	return tree.Error()
}

func keyParts(e *unstable.Node) int {
	if e.Kind == unstable.Comment {
		return 0
	}
	count := 0
	for key := e.Key(); key.Next(); {
		count++
	}
	return count
}

// descend follows a dotted key. Within an array of tables it means the last of them.
func (d *document) descend(n *node, key unstable.Iterator) *node {
	for key.Next() {
		part := key.Node()
		if n.array && len(n.items) > 0 {
			n = n.items[len(n.items)-1]
		}
		n = n.child(string(part.Data), d.at(part))
	}
	return n
}

func (d *document) keyValue(table *node, e *unstable.Node) {
	if table.array && len(table.items) > 0 {
		table = table.items[len(table.items)-1]
	}
	d.valuePlaces(d.descend(table, e.Key()), e.Value())
}

// valuePlaces notes where a value and what is inside of it stand.
func (d *document) valuePlaces(n *node, value *unstable.Node) {
	if value.Raw.Length > 0 {
		n.valueAt = d.at(value)
	}
	children := value.Children()
	for children.Next() {
		c := children.Node()
		switch {
		case c.Kind == unstable.Comment:
		case value.Kind == unstable.InlineTable:
			d.keyValue(n, c)
		default:
			at := n.valueAt
			if c.Raw.Length > 0 {
				at = d.at(c)
			}
			d.valuePlaces(n.item(at), c)
		}
	}
}

// fill puts the decoded values into the tree of places.
func fill(n *node, value any) {
	switch v := value.(type) {
	case map[string]any:
		if n.table == nil {
			n.table = make(map[string]*node)
		}
		n.items, n.array = nil, false
		for name, inner := range v {
			fill(n.child(name, n.keyAt), inner)
		}
	case []any:
		n.array, n.table = true, nil
		for len(n.items) < len(v) {
			n.item(n.valueAt)
		}
		n.items = n.items[:len(v)]
		for i, inner := range v {
			fill(n.items[i], inner)
		}
	default:
		n.table, n.items, n.array, n.value = nil, nil, false, v
	}
}

// at returns where a node of the syntax tree begins.
func (d *document) at(n *unstable.Node) Position { return d.position(int(n.Raw.Offset)) }

// position turns an offset into line and column.
func (d *document) position(offset int) Position {
	if d.lines == nil {
		d.lines = []int{0}
		for i, c := range d.src {
			if c == '\n' {
				d.lines = append(d.lines, i+1)
			}
		}
	}
	line := 0
	for low, high := 0, len(d.lines); low < high; { // the last line that starts at or before the offset
		middle := (low + high) / 2
		if d.lines[middle] <= offset {
			line, low = middle, middle+1
		} else {
			high = middle
		}
	}
	start, column := d.lines[line], 1
	if d.last.at.Line == line+1 && d.last.offset <= offset { // long lines are counted once
		start, column = d.last.offset, d.last.at.Column
	}
	end := max(start, min(offset, len(d.src)))
	d.last.offset = end
	d.last.at = Position{File: d.file, Line: line + 1, Column: column + utf8.RuneCount(d.src[start:end])}
	return d.last.at
}

func (d *document) invalidText() Position {
	for i := 0; i < len(d.src); {
		r, size := utf8.DecodeRune(d.src[i:])
		if r == utf8.RuneError && size <= 1 {
			return d.position(i)
		}
		i += size
	}
	return Position{File: d.file}
}

// problem turns an error of the library into one of ours.
func (d *document) problem(err error) Problem {
	at := Position{File: d.file}
	text := err.Error()
	var decoding *toml.DecodeError
	if errors.As(err, &decoding) {
		line, column := decoding.Position()
		d.position(0) // finds the lines
		if line >= 1 && line <= len(d.lines) {
			at = d.position(d.lines[line-1] + max(0, column-1))
		}
	}
	return Problem{At: at, Text: "not valid TOML: " + strings.TrimPrefix(text, "toml: ")}
}
