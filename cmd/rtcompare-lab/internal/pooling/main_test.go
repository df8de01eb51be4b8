package pooling

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"
)

// TestMain makes the test binary the program that the experiments start again
// and again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if run := hiddenCommands[os.Args[1]]; run != nil {
			if err := run(os.Args[2:]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

var hiddenCommands = map[string]func(args []string) error{
	IdleCommand: func([]string) error { Idle(); return nil },
	ScriptedCommand: func(args []string) error {
		flags := flag.NewFlagSet(ScriptedCommand, flag.ContinueOnError)
		journal, seed := flags.String("journal", "", ""), flags.Uint64("seed", 1, "")
		if err := flags.Parse(args); err != nil {
			return err
		}
		return ScriptedRun(context.Background(), os.Stdout, *journal, *seed)
	},
	SharedCommand: func(args []string) error {
		flags := flag.NewFlagSet(SharedCommand, flag.ContinueOnError)
		full, seed := flags.Bool("full", false, ""), flags.Uint64("seed", 1, "")
		if err := flags.Parse(args); err != nil {
			return err
		}
		return SharedRun(context.Background(), os.Stdout, *full, *seed)
	},
	IdenticalCommand: func(args []string) error {
		flags := flag.NewFlagSet(IdenticalCommand, flag.ContinueOnError)
		nodes, most, fixed, seed := flags.Int("nodes", 0, ""), flags.Int("most", 0, ""), flags.Bool("fixed", false, ""), flags.Uint64("seed", 1, "")
		if err := flags.Parse(args); err != nil {
			return err
		}
		return IdenticalRun(context.Background(), os.Stdout, *nodes, *most, *fixed, *seed)
	},
}
