package main

import (
	"fmt"
	"io"

	"github.com/rtcompare/rtcompare"
	"github.com/rtcompare/rtcompare/multiproc"
)

// pooled runs mode compare in several processes. Each prints its own reports,
// and at the end comes what they say together: one comparison for each
// assignment of roles.
func pooled(s settings, args []string, out, progress io.Writer) error {
	r, err := multiproc.Run(multiproc.Options{
		MinProcesses: s.minProcs, MaxProcesses: s.maxProcs, Parallel: s.parallel, Args: args, Stdout: out, Stderr: progress,
		Progress: func(r multiproc.Results) { fmt.Fprintf(progress, "rtcompare-aa: processes done: %d\n", r.Processes) },
	}, func(p *multiproc.Process) error { return s.inProcess(p, out) })
	if err != nil || r.Child {
		return err
	}
	fmt.Fprintf(out, "\nA and B are here the first and the second in the name of a comparison. The truth is 0.\n%s\n", r)
	return nil
}

// inProcess is the suite: it compares new fixtures in both assignments of roles.
func (s settings) inProcess(p *multiproc.Process, out io.Writer) error {
	s = s.of(p)
	fmt.Fprintf(out, "process %d, seed %d:\n", p.Index, p.Seed)
	for _, roles := range bothRoles(s.candidates()) {
		report, err := rtcompare.Compare(roles[0], roles[1], p.Options(s.compareOptions()))
		if err != nil {
			return err
		}
		fmt.Fprint(out, describe(s, report))
		p.Record(fmt.Sprintf("first %s, second %s", roles[0].Name, roles[1].Name), report)
	}
	return nil
}

// of returns the settings of one process: ab and ba take turns, and a random
// order follows the process's seed.
func (s settings) of(p *multiproc.Process) settings {
	s.seed = p.Seed
	if p.Index%2 == 0 {
		return s
	}
	switch s.order {
	case buildAB:
		s.order = buildBA
	case buildBA:
		s.order = buildAB
	}
	return s
}
