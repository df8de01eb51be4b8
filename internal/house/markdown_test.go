package house_test

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestMarkdownLinks checks that every link to a file of the repository leads
// somewhere.
func TestMarkdownLinks(t *testing.T) {
	for _, name := range repositoryFiles(t) {
		if !strings.HasSuffix(name, ".md") || inTestdata(name) {
			continue
		}
		for _, target := range relativeLinks(readFile(t, name)) {
			file := path.Join(path.Dir(name), target)
			if strings.HasPrefix(target, "/") {
				file = strings.TrimPrefix(target, "/") // from the root, as code hosts read it
			}
			if strings.HasPrefix(file, "../") || !exists(t, file) {
				t.Errorf("%s links to %s, which does not exist", name, target)
			}
		}
	}
}

var (
	codeSpan = regexp.MustCompile("`[^`\n]*`")
	// The three ways to write a link: [text](target), [name]: target, and HTML.
	linkForms = regexp.MustCompile(`\]\(<?([^)\s>]+)|(?m:^ {0,3}\[[^\]]+\]:\s+<?([^\s>]+))|(?:href|src)="([^"]+)"`)
	scheme    = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9+.-]*:|//|#)`)
)

// relativeLinks returns the files that a Markdown text links to, without the
// places in them. What stands in code is no link.
func relativeLinks(text string) []string {
	var prose strings.Builder
	for _, block := range markdownBlocks(text) {
		if block.language == "" && !block.fenced {
			prose.WriteString(codeSpan.ReplaceAllString(block.text, ""))
		}
	}
	var targets []string
	for _, match := range linkForms.FindAllStringSubmatch(prose.String(), -1) {
		target, _, _ := strings.Cut(strings.Join(match[1:], ""), "#")
		if target != "" && !scheme.MatchString(target) {
			targets = append(targets, target)
		}
	}
	return targets
}

// A block is a stretch of a Markdown text: prose, or what stands in a fence.
type block struct {
	fenced   bool
	language string
	line     int // of its first line, from 1
	text     string
}

// markdownBlocks splits a text at its fences.
func markdownBlocks(text string) []block {
	blocks := []block{{line: 1}}
	number, fence := 0, ""
	for line := range strings.Lines(text) {
		number++
		trimmed := strings.TrimSpace(line)
		mark := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, trimmed[:min(1, len(trimmed))]))]
		switch {
		case fence == "" && len(mark) >= 3 && strings.Trim(mark, "`~") == "":
			fence = mark
			language, _, _ := strings.Cut(strings.TrimSpace(trimmed[len(mark):]), " ")
			blocks = append(blocks, block{fenced: true, language: language, line: number + 1})
		case fence != "" && strings.HasPrefix(mark, fence) && mark == trimmed:
			fence = ""
			blocks = append(blocks, block{line: number + 1})
		default:
			blocks[len(blocks)-1].text += line
		}
	}
	return blocks
}

// TestRelativeLinks checks the checker.
func TestRelativeLinks(t *testing.T) {
	const text = "[a](one.md) and [b](dir/two.md#place), ![c](<three.svg> \"title\")\n" +
		"[d](https://example.com/x.md), [e](#here), [f](mailto:a@b), `[g](no.md)`\n" +
		"```sh\n[h](no.md)\n```\n<img src=\"four.png\"> [i][ref]\n\n[ref]: five.md\n" +
		"~~~~\n[j](no.md)\n~~~\n[k](no.md)\n~~~~\n[l](/six.md)\n"
	want := []string{"one.md", "dir/two.md", "three.svg", "four.png", "five.md", "/six.md"}
	if got := relativeLinks(text); !slices.Equal(got, want) {
		t.Errorf("links %q, want %q", got, want)
	}
}
