package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pelletier/go-toml/v2"
)

func TestFormat(t *testing.T) {
	files, err := filepath.Glob("testdata/format/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Format(name, text)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(name, ".toml")+".golden", got)
			formatsSoundly(t, text)
		})
	}
}

func TestFormatError(t *testing.T) {
	_, err := Format("a.toml", []byte("[a]\nb = \n"))
	var problems Problems
	if !errors.As(err, &problems) || problems[0].At != (Position{File: "a.toml", Line: 2, Column: 5}) {
		t.Errorf("got %v", err)
	}
}

// formatsSoundly checks that formatting changes no value, no comment and no order,
// and that formatting again changes nothing.
func formatsSoundly(t *testing.T, text []byte) {
	t.Helper()
	once, err := Format("x.toml", text)
	if err != nil {
		return
	}
	twice, err := Format("x.toml", once)
	if err != nil {
		t.Fatalf("formatted, it is no longer valid: %v\n%q\n%q", err, text, once)
	}
	if string(once) != string(twice) {
		t.Fatalf("formatting again changes it:\n%q\n%q\n%q", text, once, twice)
	}
	var before, after map[string]any
	if err := toml.Unmarshal([]byte(strings.TrimPrefix(string(text), string(byteOrderMark))), &before); err != nil {
		t.Fatal(err)
	}
	if err := toml.Unmarshal(once, &after); err != nil {
		t.Fatal(err)
	}
	if !cmp.Equal(before, after, cmpopts.EquateNaNs()) {
		t.Fatalf("formatting changes a value:\n%q\n%q", text, once)
	}
	if got, want := visible(string(once)), visible(strings.TrimPrefix(string(text), string(byteOrderMark))); got != want {
		t.Fatalf("formatting changes more than white space:\n%q\n%q", want, got)
	}
}

// visible returns a text without white space.
func visible(text string) string {
	return strings.NewReplacer(" ", "", "\t", "", "\n", "", "\r", "").Replace(text)
}
