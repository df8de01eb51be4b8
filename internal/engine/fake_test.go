package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rtcompare/rtcompare/internal/order"
	"github.com/rtcompare/rtcompare/internal/record"
)

// world is the machine that these tests run on. Its clock is moved by fake
// batches only, and it keeps a log of all that was asked of the fake arms.
type world struct {
	time  time.Duration
	log   []event
	calls int
	// at is called before every call of an arm or a session, with its number;
	// an error makes that call fail.
	at     func(call int, e event) error
	opened int
	// closed counts the closings of every session by its number.
	closed map[int]int
}

// event is one line of the log: what the engine asked of whom.
type event struct {
	what         string // open, do, settle, close, stage, keep
	arm, replica int
	session      int
	request      Request
	at           time.Duration
	note         string
}

func (w *world) now() time.Duration { return w.time }

func (w *world) call(e event) error {
	e.at = w.time
	w.log = append(w.log, e)
	w.calls++
	if w.at != nil {
		return w.at(w.calls, e)
	}
	return nil
}

// leftOpen lists the sessions that were not closed exactly once.
func (w *world) leftOpen() []string {
	var bad []string
	for session := 1; session <= w.opened; session++ {
		if times := w.closed[session]; times != 1 {
			bad = append(bad, fmt.Sprintf("session %d closed %d times", session, times))
		}
	}
	return bad
}

// hooks writes stages and kept units to the log.
func (w *world) hooks() Hooks {
	return Hooks{
		Stage: func(s Stage, _, _ int) { w.log = append(w.log, event{what: "stage", note: string(s), at: w.time}) },
		Keep: func(u record.Unit) error {
			w.log = append(w.log, event{what: "keep", note: string(u.Purpose), at: w.time})
			return nil
		},
	}
}

// script says how a fake arm behaves.
type script struct {
	// nanoseconds is the time of one operation in one batch.
	nanoseconds func(b batch) float64
	// bytes are allocated per operation; a collection comes after every
	// heap bytes, never if heap is zero.
	bytes, heap int64
	// helpers is processor time per nanosecond of wall time.
	helpers float64
	// blind sessions cannot read processor time and collections.
	blind bool
}

// batch is what a script may look at.
type batch struct {
	arm, replica int
	lead, n      int64
	// number counts the timed batches of the arm.
	number int
}

// steady is an arm whose operations always take the same time.
func steady(ns float64) script {
	return script{nanoseconds: func(batch) float64 { return ns }}
}

type fakeArm struct {
	world  *world
	index  int
	script script
	number int
}

// arms makes one fake arm per script.
func (w *world) arms(scripts ...script) []Arm {
	w.closed = map[int]int{}
	made := make([]Arm, len(scripts))
	for i, s := range scripts {
		made[i] = &fakeArm{world: w, index: i, script: s}
	}
	return made
}

func (a *fakeArm) Open(_ context.Context, slot Slot) (Session, error) {
	w := a.world
	if err := w.call(event{what: "open", arm: a.index, replica: slot.Replica, session: w.opened + 1}); err != nil {
		return nil, err
	}
	w.opened++
	return &fakeSession{arm: a, replica: slot.Replica, number: w.opened}, nil
}

type fakeSession struct {
	arm             *fakeArm
	replica, number int
	allocated       int64
}

func (s *fakeSession) event(what string) event {
	return event{what: what, arm: s.arm.index, replica: s.replica, session: s.number}
}

func (s *fakeSession) Do(ctx context.Context, request Request, sample *Sample) error {
	e := s.event("do")
	e.request = request
	if err := s.arm.world.call(e); err != nil {
		return err
	}
	if request.Lead > 0 {
		s.run(request.Lead, 0)
	}
	sample.Wall = 0
	collected := int64(0)
	for range max(1, request.Batches) {
		if ctx.Err() != nil {
			return Stopped(ctx)
		}
		wall, collections := s.run(request.N, request.Lead)
		sample.Wall += wall
		collected += collections
		s.arm.number++
	}
	if request.Counters && !s.arm.script.blind {
		sample.CPU = int64(float64(sample.Wall) * (1 + s.arm.script.helpers))
		sample.Collections = collected
	}
	if request.Allocations {
		sample.Bytes = s.arm.script.bytes * request.N * int64(max(1, request.Batches))
		sample.Allocs = sample.Bytes / 16
	}
	sample.Preempted = 0
	return nil
}

// run moves the clock by one batch.
func (s *fakeSession) run(n, lead int64) (wall, collections int64) {
	a := s.arm
	ns := a.script.nanoseconds(batch{arm: a.index, replica: s.replica, lead: lead, n: n, number: a.number})
	wall = int64(ns * float64(n))
	a.world.time += time.Duration(wall)
	before := s.allocated
	s.allocated += a.script.bytes * n
	if a.script.heap > 0 {
		collections = s.allocated/a.script.heap - before/a.script.heap
	}
	return wall, collections
}

func (s *fakeSession) Settle(context.Context) error { return s.arm.world.call(s.event("settle")) }

func (s *fakeSession) Close() error {
	s.arm.world.closed[s.number]++
	return s.arm.world.call(s.event("close"))
}

// name is a slot in the log: a, b, and a', b' for second replicas.
func (e event) name() string {
	return string(rune('a'+e.arm)) + strings.Repeat("'", e.replica)
}

// trace joins the names of the events of one kind.
func trace(log []event, what string) string {
	var names []string
	for _, e := range log {
		if e.what == what {
			names = append(names, e.name())
		}
	}
	return strings.Join(names, " ")
}

// after returns the log from the given stage on.
func after(log []event, stage Stage) []event {
	for i, e := range log {
		if e.what == "stage" && e.note == string(stage) {
			return log[i+1:]
		}
	}
	return nil
}

// until returns the log up to the first event of a kind.
func until(log []event, what string) []event {
	for i, e := range log {
		if e.what == what {
			return log[:i]
		}
	}
	return log
}

// loop opens a loop over fake arms and fails the test if that fails.
func (w *world) loop(t *testing.T, slots []order.Slot, sequence *order.Sequence, scripts ...script) Loop {
	t.Helper()
	l, err := Open(context.Background(), w.arms(scripts...), slots, Slot{}, false, sequence)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// small is a design that ends after few batches.
func small() Design {
	return Design{
		Order: order.ABBA, Batch: 100 * time.Microsecond, MaxN: 1 << 30,
		Unit: 20 * time.Millisecond, UnitPairs: 20, Budget: 2 * time.Second, Seed: 7,
	}
}

// sequential runs a whole comparison of fake arms.
func (w *world) sequential(t *testing.T, d Design, hooks Hooks, scripts ...script) Outcome {
	t.Helper()
	outcome, err := Sequential(context.Background(), w.arms(scripts...), d, w.now, hooks)
	if err != nil {
		t.Fatal(err)
	}
	if bad := w.leftOpen(); len(bad) > 0 {
		t.Fatalf("sessions: %v", bad)
	}
	return outcome
}

var errFake = errors.New("fake failure")
