package workload

import (
	"context"

	"github.com/rtcompare/rtcompare/multiproc"
)

const (
	// SteadyStateSuffix follows a suite's name where it records the steady
	// state.
	SteadyStateSuffix = "/steady state"
	// BuildSuffix follows a suite's name where it records the build.
	BuildSuffix = "/build"
)

// Suite returns [Compare] as a suite for multiproc.Run, MainSuite or
// RunTestSuite, which run it in several processes and pool the results. It
// records name+SteadyStateSuffix and, unless Options.SkipBuild is set,
// name+BuildSuffix. Processes with an odd index build B first. What
// Options.MemoryBuilds and Options.KindTime ask for is in the Figures of the
// steady state's reports. Read all of it, with the structures' names, by [Pool].
//
// Every process plays the same stream, so that what differs is the place of
// things in memory. Options.VaryStreams gives each its own.
func Suite[SA, SB any](name string, target int, a Structure[SA], b Structure[SB], opt Options) func(*multiproc.Process) error {
	return func(p *multiproc.Process) error {
		return runSuite(p, target, []Subject{Bind(a), Bind(b)}, opt, func(int) string { return name })
	}
}

// SuiteAll returns [CompareAll] as a suite. For each structure after the first
// it records what Suite does, under name, a slash, the structure's name and the
// suffix; so the structures have to have distinct names. Processes with an odd
// index build the structures in reverse.
func SuiteAll(name string, target int, subjects []Subject, opt Options) func(*multiproc.Process) error {
	return func(p *multiproc.Process) error {
		if err := checkNames(subjects); err != nil {
			return err
		}
		return runSuite(p, target, subjects, opt, func(i int) string { return name + "/" + subjects[i].name })
	}
}

// runSuite compares in one process and records the comparisons of each structure
// with the first one.
func runSuite(p *multiproc.Process, target int, subjects []Subject, opt Options, name func(structure int) string) error {
	r, err := compareSubjects(context.Background(), target, subjects, opt.in(p), reversedIn(p.Index))
	if err != nil {
		return err
	}
	for i, steady := range r.SteadyState.Reports {
		steady.Figures = r.figures(i + 1)
		p.Record(name(i+1)+SteadyStateSuffix, steady)
		if !opt.SkipBuild {
			p.Record(name(i+1)+BuildSuffix, r.Build.Reports[i])
		}
	}
	return nil
}

func reversedIn(process int) bool { return process%2 != 0 }

// in returns the options for one process of many: each makes its share of the
// runs of identical code, and has a stream of its own where that is asked for.
func (o Options) in(p *multiproc.Process) Options {
	o.SteadyState = p.Options(o.SteadyState)
	shared := p.Options(o.Build)
	if o.Build.ValidationRuns == 0 {
		// The process's share is of as many runs as Compare makes by itself. It
		// is no more than a default, which long builds cut.
		o.processRuns, shared.ValidationRuns = min(shared.ValidationRuns, BuildValidationRuns), 0
	}
	o.Build = shared
	if o.VaryStreams {
		o.Config.Seed = mix(o.Config.Seed + mix(p.Seed))
	}
	return o
}
