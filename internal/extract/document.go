package extract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/theory/jsonpath"
)

// notNumbers are values that some programs print where JSON knows none.
var notNumbers = regexp.MustCompile(`[:,\[]\s*-?(NaN|Infinity)\b`)

// selectFrom finds the number by the JSON path.
func (m Metric) selectFrom(output []byte) (float64, error) {
	found := documents(output)
	if len(found) == 0 {
		if len(bytes.TrimSpace(output)) == 0 {
			return 0, errors.New("the command printed nothing")
		}
		if notNumbers.Match(output) {
			return 0, errors.New("the output is not JSON: NaN and Infinity are no values there")
		}
		return 0, fmt.Errorf("there is no JSON in the output; it begins with %q", beginning(output))
	}
	for i := len(found) - 1; i >= 0; i-- {
		nodes := m.path.Select(found[i])
		if len(nodes) == 0 {
			continue
		}
		if len(nodes) > 1 {
			return 0, fmt.Errorf("the path selects %d values: narrow it down to one", len(nodes))
		}
		return m.number(nodes)
	}
	return 0, errors.New("the path selects nothing in the output's JSON")
}

// number reads the one node that a path selected.
func (m Metric) number(nodes jsonpath.NodeList) (float64, error) {
	switch node := nodes[0].(type) {
	case json.Number:
		return in(node.String(), "", m.Unit)
	case string:
		return in(node, "", m.Unit)
	case nil:
		return 0, errors.New("the path selects null, not a number")
	case bool:
		return 0, fmt.Errorf("the path selects %v, not a number", node)
	case []any:
		return 0, fmt.Errorf("the path selects an array of %d, not a number: end it with [0], or [-1] for the last", len(node))
	case map[string]any:
		return 0, errors.New("the path selects an object, not a number: name one of its members")
	}
	return 0, fmt.Errorf("the path selects a %T, not a number", nodes[0])
}

// maxFailedDocuments bounds how often a line that looks like the beginning of
// JSON is read on to its end in vain: each try may read the whole output.
const maxFailedDocuments = 50

// documents returns the JSON values in an output, in order. Lines that are not
// JSON are passed over, so that a log before the result does no harm; a document
// of several lines begins with a bracket at the start of a line.
func documents(output []byte) []any {
	if all, ok := decode(output); ok {
		return all
	}
	var found []any
	failed := 0
	for rest := output; len(rest) > 0; {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		if start := bytes.TrimLeft(line, " \t\r"); len(start) == 0 || !strings.ContainsRune("{[", rune(start[0])) {
			rest = after
			continue
		}
		if one, ok := decode(line); ok {
			found = append(found, one...)
			rest = after
			continue
		}
		if failed < maxFailedDocuments {
			if one, length, ok := decodeOne(rest); ok {
				found = append(found, one)
				_, rest, _ = bytes.Cut(rest[length:], []byte("\n"))
				continue
			}
			failed++
		}
		rest = after
	}
	return found
}

// decode reads a text that holds nothing but JSON values, at least one.
func decode(text []byte) (all []any, ok bool) {
	decoder := newDecoder(text)
	for {
		var value any
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) {
			return all, len(all) > 0
		}
		if err != nil {
			return nil, false
		}
		all = append(all, value)
	}
}

// decodeOne reads one JSON value from the beginning of a text, and says how long
// it is.
func decodeOne(text []byte) (value any, length int, ok bool) {
	decoder := newDecoder(text)
	if err := decoder.Decode(&value); err != nil {
		return nil, 0, false
	}
	return value, int(decoder.InputOffset()), true
}

// newDecoder returns a decoder that leaves numbers their digits.
func newDecoder(text []byte) *json.Decoder {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder
}
