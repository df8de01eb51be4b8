// Command rtcompare-aa compares two fixtures that hold the same data and run the
// same code. The only thing that can differ is where their nodes lie in memory,
// so the true difference is zero, and whatever is printed was made up by the
// machine, by the place in memory, or by the order of measurement.
//
// In mode compare it runs Compare in both assignments of roles. In mode prefix
// it collects samples after nobody, one, the other, or both fixtures have been
// measured alone, to show the head start that this gives. With -multi it runs
// mode compare in several processes and pools them, which shows whether a
// difference belongs to one pair of fixtures or comes back in every process. It
// is a probe for whoever doubts a result on large data:
//
//	go run ./cmd/rtcompare-aa                 # 16 MiB per fixture
//	go run ./cmd/rtcompare-aa -n 4096         # the same within the caches
//	go run ./cmd/rtcompare-aa -build ba       # the other one is built last
//	go run ./cmd/rtcompare-aa -budget 10s     # until the verdict is clear
//	go run ./cmd/rtcompare-aa -multi          # pooled over several processes
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
		err = s.measure(args, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintln(stderr, "rtcompare-aa: error:", err)
		return 1
	}
	return 0
}

// measure builds the fixtures and runs the mode. The arguments are those of
// other processes, if there are to be any.
func (s settings) measure(args []string, out, progress io.Writer) error {
	if s.multi {
		return pooled(s, args, out, progress)
	}
	if s.perturb {
		defer rtcompare.PerturbHeap(s.seed).KeepAlive()
	}
	candidates := s.candidates()
	if s.mode == modePrefix {
		return prefix(s, candidates, out)
	}
	return compare(s, candidates, out)
}

// candidates builds the two fixtures and wraps them.
func (s settings) candidates() [2]rtcompare.Candidate {
	a, b := build(s)
	return [2]rtcompare.Candidate{a.candidate("A", s.workload), b.candidate("B", s.workload)}
}
