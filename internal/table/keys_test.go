package table

import (
	"slices"
	"testing"

	"golang.org/x/perf/benchproc"
)

func TestKeysOfQueries(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, ".config": {".config"}, ".name,/size@num goos": {".name", "/size", "goos"},
		`/n@(2 "1 0" 3),"a b"@alpha`: {"/n", "a b"}, "a-b@(c,d)": {"a-b"},
	} {
		if got := projectionKeys(text); !slices.Equal(got, want) {
			t.Errorf("projection %q has keys %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string][]string{
		"": nil, "*": nil, `goos:linux -/size:(1 OR "2 3") .name:/a:b/ "k 1":v`: {"goos", "/size", ".name", "k 1"},
		"(a:b OR -c:d) AND .unit:ns/op": {"a", "c", ".unit"},
	} {
		if got := filterKeys(text); !slices.Equal(got, want) {
			t.Errorf("filter %q has keys %q, want %q", text, got, want)
		}
	}
}

// Finding keys must end for any text, also for one that no query parser takes.
func FuzzKeys(f *testing.F) {
	f.Add(`.name,/n@(2 3) "q`)
	f.Add(`a:/re/ -b:("c" OR d)`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return
		}
		projectionKeys(text)
		keys := filterKeys(text)
		if _, err := benchproc.NewFilter(text); err == nil && text != "" && len(keys) == 0 && len(tokens(text)) == 0 {
			t.Fatalf("a filter without words and signs: %q", text)
		}
	})
}

func TestEdits(t *testing.T) {
	for pair, want := range map[[2]string]int{{"", ""}: 0, {"goos", "gos"}: 1, {"/size", "/sise"}: 1, {"abc", ""}: 3, {"kitten", "sitting"}: 3} {
		if got := edits(pair[0], pair[1]); got != want {
			t.Errorf("%q: %d edits, want %d", pair, got, want)
		}
	}
}
