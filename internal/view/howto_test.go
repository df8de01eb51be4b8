package view

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rtcompare/rtcompare/internal/record"
)

// Every warning that a report can hold has a heading in HOWTO.md that begins as
// the warning does; numbers and names stand there as an ellipsis.
func TestEveryWarningIsExplained(t *testing.T) {
	text, err := os.ReadFile("../../HOWTO.md")
	if err != nil {
		t.Fatal(err)
	}
	var headings []*regexp.Regexp
	for _, quoted := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(headingLines(string(text)), -1) {
		pattern := strings.ReplaceAll(regexp.QuoteMeta(quoted[1]), "…", ".+")
		headings = append(headings, regexp.MustCompile("^"+pattern))
	}
	if len(headings) < 20 {
		t.Fatalf("%d quoted headings found", len(headings))
	}
	for _, code := range allCodes(t) {
		sentence := Warning(record.Warning{Code: code, Arm: 1, Values: values}, []string{"map", "slice"})
		explained := false
		for _, heading := range headings {
			explained = explained || heading.MatchString(sentence)
		}
		if !explained {
			t.Errorf("HOWTO.md has no heading for %q", sentence)
		}
	}
}

func headingLines(text string) string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "### ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
