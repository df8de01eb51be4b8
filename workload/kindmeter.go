package workload

import (
	"context"
	"fmt"
	"time"

	"github.com/rtcompare/rtcompare/internal/clock"
)

const (
	// turnLead is how many operations a structure plays untimed when it is its
	// turn: the caches hold what the others left there.
	turnLead = 1024
	// turnShare is how many times as many it plays in all.
	turnShare = 6
)

// kindMeter times segments on one set of instances, in turns of some windows of
// the sorted cycle.
type kindMeter struct {
	trial    *trial
	ops      []Op
	apply    []func([]Op)
	readCost time.Duration
	windows  [][]segment
	// next is the window with which the next turn begins, turns how many there
	// were.
	next, turns int
	// blocks holds nanoseconds per operation of every turn, by structure.
	blocks [][kinds][]float64
}

// stretch is what several segments took together.
type stretch struct {
	took time.Duration
	ops  int
}

func newKindMeter(t *trial, instances []instance) *kindMeter {
	stream := len(t.streams.all) - 1
	m := &kindMeter{
		trial: t, ops: t.streams.all[stream], readCost: clock.Precision().ReadCost,
		windows: windows(t.streams.segments), blocks: make([][kinds][]float64, len(instances)),
	}
	for _, i := range instances {
		m.apply = append(m.apply, i.apply(stream))
	}
	return m
}

// windows groups segments.
func windows(segments []segment) (groups [][]segment) {
	from := 0
	for i, s := range segments {
		if s.last {
			groups = append(groups, segments[from:i+1])
			from = i + 1
		}
	}
	return groups
}

// prime plays the whole cycle on every structure.
func (m *kindMeter) prime() error {
	for i, apply := range m.apply {
		if err := m.trial.guard(i, "Apply", func() { apply(m.ops) }); err != nil {
			return err
		}
	}
	return nil
}

// turn lets every structure play the same windows, one structure after the
// other, and in reverse the next time.
func (m *kindMeter) turn(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("stopped while measuring: %w", err)
	}
	next := m.next
	for place := range m.apply {
		i := place
		if m.turns%2 == 1 {
			i = len(m.apply) - 1 - place
		}
		if err := m.trial.guard(i, "Apply", func() { next = m.play(i) }); err != nil {
			return err
		}
	}
	m.next = next
	m.turns++
	return nil
}

// play is the turn of one structure. It returns the window that comes next.
func (m *kindMeter) play(i int) (next int) {
	var sums [kinds]stretch
	next = m.next
	for played := 0; played < turnShare*turnLead; next = (next + 1) % len(m.windows) {
		before := played
		for _, s := range m.windows[next] {
			run := m.ops[s.from:s.to]
			start := clock.Now()
			m.apply[i](run)
			took := clock.Now() - start - m.readCost
			if before >= turnLead {
				sums[s.kind].took += max(0, took)
				sums[s.kind].ops += len(run)
			}
			played += len(run)
		}
	}
	for kind, sum := range sums {
		if sum.ops > 0 {
			m.blocks[i][kind] = append(m.blocks[i][kind], float64(sum.took)/float64(sum.ops))
		}
	}
	return next
}
