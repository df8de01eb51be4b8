package record

import (
	"bytes"
	"encoding/json"
	"math"
)

// Values is a series of numbers of which some may be unknown. An unknown value
// is NaN here and null in JSON, which has no NaN. Infinite values are unknown
// too.
type Values []float64

// MarshalJSON implements [json.Marshaler].
func (v Values) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	var out bytes.Buffer
	out.WriteByte('[')
	for i, x := range v {
		if i > 0 {
			out.WriteByte(',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			out.WriteString("null")
			continue
		}
		text, err := json.Marshal(x)
		if err != nil {
			return nil, err
		}
		out.Write(text)
	}
	out.WriteByte(']')
	return out.Bytes(), nil
}

// UnmarshalJSON implements [json.Unmarshaler].
func (v *Values) UnmarshalJSON(text []byte) error {
	var read []*float64
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	*v = nil
	for _, x := range read {
		if x == nil {
			*v = append(*v, math.NaN())
			continue
		}
		*v = append(*v, *x)
	}
	return nil
}
