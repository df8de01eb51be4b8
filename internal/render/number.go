package render

import (
	"encoding/json"
	"math"
	"strconv"
)

// number is a float64 that JSON can always hold: what is not finite becomes null.
type number float64

// MarshalJSON implements [json.Marshaler].
func (n number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

func numbers(values []float64) []number {
	list := make([]number, len(values))
	for i, v := range values {
		list[i] = number(v)
	}
	return list
}

// seconds converts nanoseconds. Dividing keeps every whole nanosecond exact in
// the shortest decimal form.
func seconds(ns float64) number { return number(ns / 1e9) }

func allSeconds(ns []float64) []number {
	list := make([]number, len(ns))
	for i, v := range ns {
		list[i] = seconds(v)
	}
	return list
}

// plainNumber writes a number as tables of other programs do: the shortest
// decimal that reads back the same, without an exponent; empty when unknown.
func plainNumber(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
