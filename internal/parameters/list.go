package parameters

import (
	"fmt"
	"strings"
)

// List returns the axis of a list whose values are separated by commas. A comma
// that belongs to a value is written \, and a backslash before a comma or before
// another backslash is written \\; any other backslash stands for itself. An
// empty list is one empty value.
func List(name, text string) (Axis, error) {
	if err := checkName(name); err != nil {
		return Axis{}, err
	}
	values := splitList(text)
	if len(values) > MaxValues {
		return Axis{}, fmt.Errorf("parameter %q has %d values, more than %d", name, len(values), MaxValues)
	}
	return Axis{Name: name, Values: values}, nil
}

// splitList undoes the escapes and cuts at the commas that are left.
func splitList(text string) []string {
	var values []string
	var value strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && (text[i+1] == ',' || text[i+1] == '\\'):
			i++
			value.WriteByte(text[i])
		case c == ',':
			values = append(values, value.String())
			value.Reset()
		default:
			value.WriteByte(c)
		}
	}
	return append(values, value.String())
}

// JoinList writes values as one text that [List] reads back as the same values.
// It needs at least one value.
func JoinList(values []string) string {
	escaped := make([]string, len(values))
	for i, value := range values {
		escaped[i] = strings.NewReplacer(`\`, `\\`, `,`, `\,`).Replace(value)
	}
	return strings.Join(escaped, ",")
}
