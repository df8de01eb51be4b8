package multiproc

import (
	"fmt"
	"slices"
	"time"

	"github.com/rtcompare/rtcompare"
)

// comparisons collects what the first so many processes recorded, in the order
// in which names appear.
func (p *parent) comparisons(limit int) []Comparison {
	var all []Comparison
	for index := range min(limit, len(p.slots)) {
		found := p.slots[index].found
		if found == nil {
			continue
		}
		for _, r := range found.records {
			at := slices.IndexFunc(all, func(c Comparison) bool { return c.Name == r.name })
			if at < 0 {
				at = len(all)
				all = append(all, Comparison{Name: r.name})
			}
			all[at].Reports = append(all[at].Reports, r.report)
			if index < p.judged {
				all[at].judged++
			}
		}
	}
	return all
}

// results is what the run has found so far.
func (p *parent) results() Results {
	r := Results{
		Precise: p.precise, Parallel: p.opt.Parallel, ChildGOMAXPROCS: p.procs, Resumed: p.resumed, Layouts: p.opt.Layouts,
		Comparisons: p.comparisons(p.total),
	}
	for i := range r.Comparisons {
		p.pool(&r.Comparisons[i], &r)
	}
	for index, s := range p.slots {
		switch {
		case s.found != nil:
			r.Processes++
			r.Seeds = append(r.Seeds, processSeed(p.seed, index, s.attempt))
		case s.lost:
			r.Lost++
		}
	}
	for _, f := range p.failures {
		if f.replaced {
			r.Replaced++
		}
	}
	r.Warnings = append(r.Warnings, p.runWarnings()...)
	return r
}

// pool sets a comparison's answer, from three reports on.
func (p *parent) pool(c *Comparison, r *Results) {
	if len(c.Reports) < fewestProcesses {
		return
	}
	pooled, err := p.pooled(*c)
	if err != nil {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s was not pooled: %v", c.Name, err))
		return
	}
	c.Pooled = pooled
}

// pooled takes the plain t interval, or the staged one, with the scatter of the
// processes that sized the run, where that is wider.
//
// Alone, the plain one is too narrow, because runs whose first processes happened
// to scatter little end early. At the largest number of processes the staged one
// is too wide for nothing. It is right on average over both, so whoever takes
// the plain one at the largest number has to take the wider of the two below it.
// The lab's command staged shows what this covers.
func (p *parent) pooled(c Comparison) (rtcompare.Pooled, error) {
	plain, err := rtcompare.Combine(c.Reports, p.opt.Level)
	if err != nil || !p.precise || p.opt.Layouts > 0 || c.judged < fewestProcesses || c.judged == len(c.Reports) {
		return plain, err
	}
	staged, err := rtcompare.CombineStaged(c.Reports, c.judged, p.opt.Level)
	if err != nil || logWidth(staged) < logWidth(plain) {
		return plain, nil
	}
	return staged, nil
}

func logWidth(p rtcompare.Pooled) float64 { return p.Decision.High - p.Decision.Low }

// runWarnings is about the run as a whole.
func (p *parent) runWarnings() []string {
	warnings := slices.Clone(p.warnings)
	if most := p.opt.MaxProcesses; most > 0 && most < p.first {
		warnings = append(warnings, fmt.Sprintf("MaxProcesses is %d, but the first stage alone takes %s (MinProcesses, rounded up to whole rotations or waves); that many ran", most, processes(p.first)))
	}
	if p.resumed > 0 {
		warnings = append(warnings, fmt.Sprintf("%s came from the journal %s", processes(p.resumed), p.opt.Journal))
	}
	for _, f := range p.failures {
		fate := "was lost"
		if f.replaced {
			fate = "was replaced by one with another seed"
		}
		warnings = append(warnings, fmt.Sprintf("process %d (seed %d) failed after %v and %s: %s", f.index, f.seed, f.elapsed.Round(time.Millisecond), fate, f.cause))
	}
	if len(p.failures) > 0 {
		warnings = append(warnings, "if processes fail where one candidate does badly, the others show it as better than it is")
	}
	return warnings
}
