package config

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// descriptionsJSON holds the comments of the fields, by "Type.Field". A test writes
// it and holds it equal to the source.
//
//go:embed descriptions.json
var descriptionsJSON []byte

// Schema returns the JSON Schema (draft 7, which editors of TOML know) of a
// configuration file, made from the types of [Config].
//
// What a schema cannot say it leaves to [Load]: keys that exclude each other, and
// names that have to exist.
func Schema() ([]byte, error) {
	s := schemer{definitions: make(map[string]any)}
	if err := json.Unmarshal(descriptionsJSON, &s.descriptions); err != nil {
		return nil, fmt.Errorf("reading the descriptions of the keys: %w", err)
	}
	root := s.table(reflect.TypeFor[Config]())
	root["$schema"] = "http://json-schema.org/draft-07/schema#"
	root["title"] = "rtcompare configuration"
	root["description"] = "Commands, HTTP loads, comparisons and plots for rtcompare run."
	root["definitions"] = s.definitions
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the schema: %w", err)
	}
	return append(text, '\n'), nil
}

// schemer turns types into schemas.
type schemer struct {
	definitions  map[string]any
	descriptions map[string]string
}

// table returns the schema of a struct.
func (s *schemer) table(t reflect.Type) map[string]any {
	return s.keys(t, keysOf(t))
}

// keys returns the schema of a table whose keys are known.
func (s *schemer) keys(t reflect.Type, keys *keyNode) map[string]any {
	properties := make(map[string]any)
	var required []string
	for _, name := range keys.names() {
		inner := keys.inner[name]
		if inner.field == nil {
			properties[name] = s.keys(t, inner)
			continue
		}
		properties[name] = s.field(t, inner.field)
		if inner.field.Tag.Get("required") == "true" {
			required = append(required, name)
		}
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		schema["required"] = required
	}
	return schema
}

// field returns the schema of a key.
func (s *schemer) field(owner reflect.Type, field *reflect.StructField) map[string]any {
	schema := s.value(field.Type, field.Tag)
	if ref, ok := schema["$ref"]; ok { // nothing may stand beside a reference in draft 7
		schema = map[string]any{"allOf": []any{map[string]any{"$ref": ref}}}
	}
	if text, ok := s.descriptions[owner.Name()+"."+field.Name]; ok {
		schema["description"] = text
	}
	if text, ok := field.Tag.Lookup("default"); ok {
		v := reflect.New(field.Type).Elem()
		setDefault(v, text)
		schema["default"] = v.Interface()
	}
	return schema
}

// value returns the schema of a value.
func (s *schemer) value(t reflect.Type, tag reflect.StructTag) map[string]any {
	if f, ok := reflect.New(t).Interface().(form); ok {
		return f.schema()
	}
	switch t.Kind() {
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int:
		return withLimits(map[string]any{"type": "integer"}, tag)
	case reflect.Float64:
		return withLimits(map[string]any{"type": "number"}, tag)
	case reflect.Pointer:
		return s.value(t.Elem(), tag)
	case reflect.Slice:
		schema := map[string]any{"type": "array", "items": s.value(t.Elem(), tag)}
		if least, err := strconv.Atoi(tag.Get("items")); err == nil {
			schema["minItems"] = least
		}
		return schema
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.value(t.Elem(), "")}
	case reflect.Struct:
		if _, ok := s.definitions[t.Name()]; !ok {
			s.definitions[t.Name()] = s.table(t)
		}
		return map[string]any{"$ref": "#/definitions/" + t.Name()}
	case reflect.String:
		return text(tag)
	}
	return map[string]any{} // anything
}

func text(tag reflect.StructTag) map[string]any {
	schema := map[string]any{"type": "string"}
	if choices, ok := tag.Lookup("choices"); ok {
		schema["enum"] = strings.Split(choices, "|")
	}
	if tag.Get("required") == "true" || tag.Get("file") == "true" {
		schema["minLength"] = 1
	}
	return schema
}

// withLimits adds the limits that the tag has.
func withLimits(schema map[string]any, tag reflect.StructTag) map[string]any {
	for name, word := range map[string]string{
		"min": "minimum", "max": "maximum", "above": "exclusiveMinimum", "below": "exclusiveMaximum",
	} {
		if text, ok := tag.Lookup(name); ok {
			schema[word] = json.Number(text)
		}
	}
	return schema
}
