package workload

import (
	"slices"
	"testing"
)

func TestKeysAreDistinct(t *testing.T) {
	for _, c := range []Config{
		{}, {Seed: 1}, {Keys: Sequential}, {Keys: Clustered}, {Keys: Clustered, ClusterSize: 1}, {Keys: Clustered, ClusterSize: 48, Seed: 9},
		{Keys: Clustered, ClusterSize: maxClusterSize}, {Keys: Clustered, ClusterSize: -5}, {Keys: KeyOrder(77)},
	} {
		keys := make([]uint64, 0, 200_000)
		for id := range uint32(100_000) {
			keys = append(keys, c.Key(id), c.Key(none-id))
		}
		slices.Sort(keys)
		if n := len(slices.Compact(keys)); n != 200_000 {
			t.Errorf("%v, clusters of %d: %d different keys of 200000", c.Keys, c.ClusterSize, n)
		}
	}
}

func TestSpreadIsOneToOne(t *testing.T) {
	for width := range uint(13) {
		seen := make([]bool, 1<<width)
		for x := range uint64(1) << width {
			y := newSpreader(width).spread(x)
			if y >= 1<<width || seen[y] {
				t.Fatalf("width %d: %d goes to %d, which is out of range or taken", width, x, y)
			}
			seen[y] = true
		}
	}
}

func TestKeysDependOnSeed(t *testing.T) {
	for _, keys := range []KeyOrder{Scattered, Clustered} {
		if (Config{Keys: keys}).Key(5) == (Config{Keys: keys, Seed: 1}).Key(5) {
			t.Errorf("%v: seeds 0 and 1 give the same key", keys)
		}
	}
	if key := (Config{Seed: 3, Keys: Sequential}).Key(7); key != 7 {
		t.Errorf("sequential key of 7 is %d", key)
	}
}

func TestClustersAreConsecutive(t *testing.T) {
	c := Config{Keys: Clustered, ClusterSize: 10}
	for id := range uint32(1000) {
		if id%10 != 0 && c.Key(id) != c.Key(id-1)+1 {
			t.Fatalf("keys of %d and %d are not neighbours", id-1, id)
		}
		if id > 0 && id%10 == 0 && c.Key(id) == c.Key(id-1)+1 {
			t.Fatalf("the clusters before and behind %d touch", id)
		}
	}
}

// TestTransientKeysLieAmongPermanentOnes is what makes scattered insertions hit
// every part of a tree, and sequential ones only its right edge.
func TestTransientKeysLieAmongPermanentOnes(t *testing.T) {
	const target = 20_000
	for _, test := range []struct {
		keys     KeyOrder
		from, to float64
	}{{Scattered, 0.45, 0.55}, {Clustered, 0.4, 0.6}, {Sequential, 0, 0}} {
		c := Config{Seed: 4, Keys: test.keys}
		ops, err := Cycle(target, c)
		if err != nil {
			t.Fatal(err)
		}
		var permanent []uint64
		for id := range uint32(target) {
			permanent = append(permanent, c.Key(id))
		}
		slices.Sort(permanent)
		below, all := 0, 0
		for _, op := range ops {
			if op.Key != c.Key(op.ID) {
				t.Fatalf("%v: element %d has key %d, Config.Key says %d", test.keys, op.ID, op.Key, c.Key(op.ID))
			}
			if op.Kind == Insert {
				all++
				if op.Key < permanent[target/2] {
					below++
				}
			}
		}
		if share := float64(below) / float64(all); share < test.from || share > test.to {
			t.Errorf("%v: %.3f of the transient keys lie below the median", test.keys, share)
		}
	}
}
