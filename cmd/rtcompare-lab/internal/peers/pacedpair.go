package peers

import (
	"fmt"
	"time"

	"github.com/rtcompare/rtcompare/internal/load"
)

// pacedStep is what both intervals are multiples of: four of them and three.
const pacedStep = 10 * time.Microsecond

// holds is how closely a server has to keep its interval.
const holds = 0.005

// pacedServers are two servers whose service times are in the ratio 4 to 3.
type pacedServers struct {
	sides [2]*child
	step  time.Duration
}

func (p *pacedServers) stop() {
	for _, side := range p.sides {
		if side != nil {
			side.stop()
		}
	}
}

// reports asks both for what they have done.
func (p *pacedServers) reports() (reports [2]pacedReport, err error) {
	for i, side := range p.sides {
		if err := side.report(&reports[i]); err != nil {
			return reports, err
		}
	}
	return reports, nil
}

// startPaced starts two servers with the shortest intervals that this machine
// keeps under load.
func (s Setup) startPaced() (*pacedServers, error) {
	for step := pacedStep; ; step *= 2 {
		p := &pacedServers{step: step}
		kept := true
		for i, intervals := range []time.Duration{4, 3} {
			var err error
			if p.sides[i], err = startServer(s.Context, "-role", rolePaced, "-interval", (intervals * step).String()); err != nil {
				p.stop()
				return nil, err
			}
			keeps, err := s.keepsPace(p.sides[i], intervals*step)
			if err != nil {
				p.stop()
				return nil, err
			}
			kept = kept && keeps
		}
		if kept {
			return p, nil
		}
		p.stop()
		if step > 100*pacedStep {
			return nil, fmt.Errorf("no server keeps an interval of %v on this machine: try again when it is less busy", 4*step)
		}
	}
}

// paceTries is how often a server may try to keep its interval: it is about what
// the machine can do, not about what else it does just now.
const paceTries = 5

// keepsPace reports whether a server keeps its interval in one of a few tries.
func (s Setup) keepsPace(server *child, interval time.Duration) (kept bool, err error) {
	for try := 0; try < paceTries && !kept && err == nil; try++ {
		kept, err = s.keptPace(server, interval)
	}
	return kept, err
}

// keptPace loads a server for half a second.
func (s Setup) keptPace(server *child, interval time.Duration) (bool, error) {
	generator, err := load.New(s.Context, load.Target{URLs: []string{server.url()}}, load.Options{Concurrency: 64})
	if err != nil {
		return false, err
	}
	_, err = generator.Run(s.Context, 64, int64(500*time.Millisecond/interval))
	_ = generator.Close()
	if err != nil {
		return false, err
	}
	var report pacedReport
	if err := server.report(&report); err != nil {
		return false, err
	}
	return report.mean() < (1+holds)*float64(interval), nil
}
