package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/rtcompare/rtcompare/internal/config"
)

func (a *App) configCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "config",
		Short:   "Check, write and format configuration files",
		Example: "  rtcompare config init\n  rtcompare config check -f finefile.toml\n  rtcompare config format",
		Args:    noOtherWord, SuggestionsMinimumDistance: 2,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.configCheck(), a.configSchema(), a.configInit(), a.configFormat())
	return c
}

func (a *App) configCheck() *cobra.Command {
	var files []string
	c := &cobra.Command{
		Use:     "check",
		Short:   "Say whether configuration files are right",
		Example: "  rtcompare config check\n  rtcompare config check -f base.toml -f local.toml",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			loaded, err := a.load(files)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "%d commands and %d comparisons, all right\n", len(loaded.Commands), len(loaded.Comparisons)+len(loaded.AlphaComparisons))
			return err
		},
	}
	addFiles(c, &files)
	return c
}

func addFiles(c *cobra.Command, files *[]string) {
	c.Flags().StringArrayVarP(files, "file", "f", nil, "configuration `FILE`, - for standard input; may be repeated, later ones win (default rtcompare.toml, else finefile.toml)")
	c.Flags().StringArrayVar(files, "config", nil, "the same as --file `FILE`")
}

// load reads configuration files. What is wrong with them is a usage error.
func (a *App) load(files []string) (config.Config, error) {
	loaded, err := config.Load(files, a.source())
	var problems config.Problems
	switch {
	case err == nil:
		return loaded, nil
	case errors.As(err, &problems):
		return loaded, usage("the configuration cannot be used:\n%w", err)
	case errors.Is(err, fs.ErrNotExist) && len(files) == 0:
		return loaded, usageHint("rtcompare config init writes one to begin with; or name a file with -f", "there is no rtcompare.toml or finefile.toml here")
	}
	return loaded, usage("%w", err)
}

func (a *App) source() config.Source {
	return config.Source{ReadFile: os.ReadFile, Stdin: a.Stdin, Directory: a.Directory}
}

func (a *App) configSchema() *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of configuration files, for editors",
		Example: "  rtcompare config schema > rtcompare.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			schema, err := config.Schema()
			if err != nil {
				return err
			}
			return writeAll(a.Stdout, schema)
		},
	}
}

func (a *App) configInit() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:     "init",
		Short:   "Write a configuration file to begin with",
		Example: "  rtcompare config init\n  rtcompare config init -f -",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if file == "-" {
				return writeAll(a.Stdout, config.Starter())
			}
			if _, err := os.Stat(file); err == nil {
				return usageHint("choose another name with -f", "%s exists and is not touched", file)
			}
			if err := a.writeResult(file, config.Starter()); err != nil {
				return usage("writing %s: %w", file, err)
			}
			a.messages.Notef("wrote %s; rtcompare run carries it out", file)
			return nil
		},
	}
	c.Flags().StringVarP(&file, "file", "f", "rtcompare.toml", "`FILE` to write, - for standard output")
	return c
}

func (a *App) configFormat() *cobra.Command {
	var files []string
	var check bool
	c := &cobra.Command{
		Use:     "format",
		Short:   "Lay configuration files out in the one canonical way",
		Example: "  rtcompare config format\n  rtcompare config format --check -f rtcompare.toml",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return a.format(files, check) },
	}
	addFiles(c, &files)
	c.Flags().BoolVar(&check, "check", false, "change nothing; exit with 1 if a file would change")
	return c
}

func (a *App) format(files []string, check bool) error {
	source := a.source()
	if len(files) == 0 {
		found, err := source.Find()
		if err != nil {
			return usage("%w", err)
		}
		files = []string{found}
	}
	for _, file := range files {
		text, err := source.Read(file)
		if err != nil {
			return usage("%w", err)
		}
		formatted, err := config.Format(file, text)
		if err != nil {
			return usage("%w", err)
		}
		switch {
		case file == "-" && !check:
			if err := writeAll(a.Stdout, formatted); err != nil {
				return err
			}
		case bytes.Equal(text, formatted):
		case check:
			a.messages.Notef("%s would change", file)
			a.code = ExitRegression
		default:
			if err := a.writeResult(file, formatted); err != nil {
				return fmt.Errorf("writing %s: %w", file, err)
			}
		}
	}
	return nil
}
