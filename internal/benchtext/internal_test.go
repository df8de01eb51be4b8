package benchtext

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"testing"
)

// What the fast scanner accepts must be what encoding/json reads.
func FuzzEvent(f *testing.F) {
	f.Add([]byte(`{"Time":"2026-01-02T03:04:05Z","Action":"output","Package":"p","Test":"T","Output":"a\tb\n\"\\\u00e4"}`))
	f.Add([]byte(`{"Action":"pass","Package":"p","Elapsed":1.5}`))
	f.Add([]byte(`{"a":[1,"}"],"Action":"x"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var fast, slow testEvent
		if !scanEvent(line, &fast) {
			return
		}
		if !json.Valid(line) {
			return // damaged lines may be read either way, but must not panic
		}
		// encoding/json also takes keys in other cases, and the last of several.
		var keys map[string]json.RawMessage
		if json.Unmarshal(line, &slow) != nil || json.Unmarshal(line, &keys) != nil {
			return
		}
		for key := range keys {
			switch lower := bytes.ToLower([]byte(key)); string(lower) {
			case "action", "package", "test", "output":
				if key[0] == lower[0] || key[1:] != string(lower[1:]) {
					return
				}
			}
		}
		if bytes.ContainsRune(line, '\ufffd') || !bytes.Equal(line, bytes.ToValidUTF8(line, nil)) {
			return
		}
		if fast != slow {
			t.Fatalf("%q: %+v, encoding/json reads %+v", line, fast, slow)
		}
	})
}

func FuzzNumber(f *testing.F) {
	for _, text := range []string{"1", "12.5", ".5", "5.", ".", "9007199254740993", "0.1", "123456789012345678", "1e5", "-3", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseNumber([]byte(text))
		want, wantErr := strconv.ParseFloat(text, 64)
		if (err == nil) != (wantErr == nil) || err == nil && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q: %v %v, want %v %v", text, got, err, want, wantErr)
		}
	})
}
