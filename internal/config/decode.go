package config

import (
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// form is a value that may be written in more than one way.
type form interface {
	// read takes the value from n and reports what it cannot take.
	read(n *node, problems *Problems)
	// schema returns the JSON Schema of what read takes.
	schema() map[string]any
}

// decoder turns nodes into Go values by the tags of their structs.
type decoder struct {
	base     string // what relative paths are relative to
	problems Problems
}

// table fills a struct from a table.
func (d *decoder) table(n *node, v reflect.Value) {
	if n.table == nil {
		d.wrongType(n, "a table")
		return
	}
	keys := keysOf(v.Type())
	d.known(n, keys, v)
	d.absent(n, v)
}

// known decodes the keys that the struct has and reports all others.
func (d *decoder) known(n *node, keys *keyNode, v reflect.Value) {
	for _, name := range n.keys() {
		c := n.table[name]
		key, ok := keys.inner[name]
		switch {
		case !ok:
			d.unknown(c, keys)
		case key.field != nil && !key.alias:
			d.field(c, v.FieldByIndex(key.field.Index), key.field.Tag)
		case key.field != nil: // both spellings: said where the other one is resolved
		case c.table == nil:
			d.wrongType(c, "a table")
		default:
			d.known(c, key, v)
		}
	}
}

func (d *decoder) unknown(n *node, keys *keyNode) {
	if d.problems.full() {
		return
	}
	hint := DidYouMean(n.name, keys.names())
	if inner, ok := keys.whereElse(n.name); ok && !strings.HasPrefix(hint, "did") {
		hint = "it belongs into the table " + strconv.Quote(inner)
	}
	where := "at the top of the file"
	if path := n.parent.path(); path != "" { // for a default it is not the table at hand
		where = "in " + path
	}
	d.problems.add(n.keyAt, hint, "unknown key %q %s", n.name, where)
}

// absent gives defaults to fields whose keys are missing, or reports them.
func (d *decoder) absent(n *node, v reflect.Value) {
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		name := tag.Get("toml")
		if name == "" || n.find(strings.Split(name, ".")...) != nil {
			continue
		}
		if tag.Get("required") == "true" {
			d.problems.add(n.keyAt, "add it", "%s has no %q", n.path(), name)
		}
		if text, ok := tag.Lookup("default"); ok {
			setDefault(v.Field(i), text)
		}
	}
}

// setDefault sets a field from the text of its tag. That every text fits its type is
// held by a test.
func setDefault(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(text == "true")
	case reflect.Int:
		number, _ := strconv.Atoi(text)
		v.SetInt(int64(number))
	case reflect.Float64:
		number, _ := strconv.ParseFloat(text, 64)
		v.SetFloat(number)
	}
}

// field decodes one value.
func (d *decoder) field(n *node, v reflect.Value, tag reflect.StructTag) {
	if f, ok := v.Addr().Interface().(form); ok {
		f.read(n, &d.problems)
		return
	}
	switch v.Kind() {
	case reflect.String:
		d.text(n, v, tag)
	case reflect.Bool:
		if value, ok := n.value.(bool); ok {
			v.SetBool(value)
		} else {
			d.wrongType(n, "true or false")
		}
	case reflect.Int:
		if value, ok := n.value.(int64); !ok {
			d.wrongType(n, "a whole number")
		} else if v.OverflowInt(value) {
			d.problems.add(n.valueAt, "", "%s is too large", n.path())
		} else if d.inRange(n, float64(value), tag) {
			v.SetInt(value)
		}
	case reflect.Float64:
		if value, ok := number(n); !ok {
			d.wrongType(n, "a number")
		} else if d.inRange(n, value, tag) {
			v.SetFloat(value)
		}
	case reflect.Struct:
		d.table(n, v)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.field(n, v.Elem(), tag)
	case reflect.Slice:
		d.slice(n, v, tag)
	case reflect.Map:
		d.entries(n, v)
	}
}

