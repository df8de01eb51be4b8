package workload

// Aligned is a stream with a value of any type for each of its operations: a
// key of another type, a value to store, or both in a struct. The values are
// computed by [Align] before anything is timed, and lie in memory in the order
// in which they are used. The zero value is an empty stream.
type Aligned[T any] struct {
	ops    []Op
	values []T
}

// Align computes the value of every operation, given its place in the stream.
// value must not be nil.
// For string keys, for example:
//
//	keys := workload.Align(cycle, func(op workload.Op, _ int) string {
//		return strconv.FormatUint(op.Key, 36)
//	})
//
// To let equal keys share memory, as they would in a program that interns them,
// let value look them up in a map of its own.
func Align[T any](ops []Op, value func(op Op, index int) T) Aligned[T] {
	values := make([]T, len(ops))
	for i, op := range ops {
		values[i] = value(op, i)
	}
	return Aligned[T]{ops: ops, values: values}
}

// Ops returns the stream.
func (a Aligned[T]) Ops() []Op { return a.ops }

// Values returns the values of the whole stream.
func (a Aligned[T]) Values() []T { return a.values }

// For returns the values of a run of the stream, as a [Cursor] hands it out. It
// takes a few nanoseconds for a run of any length, and returns nil for a run
// that is empty or no part of the stream.
func (a Aligned[T]) For(run []Op) []T {
	// A part of a slice reaches as far as the whole does, so what it lacks in
	// capacity is where it begins.
	from := cap(a.ops) - cap(run)
	to := from + len(run)
	if len(run) == 0 || from < 0 || to > len(a.ops) || &a.ops[from] != &run[0] {
		return nil
	}
	return a.values[from:to:to]
}
