package parameters

import "strings"

// Substitute puts the values into a text: {NAME} becomes the value of NAME.
// Braces around anything else stay. What was put in is not looked at again, so a
// value may itself hold braces.
func Substitute(text string, values []Value) string {
	if len(values) == 0 || !strings.Contains(text, "{") {
		return text
	}
	var out strings.Builder
	for {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			break
		}
		out.WriteString(text[:open])
		text = text[open:]
		value, length := valueAt(text, values)
		if length == 0 {
			value, length = "{", 1
		}
		out.WriteString(value)
		text = text[length:]
	}
	out.WriteString(text)
	return out.String()
}

// valueAt returns the value whose placeholder begins the text, and the
// placeholder's length, which is 0 where there is none.
func valueAt(text string, values []Value) (value string, length int) {
	end := strings.IndexByte(text, '}')
	if end < 0 {
		return "", 0
	}
	for _, v := range values {
		if text[1:end] == v.Name {
			return v.Value, end + 1
		}
	}
	return "", 0
}

// Unused returns the values that none of the texts has a place for.
func Unused(values []Value, texts ...string) []Value {
	var unused []Value
next:
	for _, v := range values {
		for _, text := range texts {
			if strings.Contains(text, "{"+v.Name+"}") {
				continue next
			}
		}
		unused = append(unused, v)
	}
	return unused
}

// Describe lists values for people: "threads = 2, size = 10". It is empty when
// there are none.
func Describe(values []Value) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = v.Name + " = " + v.Value
	}
	return strings.Join(texts, ", ")
}