func number(n *node) (float64, bool) {
	switch value := n.value.(type) {
	case int64:
		return float64(value), true
	case float64:
		return value, true
	}
	return 0, false
}

func (d *decoder) text(n *node, v reflect.Value, tag reflect.StructTag) {
	value, ok := n.value.(string)
	if !ok {
		d.wrongType(n, "a string")
		return
	}
	if choices, ok := tag.Lookup("choices"); ok {
		allowed := strings.Split(choices, "|")
		if !slices.Contains(allowed, value) {
			d.problems.add(n.valueAt, DidYouMean(value, allowed), "%s cannot be %q", n.path(), value)
			return
		}
	}
	if value == "" && (tag.Get("required") == "true" || tag.Get("file") == "true") {
		d.problems.add(n.valueAt, "", "%s is empty", n.path())
		return
	}
	if tag.Get("file") == "true" {
		value = inside(d.base, value)
	}
	v.SetString(value)
}

// inside returns the path as seen from the base directory.
func inside(base, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(base, path)
}

// inRange holds a number against the limits of its tag.
func (d *decoder) inRange(n *node, value float64, tag reflect.StructTag) bool {
	limits := []struct {
		tag   string
		fine  func(limit float64) bool
		words string
	}{
		{"min", func(limit float64) bool { return value >= limit }, "at least "},
		{"max", func(limit float64) bool { return value <= limit }, "at most "},
		{"above", func(limit float64) bool { return value > limit }, "above "},
		{"below", func(limit float64) bool { return value < limit }, "below "},
	}
	fine := !math.IsNaN(value) && !math.IsInf(value, 0)
	var words []string
	for _, limit := range limits {
		text, ok := tag.Lookup(limit.tag)
		if !ok {
			continue
		}
		words = append(words, limit.words+text)
		bound, err := strconv.ParseFloat(text, 64)
		fine = fine && err == nil && limit.fine(bound)
	}
	if fine {
		return true
	}
	hint := "it has to be finite"
	if len(words) > 0 {
		hint = "it has to be " + strings.Join(words, " and ")
	}
	d.problems.add(n.valueAt, hint, "%s is %s", n.path(), strconv.FormatFloat(value, 'g', -1, 64))
	return false
}

// slice decodes an array.
func (d *decoder) slice(n *node, v reflect.Value, tag reflect.StructTag) {
	if !n.array {
		d.wrongType(n, "an array")
		return
	}
	if least, _ := strconv.Atoi(tag.Get("items")); len(n.items) < least {
		d.problems.add(n.valueAt, "", "%s has %s, fewer than %d", n.path(), plural(len(n.items), "item"), least)
	}
	list := reflect.MakeSlice(v.Type(), len(n.items), len(n.items))
	for i, item := range n.items {
		d.field(item, list.Index(i), tag)
	}
	v.Set(list)
}

// entries decodes a table whose keys are free names.
func (d *decoder) entries(n *node, v reflect.Value) {
	if n.table == nil {
		d.wrongType(n, "a table")
		return
	}
	if v.Type().Elem().Kind() == reflect.Interface {
		v.Set(reflect.ValueOf(n.plain()))
		return
	}
	m := reflect.MakeMapWithSize(v.Type(), len(n.table))
	for _, name := range n.keys() {
		if name == "" {
			d.problems.add(n.table[name].keyAt, "give it one", "an entry of %s has an empty name", n.path())
		}
		entry := reflect.New(v.Type().Elem()).Elem()
		d.field(n.table[name], entry, "")
		m.SetMapIndex(reflect.ValueOf(name), entry)
	}
	v.Set(m)
}

func (d *decoder) wrongType(n *node, wanted string) { wrongType(&d.problems, n, wanted) }

// wrongType reports a value of another type than the key takes.
func wrongType(problems *Problems, n *node, wanted string) {
	problems.add(n.valueAt, "", "%s has to be %s, not %s", n.path(), wanted, n.kind())
}
