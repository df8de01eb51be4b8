// Package machine holds the experiments that measure real code on this machine,
// through the same functions that users call.
package machine

import (
	"math/rand/v2"
	"slices"

	"github.com/rtcompare/rtcompare"
)

// Workload is a kind of code under test. An operation consists of a number of
// small steps, so that a known difference is a different number of them.
type Workload struct {
	Name string
	// Fixture builds what the code works on and returns a maker of batches
	// over it. All batches of a fixture run the same machine code.
	Fixture func(r *rand.Rand) func(steps int) rtcompare.Batch
}

// normalSteps is the number of steps of an operation.
const normalSteps = 20

// sink keeps results reachable, so that no work can be left out.
var sink uint64

// Workloads are those that differ in what they are limited by: arithmetic,
// caches, branches, and the allocator.
func Workloads() []Workload {
	return []Workload{{"arithmetic", arithmetic}, {"map", mapLookups}, {"sort", sorting}, {"allocation", allocation}}
}

// workload returns the one of that name.
func workload(name string) (Workload, bool) {
	for _, w := range append(Workloads(), chases()...) {
		if w.Name == name {
			return w, true
		}
	}
	return Workload{}, false
}

// arithmetic is a chain of xorshift steps, each of which needs the one before.
func arithmetic(*rand.Rand) func(int) rtcompare.Batch {
	return func(steps int) rtcompare.Batch {
		return func(n uint64) {
			x := uint64(0x9E3779B97F4A7C15)
			for range n * uint64(steps) {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
			}
			sink += x
		}
	}
}

const mapKeys = 4096

// mapLookups looks up keys in a random order.
func mapLookups(r *rand.Rand) func(int) rtcompare.Batch {
	index := make(map[uint64]uint64, mapKeys)
	keys := make([]uint64, mapKeys)
	for i := range keys {
		keys[i] = r.Uint64()
		index[keys[i]] = uint64(i)
	}
	return func(steps int) rtcompare.Batch {
		next := 0
		return func(n uint64) {
			sum := uint64(0)
			for range n * uint64(steps) {
				sum += index[keys[next%mapKeys]]
				next++
			}
			sink += sum
		}
	}
}

const (
	// sortInputs is odd, so that the ring has no period in common with the
	// rounds of a comparison.
	sortInputs = 17
	sortLength = 64
)

// sorting sorts the inputs of a ring, one per step. A single input would be
// learned by the branch predictor.
func sorting(r *rand.Rand) func(int) rtcompare.Batch {
	ring := make([][]uint64, sortInputs)
	for i := range ring {
		ring[i] = make([]uint64, sortLength)
		for j := range ring[i] {
			ring[i][j] = r.Uint64()
		}
	}
	work := make([]uint64, sortLength)
	return func(steps int) rtcompare.Batch {
		next := 0
		return func(n uint64) {
			for range n * uint64(steps) {
				copy(work, ring[next%sortInputs])
				slices.Sort(work)
				sink += work[0]
				next++
			}
		}
	}
}

// node is 64 bytes with a pointer for the collector to follow.
type node struct {
	next  *node
	value [7]uint64
}

// listHead keeps the list of the moment reachable.
var listHead *node

const listLength = 64

// allocation builds short lists of nodes; a finished list becomes garbage.
func allocation(*rand.Rand) func(int) rtcompare.Batch {
	return func(steps int) rtcompare.Batch {
		length := 0
		return func(n uint64) {
			for i := range n * uint64(steps) {
				if length++; length > listLength {
					length, listHead = 1, nil
				}
				listHead = &node{next: listHead, value: [7]uint64{i}}
			}
		}
	}
}
