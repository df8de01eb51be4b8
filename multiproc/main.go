package multiproc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Main is the main function of a program that compares pairs. It prints a line
// of progress to standard error for every process, or for every wave, unless
// Options.Progress is set, and the results to standard output.
//
// In the parent it returns when the results are printed, so that several calls
// may follow each other. On an error it prints it and ends the program with
// status 1, or after a signal with 128 and its number. In a child of this call it
// never returns.
func Main(opt Options, pairs ...Pair) {
	runMain(opt, Pairs(pairs...), checkPairs(pairs), caller().with(pairNames(pairs)))
}

// MainSuite is Main for a suite of your own.
func MainSuite(opt Options, suite func(*Process) error) {
	runMain(opt, suite, nil, caller())
}

func runMain(opt Options, suite func(*Process) error, problem error, from place) {
	if opt.Progress == nil {
		opt.Progress = progressTo(os.Stderr)
	}
	r, err := Results{}, problem
	if err == nil {
		r, err = start(context.Background(), opt, suite, from)
	}
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "multiproc: %v\n", err)
		os.Exit(exitStatus(err))
	case r.Skipped:
		return
	case r.Child:
		os.Exit(0)
	}
	fmt.Println(r)
}

func exitStatus(err error) int {
	var signalled *interruption
	if errors.As(err, &signalled) {
		return signalled.exitStatus()
	}
	return 1
}

// progressTo prints how many processes are done.
func progressTo(out io.Writer) func(Results) {
	return func(r Results) { fmt.Fprintf(out, "multiproc: %s done\n", processes(r.Processes)) }
}
