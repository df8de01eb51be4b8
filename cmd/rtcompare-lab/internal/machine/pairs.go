package machine

import (
	"math/rand/v2"

	"github.com/rtcompare/rtcompare"
)

// side is one candidate of an adversarial pair.
type side struct {
	name  string
	build func(r *rand.Rand) rtcompare.Batch
}

// pair is a comparison that naive measuring gets wrong.
type pair struct {
	name  string
	sides [2]side
	// loops fixes the batch size, to make it too small; zero leaves it to the
	// library.
	loops uint64
}

// adversarial are the pairs, each with its trap.
func adversarial() []pair {
	all := []pair{}
	// A short batch runs in caches that the other candidate has just filled.
	for _, small := range []int{16 << 10, 256 << 10, 1 << 20, 8 << 20} {
		all = append(all, pair{name: "chase " + sizeName(small) + " / " + sizeName(2*small), sides: [2]side{chaseSide(small), chaseSide(2 * small)}})
	}
	return append(all,
		// A short batch seldom meets the collections that its garbage causes.
		pair{name: "new nodes / reused nodes", sides: [2]side{{"new", fixture(allocation, normalSteps)}, {"reused", fixture(reusing, normalSteps)}}},
		pair{name: "arithmetic / nodes, 13 MB live", sides: [2]side{{"arithmetic", fixture(arithmetic, arithmeticForNodes)}, {"nodes", fixture(allocationOverLive, normalSteps)}}},
		// More operations would mean a larger structure.
		pair{name: "growing maps, 4 / 8 byte keys", sides: [2]side{{"4 bytes", fixture(growing[uint32], normalSteps)}, {"8 bytes", fixture(growing[uint64], normalSteps)}}},
		// A batch shorter than a step of the clock.
		pair{name: "batches below the clock's step", loops: 1, sides: [2]side{{"1 step", fixture(arithmetic, 1)}, {"2 steps", fixture(arithmetic, 2)}}},
		// Equal maps that lie in different places.
		pair{name: "two equal maps", sides: [2]side{{"first", fixture(mapLookups, normalSteps)}, {"second", fixture(mapLookups, normalSteps)}}},
	)
}

// arithmeticForNodes makes the arithmetic about as long as building the nodes
// when no collection comes in between.
const arithmeticForNodes = 400

func fixture(build func(r *rand.Rand) func(int) rtcompare.Batch, steps int) func(r *rand.Rand) rtcompare.Batch {
	return func(r *rand.Rand) rtcompare.Batch { return build(r)(steps) }
}

func chaseSide(bytes int) side { return side{sizeName(bytes), fixture(chase(bytes), normalSteps)} }

// reusing builds the lists of [allocation] from nodes that exist already.
func reusing(*rand.Rand) func(int) rtcompare.Batch {
	nodes := make([]node, listLength)
	return func(steps int) rtcompare.Batch {
		length := 0
		return func(n uint64) {
			for i := range n * uint64(steps) {
				if length == listLength {
					length, listHead = 0, nil
				}
				fresh := &nodes[length]
				*fresh = node{next: listHead, value: [7]uint64{i}}
				listHead = fresh
				length++
			}
		}
	}
}

// liveNodes are 13 MB that every collection has to walk through.
const liveNodes = 13 << 20 / 64

func allocationOverLive(r *rand.Rand) func(int) rtcompare.Batch {
	var live *node
	for range liveNodes {
		live = &node{next: live}
	}
	inner := allocation(r)
	return func(steps int) rtcompare.Batch {
		batch := inner(steps)
		return func(n uint64) {
			batch(n)
			sink += live.value[0] // keeps the live nodes alive
		}
	}
}

// growingLimit bounds the memory of a structure that only grows: at this size
// it is thrown away.
const growingLimit = 1 << 19

// growing inserts new keys into a map.
func growing[K uint32 | uint64](r *rand.Rand) func(int) rtcompare.Batch {
	key := r.Uint64()
	index := make(map[K]K)
	return func(steps int) rtcompare.Batch {
		return func(n uint64) {
			for range n * uint64(steps) {
				if len(index) >= growingLimit {
					index = make(map[K]K)
				}
				key = key*6364136223846793005 + 1442695040888963407
				index[K(key>>32)]++
			}
		}
	}
}
