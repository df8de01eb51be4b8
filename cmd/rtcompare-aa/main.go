// Command rtcompare-aa compares two fixtures that hold the same data and run the
// same code. The only thing that can differ is where their nodes lie in memory,
// so the true difference is zero, and whatever is printed was made up by the
// machine, by the place in memory, or by the order of measurement.
//
// In mode compare it runs Compare in both assignments of roles. In mode prefix
// it collects samples after nobody, one, the other, or both fixtures have been
// measured alone, to show the head start that this gives. It is a probe for
// whoever doubts a result on large data:
//
//	go run ./cmd/rtcompare-aa                 # 16 MiB per fixture
//	go run ./cmd/rtcompare-aa -n 4096         # the same within the caches
//	go run ./cmd/rtcompare-aa -build ba       # the other one is built last
//	go run ./cmd/rtcompare-aa -budget 10s     # until the verdict is clear
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/rtcompare/rtcompare"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the whole program. Its result is the exit status: 1 if something
// failed, 2 if the flags cannot be read.
func run(args []string, stdout, stderr io.Writer) int {
	s, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errUsage):
		return 2 // the flag package has said why
	}
	if err == nil {
		err = s.measure(stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "rtcompare-aa: error:", err)
		return 1
	}
	return 0
}

// measure builds the fixtures and runs the mode.
func (s settings) measure(out io.Writer) error {
	if s.perturb {
		defer rtcompare.PerturbHeap(s.seed).KeepAlive()
	}
	a, b := build(s)
	candidates := [2]rtcompare.Candidate{a.candidate("A", s.workload), b.candidate("B", s.workload)}
	if s.mode == modePrefix {
		return prefix(s, candidates, out)
	}
	return compare(s, candidates, out)
}
