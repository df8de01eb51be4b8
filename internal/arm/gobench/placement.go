package gobench

import "sync"

// Placement keeps the processes of all arms of a comparison on one and the same
// processor, and moves them on to the next with every unit: two processors
// differ by more than two builds. A benchmark that runs in parallel is let out
// onto all of them. Methods of a nil Placement do nothing.
type Placement struct {
	// CPUs are the processors to choose from where a slot names none. Without
	// any, processes run where the system puts them.
	CPUs []int

	mu   sync.Mutex
	unit int
	// visited is set from the first visit of a unit until somebody reports its
	// end.
	visited  bool
	parallel bool
}

// place is where the processes of one session run.
type place struct {
	in   *Placement
	cpus []int
	// pid and at are the process that was placed last, and its processor.
	pid, at int
}

// everywhere stands for all processors.
const everywhere = -1

func (p *Placement) add(cpus []int) *place {
	if p != nil && len(cpus) == 0 {
		cpus = p.CPUs
	}
	return &place{in: p, cpus: cpus}
}

// follow puts a process where the unit runs.
func (p *place) follow(pid int) error {
	if p.in == nil || len(p.cpus) == 0 {
		return nil
	}
	p.in.mu.Lock()
	p.in.visited = true
	at := p.cpus[p.in.unit%len(p.cpus)]
	if p.in.parallel {
		at = everywhere
	}
	p.in.mu.Unlock()
	if p.pid == pid && p.at == at {
		return nil
	}
	p.pid, p.at = pid, at
	if at == everywhere {
		return pin(pid, p.cpus)
	}
	return pin(pid, []int{at})
}

// next ends a unit. The first arm to say so moves all.
func (p *place) next() {
	if p.in == nil {
		return
	}
	p.in.mu.Lock()
	defer p.in.mu.Unlock()
	if p.in.visited {
		p.in.visited = false
		p.in.unit++
	}
}

// Spread lets all processes out onto all processors, as a benchmark needs that
// runs in parallel. One that calls b.RunParallel is seen without it.
func (p *Placement) Spread() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parallel = true
}
