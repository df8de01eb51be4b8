package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func (a *App) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  rtcompare version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.Stdout, "rtcompare %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// manualCommand writes man pages, made from the same texts as --help.
func (a *App) manualCommand(root func() *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "manual DIRECTORY",
		Short:   "Write man pages of all sub-commands into a directory",
		Example: "  rtcompare manual /usr/local/share/man/man1",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, arguments []string) error {
			header := &doc.GenManHeader{Title: "RTCOMPARE", Section: "1", Source: "rtcompare " + version()}
			if err := doc.GenManTree(root(), header, arguments[0]); err != nil {
				return usage("writing the man pages: %w", err)
			}
			return nil
		},
	}
}
