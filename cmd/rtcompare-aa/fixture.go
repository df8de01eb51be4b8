package main

import (
	"math"

	"github.com/rtcompare/rtcompare"
)

const (
	// scanLength is how many elements one operation of the scan visits.
	scanLength = 100
	// probes is the length of the sequence of start nodes. It is long enough
	// for no cache or predictor to learn it, and no batch runs in step with it.
	probes = 1 << 20
	// mostNodes keeps node numbers within 32 bits on every system.
	mostNodes = math.MaxInt32
	// contentSeed draws links and starts. It is a constant: two fixtures hold
	// the same data.
	contentSeed = 0x6E6F646573
	// turnsSeed keeps -seed 0 from drawing a random order.
	turnsSeed = 0x9C3A5D71E2B4F608
)

// node fills one line of a usual cache, 64 bytes.
type node struct {
	next, left, right *node
	value             uint64
	_                 [4]uint64
}

// fixture is one copy of the data: a list through all nodes, with two links
// from every node to others.
type fixture struct {
	nodes []*node
	// starts is shared by all fixtures; each candidate has its own place in it.
	starts []uint32
}

// build makes two fixtures with the same content. What differs is when each
// node was allocated, and with it where it lies.
func build(s settings) (a, b *fixture) {
	content := rtcompare.NewDPRNG(contentSeed)
	a, b = &fixture{nodes: make([]*node, s.nodes)}, &fixture{nodes: make([]*node, s.nodes)}
	order := make([]int, s.nodes)
	for i := range order {
		order[i] = i
	}
	content.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	allocate(a, b, order, s)
	link(a, b, &content)
	// A scan must not run over the end of the list.
	last := uint32(s.nodes)
	if s.workload == workloadScan {
		last -= scanLength
	}
	starts := make([]uint32, probes)
	for i := range starts {
		starts[i] = content.Uint32N(last)
	}
	a.starts, b.starts = starts, starts
	return a, b
}

// allocate makes the nodes of both fixtures, each in the given order; how the
// two take turns is what -build says.
func allocate(a, b *fixture, order []int, s settings) {
	fixtures := [2]*fixture{a, b}
	var done [2]int
	for _, which := range turns(s.order, len(order), s.seed) {
		fixtures[which].nodes[order[done[which]]] = new(node)
		done[which]++
	}
}

// turns returns for every allocation of 2n whose it is: 0 for A, 1 for B.
func turns(build string, n int, seed uint64) []uint8 {
	all := make([]uint8, 2*n)
	for i := range all {
		switch build {
		case buildBA:
			all[i] = 1 - uint8(i/n)
		case buildMixed:
			all[i] = uint8(i % 2)
		default:
			all[i] = uint8(i / n)
		}
	}
	if build == buildRandom {
		coin := rtcompare.NewDPRNG(seed ^ turnsSeed)
		coin.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	return all
}

// link gives both fixtures the same links and values.
func link(a, b *fixture, content *rtcompare.DPRNG) {
	count := uint32(len(a.nodes))
	for i := range a.nodes {
		left, right, value := content.Uint32N(count), content.Uint32N(count), uint64(content.Uint32())
		for _, f := range []*fixture{a, b} {
			n := f.nodes[i]
			n.left, n.right, n.value = f.nodes[left], f.nodes[right], value
			if i+1 < len(f.nodes) {
				n.next = f.nodes[i+1]
			}
		}
	}
}
