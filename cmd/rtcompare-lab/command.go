package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"

	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/noise"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/sheet"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/simulation"
	"github.com/rtcompare/rtcompare/cmd/rtcompare-lab/internal/trial"
)

// command is a sub-command.
type command struct {
	name, summary string
	// hidden commands are called by the lab itself.
	hidden bool
	// trials is the default of -trials.
	trials int
	// prepare adds the command's own flags and returns what runs it.
	prepare func(flags *flag.FlagSet, shared *shared) (work func() ([]*sheet.Sheet, error))
}

// shared are the flags that every sub-command has.
type shared struct {
	seed     uint64
	trials   int
	json     bool
	parallel int
	noises   string
	errors   io.Writer
}

// errMissed ends a report with a bar that was missed.
var errMissed = errors.New("a bar was missed")

func commands() []command {
	return slices.Concat(simulated(), stoppingCommands(), pooledCommands(), peerCommands(), machineCommands())
}

// run executes the sub-command that the arguments name.
func run(args []string, out, problems io.Writer) error {
	if len(args) == 0 || args[0] == "help" || args[0] == "-h" || args[0] == "--help" {
		return usage(out)
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return c.execute(args[1:], out, problems)
		}
	}
	return fmt.Errorf("there is no sub-command %q; without arguments they are listed", args[0])
}

func usage(out io.Writer) error {
	fmt.Fprint(out, "rtcompare-lab SUB-COMMAND [FLAGS] tests what rtcompare promises. -h after a sub-command lists its flags.\n\n")
	for _, c := range commands() {
		if !c.hidden {
			fmt.Fprintf(out, "  %-16s %s\n", c.name, c.summary)
		}
	}
	return nil
}

func (c command) execute(args []string, out, problems io.Writer) error {
	flags := flag.NewFlagSet("rtcompare-lab "+c.name, flag.ContinueOnError)
	flags.SetOutput(problems)
	s := &shared{errors: problems}
	flags.Uint64Var(&s.seed, "seed", 1, "seed of all random numbers")
	flags.IntVar(&s.trials, "trials", c.trials, "number of trials per row")
	flags.BoolVar(&s.json, "json", false, "print JSON, one table per line")
	flags.IntVar(&s.parallel, "parallel", runtime.NumCPU(), "number of goroutines of simulations; results do not depend on it")
	flags.StringVar(&s.noises, "noise", "", "comma-separated noises to test, such as iid,ar0.4; empty means all that the sub-command tests")
	work := c.prepare(flags, s)
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if s.trials < 1 {
		return fmt.Errorf("option -trials is %d and has to be at least 1", s.trials)
	}
	sheets, err := work()
	if err != nil && !errors.Is(err, errMissed) {
		return err
	}
	if printErr := print(out, s.json, sheets); printErr != nil {
		return printErr
	}
	return err
}

func print(out io.Writer, asJSON bool, sheets []*sheet.Sheet) error {
	if asJSON {
		return sheet.JSON(out, sheets...)
	}
	for i, s := range sheets {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := s.Text(out); err != nil {
			return err
		}
	}
	return nil
}

// setup is what an experiment gets from the flags.
func (s *shared) setup() (simulation.Setup, error) {
	setup := simulation.Setup{Plan: trial.Plan{Seed: s.seed, Parallel: s.parallel, Progress: progressLine(s.errors)}, Trials: s.trials}
	if s.noises != "" {
		var err error
		if setup.Models, err = noise.Named(s.noises); err != nil {
			return setup, err
		}
	}
	return setup, nil
}

// isTerminal reports whether somebody watches.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
