package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/rtcompare/rtcompare/internal/clock"
	"github.com/rtcompare/rtcompare/internal/parameters"
	"github.com/rtcompare/rtcompare/internal/spawn"
)

func (a *App) cmdCommand() *cobra.Command {
	f := &cmdFlags{}
	c := &cobra.Command{
		Use:   "cmd COMMAND_A COMMAND_B [COMMAND_C...]",
		Short: "Compare commands",
		Long: `cmd runs commands in turn, again and again, and says whether one is really faster. It
takes hyperfine's flags. Commands are run without a shell where they need none, so
that its start is not part of the time.

All --setup commands run before the first run, and all --cleanup commands after the
last one, because the runs of all commands are interleaved.`,
		Example: `  rtcompare cmd './old input' './new input'
  rtcompare cmd -L threads 1,2,4 'sort --parallel={threads} big.txt'
  rtcompare cmd --precision 0.5% --time 2m ./old ./new
  rtcompare cmd --by memory ./old ./new
  rtcompare cmd --metric 'rate=regexp:([0-9.]+) items/s,unit=1/s,better=higher' --by rate ./old ./new
  rtcompare cmd --fail-on slower --export-json result.json ./old ./new`,
		RunE: func(c *cobra.Command, arguments []string) error {
			if shown, _ := c.Flags().GetBool("version"); shown {
				return writeAll(a.Stdout, []byte("rtcompare "+version()))
			}
			return a.cmd(c.Context(), c, arguments, f)
		},
	}
	f.define(c)
	return c
}

func (a *App) cmd(ctx context.Context, c *cobra.Command, lines []string, f *cmdFlags) error {
	if f.resume != "" && len(lines) == 0 {
		return a.resumeFrom(ctx, c, f.resume)
	}
	if err := f.checkCmd(c); err != nil {
		return err
	}
	style, err := a.style(f)
	if err != nil {
		return err
	}
	options, err := a.renderOptions(&f.common, f.unit, f.sort)
	if err != nil {
		return err
	}
	if f.style != string(parameters.StyleAuto) {
		options.Colour = style.Color()
	} else if f.color != "always" {
		options.Colour = options.Colour && style.Color()
	}
	spawner, err := spawn.Start(ctx, spawn.Options{Now: clock.Now})
	if err != nil {
		return err
	}
	defer spawner.Close()
	job, err := a.cmdJob(ctx, c, lines, f, spawner)
	if err != nil {
		return err
	}
	r, runErr := job.run(ctx, a, &f.common)
	return a.finishRun(r, job.plan, &f.common, options, f.exportList(), runErr)
}

// style decides about colour and moving lines.
func (a *App) style(f *cmdFlags) (parameters.Style, error) {
	style, err := parameters.ParseStyle(f.style)
	if err != nil {
		return style, usage("--style: %w", err)
	}
	inherited := f.showOutput
	for _, output := range f.outputs {
		inherited = inherited || output == "inherit"
	}
	stream := a.stdoutStream()
	style = style.Resolve(stream.Terminal, inherited, a.useColor(f.color, stream))
	f.still, f.silent = !style.Live(), style == parameters.StyleNone
	return style, nil
}

func (f *cmdFlags) exportList() []export {
	var list []export
	for _, kind := range exportKinds {
		if file := *f.exports[kind]; file != "" {
			list = append(list, export{kind, file})
		}
	}
	return list
}
