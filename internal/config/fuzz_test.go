package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// seeds adds all documents of the tests.
func seeds(f *testing.F) {
	for _, pattern := range []string{"testdata/errors/*.toml", "testdata/format/*.toml"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	for _, text := range []string{finefileExample, everyFinefileKey, everyOwnKey, string(Starter()),
		"[[a]]\n[[a.b]]\n[a.b.c]\nd = 1\n", "a = [{b = 1}, {b = nan}]\n", "a = '''''''' \n"} {
		f.Add([]byte(text))
	}
}

// FuzzLoad: whatever the bytes, no panic; a refusal names places that exist; and what
// is accepted is valid by the schema.
func FuzzLoad(f *testing.F) {
	seeds(f)
	schema := resolvedSchema(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		_, err := load(string(text))
		var problems Problems
		switch {
		case err == nil:
			if err := schema.Validate(instance(t, text)); err != nil {
				t.Errorf("accepted, but not valid by the schema: %v", err)
			}
		case !errors.As(err, &problems):
			t.Errorf("not a list of problems: %v", err)
		default:
			for _, problem := range problems {
				if problem.At.Line < 1 || problem.At.Column < 1 || problem.Text == "" {
					t.Errorf("a problem without a place or a text: %+v", problem)
				}
			}
		}
	})
}

// FuzzFormat: formatting keeps every value and every visible character, and formatting
// again changes nothing.
func FuzzFormat(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) { formatsSoundly(t, text) })
}

// FuzzParseCPUs: a list that is accepted is sorted, without repeats and within limits.
func FuzzParseCPUs(f *testing.F) {
	f.Add("0-3,8")
	f.Add("65535,1-0")
	f.Fuzz(func(t *testing.T, text string) {
		list, ok := ParseCPUs(text)
		if ok != (len(list) > 0) {
			t.Fatalf("%q: %d CPUs, %v", text, len(list), ok)
		}
		for i, cpu := range list {
			if cpu < 0 || cpu > largestCPU || i > 0 && cpu <= list[i-1] {
				t.Fatalf("%q: %s", text, fmt.Sprint(list))
			}
		}
	})
}
