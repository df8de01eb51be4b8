package multiproc

import (
	"regexp"
	"strings"
	"testing"
)

func TestPatternsMeanOneTest(t *testing.T) {
	for name, want := range map[string]string{
		"TestA":            "^TestA$",
		"TestA/b":          "^TestA$/^b$",
		"TestA/b.c/d|e":    `^TestA$/^b\.c$/^d\|e$`,
		"TestA/[x](y)/#01": `^TestA$/^\[x\]\(y\)$/^#01$`,
		"TestA/a_b+c\\d":   `^TestA$/^a_b\+c\\d$`,
	} {
		if got := exactly(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
		parts, names := strings.Split(exactly(name), "/"), strings.Split(name, "/")
		for i, part := range parts {
			if !regexp.MustCompile(part).MatchString(names[i]) || regexp.MustCompile(part).MatchString(names[i]+"x") {
				t.Errorf("%q does not match %q alone", part, names[i])
			}
		}
	}
}
