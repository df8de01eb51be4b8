package pooling

import (
	"math/rand/v2"

	"github.com/rtcompare/rtcompare"
)

// node fills a cache line. Two links lead to other nodes.
type node struct {
	left, right *node
	value       uint64
	_           [5]uint64
}

const (
	// probeCount is the length of the sequence of keys, too long to be learned.
	probeCount = 1 << 18
	// keyFactor is odd, so that it spreads numbers over all keys without
	// collisions; keys that count up would lie in order in the map.
	keyFactor = 0x9E3779B97F4A7C15
)

// structure is a map from keys to nodes that link to each other.
type structure struct {
	byKey  map[uint64]*node
	probes []uint64
}

// build makes a structure. Two with the same seed hold the same data and run the
// same code; what differs is where they lie, and the seed that Go gives each map.
func build(nodes int, seed uint64) *structure {
	r := rand.New(rand.NewPCG(seed, 0x6E6F646573))
	all := make([]*node, nodes)
	for _, i := range r.Perm(nodes) {
		all[i] = new(node)
	}
	s := &structure{byKey: make(map[uint64]*node, nodes), probes: make([]uint64, probeCount)}
	for i, n := range all {
		n.left, n.right, n.value = all[r.IntN(nodes)], all[r.IntN(nodes)], r.Uint64()>>1
		s.byKey[keyOf(i)] = n
	}
	for i := range s.probes {
		s.probes[i] = keyOf(r.IntN(nodes))
	}
	return s
}

func keyOf(i int) uint64 { return uint64(i+1) * keyFactor }

// candidate looks up keys and follows two links from each. Values have no top
// bit, so adding it changes nothing and makes each lookup wait for the last one.
//
// It must not be inlined: each call would get machine code of its own, at
// another place, and the two candidates would differ in more than their data.
//
//go:noinline
func (s *structure) candidate(name string) rtcompare.Candidate {
	place, sum := 0, uint64(0)
	return rtcompare.Candidate{Name: name, Batch: func(n uint64) {
		for range n {
			found := s.byKey[s.probes[place]+sum>>63]
			sum = found.left.right.value
			place = (place + 1) & (probeCount - 1)
		}
		spun += sum
	}}
}
