package workload

import (
	"context"

	"github.com/rtcompare/rtcompare"
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
// name+BuildSuffix. Processes with an odd index build B first.
//
// Every process plays the same stream, so that what differs is the place of
// things in memory. Options.VaryStreams gives each its own.
func Suite[SA, SB any](name string, target int, a Structure[SA], b Structure[SB], opt Options) func(*multiproc.Process) error {
	return func(p *multiproc.Process) error {
		r, err := comparePair(context.Background(), target, Bind(a), Bind(b), opt.in(p), reversedIn(p.Index))
		if err != nil {
			return err
		}
		record(p.Record, name, r.SteadyState, r.Build, opt)
		return nil
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
		r, err := compareSubjects(context.Background(), target, subjects, opt.in(p), reversedIn(p.Index))
		if err != nil {
			return err
		}
		for i, steady := range r.SteadyState.Reports {
			var build rtcompare.Report
			if !opt.SkipBuild {
				build = r.Build.Reports[i]
			}
			record(p.Record, name+"/"+subjects[i+1].name, steady, build, opt)
		}
		return nil
	}
}

func record(to func(string, rtcompare.Report), name string, steady, build rtcompare.Report, opt Options) {
	to(name+SteadyStateSuffix, steady)
	if !opt.SkipBuild {
		to(name+BuildSuffix, build)
	}
}

func reversedIn(process int) bool { return process%2 != 0 }

// in returns the options for one process of many: each makes its share of the
// runs of identical code, and has a stream of its own where that is asked for.
func (o Options) in(p *multiproc.Process) Options {
	o.SteadyState, o.Build = p.Options(o.SteadyState), p.Options(o.Build)
	if o.VaryStreams {
		o.Config.Seed = mix(o.Config.Seed + mix(p.Seed))
	}
	return o
}
