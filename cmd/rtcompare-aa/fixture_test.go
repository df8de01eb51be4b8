package main

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"
)

func TestFixturesHoldTheSame(t *testing.T) {
	for _, order := range []string{buildAB, buildBA, buildMixed, buildRandom} {
		for _, workload := range []string{workloadChase, workloadScan} {
			a, b := build(settings{nodes: 300, order: order, workload: workload, seed: 3})
			sums := [2]uint64{}
			for i, f := range []*fixture{a, b} {
				before := sink
				f.candidate("", workload).Batch(1000)
				sums[i] = sink - before
			}
			if sums[0] != sums[1] || sums[0] == 0 {
				t.Errorf("%s %s: sums %v", order, workload, sums)
			}
			for i := range a.nodes {
				if a.nodes[i] == b.nodes[i] {
					t.Fatalf("%s: node %d belongs to both", order, i)
				}
			}
		}
	}
}

func TestTurns(t *testing.T) {
	for _, test := range []struct{ build, want string }{
		{buildAB, "[0 0 0 1 1 1]"}, {buildBA, "[1 1 1 0 0 0]"}, {buildMixed, "[0 1 0 1 0 1]"},
	} {
		if got := fmt.Sprint(turns(test.build, 3, 1)); got != test.want {
			t.Errorf("%s: %s, want %s", test.build, got, test.want)
		}
	}
	for _, seed := range []uint64{0, 1} {
		first, again := turns(buildRandom, 500, seed), turns(buildRandom, 500, seed)
		if !slices.Equal(first, again) || slices.Equal(first, turns(buildRandom, 500, seed+1)) {
			t.Errorf("the order does not follow seed %d", seed)
		}
		ones := 0
		for _, which := range first {
			ones += int(which)
		}
		if ones != 500 {
			t.Errorf("seed %d: B has %d of 1000 turns", seed, ones)
		}
	}
}

// TestPlaceGoesOn checks that batches walk on through the sequence of starts and
// around its end.
func TestPlaceGoesOn(t *testing.T) {
	a, _ := build(settings{nodes: 200, order: buildAB, workload: workloadScan})
	for _, walk := range []func(int, uint64) int{a.chase, a.scan} {
		if place := walk(probes-2, 5); place != 3 {
			t.Errorf("at %d after five operations from the last but one start", place)
		}
	}
}

func TestNodeFillsACacheLine(t *testing.T) {
	if size := unsafe.Sizeof(node{}); unsafe.Sizeof(uintptr(0)) == 8 && size != 64 {
		t.Errorf("a node has %d bytes", size)
	}
}
