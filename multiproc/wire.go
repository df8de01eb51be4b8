package multiproc

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// Reports cross from process to process as JSON, so that a journal can be read
// with any tool. encoding/json knows no infinity and no NaN, which bounds and
// ratios may well be, and loses the last bits of large numbers that are decoded
// into an interface. So the exported fields are walked here: floats that are
// not finite become the strings "NaN", "+Inf" and "-Inf", and 64-bit integers
// stay integers. A field that one side does not have is left alone.

// toWire returns the value as maps, slices and scalars.
func toWire(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Float64, reflect.Float32:
		return wireFloat(v.Float())
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return toWire(v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return nil
		}
		list := make([]any, v.Len())
		for i := range list {
			list[i] = toWire(v.Index(i))
		}
		return list
	case reflect.Struct:
		fields := make(map[string]any, v.NumField())
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if field.IsExported() && !v.Field(i).IsZero() {
				fields[field.Name] = toWire(v.Field(i))
			}
		}
		return fields
	default:
		return v.Interface()
	}
}

func wireFloat(f float64) any {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 0):
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return f
}

// fromWire sets what the text holds, decoded with numbers as json.Number.
func fromWire(data any, v reflect.Value) error {
	if data == nil {
		v.SetZero()
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		fresh := reflect.New(v.Type().Elem())
		if err := fromWire(data, fresh.Elem()); err != nil {
			return err
		}
		v.Set(fresh)
		return nil
	case reflect.Slice:
		return sliceFromWire(data, v)
	case reflect.Struct:
		return structFromWire(data, v)
	case reflect.Bool:
		flag, ok := data.(bool)
		if !ok {
			return unexpected(data, v)
		}
		v.SetBool(flag)
		return nil
	}
	return scalarFromWire(data, v)
}

func sliceFromWire(data any, v reflect.Value) error {
	list, ok := data.([]any)
	if !ok {
		return unexpected(data, v)
	}
	v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
	for i, item := range list {
		if err := fromWire(item, v.Index(i)); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	return nil
}

func structFromWire(data any, v reflect.Value) error {
	fields, ok := data.(map[string]any)
	if !ok {
		return unexpected(data, v)
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		item, there := fields[field.Name]
		if !field.IsExported() || !there {
			continue
		}
		if err := fromWire(item, v.Field(i)); err != nil {
			return fmt.Errorf("%s: %w", field.Name, err)
		}
	}
	return nil
}

// scalarFromWire reads texts and numbers. A number that is not finite is a text.
func scalarFromWire(data any, v reflect.Value) error {
	text, isText := data.(string)
	if number, ok := data.(json.Number); ok {
		text = number.String()
	} else if !isText {
		return unexpected(data, v)
	}
	var err error
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Float64, reflect.Float32:
		var f float64
		f, err = strconv.ParseFloat(text, 64)
		v.SetFloat(f)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		var n int64
		n, err = strconv.ParseInt(text, 10, 64)
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		var n uint64
		n, err = strconv.ParseUint(text, 10, 64)
		v.SetUint(n)
	default:
		err = unexpected(data, v)
	}
	return err
}

func unexpected(data any, v reflect.Value) error {
	return fmt.Errorf("%T instead of a %s", data, v.Type())
}
