package main

import "github.com/rtcompare/rtcompare"

// sink keeps the results reachable, so that no work can be left out.
var sink uint64

// candidate wraps a fixture with a place of its own in the sequence of starts.
func (f *fixture) candidate(name, workload string) rtcompare.Candidate {
	place := 0
	batch := func(n uint64) { place = f.chase(place, n) }
	if workload == workloadScan {
		batch = func(n uint64) { place = f.scan(place, n) }
	}
	return rtcompare.Candidate{Name: name, Batch: batch}
}

// chase visits a random node and, over two links, two more. Values stay below
// 2^32, so their top bit is zero; adding it makes every operation wait for the
// one before, as in code that looks up what it has just found.
func (f *fixture) chase(place int, n uint64) int {
	value := uint64(0)
	for range n {
		start := f.nodes[uint64(f.starts[place])+value>>63]
		value = start.left.right.value
		sink += value
		place = (place + 1) & (probes - 1)
	}
	return place
}

// scan adds up 100 neighbours of the list, which lie anywhere in memory.
func (f *fixture) scan(place int, n uint64) int {
	for range n {
		at, sum := f.nodes[f.starts[place]], uint64(0)
		for range scanLength {
			sum += at.value
			at = at.next
		}
		sink += sum
		place = (place + 1) & (probes - 1)
	}
	return place
}
