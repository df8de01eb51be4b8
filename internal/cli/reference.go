package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Reference is the reference of the command line, in Markdown, made from the
// same texts as --help.
func (a *App) Reference() string {
	var out strings.Builder
	out.WriteString("# The command line\n\nMade from the program's own help by `go test ./internal/cli -run Reference -update`.\n")
	root := a.root()
	// Cobra adds these two only when it runs.
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	describe(&out, root)
	return out.String()
}

func describe(out *strings.Builder, c *cobra.Command) {
	if c.Hidden || c.Name() == "help" {
		return
	}
	fmt.Fprintf(out, "\n## %s\n\n", c.CommandPath())
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	fmt.Fprintf(out, "%s\n", text)
	if c.Runnable() {
		fmt.Fprintf(out, "\n```\n%s\n```\n", c.UseLine())
	}
	if c.Example != "" {
		fmt.Fprintf(out, "\n```sh\n%s\n```\n", unindented(c.Example))
	}
	if flags := c.NonInheritedFlags(); flags.HasAvailableFlags() {
		fmt.Fprintf(out, "\n```\n%s```\n", flags.FlagUsagesWrapped(referenceWidth))
	}
	if c.Name() == "completion" {
		return // its sub-commands are cobra's, one for each shell
	}
	for _, sub := range c.Commands() {
		describe(out, sub)
	}
}

const referenceWidth = 100

func unindented(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, "  ")
	}
	return strings.Join(lines, "\n")
}
