package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rtcompare/rtcompare/internal/comparison"
)

// resumeFrom carries out the command line that an unfinished record was made
// with, and goes on with that record. Flags given now come after those given
// then, so that, say, --time can be raised.
func (a *App) resumeFrom(ctx context.Context, c *cobra.Command, path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return usage("--resume: %w", err)
	}
	if err := c.Flags().Set("resume", path); err != nil {
		return err
	}
	found, err := comparison.Open(path)
	if err != nil {
		return usage("--resume: %w", err)
	}
	settings, err := comparison.SettingsOf(found.Head)
	if err != nil {
		return usage("--resume %s: %w", path, err)
	}
	if len(settings.Arguments) == 0 {
		return usageHint("repeat the whole command line together with --resume", "%s does not say which command line it was made with", path)
	}
	if settings.Arguments[0] != c.Name() {
		return usageHint(fmt.Sprintf("use rtcompare %s --resume", settings.Arguments[0]), "%s was not made by rtcompare %s", path, c.Name())
	}
	if settings.Directory != "" && settings.Directory != a.Directory {
		if err := os.Chdir(settings.Directory); err != nil {
			return usage("going where the run was started: %w", err)
		}
		a.Directory = settings.Directory
	}
	a.arguments = settings.Arguments
	return a.execute(ctx, withFlags(settings.Arguments, c))
}

// withFlags puts the flags that were given to a command behind those of other
// arguments, before anything behind "--".
func withFlags(arguments []string, c *cobra.Command) []string {
	end := slices.Index(arguments, "--")
	if end < 0 {
		end = len(arguments)
	}
	all := slices.Clone(arguments[:end])
	c.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if several, ok := f.Value.(pflag.SliceValue); ok {
			values = several.GetSlice()
		}
		for _, value := range values {
			all = append(all, "--"+f.Name+"="+value)
		}
	})
	return append(all, arguments[end:]...)
}
