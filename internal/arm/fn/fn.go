// Package fn is the arm for Go functions of the running program.
package fn

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/rtcompare/rtcompare/internal/engine"
)

// Function is one Go function under test.
type Function struct {
	// Label names the candidate in errors, such as `candidate A ("sort")`.
	Label string
	// Batch runs the code under test n times. New builds a fresh instance of
	// it, with what it works on; where New is set Batch is not used.
	Batch func(n uint64)
	New   func() (batch func(n uint64), release func())
	// Setup and Teardown run around every batch, untimed. Both may be nil.
	Setup, Teardown func()
	// CollectBefore runs a garbage collection before every batch.
	CollectBefore bool
	// Instruments are the clock and the counters it is measured with.
	Instruments Instruments
}

// Instruments are what a batch is measured with. Only Now is required.
type Instruments struct {
	// Now is monotonic time.
	Now func() time.Duration
	// Switches returns how often the calling thread lost its processor, and
	// which thread it is.
	Switches func() (involuntary, thread int64, ok bool)
	// CPU is the processor time of the whole process.
	CPU func() (time.Duration, bool)
	// Collections is the number of finished garbage collections.
	Collections func() int64
	// Allocated is how many bytes and objects the process has allocated.
	Allocated func() (bytes, objects int64)
}

// Open builds an instance. A panic in New is returned as an error.
func (f *Function) Open(context.Context, engine.Slot) (engine.Session, error) {
	s := &instance{Function: f, batch: f.Batch}
	if f.New == nil {
		return s, nil
	}
	if err := f.guard("New", func() { s.batch, s.release = f.New() }); err != nil {
		return nil, err
	}
	if s.batch == nil {
		return nil, errors.Join(fmt.Errorf("%s: New returned no batch function", f.Label), s.Close())
	}
	return s, nil
}

// PanicError is a panic in a candidate's code.
type PanicError struct {
	Label, Where string
	Value        any
	Stack        []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("%s panicked in %s: %v\n%s", e.Label, e.Where, e.Value, e.Stack)
}

// Unwrap returns the panic's value if it was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

func (f *Function) guard(where string, call func()) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Label: f.Label, Where: where, Value: value, Stack: debug.Stack()}
		}
	}()
	call()
	return nil
}

type instance struct {
	*Function
	batch   func(n uint64)
	release func()
}

// Do runs the lead-in and the timed batches of a request.
func (s *instance) Do(ctx context.Context, request engine.Request, sample *engine.Sample) error {
	if request.Lead > 0 {
		var ignored engine.Sample
		if err := s.run(engine.Request{N: request.Lead}, true, &ignored); err != nil {
			return err
		}
	}
	sample.Wall, sample.Preempted = 0, 0
	if request.Counters {
		sample.CPU, sample.Collections = 0, 0
	}
	if request.Allocations && s.Instruments.Allocated != nil {
		sample.Bytes, sample.Allocs = 0, 0
	}
	// Without anything between the batches the counters are read around all of
	// them: reading costs processor time itself.
	whole := request.Batches > 1 && s.Setup == nil && s.Teardown == nil && !s.CollectBefore
	each := request
	var before counters
	if whole {
		each.Counters, each.Allocations = false, false
		before = s.read(request)
	}
	for range max(1, request.Batches) {
		if ctx.Err() != nil {
			return engine.Stopped(ctx)
		}
		if err := s.run(each, whole, sample); err != nil {
			return err
		}
	}
	if whole {
		s.add(request, before, sample)
	}
	return nil
}

// run performs one batch with its set-up and teardown, and adds what it
// measured to the sample; only the time if bare. Teardown runs even if the batch
// panics.
func (s *instance) run(request engine.Request, bare bool, sample *engine.Sample) (err error) {
	if s.Setup != nil {
		if err := s.guard("Setup", s.Setup); err != nil {
			return err
		}
	}
	if s.Teardown != nil {
		defer func() {
			if failure := s.guard("Teardown", s.Teardown); err == nil {
				err = failure
			}
		}()
	}
	if s.CollectBefore {
		runtime.GC()
	}
	return s.measured(request, bare, sample)
}

func (s *instance) measured(request engine.Request, bare bool, sample *engine.Sample) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Label: s.Label, Where: "Batch", Value: value, Stack: debug.Stack()}
		}
	}()
	if bare {
		sample.Wall += int64(timed(s.Instruments.Now, s.batch, uint64(request.N)))
		return nil
	}
	before := s.read(request)
	sample.Wall += int64(timed(s.Instruments.Now, s.batch, uint64(request.N)))
	s.add(request, before, sample)
	return nil
}

// timed is the measured region: two clock reads around one call. It is kept
// out of line so that both arms run the very same code around their batch.
//
//go:noinline
func timed(now func() time.Duration, batch func(uint64), n uint64) time.Duration {
	start := now()
	batch(n)
	return now() - start
}

type counters struct {
	switches, thread        int64
	known                   bool
	cpu                     time.Duration
	collections, bytes, obj int64
}

func (s *instance) read(request engine.Request) counters {
	var c counters
	in := &s.Instruments
	if request.Allocations && in.Allocated != nil {
		c.bytes, c.obj = in.Allocated()
	}
	if request.Counters {
		if in.Collections != nil {
			c.collections = in.Collections()
		}
		if in.CPU != nil {
			c.cpu, _ = in.CPU()
		}
	}
	if in.Switches != nil {
		c.switches, c.thread, c.known = in.Switches()
	}
	return c
}

func (s *instance) add(request engine.Request, before counters, sample *engine.Sample) {
	after := s.read(request)
	switch {
	case !before.known || !after.known || before.thread != after.thread:
		sample.Preempted = -1
	case sample.Preempted >= 0 && after.switches > before.switches:
		sample.Preempted = 1
	}
	if request.Counters {
		sample.CPU += int64(after.cpu - before.cpu)
		sample.Collections += after.collections - before.collections
	}
	if request.Allocations && s.Instruments.Allocated != nil {
		sample.Bytes += after.bytes - before.bytes
		sample.Allocs += after.obj - before.obj
	}
}

// Settle runs a garbage collection, so that no arm pays for another's garbage.
func (s *instance) Settle(context.Context) error {
	runtime.GC()
	return nil
}

// Close releases the instance. A panic in release is returned as an error.
func (s *instance) Close() error {
	if s.release == nil {
		return nil
	}
	release := s.release
	s.release = nil
	return s.guard("release", release)
}
