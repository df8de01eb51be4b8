package workload

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Structure describes a data structure under test. S is the type of an
// instance; for one that is changed in place it is a pointer, a map or the like.
type Structure[S any] struct {
	// Name is shown in reports and errors; it may be empty.
	Name string
	// New makes an empty instance.
	New func() S
	// Apply performs the operations of a run, in order. Its loop is what is
	// timed: it should do nothing but the operations, and ignore no kind that
	// the Config asks for. It must not keep the slice.
	Apply func(s S, run []Op)
}

// TypedStructure describes a data structure whose operations need more than a
// number as key: a key of another type, a value to store, or both in a struct T.
type TypedStructure[S, T any] struct {
	// Name is shown in reports and errors; it may be empty.
	Name string
	// New makes an empty instance.
	New func() S
	// Value computes what an operation needs, from the operation and its place
	// in the stream. It runs before anything is timed, once for each operation,
	// and its results take memory beside the stream. Where it makes a key, it
	// has to return equal keys for equal Op.Key and distinct ones for others.
	Value func(op Op, index int) T
	// Apply performs the operations of a run, in order; values[i] belongs to
	// run[i]. It must not keep the slices.
	Apply func(s S, run []Op, values []T)
}

// Subject is a structure of any type, made ready for [CompareAll] by [Bind] or
// [BindTyped]. The zero value is none and an error wherever it is used.
type Subject struct {
	name    string
	missing string
	// prepare returns a fixture for streams that will not change any more.
	prepare func(streams [][]Op) fixture
}

// Name returns the structure's name.
func (s Subject) Name() string { return s.name }

// fixture makes instances of one structure for a fixed list of streams.
type fixture interface {
	// open makes an empty instance.
	open() instance
	// build makes an instance, applies a stream to it and drops it. It is an
	// operation under test and allocates nothing of its own.
	build(stream int)
}

// instance is one structure of any type.
type instance struct {
	// apply returns the function that applies runs of a stream.
	apply func(stream int) func(run []Op)
	// keep is called when the instance is no longer needed.
	keep func()
}

// Bind makes a subject of a structure.
func Bind[S any](s Structure[S]) Subject {
	subject := Subject{name: s.Name, prepare: func(streams [][]Op) fixture { return plainFixture[S]{s, streams} }}
	switch {
	case s.New == nil:
		subject.missing = "New"
	case s.Apply == nil:
		subject.missing = "Apply"
	}
	return subject
}

// BindTyped makes a subject of a structure whose keys or values are of any type.
func BindTyped[S, T any](s TypedStructure[S, T]) Subject {
	subject := Subject{name: s.Name, prepare: func(streams [][]Op) fixture {
		f := typedFixture[S, T]{s, make([]Aligned[T], len(streams))}
		for i, ops := range streams {
			f.streams[i] = Align(ops, s.Value)
		}
		return f
	}}
	switch {
	case s.New == nil:
		subject.missing = "New"
	case s.Value == nil:
		subject.missing = "Value"
	case s.Apply == nil:
		subject.missing = "Apply"
	}
	return subject
}

type plainFixture[S any] struct {
	Structure[S]
	streams [][]Op
}

func (f plainFixture[S]) open() instance {
	s := f.New()
	apply := func(run []Op) { f.Apply(s, run) }
	return instance{apply: func(int) func([]Op) { return apply }, keep: func() { runtime.KeepAlive(s) }}
}

func (f plainFixture[S]) build(stream int) {
	s := f.New()
	f.Apply(s, f.streams[stream])
	runtime.KeepAlive(s)
}

type typedFixture[S, T any] struct {
	TypedStructure[S, T]
	streams []Aligned[T]
}

func (f typedFixture[S, T]) open() instance {
	s := f.New()
	return instance{
		apply: func(stream int) func([]Op) {
			aligned := f.streams[stream]
			return func(run []Op) { f.Apply(s, run, aligned.For(run)) }
		},
		keep: func() { runtime.KeepAlive(s) },
	}
}

func (f typedFixture[S, T]) build(stream int) {
	s := f.New()
	f.Apply(s, f.streams[stream].ops, f.streams[stream].values)
	runtime.KeepAlive(s)
}

// checkSubjects names the first structure that lacks something.
func checkSubjects(subjects []Subject) error {
	for i, s := range subjects {
		if s.prepare == nil {
			return fmt.Errorf("%s is empty; make it with Bind or BindTyped", subjectLabel(s, i))
		}
		if s.missing != "" {
			return fmt.Errorf("%s: %s is nil and has to be set", subjectLabel(s, i), s.missing)
		}
	}
	return nil
}

// checkNames demands a name of its own for every structure.
func checkNames(subjects []Subject) error {
	seen := make(map[string]bool)
	for i, s := range subjects {
		if s.name == "" || seen[s.name] {
			return fmt.Errorf("%s needs a name that no other structure has", subjectLabel(s, i))
		}
		seen[s.name] = true
	}
	return nil
}

// subjectLabel names a structure in an error, such as `structure A ("map")`.
func subjectLabel(s Subject, index int) string {
	label := fmt.Sprintf("structure #%d", index+1)
	if index < 26 {
		label = "structure " + string(rune('A'+index))
	}
	if s.name != "" {
		label += fmt.Sprintf(" (%q)", s.name)
	}
	return label
}

// guard turns a panic in a structure's code into an error.
func guard(doing string, call func()) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("%s panicked: %v\n%s", doing, value, debug.Stack())
		}
	}()
	call()
	return nil
}
