package multiproc

import (
	"fmt"

	"github.com/rtcompare/rtcompare"
)

// Process is one fresh process of a run, as its suite sees it.
type Process struct {
	// Index counts the processes of the run from zero. A suite of your own
	// builds its fixtures in another order in odd ones: what is built last is
	// often the faster one.
	Index int
	// Seed is the process's own. It comes from the run's seed and Index, and is
	// another one where a failed process is replaced.
	Seed uint64

	records []recorded
	problem error
	rng     *rtcompare.DPRNG
	// runs is the share of the validation that falls to this process; zero for
	// a Process that no run made.
	runs int
}

type recorded struct {
	name   string
	report rtcompare.Report
}

// Record hands the report of one comparison to the run. Reports with the same
// name from all processes are pooled. A name that a process records twice fails
// the suite: the process would count as two observations.
func (p *Process) Record(name string, r rtcompare.Report) {
	for _, earlier := range p.records {
		if earlier.name == name && p.problem == nil {
			p.problem = fmt.Errorf("comparison %q was recorded twice in one process: give each comparison its own name", name)
		}
	}
	p.records = append(p.records, recorded{name, r})
}

// Rand returns the process's generator of random numbers. It is seeded from
// Seed, so that a process can be repeated.
func (p *Process) Rand() *rtcompare.DPRNG {
	if p.rng == nil {
		// An odd number is never zero, which would ask for a random seed.
		rng := rtcompare.NewDPRNG(mix(p.Seed^randSalt) | 1)
		p.rng = &rng
	}
	return p.rng
}

// Options adapts the options of a comparison to one process of many. Where they
// leave the number of runs of identical code open, the process makes its share:
// the first stage as a whole makes as many as a single process would, and each
// at least 4. The warm-up, where its duration is left open, is made in two
// halves, before these runs and after them. The short checks after the fixed
// protocol are left out. [Pairs] does this by itself; use it in a suite that
// calls Compare.
func (p *Process) Options(o rtcompare.CompareOptions) rtcompare.CompareOptions {
	if p.runs == 0 {
		return o
	}
	o.SkipChecks = true
	if o.Budget != 0 || o.Precision != 0 || o.SkipValidation {
		return o
	}
	if o.ValidationRuns == 0 {
		o.ValidationRuns = p.runs
	}
	if o.Collect.WarmupDuration == 0 {
		o.Collect.WarmupDuration = rtcompare.DefaultWarmupDuration / 2
	}
	return o
}

const (
	// randSalt keeps the process's generator apart from what else its seed
	// starts.
	randSalt = 0x5DEECE66D
	// The rest are likewise for one use each.
	replacementSalt = 0xA0761D6478BD642F
	stackSalt       = 0xE7037ED1A0B428DB
	paddingSalt     = 0x8EBC6AF09C88C6E3
	pageSalt        = 0x589965CC75374CC3
)

// mix is one round of splitmix64 (Steele, Lea and Flood 2014): neighbouring
// numbers go to unrelated ones.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// processSeed is the seed of a process, or of the one that replaces it after so
// many failed attempts.
func processSeed(run uint64, index, attempt int) uint64 {
	seed := mix(run + uint64(index))
	if attempt > 0 {
		seed = mix(seed ^ replacementSalt + uint64(attempt))
	}
	return seed
}
