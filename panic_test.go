package rtcompare

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// calls is the number of times each of a candidate's functions ran.
type calls struct{ setup, batch, teardown, built, released int }

// failing panics in one of its functions at the given call.
func failing(m *machine, where string, at int, c *calls) Candidate {
	good := m.candidate(work{name: "b", ns: 100})
	check := func(name string, count *int) {
		if *count++; name == where && *count == at {
			panic(io.ErrUnexpectedEOF)
		}
	}
	candidate := Candidate{
		Name:     "bad",
		Setup:    func() { check("Setup", &c.setup) },
		Batch:    func(n uint64) { check("Batch", &c.batch); good.Batch(n) },
		Teardown: func() { check("Teardown", &c.teardown) },
	}
	if where == "New" || where == "release" {
		batch := candidate.Batch
		candidate.New = func() (Batch, func()) {
			check("New", &c.built)
			return batch, func() { check("release", &c.released) }
		}
	}
	return candidate
}

func TestAPanicIsAnErrorThatNamesTheCandidate(t *testing.T) {
	for name, opt := range protocols() {
		for _, where := range []string{"Setup", "Batch", "Teardown", "New", "release"} {
			for _, at := range []int{1, 3} {
				t.Run(name+" "+where, func(t *testing.T) {
					m := newMachine()
					var c calls
					good, built, released := rebuilt(m.candidate(work{name: "a", ns: 100}))
					_, err := m.run(context.Background(), []Candidate{good, failing(m, where, at, &c)}, opt)
					if err == nil {
						t.Fatal("no error")
					}
					for _, part := range []string{`candidate B ("bad")`, "panicked in " + where, io.ErrUnexpectedEOF.Error(), "panic_test.go"} {
						if !strings.Contains(err.Error(), part) {
							t.Errorf("the error does not say %q:\n%v", part, err)
						}
					}
					if !errors.Is(err, io.ErrUnexpectedEOF) {
						t.Error("the error does not wrap the panic's")
					}
					if where == "Batch" && c.teardown != c.batch {
						t.Errorf("%d batches and %d teardowns", c.batch, c.teardown)
					}
					if *built != *released {
						t.Errorf("the other candidate was built %d times and released %d times", *built, *released)
					}
				})
			}
		}
	}
}

func TestPanicsInTheOtherFunctions(t *testing.T) {
	boom := Candidate{Name: "bad", Batch: func(uint64) { panic("boom") }}
	good := spinning(100)
	tests := map[string]func() error{
		"Collect":             func() error { _, _, err := Collect(good, boom, CollectOptions{InnerLoops: 9}); return err },
		"CalibrateInnerLoops": func() error { _, err := CalibrateInnerLoops(boom, CalibrationOptions{}); return err },
		"ValidateHarness":     func() error { _, err := ValidateHarness(boom, ValidationOptions{}); return err },
		"ValidatePair":        func() error { _, _, err := ValidatePair(good, boom, ValidationOptions{}); return err },
	}
	for name, call := range tests {
		if err := call(); err == nil || !strings.Contains(err.Error(), `("bad") panicked in Batch: boom`) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// rebuilt makes a candidate with New out of one without, and counts.
func rebuilt(c Candidate) (with Candidate, built, released *int) {
	built, released = new(int), new(int)
	batch := c.Batch
	c.Batch = nil
	c.New = func() (Batch, func()) {
		*built++
		return batch, func() { *released++ }
	}
	return c, built, released
}
