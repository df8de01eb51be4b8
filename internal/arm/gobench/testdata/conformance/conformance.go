// Package conformance has benchmarks of every kind.
package conformance

// Work keeps a processor busy for a number of steps.
func Work(steps int, x uint64) uint64 {
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}
