package gobench

import "sync"

// Placement keeps the processes of all arms on one and the same processor, and
// moves them on to the next with every unit: two processors differ by more than
// two builds. A benchmark that runs in parallel is let out onto all of them. Its
// zero value is ready. Methods of a nil Placement do nothing.
type Placement struct {
	mu   sync.Mutex
	unit int
	// visited is set from the first visit of a unit until somebody reports its
	// end.
	visited  bool
	parallel bool
}

// placed is one process.
type placed struct {
	in   *Placement
	pid  int
	cpus []int
	// at is the processor it was put on; -1 before that, all after it was let
	// out.
	at int
}

const (
	nowhere    = -1
	everywhere = -2
)

func (p *Placement) add(pid int, cpus []int) *placed {
	return &placed{in: p, pid: pid, cpus: cpus, at: nowhere}
}

// follow puts the process where the unit runs.
func (p *placed) follow() error {
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
	if at == p.at {
		return nil
	}
	p.at = at
	if at == everywhere {
		return pin(p.pid, p.cpus)
	}
	return pin(p.pid, []int{at})
}

// next ends a unit. The first arm to say so moves all.
func (p *placed) next() {
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

// spread lets all arms out: one of them runs in parallel.
func (p *placed) spread() {
	if p.in == nil {
		return
	}
	p.in.mu.Lock()
	defer p.in.mu.Unlock()
	p.in.parallel = true
}
