package config

import (
	"maps"
	"reflect"
	"slices"
	"strings"
)

// The keys of a table are the fields of a struct. These tags say how:
//
//	toml:"key"          the key; with dots, a key inside of tables
//	also:"key"          another spelling, resolved before decoding
//	required:"true"     the table has to have it
//	default:"text"      the value when the key is absent
//	choices:"a|b"       the strings allowed
//	min:"1" max:"9"     the smallest and the largest number allowed
//	above:"0" below:"1" limits that are themselves not allowed
//	file:"true"         a path, relative to the base directory
//	items:"1"           the smallest number of items
//
// Decoding and the JSON Schema both follow them.

// keyNode is a place among the keys of a struct: a field, or a table that leads to fields.
type keyNode struct {
	field *reflect.StructField
	alias bool // reached by another spelling
	inner map[string]*keyNode
}

// keysOf returns the tree of keys of a struct type.
func keysOf(t reflect.Type) *keyNode {
	root := &keyNode{inner: make(map[string]*keyNode)}
	for i := range t.NumField() {
		field := t.Field(i)
		if name := field.Tag.Get("toml"); name != "" {
			root.put(name, &keyNode{field: &field})
		}
		if name := field.Tag.Get("also"); name != "" {
			root.put(name, &keyNode{field: &field, alias: true})
		}
	}
	return root
}

func (k *keyNode) put(path string, leaf *keyNode) {
	name, rest, dotted := strings.Cut(path, ".")
	if !dotted {
		k.inner[name] = leaf
		return
	}
	if k.inner[name] == nil {
		k.inner[name] = &keyNode{inner: make(map[string]*keyNode)}
	}
	k.inner[name].put(rest, leaf)
}

// names returns the keys at this place in order.
func (k *keyNode) names() []string { return slices.Sorted(maps.Keys(k.inner)) }

// whereElse returns the path of a table inside of this one that knows the key: it
// may have been written one table too high.
func (k *keyNode) whereElse(name string) (string, bool) {
	for _, outer := range k.names() {
		inner := k.inner[outer]
		if inner.alias {
			continue
		}
		if inner.field == nil {
			if path, ok := inner.whereElse(name); ok {
				return outer + "." + path, true
			}
			continue
		}
		t := inner.field.Type
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() == reflect.Struct && keysOf(t).inner[name] != nil {
			return outer, true
		}
	}
	return "", false
}
