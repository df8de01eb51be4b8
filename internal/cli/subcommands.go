package cli

import "github.com/spf13/cobra"

// subcommands are all there are, in the order in which the help lists them.
func (a *App) subcommands() []*cobra.Command {
	return []*cobra.Command{
		a.benchCommand(), a.cmdCommand(), a.httpCommand(), a.runCommand(), a.alphaCommand(), a.statCommand(), a.reportCommand(),
		a.configCommand(), a.doctorCommand(), a.demoCommand(), a.manualCommand(a.root), a.versionCommand(),
	}
}
