package workload

import (
	"context"

	"github.com/rtcompare/rtcompare"
)

// shortestTogether is the shortest batch of several goroutines in nanoseconds:
// long against the microseconds that it takes to start them and to wait for the
// last one.
const shortestTogether = 1e6

// player plays cycles on one instance: a Replay, or a team of them.
type player interface {
	Candidate(name string) rtcompare.Candidate
	Settle()
}

// steadyState compares how long an operation takes at constant size.
func (t *trial) steadyState(ctx context.Context) (rtcompare.Reports, error) {
	if t.opt.FreshInstances {
		return t.steadyFresh(ctx)
	}
	instances, err := t.open(ctx, t.order())
	if err != nil {
		return rtcompare.Reports{}, err
	}
	candidates := make([]rtcompare.Candidate, len(instances))
	players := make([]player, len(instances))
	for i := range instances {
		p, stop := t.play(instances[i])
		defer stop()
		players[i], candidates[i] = p, p.Candidate(t.subjects[i].name)
		if err := t.guard(i, "Apply", candidates[i].Setup); err != nil {
			return rtcompare.Reports{}, err
		}
	}
	opt, err := t.sized(candidates)
	if err != nil {
		return rtcompare.Reports{}, err
	}
	// Calibration takes each structure another distance. From the beginning of
	// the cycle on they stay in step.
	for i, p := range players {
		if err := t.guard(i, "Apply", p.Settle); err != nil {
			return rtcompare.Reports{}, err
		}
	}
	return rtcompare.CompareAll(ctx, candidates, opt)
}

// steadyFresh lets the comparison build instances as it needs them.
func (t *trial) steadyFresh(ctx context.Context) (rtcompare.Reports, error) {
	candidates := make([]rtcompare.Candidate, len(t.subjects))
	for i, s := range t.subjects {
		candidates[i] = rtcompare.Candidate{Name: s.name, New: func() (rtcompare.Batch, func()) {
			instances, err := t.open(ctx, []int{i})
			if err != nil {
				panic(err) // which the comparison returns as an error
			}
			p, stop := t.play(instances[i])
			candidate := p.Candidate(s.name)
			if err := t.guard(i, "Apply", candidate.Setup); err != nil {
				stop()
				panic(err)
			}
			return candidate.Batch, stop
		}}
	}
	opt, err := t.sized(candidates)
	if err != nil {
		return rtcompare.Reports{}, err
	}
	return rtcompare.CompareAll(ctx, candidates, opt)
}

// sized fixes the batch size, where the options leave it open.
func (t *trial) sized(candidates []rtcompare.Candidate) (rtcompare.CompareOptions, error) {
	opt := t.opt.SteadyState
	if opt.Collect.InnerLoops > 0 {
		return opt, nil
	}
	shortest := 0.0
	if t.opt.concurrent() {
		shortest = shortestTogether
	}
	var err error
	opt.Collect.InnerLoops, err = calibrate(candidates, opt.Collect, shortest)
	return opt, err
}

// play sets players onto an instance. stop ends them and lets the instance go.
func (t *trial) play(i instance) (p player, stop func()) {
	var replays []*Replay
	for _, stream := range t.streams.playing() {
		replays = append(replays, NewReplay(t.streams.all[stream], i.apply(stream)))
	}
	if len(replays) == 1 {
		return replays[0], i.keep
	}
	team := newTeam(replays)
	return team, func() { team.stop(); i.keep() }
}
