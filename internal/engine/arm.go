// Package engine holds the one measuring loop of the project.
//
// It visits sessions of arms round by round in a given order, and keeps what
// they measured as units of the record. Everything around that loop is built
// from it: calibration of the batch size, warm-up, the pilot that finds the
// lead-in, the published fixed protocol, and the sequential protocol that stops
// when the answer is clear.
//
// The engine reads no clock of its own. Arms time their batches; the engine's
// own time, for warm-up and budget, is a function it is given. It declares what
// an arm is and imports none.
package engine

import (
	"context"

	"github.com/rtcompare/rtcompare/internal/record"
)

// Arm is one candidate at one build. Open makes a live instance of it.
type Arm interface {
	Open(ctx context.Context, slot Slot) (Session, error)
}

// Slot says which fresh replicate an instance is for.
type Slot struct {
	Stage, Layout, Process int
	// Replica is 0 for the instance that is compared with other arms first,
	// and 1 for the second instance that it is compared with.
	Replica int
	Seed    uint64
	CPUs    []int
}

// Session is one live instance of an arm. It is used by one goroutine.
type Session interface {
	// Do runs an untimed lead-in and then the timed batches, and stores what
	// it measured. The session reads the clock. It looks at ctx between
	// batches, never inside one.
	Do(ctx context.Context, request Request, sample *Sample) error
	// Settle finishes what earlier batches left running, such as garbage
	// collections, and is silent afterwards.
	Settle(ctx context.Context) error
	// Close releases the instance.
	Close() error
}

// Reporter is a session that knows more about a whole unit than its visits say,
// such as a histogram. Report adds it to the cell of the session when the unit
// is complete, and begins anew for the next one.
type Reporter interface {
	Report(cell *record.Cell) error
}

// Request is one visit to a session.
type Request struct {
	// Lead is the number of untimed operations before the first timed batch.
	Lead int64
	// N is the number of operations in a batch.
	N int64
	// Batches is how many batches are timed and added up; 0 means 1.
	Batches int
	// Counters asks for processor time and collections around the batches, and
	// Allocations for allocated bytes and objects. Reading them costs time, so
	// they are never asked for around a single short batch.
	Counters    bool
	Allocations bool
	// Warming is set for visits that no unit of the judgement will hold.
	Warming bool
}

// Sample is what one visit measured. A count that was not read is -1.
type Sample struct {
	Wall, CPU, Bytes, Allocs, Collections int64
	// Preempted is 1 if the operating system took the processor away during
	// the batch, 0 if not, -1 if that could not be told.
	Preempted int
	// Extra holds the session's own metrics by name; the record's head
	// describes them. A session sets the same names at every visit, and NaN for
	// what it could not read.
	Extra []Extra
}

// Extra is the value of one metric at one visit.
type Extra struct {
	Metric string
	Value  float64
}

// NotRead is a sample in which nothing but the wall time is expected.
var notRead = Sample{CPU: -1, Bytes: -1, Allocs: -1, Collections: -1, Preempted: -1}
