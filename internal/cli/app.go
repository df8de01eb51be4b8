// Package cli is the command line: one file for each sub-command, and what all
// of them share. It puts arms into comparisons and results into renderers; it
// measures and judges nothing itself.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/rtcompare/rtcompare/internal/term"
)

// App is the program with its connections to the outside world.
type App struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Environ is the environment, Directory the working directory.
	Environ   []string
	Directory string
	// arguments is the command line without the program's name.
	arguments []string
	messages  *term.Messages
	// signalled is the signal that ended the run, or 0.
	signalled atomic.Int32
	// kept is where the newest record lies, if there is one.
	kept string
	// code is the exit code of a run that ended without an error.
	code int
}

// New connects the program to this process.
func New() (*App, error) {
	directory, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return &App{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(), Directory: directory}, nil
}

// Main runs a command line and returns the exit code.
func (a *App) Main(arguments []string) int {
	a.arguments = arguments
	stream, _ := a.stderrStream()
	styles := term.Styles{Color: term.ColorAuto.Use(stream, a.getenv)}
	a.messages = term.NewMessages(a.Stderr, "rtcompare", styles, false)
	ctx, stop := a.untilSignal()
	defer stop()
	return a.finish(a.execute(ctx, arguments))
}

// execute carries out a command line.
func (a *App) execute(ctx context.Context, arguments []string) error {
	if len(arguments) > 0 && arguments[0] == "cmd" {
		joined, err := joinValues(arguments)
		if err != nil {
			return err
		}
		arguments = joined
	}
	if len(arguments) > 0 && arguments[0] == "stat" {
		arguments = twoDashes(arguments)
	}
	root := a.root()
	root.SetArgs(arguments)
	return root.ExecuteContext(ctx)
}

func (a *App) finish(err error) int {
	var f *failure
	switch {
	case err == nil:
	case errors.As(err, &f) && f.silent:
	case errors.As(err, &f):
		a.messages.Error(err)
		switch {
		case f.hint != "":
			a.messages.Hintf("%s", f.hint)
		case f.unwritten && a.kept != "":
			a.messages.Hintf("what was measured is kept: rtcompare report %s shows it again", shortPath(a.kept))
		}
	default:
		a.messages.Error(err)
		a.messages.Hintf("rtcompare --help shows what there is")
	}
	code := worst(a.code, exitCode(err))
	if a.interrupted() && code != ExitUsage {
		code = ExitInterrupted
		if syscall.Signal(a.signalled.Load()) == syscall.SIGTERM {
			code = ExitTerminated
		}
	}
	return code
}

// untilSignal returns a context that the first Ctrl-C or SIGTERM ends. A second
// one ends the program at once; children die with it.
func (a *App) untilSignal() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for count := 0; ; count++ {
			select {
			case s := <-signals:
				if count > 0 {
					os.Exit(ExitInterrupted)
				}
				if number, ok := s.(syscall.Signal); ok {
					a.signalled.Store(int32(number))
				}
				cancel()
			case <-done:
				return
			}
		}
	}()
	return ctx, func() { signal.Stop(signals); close(done); cancel() }
}

// interrupted reports whether a signal ended the run.
func (a *App) interrupted() bool { return a.signalled.Load() != 0 }

func (a *App) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "rtcompare",
		Short: "Is B really faster than A, by how much, and how sure is that?",
		Long: `rtcompare runs candidates in turn, again and again, and says whether one is really
faster: faster, slower, equivalent within a margin, undecided, or not measurable
here. It stops when the answer is clear.`,
		Example: `  rtcompare demo
  rtcompare cmd './old input' './new input'
  rtcompare http http://127.0.0.1:8080/ http://127.0.0.1:8081/
  rtcompare run -f finefile.toml
  rtcompare report last`,
		SilenceUsage: true, SilenceErrors: true,
		Version: version(),
		Args:    noOtherWord, SuggestionsMinimumDistance: 2,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetIn(a.Stdin)
	root.SetVersionTemplate("rtcompare {{.Version}}\n")
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages", fmt.Sprintf("FlagUsagesWrapped %d", a.helpWidth())))
	root.AddCommand(a.subcommands()...)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageHint(c.CommandPath()+" --help shows its flags", "%w", err)
	})
	return root
}

// helpWidth is the width of help texts: the terminal's, where it is not too wide
// to read.
func (a *App) helpWidth() int {
	if stream := a.stdoutStream(); stream.Terminal && stream.Width > 0 {
		return min(stream.Width, widestHelp)
	}
	return widestHelp
}

const widestHelp = 110

// noOtherWord refuses a word where a sub-command was to be, and names the nearest.
func noOtherWord(c *cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	hint := c.CommandPath() + " --help shows what there is"
	switch near := c.SuggestionsFor(words[0]); {
	case len(near) > 0:
		hint = fmt.Sprintf("did you mean %s %s?", c.CommandPath(), near[0])
	case strings.Contains(words[0], "://"):
		hint = fmt.Sprintf("rtcompare http compares servers: rtcompare http %s", words[0])
	case strings.ContainsAny(words[0], " /"):
		hint = fmt.Sprintf("rtcompare cmd compares commands: rtcompare cmd '%s'", words[0])
	}
	return usageHint(hint, "unknown command %q for %q", words[0], c.CommandPath())
}

// version is the module's, or that of the source it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	text := strings.TrimPrefix(info.Main.Version, "v")
	if text == "" || text == "(devel)" {
		text = "devel"
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				text += "-" + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return text
}

// getenv returns a variable of the app's environment.
func (a *App) getenv(name string) string {
	for i := len(a.Environ) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(a.Environ[i], name+"="); ok {
			return value
		}
	}
	return ""
}
