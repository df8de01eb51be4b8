package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// every calls a function with a command and all below it, but for those that
// cobra makes itself.
func every(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		if sub.Name() != "help" && sub.Name() != "completion" {
			every(sub, f)
		}
	}
}

func TestHelpIsWhole(t *testing.T) {
	count := 0
	every((&App{}).root(), func(c *cobra.Command) {
		count++
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: the short text %q has to be there, without a full stop", c.CommandPath(), c.Short)
		}
		if !strings.HasPrefix(c.Example, "  rtcompare") {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for _, line := range strings.Split(c.Long+"\n"+c.Example, "\n") {
			if len(line) > 120 {
				t.Errorf("%s: a line of its help is %d characters long: %s", c.CommandPath(), len(line), line)
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" && !f.Hidden {
				t.Errorf("%s: --%s says nothing about itself", c.CommandPath(), f.Name)
			}
		})
	})
	if count < 14 {
		t.Errorf("only %d commands were looked at", count)
	}
}

// TestExamplesAreUnderstood checks that the flags of all examples exist and take
// the values they are shown with.
func TestExamplesAreUnderstood(t *testing.T) {
	every((&App{}).root(), func(c *cobra.Command) {
		for _, line := range strings.Split(c.Example, "\n") {
			words := exampleWords(t, line)
			if len(words) == 0 {
				continue
			}
			switch words[0] {
			case "cmd":
				joined, err := joinValues(words)
				if err != nil {
					t.Errorf("%s: %v", line, err)
				}
				words = joined
			case "stat":
				words = twoDashes(words)
			}
			found, rest, err := (&App{}).root().Find(words)
			if err == nil {
				err = found.ParseFlags(rest)
			}
			if err != nil {
				t.Errorf("example of %s: %s: %v", c.CommandPath(), strings.TrimSpace(line), err)
			}
		}
	})
}

// exampleWords are the words of an example behind the program's name.
func exampleWords(t *testing.T, line string) []string {
	t.Helper()
	line, _, _ = strings.Cut(strings.TrimSpace(line), " > ")
	line, _, _ = strings.Cut(line, "  #")
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	if len(words) == 0 || words[0] != "rtcompare" {
		return nil
	}
	return words[1:]
}
