package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
)

// Stopped is the error of a run that ctx ended. It wraps the context's error,
// and the cause it was given where that is another one.
func Stopped(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return fmt.Errorf("stopped: %w", cause)
	}
	return fmt.Errorf("stopped: %w: %w", err, cause)
}

// Loop is the measuring loop: sessions, one per slot, visited in order.
type Loop struct {
	Slots    []order.Slot
	Sessions []Session
	Order    *order.Sequence
	// Visited, where not nil, is called after every visit.
	Visited func()
}

// Run visits all slots once per round for as long as more returns true. It asks
// before every round, with the number of rounds done. turn is told the
// direction of every round, and keep gets every sample with the index of its
// slot. ctx is looked at before every visit.
func (l Loop) Run(ctx context.Context, request Request, more func(done int) bool, turn func(forward bool), keep func(slot int, s Sample)) error {
	for done := 0; more(done); done++ {
		forward := l.Order.Next()
		turn(forward)
		for position := range l.Slots {
			if ctx.Err() != nil {
				return Stopped(ctx)
			}
			slot := order.Visit(position, len(l.Slots), forward)
			sample := notRead
			if err := l.Sessions[slot].Do(ctx, request, &sample); err != nil {
				return err
			}
			keep(slot, sample)
			if l.Visited != nil {
				l.Visited()
			}
		}
	}
	return nil
}

// Measure runs the given number of rounds and returns them as a unit.
func (l Loop) Measure(ctx context.Context, request Request, rounds int, purpose record.Purpose) (record.Unit, error) {
	return l.MeasureWhile(ctx, request, func(done int) bool { return done < rounds }, purpose, rounds)
}

// MeasureWhile runs rounds for as long as more says so and returns them as a
// unit. expected sizes the series.
func (l Loop) MeasureWhile(ctx context.Context, request Request, more func(done int) bool, purpose record.Purpose, expected int) (record.Unit, error) {
	unit := record.Unit{Purpose: purpose, Cells: make([]record.Cell, len(l.Slots))}
	for i, slot := range l.Slots {
		unit.Cells[i] = record.Cell{
			Arm: slot.Arm, Replica: slot.Replica, N: request.N * int64(max(1, request.Batches)),
			Lead: request.Lead, Wall: make([]int64, 0, expected),
		}
	}
	// What sessions gathered before, while they warmed up, belongs to no unit.
	discarded := record.Unit{Cells: make([]record.Cell, len(l.Slots))}
	if err := l.report(&discarded); err != nil {
		return unit, err
	}
	directions := make([]byte, 0, expected)
	turn := func(forward bool) {
		if forward {
			directions = append(directions, 'f')
		} else {
			directions = append(directions, 'b')
		}
	}
	err := l.Run(ctx, request, more, turn, func(slot int, s Sample) { add(&unit.Cells[slot], s) })
	unit.Order = string(directions)
	if reportErr := l.report(&unit); err == nil {
		err = reportErr
	}
	return unit, err
}

// report lets the sessions that know more about the unit add it.
func (l Loop) report(unit *record.Unit) error {
	for i, session := range l.Sessions {
		reporter, ok := session.(Reporter)
		if !ok {
			continue
		}
		if err := reporter.Report(&unit.Cells[i]); err != nil {
			return err
		}
	}
	return nil
}

func add(cell *record.Cell, s Sample) {
	cell.Wall = append(cell.Wall, s.Wall)
	if s.CPU >= 0 {
		cell.CPU = append(cell.CPU, s.CPU)
	}
	if s.Bytes >= 0 {
		cell.Bytes = append(cell.Bytes, s.Bytes)
	}
	if s.Allocs >= 0 {
		cell.Allocs = append(cell.Allocs, s.Allocs)
	}
	if s.Collections >= 0 {
		cell.Collections = append(cell.Collections, s.Collections)
	}
	for _, extra := range s.Extra {
		if cell.Extra == nil {
			cell.Extra = make(map[string]record.Values, len(s.Extra))
		}
		cell.Extra[extra.Metric] = append(cell.Extra[extra.Metric], extra.Value)
	}
	switch {
	case s.Preempted < 0:
		cell.Preempted = -1
	case cell.Preempted >= 0:
		cell.Preempted += s.Preempted
	}
}

// Open opens one session per slot and returns the loop over them. Sessions are
// built in slot order, or in reverse where reverse is set: what is built last
// lies elsewhere in memory, so callers that rebuild alternate. On error
// everything opened so far is closed.
func Open(ctx context.Context, arms []Arm, slots []order.Slot, template Slot, reverse bool, sequence *order.Sequence) (Loop, error) {
	loop := Loop{Slots: slots, Sessions: make([]Session, len(slots)), Order: sequence}
	for position := range slots {
		i := order.Visit(position, len(slots), !reverse)
		if ctx.Err() != nil {
			loop.Close()
			return loop, Stopped(ctx)
		}
		slot := template
		slot.Replica = slots[i].Replica
		session, err := arms[slots[i].Arm].Open(ctx, slot)
		if err != nil {
			loop.Close()
			return loop, err
		}
		loop.Sessions[i] = session
	}
	return loop, nil
}

// Settle lets every session finish what it left running.
func (l Loop) Settle(ctx context.Context) error {
	for _, session := range l.Sessions {
		if err := session.Settle(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Close closes all sessions and returns the first error.
func (l Loop) Close() error {
	var first error
	for _, session := range l.Sessions {
		if session == nil {
			continue
		}
		if err := session.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
